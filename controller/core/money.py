"""Money: whole minor units and exact ratios; the only rounding is to the chip quantum, by a named rule."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final


class Rounding(StrEnum):
    """Who gains when an amount is not a whole number of chips; ``reject_bet`` refuses such stakes beforehand."""

    PLAYER = "player"
    HOUSE = "house"
    REJECT_BET = "reject_bet"


NO_RATIO: Final = '{!r} is not a ratio: write odds as two whole numbers, such as "3:2"'


@lru_cache(maxsize=256)
def parse_ratio(text: str) -> Fraction:
    """Read odds written ``3:2`` (pays 3 for 2). Raises ValueError for anything else, or for zero or negative parts."""
    left, colon, right = text.partition(":")
    if not (colon and _digits(left) and _digits(right)) or int(right) == 0 or int(left) == 0:
        raise ValueError(NO_RATIO.format(text))
    return Fraction(int(left), int(right))


def _digits(text: str) -> bool:
    return 0 < len(text) <= 9 and text.isascii() and text.isdigit()


def exact_multiple(amount_minor: int, ratio: Fraction, quantum_minor: int) -> bool:
    """True when ``amount * ratio`` is a whole number of ``quantum_minor``."""
    return (amount_minor * ratio.numerator) % (ratio.denominator * quantum_minor) == 0


def paid_to_player(amount_minor: int, ratio: Fraction, quantum_minor: int, rounding: Rounding) -> int:
    """``amount * ratio`` in minor units, to whole quanta: up for the player, else down (the house keeps the odd part).

    ``amount_minor`` >= 0 and ``quantum_minor`` >= 1.
    """
    denominator = ratio.denominator * quantum_minor
    quanta, rest = divmod(amount_minor * ratio.numerator, denominator)
    if rest and rounding is Rounding.PLAYER:
        quanta += 1
    return quanta * quantum_minor


def format_money(amount_minor: int, currency: str = "") -> str:
    """``2500`` as ``25.00``, with the currency behind it when given."""
    sign = "-" if amount_minor < 0 else ""
    units, cents = divmod(abs(amount_minor), 100)
    return f"{sign}{units}.{cents:02d}" + (f" {currency}" if currency else "")
