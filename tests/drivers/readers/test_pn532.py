"""PN532 modules: waking and setting up, tags that come and go, two at once, replies lost, damaged, stale or doubled."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.api import Report
from drivers.messages import (
    CardGone,
    Collision,
    CommandResult,
    DeviceGap,
    DeviceMessage,
    LineFault,
    LinkChanged,
    LinkState,
    Lock,
    ReadFailed,
    SelfTest,
)
from drivers.messages import TagSeen as Seen
from drivers.readers.field import Field, Sample
from drivers.readers.pn532 import DEAF_AFTER_BYTES, DRIVER
from drivers.readers.pn532_frames import ACK, FRAME_MAX, Damaged, FrameReader, Message, Signal
from drivers.readers.pn532_targets import targets_to_bytes, uids_of
from firmware_sim.reader_pn532 import SimPn532

A, B, C = "04A1B2C3", "04A1B2C3D4E5F6", "08010203"
P = "box-1"
Change = Callable[[bytes], list[bytes]]


class Rig:
    """A module and its driver in virtual time; ``change`` makes what arrives of each unit that the module sends."""

    def __init__(self, **options: object) -> None:
        self.module = SimPn532()
        self.driver = DRIVER({"position": P, **options})
        self.now_ms = 0
        self.said: list[DeviceMessage] = []
        self.reports: list[Report] = []
        self.change: Change = lambda unit: [unit]
        self.to_module: Change = lambda unit: [unit]
        self._hear(self.driver.connected("c", 0))

    def _hear(self, reports: object) -> None:
        assert isinstance(reports, list | tuple)
        self.reports += reports
        self.said += [report.message for report in reports]

    def run(self, duration_ms: int) -> list[DeviceMessage]:
        """Let time pass; answers what was said meanwhile."""
        before = len(self.said)
        for _ in range(duration_ms // 10):
            self.now_ms += 10
            self._hear(self.driver.tick(self.now_ms))
            for piece in self.to_module(self.driver.outgoing()):
                self.module.receive(piece, self.now_ms)
            self.module.tick(self.now_ms)
            while unit := self.module.outgoing():
                for piece in self.change(unit):
                    self._hear(self.driver.receive(piece, self.now_ms))
        return self.said[before:]


def up(**options: object) -> Rig:
    rig = Rig(**options)
    assert rig.run(1000) == [LinkChanged(LinkState.UP, "a PN532 with firmware 1.6 is on the line")]
    return rig


@given(st.lists(st.binary(min_size=0, max_size=40), min_size=1, max_size=4), st.lists(st.integers(1, 9), max_size=30))
def test_frames_survive_their_bytes_wherever_they_are_split(bodies: list[bytes], sizes: list[int]) -> None:
    frames = [Message(0xD5, 0x4B, body) for body in bodies]
    data, reader, found = b"".join(frame.to_bytes() for frame in frames), FrameReader(), []
    for size in sizes:
        found += reader.feed(data[:size])
        data = data[size:]
    assert [*found, *reader.feed(data)] == frames


@given(st.binary(min_size=1, max_size=20), st.data())
def test_no_flipped_bit_gives_another_message(body: bytes, data: st.DataObject) -> None:
    frame = Message(0xD5, 0x4B, body)
    spoilt = bytearray(frame.to_bytes())
    spoilt[data.draw(st.integers(0, len(spoilt) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    found = [item for item in FrameReader().feed(bytes(spoilt) + ACK) if isinstance(item, Message)]
    assert found in ([], [frame])


def test_a_frame_that_lost_a_zero_and_took_one_of_the_next_is_taken_back() -> None:
    frame = Message(0xD5, 0x4B, targets_to_bytes(["04000006"])).to_bytes()
    at = frame.index(bytes.fromhex("04000006")) + 1
    short = frame[:at] + frame[at + 1 :]
    for cut in range(len(short)):
        reader = FrameReader()
        found = reader.feed(short[:cut]) + reader.feed(short[cut:] + ACK)
        assert found[-2:] == [Damaged("overlap"), Signal.ACK]
    assert FrameReader().feed(frame + frame + ACK) == [Message(0xD5, 0x4B, targets_to_bytes(["04000006"]))] * 2 + [
        Signal.ACK
    ]


@given(st.binary(max_size=400))
def test_the_frame_reader_keeps_little_whatever_comes(data: bytes) -> None:
    reader = FrameReader()
    for item in reader.feed(data):
        assert isinstance(item, Message | Signal | Damaged)
    assert len(reader._buffer) <= FRAME_MAX


@given(st.lists(st.sampled_from([A, B, C]), max_size=2, unique=True))
def test_targets_survive_their_bytes(uids: list[str]) -> None:
    assert uids_of(targets_to_bytes(uids)) == frozenset(uids)


@pytest.mark.parametrize(
    ("data", "uids"),
    [
        ("", None),
        ("00", frozenset[str]()),
        ("00 00", None),
        ("03", None),
        ("01 01 0004 08 04 04A1B2C3", frozenset([A])),
        ("01 01 0004 20 04 04A1B2C3 05 78807002", frozenset([A])),
        ("01 01 0004 20 04 04A1B2C3 09 78", None),
        ("01 01 0004 20 04 04A1B2C3", None),
        ("01 01 0004 08 05 04A1B2C3D4", None),
        ("01 01 0004 08 04 04A1B2", None),
        ("02 01 0004 08 04 04A1B2C3 02 0004 08 04 04A1B2C3", None),
    ],
)
def test_replies_about_targets(data: str, uids: frozenset[str] | None) -> None:
    assert uids_of(bytes.fromhex(data)) == uids


def test_a_tag_comes_and_goes() -> None:
    rig = up()
    rig.module.lay(A)
    assert rig.run(1000) == [Seen(P, A)]
    rig.module.lift(A)
    assert rig.run(1000) == [CardGone(P, A)]
    rig.module.lay(B)
    assert rig.run(1000) == [Seen(P, B)]
    assert [report.identity for report in rig.reports if report.identity] == [f"pn532:c:{n}" for n in (1, 2, 3)]


def test_two_tags_are_a_collision_and_never_no_card() -> None:
    rig = up()
    rig.module.lay(A)
    rig.run(500)
    rig.module.lay(B)
    assert rig.run(1000) == [Collision(P, tuple(sorted((A, B))))]
    rig.module.lift(B)
    assert rig.run(1000) == [CardGone(P, B)]
    rig.module.lay(C)
    assert rig.run(500) == [Collision(P, (A, C))]
    rig.module.lift(A)
    assert rig.run(500) == [CardGone(P, A), Seen(P, C)]


def test_two_tags_at_once_are_a_collision_of_unknown_order() -> None:
    rig = up()
    rig.module.lay(A)
    rig.module.lay(C)
    assert rig.run(500) == [Collision(P, (A, C))]
    rig.module.lift(A)
    rig.module.lift(C)
    assert rig.run(500) == [CardGone(P, A), CardGone(P, C)]


def test_an_error_of_the_module_is_a_failed_read_and_then_gone() -> None:
    rig = up()
    rig.module.jam(on=True)
    (failed,) = rig.run(1000)
    assert isinstance(failed, ReadFailed)
    rig.module.jam(on=False)
    assert rig.run(1000) == [CardGone(P)]


def test_a_tag_that_stays_through_an_error_is_not_told_again() -> None:
    rig = up()
    rig.module.lay(A)
    rig.run(500)
    rig.module.jam(on=True)
    rig.run(500)
    rig.module.jam(on=False)
    assert rig.run(500) == []


def test_lost_damaged_and_doubled_replies_change_nothing() -> None:
    rig = up()
    rig.module.lay(A)
    count = 0

    def spoil(unit: bytes) -> list[bytes]:
        nonlocal count
        count += 1
        match count % 5:
            case 0:
                return []
            case 1:
                return [unit[:-3] + bytes((unit[-3] ^ 4,)) + unit[-2:]]
            case 2:
                return [unit, unit]
            case 3:
                return [b"\x33\x00\xff\x07", unit[:5], unit[5:]]
            case _:
                return [unit]

    rig.change = spoil
    assert rig.run(20_000) == [Seen(P, A)]
    counters = rig.driver.counters
    assert min(counters.retransmissions, counters.extra["stray"], counters.extra["polls"]) > 0


def test_questions_that_are_lost_are_asked_again() -> None:
    rig = up()
    rig.module.lay(A)
    asked = 0

    def lose(unit: bytes) -> list[bytes]:
        nonlocal asked
        asked += bool(unit)
        return [unit] if asked % 3 == 0 else []

    rig.to_module = lose
    assert rig.run(20_000) == [Seen(P, A)]
    assert rig.driver.counters.timeouts == 0


def test_one_stale_reply_is_not_believed() -> None:
    rig = up()
    stale = Message(0xD5, 0x4B, targets_to_bytes([C])).to_bytes()
    sent = False

    def insert(unit: bytes) -> list[bytes]:
        nonlocal sent
        if unit == ACK or sent:
            return [unit]
        sent = True
        return [stale]

    rig.change = insert
    assert rig.run(2000) == []
    assert sent


def test_a_module_without_power_is_down_and_set_up_again() -> None:
    rig = up()
    rig.module.lay(A)
    rig.run(500)
    rig.module.power_loss()
    down = [message for message in rig.run(5000) if isinstance(message, LinkChanged)]
    assert [message.state for message in down] == [LinkState.DOWN]
    rig.module.lift(A)
    rig.module.lay(C)
    rig.module.power_on()
    back = rig.run(5000)
    assert back[1:] == [CardGone(P, A), Seen(P, C)]
    assert isinstance(back[0], LinkChanged)


def test_a_self_test_is_answered() -> None:
    rig = up()
    rig.driver.command(SelfTest(), 5)
    assert rig.run(500) == [CommandResult(5, "done")]
    rig.driver.command(Lock(), 6)
    (refused,) = rig.run(10)
    assert isinstance(refused, CommandResult)
    assert refused.code == "not_supported"
    rig.module.power_loss()
    rig.driver.command(SelfTest(), 7)
    results = [message for message in rig.run(5000) if isinstance(message, CommandResult)]
    assert [(result.request, result.outcome) for result in results] == [(7, "unknown")]
    rig.driver.command(SelfTest(), 8)
    (last,) = [r.message for r in rig.driver.disconnected("unplugged", 1) if isinstance(r.message, CommandResult)]
    assert (last.request, last.code) == (8, "link_down")
    rig.driver.command(SelfTest(), 9)
    (refused,) = [report.message for report in rig.driver.tick(2)]
    assert isinstance(refused, CommandResult)
    assert refused.code == "link_down"


def test_time_without_a_look_is_a_gap() -> None:
    rig = up()
    rig.run(500)
    rig.change = lambda unit: [unit, unit]
    assert rig.run(2000) == []
    rig.change = lambda unit: [unit]
    (gap,) = rig.run(500)
    assert isinstance(gap, DeviceGap)
    assert "a card may have passed unseen" in gap.reason


def test_bytes_that_are_no_frame_are_wrong_line_settings() -> None:
    driver = DRIVER({})
    driver.connected("c", 0)
    (fault,) = driver.receive(b"\xf3" * DEAF_AFTER_BYTES, 0)
    assert isinstance(fault.message, LineFault)
    assert fault.message.code == "line_settings"


def test_a_field_believes_what_came_often_enough() -> None:
    field = Field(P, confirm=3)
    one, none = Sample(frozenset([A])), Sample()
    said = [field.look(sample) for sample in (one, one, none, one, one, one, one)]
    assert said == [[], [], [], [], [], [Seen(P, A)], []]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"poll_ms": 5}, "poll_ms is 5; allowed are whole numbers from 20 to 2000"),
        ({"confirm": "two"}, "1 to 5"),
        ({"position": "box-100"}, "box-N"),
        ({"x": 1}, "option 'x' is unknown"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        DRIVER(options)


@pytest.mark.parametrize("uid", ["04A1", "04a1b2c3", "04A1B2C3D4", "XXA1B2C3"])
def test_what_is_no_tag_cannot_be_laid(uid: str) -> None:
    with pytest.raises(ValueError, match="upper-case hex"):
        SimPn532().lay(uid)
