"""The barcode driver: lines wherever they are split, check characters, line numbers, options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.api import Report
from drivers.messages import (
    CardPresent,
    CommandResult,
    DeviceGap,
    DeviceMessage,
    LineFault,
    LinkChanged,
    LinkState,
    ReadFailed,
    SelfTest,
)
from drivers.readers.barcode import DEAF_AFTER_BYTES, DRIVER
from drivers.readers.check_character import mod10, mod43, without_check
from drivers.readers.lines import LINE_MAX, LineReader
from firmware_sim.reader_barcode import SimBarcodeReader

NUMBERED = r"(?P<seq>\d\d)(?P<rank>10|[A2-9JQK])(?P<suit>[SHDC])(?:-(?P<deck>[A-Z0-9]+))?"
QUEEN, TEN = CardPresent("swipe", 12, "H"), CardPresent("swipe", 10, "S")


def heard(data: bytes | Sequence[bytes], now_ms: Sequence[int] = (), **options: object) -> list[DeviceMessage]:
    """What the driver says about these pieces, the link itself left out."""
    driver = DRIVER(options)
    driver.connected("c", 0)
    reports: list[Report] = []
    pieces = [data] if isinstance(data, bytes) else data
    for number, piece in enumerate(pieces):
        reports += driver.receive(piece, now_ms[number] if now_ms else 0)
    return [report.message for report in reports]


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n", b"\n\r"])
def test_every_line_end_is_taken(end: bytes) -> None:
    assert heard(b"QH" + end + b"10S" + end) == [QUEEN, TEN]


@given(st.lists(st.integers(1, 20), max_size=12))
def test_where_a_line_is_split_does_not_matter(sizes: list[int]) -> None:
    data, pieces = b"QH-D1\r\n10S\rAS-XY\n", []
    for size in sizes:
        pieces.append(data[:size])
        data = data[size:]
    assert heard([*pieces, data]) == [CardPresent("swipe", 12, "H", "D1"), TEN, CardPresent("swipe", 1, "S", "XY")]


def test_ranks_and_suits_have_the_usual_words() -> None:
    said = heard(b"AS\n1H\nTD\n10C\nJS\nKH\n")
    assert [(m.rank, m.suit) for m in said if isinstance(m, CardPresent)] == [
        (1, "S"),
        (1, "H"),
        (10, "D"),
        (10, "C"),
        (11, "S"),
        (13, "H"),
    ]


def test_words_and_pattern_are_configurable() -> None:
    options: dict[str, Any] = {
        "pattern": r"C(?P<deck>\d{3})(?P<suit>\d)(?P<rank>\d\d)",
        "ranks": "01 02 03 04 05 06 07 08 09 10 11 12 13",
        "suits": "1 2 3 4",
        "position": "box-3-2",
    }
    assert heard(b"C007211\r", **options) == [CardPresent("box-3-2", 11, "H", "007")]


def test_a_line_that_is_no_card_is_a_failed_read_and_shows_what_came() -> None:
    (failed,) = heard(b"Q\xc8\x01H\r")
    assert isinstance(failed, ReadFailed)
    assert "'Q??H'" in failed.detail


def test_the_readers_own_no_read_is_a_failed_read_with_an_identity() -> None:
    driver = DRIVER({"no_read": "ERR"})
    driver.connected("c", 0)
    (report,) = driver.receive(b"ERR\r", 0)
    assert report == Report(ReadFailed("swipe", "the reader saw a card and could not read it"), "barcode:c:1")


def test_check_characters() -> None:
    assert mod43("CODE39") == "W"
    assert mod10("629104150021") == "3"
    assert without_check("629104150021" + "3", "mod10") == "629104150021"
    assert without_check("QH", "mod10") is None
    assert without_check("", "mod43") is None
    assert without_check("qhx", "mod43") is None


def test_a_blank_is_a_check_character_too() -> None:
    deck = next(f"A{digit}X" for digit in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" if mod43(f"QH-A{digit}X") == " ")
    assert heard(f"QH-{deck} \r".encode(), check="mod43") == [CardPresent("swipe", 12, "H", deck)]
    assert heard(b" QH \r") == [QUEEN]


@given(st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-", min_size=1, max_size=20), st.data())
def test_no_single_wrong_character_passes_mod43(text: str, data: st.DataObject) -> None:
    line = text + mod43(text)
    at = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.characters(min_codepoint=32, max_codepoint=126).filter(lambda char: char != line[at]))
    assert without_check(line, "mod43") == text
    assert without_check(line[:at] + other + line[at + 1 :], "mod43") is None


def test_a_flipped_bit_never_becomes_another_card_with_a_check_character() -> None:
    line = b"QH-D1" + mod43("QH-D1").encode()
    for at in range(len(line)):
        for bit in range(8):
            spoilt = bytearray(line + b"\r")
            spoilt[at] ^= 1 << bit
            assert not [m for m in heard(bytes(spoilt), check="mod43") if isinstance(m, CardPresent)]


def test_numbered_lines_tell_copies_gaps_and_late_ones() -> None:
    lines = [b"07QH\r", b"07QH\r", b"0910S\r", b"08AS\r", b"10KS\r", b"0910S\r"]
    said = heard(lines, pattern=NUMBERED)
    assert [m for m in said if isinstance(m, CardPresent)] == [QUEEN, TEN, CardPresent("swipe", 13, "S")]
    assert [m.missing for m in said if isinstance(m, DeviceGap)] == [1, 0]
    assert [type(m) for m in said] == [CardPresent, DeviceGap, CardPresent, DeviceGap, CardPresent]


def test_numbers_wrap_without_a_gap() -> None:
    said = heard([b"98QH\r", b"99QH\r", b"00QH\r", b"01QH\r"], pattern=NUMBERED)
    assert said == [QUEEN] * 4


def test_a_reader_that_counts_anew_is_noticed_and_its_cards_come_again() -> None:
    lines = [b"%02dQH\r" % number for number in (40, 41, 42, 0, 1, 2, 3)]
    said = heard(lines, pattern=NUMBERED)
    kinds = [type(m) for m in said]
    assert kinds == [CardPresent] * 3 + [DeviceGap] * 3 + [CardPresent] * 2
    assert "anew" in str(said[5])


def test_a_gap_over_a_reconnection_is_seen() -> None:
    driver = DRIVER({"pattern": NUMBERED})
    driver.connected("a", 0)
    driver.receive(b"07QH\r", 0)
    driver.disconnected("unplugged", 10)
    driver.connected("b", 20)
    gap, card = driver.receive(b"09QH\r", 30)
    assert isinstance(gap.message, DeviceGap)
    assert (gap.message.missing, gap.identity, card.identity) == (1, "barcode:b:1", "barcode:b:2")
    assert driver.counters.reconnects == 1


def test_the_same_line_soon_after_is_the_same_read_only_where_configured() -> None:
    lines, times = [b"QH\r"] * 4, [0, 300, 700, 2000]
    assert heard(lines, times, repeat_ms=500) == [QUEEN, QUEEN]
    assert heard(lines, times) == [QUEEN] * 4


def test_too_long_a_line_is_one_failed_read_and_is_not_kept() -> None:
    reader = LineReader()
    assert reader.feed(b"x" * 5000) == [b"x" * LINE_MAX]
    assert reader.feed(b"y" * 5000) == []
    assert reader.feed(b"\nQH\n") == [b"QH"]


def test_bytes_without_a_card_are_wrong_line_settings_said_once() -> None:
    said = heard([b"\x8f\xf3\r" * 20] * (DEAF_AFTER_BYTES // 20))
    assert [m.code for m in said if isinstance(m, LineFault)] == ["line_settings"]


def test_the_link_is_up_while_the_port_is_open() -> None:
    driver = DRIVER({})
    states = [report.message for report in (*driver.connected("c", 0), *driver.disconnected("unplugged", 1))]
    assert [m.state for m in states if isinstance(m, LinkChanged)] == [LinkState.UP, LinkState.DOWN]
    driver.command(SelfTest(), 4)
    (report,) = driver.tick(2)
    assert isinstance(report.message, CommandResult)
    assert (report.message.request, report.message.outcome) == (4, "refused")
    assert driver.outgoing() == b""


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"position": "roof"}, "position is 'roof'; allowed are swipe, dealer"),
        ({"position": 3}, "position is 3"),
        ({"position": "box-0"}, "box-N"),
        ({"pattern": "("}, "pattern is '('"),
        ({"pattern": "(?P<rank>.)"}, "(?P<suit>...)"),
        ({"check": "crc"}, "allowed are none, mod43, mod10"),
        ({"ranks": "A 2"}, "13 different words"),
        ({"suits": "S S D C"}, "4 different words"),
        ({"repeat_ms": -1}, "0 to 10000"),
        ({"repeat_ms": True}, "0 to 10000"),
        ({"speed": 1}, "option 'speed' is unknown; allowed are position, pattern"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        DRIVER(options)


@pytest.mark.parametrize("check", ["none", "mod43"])
def test_the_simulated_reader_is_understood(check: str) -> None:
    reader = SimBarcodeReader(check=check, sequence_digits=2)
    reader.swipe(10, "S", "D1")
    reader.swipe_unreadable()
    said = [reader.outgoing(), reader.outgoing()]
    reader.swipe(9, "C")
    reader.power_loss()
    reader.swipe(1, "S")
    reader.power_on()
    reader.swipe(12, "H")
    said += [reader.outgoing(), reader.outgoing()]
    assert said[3] == b""
    card, failed, gap = heard(said, pattern=NUMBERED, check=check)
    assert card == CardPresent("swipe", 10, "S", "D1")
    assert isinstance(failed, ReadFailed)
    assert isinstance(gap, DeviceGap)
