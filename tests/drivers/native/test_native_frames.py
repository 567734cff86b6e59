"""Frame layer: what goes in comes out, nothing else ever does."""

from __future__ import annotations

import random
import zlib

import pytest
from cobs import cobs  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.native.frames import (
    PAYLOAD_MAX,
    WIRE_MAX,
    Flag,
    Frame,
    FrameReader,
    FrameRejected,
    Kind,
    Rejection,
)

frames = st.builds(
    Frame,
    kind=st.sampled_from(Kind),
    sequence=st.integers(0, 65535),
    payload=st.binary(max_size=PAYLOAD_MAX),
    flags=st.sampled_from([Flag.NONE, Flag.RETRANSMITTED, Flag.REPLAYED, Flag.RETRANSMITTED | Flag.REPLAYED]),
)


@given(frames)
def test_a_frame_survives_its_bytes(frame: Frame) -> None:
    wire = frame.to_bytes()
    assert wire.endswith(b"\x00")
    assert b"\x00" not in wire[:-1]
    assert len(wire) <= WIRE_MAX
    assert Frame.from_bytes(wire[:-1]) == frame


def test_the_longest_payload_fills_exactly_one_wire_frame() -> None:
    assert len(Frame(Kind.EVENT, 7, b"\x01" * PAYLOAD_MAX).to_bytes()) == WIRE_MAX
    with pytest.raises(ValueError, match="244 bytes does not fit; at most 243"):
        Frame(Kind.EVENT, 7, b"\x01" * (PAYLOAD_MAX + 1)).to_bytes()


@given(st.lists(frames, max_size=6), st.data())
@settings(max_examples=60)
def test_any_split_gives_the_same_frames(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(frame.to_bytes() for frame in sent)
    reader, got, at = FrameReader(), list[Frame | FrameRejected](), 0
    while at < len(stream):
        step = data.draw(st.integers(1, 40))
        got += reader.feed(stream[at : at + step])
        at += step
    assert got == sent


@given(frames)
@settings(max_examples=40)
def test_every_single_bit_flip_is_rejected(frame: Frame) -> None:
    wire = frame.to_bytes()
    for bit in range(len(wire) * 8):
        bad = bytearray(wire)
        bad[bit // 8] ^= 1 << bit % 8
        assert all(isinstance(item, FrameRejected) for item in FrameReader().feed(bytes(bad)))


def test_random_corruption_is_rejected() -> None:
    rng = random.Random(20)
    for _ in range(40_000):
        frame = Frame(Kind.EVENT, rng.randrange(65536), rng.randbytes(rng.randrange(80)))
        wire = frame.to_bytes()
        bad = bytearray(wire)
        match rng.randrange(4):
            case 0:
                for _ in range(rng.randint(1, 5)):
                    bad[rng.randrange(len(bad))] = rng.randrange(256)
            case 1:
                del bad[rng.randrange(len(bad))]
            case 2:
                bad.insert(rng.randrange(len(bad) + 1), rng.randrange(256))
            case _:
                start = rng.randrange(len(bad))
                bad[start : start + rng.randint(1, 9)] = rng.randbytes(rng.randint(1, 9))
        accepted = [item for item in FrameReader().feed(bytes(bad)) if isinstance(item, Frame)]
        assert accepted in ([], [frame])
        assert not accepted or wire in bytes(bad)


@given(st.binary(max_size=2000))
def test_no_bytes_raise_and_the_next_frame_is_found(noise: bytes) -> None:
    frame = Frame(Kind.HEARTBEAT, 3, b"\x00\x01")
    got = FrameReader().feed(noise + b"\x00" + frame.to_bytes())
    assert got[-1] == frame


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ("02 01 00 0000 00", Rejection.VERSION),
        ("01 00 00 0000 00", Rejection.KIND),
        ("01 0C 00 0000 00", Rejection.KIND),
        ("01 01 04 0000 00", Rejection.FLAGS),
        ("01 01 00 0000 01", Rejection.LENGTH),
        ("01 01 00 0000 00 00", Rejection.LENGTH),
        ("01 01 00 0000", Rejection.TOO_SHORT),
    ],
)
def test_a_right_checksum_does_not_make_a_frame(inside: str, reason: Rejection) -> None:
    body = bytes.fromhex(inside)
    wire = cobs.encode(body + zlib.crc32(body).to_bytes(4, "big"))
    assert Frame.from_bytes(wire) == FrameRejected(reason, len(wire))


def test_the_buffer_is_bounded_and_says_how_much_it_gave_up() -> None:
    reader = FrameReader()
    for _ in range(1000):
        assert reader.feed(b"\xff" * 100) == []
    assert reader.feed(b"\x00") == [FrameRejected(Rejection.TOO_LONG, 100_000)]
    frame = Frame(Kind.ACK, 1, b"x")
    assert reader.feed(frame.to_bytes()) == [frame]


def test_an_unfinished_frame_costs_only_itself() -> None:
    whole = Frame(Kind.ACK, 1, b"whole")
    got = FrameReader().feed(whole.to_bytes()[:-4] + b"\x00" + whole.to_bytes())
    assert [type(item) for item in got] == [FrameRejected, Frame]


def test_lone_zeros_are_nothing() -> None:
    assert FrameReader().feed(b"\x00\x00\x00") == []


def test_clearing_forgets_an_unfinished_frame() -> None:
    reader, frame = FrameReader(), Frame(Kind.ACK, 1, b"x")
    assert reader.feed(b"\x05half") == []
    reader.clear()
    assert reader.feed(frame.to_bytes()) == [frame]
