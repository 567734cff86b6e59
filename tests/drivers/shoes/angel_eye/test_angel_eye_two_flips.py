"""Two flipped bits in one copy pass XOR when they lie in one column: over a whole session, each pair of bits of each
copy is flipped, and never is a card wrong or too many without a gap that sends a person to the table."""

from __future__ import annotations

import itertools

import pytest

from drivers.messages import CardDrawn, CutCardDrawn, DeviceGap, DeviceMessage, ShoeStarted
from drivers.shoes.angel_eye import DRIVER
from drivers.shoes.angel_eye.telegram import Kind, Telegram

COPY_MS = 50
CARD_MS = 1500
SESSION = (
    Telegram("1", Kind.START),
    Telegram("1", Kind.DRAWN, b"\x01\x38"),
    Telegram("2", Kind.DRAWN, b"\x01\x38"),
    Telegram("3", Kind.DRAWN, b"\x00\x25"),
    Telegram("4", Kind.CUT_CARD),
    Telegram("5", Kind.DRAWN, b"\x01\x11"),
)
"""A start, the same face twice, other faces, a cut card."""
COPIES = 3


def said(wire: list[list[bytes]]) -> list[DeviceMessage]:
    """What the driver says to the copies of each telegram."""
    driver = DRIVER({})
    driver.connected("c1", 0)
    heard: list[DeviceMessage] = []
    for number, copies in enumerate(wire):
        for at, data in enumerate(copies):
            heard += [report.message for report in driver.receive(data, number * CARD_MS + at * COPY_MS)]
        heard += [report.message for report in driver.tick(number * CARD_MS + 1000)]
    return heard


def happened(messages: list[DeviceMessage]) -> list[DeviceMessage]:
    """Cards and the like, without what is said about the line."""
    return [message for message in messages if isinstance(message, CardDrawn | CutCardDrawn | ShoeStarted)]


CLEAN = [[telegram.to_bytes()] * COPIES for telegram in SESSION]


def test_a_clean_session_has_no_doubt() -> None:
    heard = said(CLEAN)
    assert len(happened(heard)) == len(SESSION)
    assert not any(isinstance(message, DeviceGap) for message in heard)


@pytest.mark.parametrize("number", range(len(SESSION)))
@pytest.mark.parametrize("copy", range(COPIES))
def test_two_flipped_bits_of_one_copy_are_never_a_card_without_a_doubt(number: int, copy: int) -> None:
    truth = happened(said(CLEAN))
    raw = CLEAN[number][copy]
    bits = range(len(raw) * 8)
    for first, second in itertools.combinations(bits, 2):
        damaged = bytearray(raw)
        for bit in (first, second):
            damaged[bit // 8] ^= 1 << bit % 8
        wire = [list(copies) for copies in CLEAN]
        wire[number][copy] = bytes(damaged)
        heard = said(wire)
        if happened(heard) != truth:
            assert any(isinstance(message, DeviceGap) for message in heard), (damaged.hex(" "), heard)
