"""RDM6300 and ID-12 readers: frames, a tag that stays, one that leaves, two at once, reads that cannot be believed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.messages import CardGone, Collision, CommandResult, DeviceMessage, LineFault, LinkChanged, Lock, ReadFailed
from drivers.messages import TagSeen as Seen
from drivers.readers.rdm6300 import DEAF_AFTER_BYTES, DRIVER
from drivers.readers.rdm6300_frames import Rejected, TagReader, tag_frame
from firmware_sim.reader_rdm6300 import SimRdm6300

A, B, C = "0A00A1B2C3", "0A00A1B2C4", "0A00A1B2C5"
uids = st.binary(min_size=5, max_size=5).map(lambda raw: raw.hex().upper())


class Rig:
    """A reader and its driver in virtual time, joined by a perfect line."""

    def __init__(self, **options: object) -> None:
        self.reader = SimRdm6300()
        self.driver = DRIVER({"position": "box-1", **options})
        self.now_ms = 0
        self.said: list[DeviceMessage] = []
        self._hear(self.driver.connected("c", 0))

    def _hear(self, reports: object) -> None:
        assert isinstance(reports, list | tuple)
        self.said += [report.message for report in reports if not isinstance(report.message, LinkChanged)]

    def run(self, duration_ms: int) -> list[DeviceMessage]:
        """Let time pass; answers what was said meanwhile."""
        before = len(self.said)
        for _ in range(duration_ms // 10):
            self.now_ms += 10
            self.reader.tick(self.now_ms)
            if data := self.reader.outgoing():
                self._hear(self.driver.receive(data, self.now_ms))
            self._hear(self.driver.tick(self.now_ms))
        return self.said[before:]

    def feed(self, data: bytes) -> list[DeviceMessage]:
        """Bytes out of nowhere."""
        before = len(self.said)
        self._hear(self.driver.receive(data, self.now_ms))
        return self.said[before:]


@given(uids, st.booleans())
def test_frames_survive_their_bytes(uid: str, crlf: bool) -> None:
    assert TagReader().feed(tag_frame(uid, crlf=crlf)) == [uid]


@given(uids, st.integers(0, 13), st.integers(0, 7))
def test_no_flipped_bit_gives_another_tag(uid: str, at: int, bit: int) -> None:
    spoilt = bytearray(tag_frame(uid))
    spoilt[at] ^= 1 << bit
    found = [item for item in TagReader().feed(bytes(spoilt)) if not isinstance(item, Rejected)]
    assert found in ([], [uid])


@given(st.lists(uids, min_size=1, max_size=4), st.lists(st.integers(1, 9), max_size=20))
def test_where_frames_are_split_does_not_matter(tags: list[str], sizes: list[int]) -> None:
    data, reader, found = b"".join(tag_frame(uid) for uid in tags), TagReader(), []
    for size in sizes:
        found += reader.feed(data[:size])
        data = data[size:]
    assert [*found, *reader.feed(data)] == tags


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        (b"\x0212345\x020A00A1B2C3DA\x03", [Rejected.MALFORMED, A]),
        (b"\x020A00A1B2C3DB\x03", [Rejected.CHECKSUM]),
        (b"\x020a00a1b2c3da\x03", [Rejected.MALFORMED]),
        (b"\x02" + b"0" * 40 + b"\x03\x020A00A1B2C3DA\x03", [Rejected.MALFORMED, A]),
        (b"\x03\x03\r\n", []),
        (b"\x02\x03", [Rejected.MALFORMED]),
    ],
)
def test_broken_frames(wire: bytes, expected: list[object]) -> None:
    assert TagReader().feed(wire) == expected


@pytest.mark.parametrize("uid", ["0A00A1B2C", "0a00a1b2c3", "0A00A1B2C3D4"])
def test_what_is_no_tag_cannot_be_laid(uid: str) -> None:
    with pytest.raises(ValueError, match="ten upper-case hex digits"):
        SimRdm6300().lay(uid)


def test_a_tag_is_told_once_while_it_lies_there_and_gone_after_a_silence() -> None:
    rig = Rig()
    rig.reader.lay(A)
    assert rig.run(5000) == [Seen("box-1", A)]
    rig.reader.lift(A)
    assert rig.run(500) == []
    assert rig.run(500) == [CardGone("box-1", A)]
    rig.reader.lay(A)
    assert rig.run(500) == [Seen("box-1", A)]


def test_another_tag_takes_the_place_at_once() -> None:
    rig = Rig()
    rig.reader.lay(A)
    rig.run(500)
    rig.reader.lift(A)
    rig.reader.lay(B)
    assert rig.run(500) == [CardGone("box-1", A), Seen("box-1", B)]


def test_two_tags_are_a_collision_and_never_no_card() -> None:
    rig = Rig()
    rig.reader.lay(A)
    rig.run(500)
    rig.reader.lay(B)
    assert rig.run(2000) == [Collision("box-1", (A, B))]
    rig.reader.lift(A)
    assert rig.run(2000) == [CardGone("box-1", A), Seen("box-1", B)]
    rig.reader.lift(B)
    assert rig.run(1000) == [CardGone("box-1", B)]


def test_a_third_tag_is_a_collision_of_three() -> None:
    rig = Rig()
    for uid in (A, B):
        rig.reader.lay(uid)
        rig.run(600)
    rig.reader.lay(C)
    assert rig.run(2000) == [Collision("box-1", (A, B, C))]


def test_another_tag_right_after_two_is_told() -> None:
    rig = Rig()
    for uid in (A, B, A, B, A, B, C, C, C, C):
        rig.feed(tag_frame(uid))
    assert rig.said == [Collision("box-1", (A, B)), CardGone("box-1", A), CardGone("box-1", B), Seen("box-1", C)]


def test_after_a_collision_the_one_that_stayed_is_not_told_again() -> None:
    rig = Rig()
    rig.reader.lay(A)
    rig.run(500)
    rig.reader.lay(B)
    rig.run(1000)
    rig.reader.lift(B)
    assert rig.run(1000) == [CardGone("box-1", B)]


def test_one_stale_read_is_not_believed_but_said() -> None:
    rig = Rig()
    rig.reader.lay(A)
    rig.run(500)
    assert rig.feed(tag_frame(B)) == []
    (doubt,) = rig.run(2000)
    assert isinstance(doubt, ReadFailed)
    assert B in doubt.detail


def test_reads_out_of_order_at_a_change_are_no_collision() -> None:
    rig = Rig()
    for uid in (A, A, B, A, B, B, B):
        rig.now_ms += 70
        rig.feed(tag_frame(uid))
    assert rig.said == [Seen("box-1", A), CardGone("box-1", A), Seen("box-1", B)]


def test_damaged_reads_in_a_row_are_said_once() -> None:
    rig = Rig()
    said = [message for _ in range(10) for message in rig.feed(b"\x020A00A1B2C3DB\x03")]
    assert [type(message) for message in said] == [ReadFailed, LineFault]
    assert rig.driver.counters.bad_checksum == 10


def test_a_reconnection_does_not_tell_a_lying_tag_again() -> None:
    rig = Rig()
    rig.reader.lay(A)
    rig.run(500)
    rig.driver.disconnected("unplugged", rig.now_ms)
    rig.now_ms += 60_000
    rig.driver.connected("d", rig.now_ms)
    assert rig.run(1000) == []
    rig.reader.lift(A)
    assert rig.run(1000) == [CardGone("box-1", A)]


def test_noise_is_wrong_line_settings() -> None:
    assert [type(message) for message in Rig().feed(b"\xf7" * DEAF_AFTER_BYTES)] == [LineFault]


def test_a_command_is_refused() -> None:
    rig = Rig()
    rig.driver.command(Lock(), 7)
    (result,) = rig.run(10)
    assert isinstance(result, CommandResult)
    assert (result.request, result.outcome, rig.driver.outgoing()) == (7, "refused", b"")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"confirm": 0}, "confirm is 0; allowed are whole numbers from 1 to 5"),
        ({"gone_ms": 100}, "200 to 10000"),
        ({"position": "box"}, "box-N"),
        ({"check": "x"}, "option 'check' is unknown"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        DRIVER(options)


def test_two_tags_laid_together_are_a_collision_though_none_was_told_before() -> None:
    rig = Rig()
    rig.reader.lay(A)
    rig.reader.lay(B)
    assert rig.run(2000) == [Collision("box-1", (A, B))]


def test_many_lone_reads_are_all_said_and_few_are_kept() -> None:
    rig = Rig()
    tags = [f"0A00A1B2{number:02X}" for number in range(20)]
    for uid in tags:
        rig.now_ms += 20
        rig.feed(tag_frame(uid))
    rig.run(1000)
    assert [uid for uid in tags if any(uid in str(message) for message in rig.said)] == tags
