"""The words of narration: lines with a tone, money, and text of strangers made harmless."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.core.money import format_money

LONGEST: Final = 400
"""Characters of a line; a longer one is cut, because a device may say anything."""


class Tone(StrEnum):
    """How a line is meant; a screen turns it into a colour."""

    PLAIN = "plain"
    QUIET = "quiet"
    """housekeeping"""
    STEP = "step"
    """a step of the game or of the table"""
    CARD = "card"
    MONEY = "money"
    GOOD = "good"
    """put right, settled"""
    WARN = "warn"
    ALARM = "alarm"
    """the table is held"""


@dataclass(frozen=True, slots=True)
class Line:
    """One line for a person, without control characters and at most `LONGEST` characters."""

    text: str
    tone: Tone


def line(text: str, tone: Tone = Tone.PLAIN) -> Line:
    """A line whose text has been made harmless."""
    return Line(clean(text), tone)


def clean(text: str, longest: int = LONGEST) -> str:
    """``text`` on one line: control, formatting and half characters become ``?``; cut at ``longest`` characters."""
    flat = " ".join(text.split())
    safe = "".join(c if c.isprintable() else "?" for c in flat[:longest])
    return safe if len(flat) <= longest else safe[:-1] + "…"


def money(amount_minor: int, currency: str = "") -> str:
    """An amount without sign: ``25.00 EUR``."""
    return format_money(abs(amount_minor), currency)


def signed(amount_minor: int, currency: str = "") -> str:
    """An amount with its sign always shown, nothing owed as ``0.00``: ``+25.00 EUR``."""
    return ("+" if amount_minor > 0 else "") + format_money(amount_minor, currency)


def plural(count: int, one: str, several: str = "") -> str:
    """A count with its noun: ``1 box``, ``2 boxes``; ``several`` is ``one`` with an s where it is left out."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def people(actor: str, approver: str) -> str:
    """One or two people."""
    return f"{actor} and {approver}" if approver else actor or "nobody"


def spot(box: int, hand: int = 1) -> str:
    """Where a hand lies: ``dealer``, ``box 3``, ``box 3 hand 2``."""
    if box == 0:
        return "dealer"
    return f"box {box}" + (f" hand {hand}" if hand > 1 else "")


def bettor(box: int, person: int, bet: str) -> str:
    """Whose bet: ``box 3``, ``box 3 person 2 insurance``."""
    who = f" person {person}" if person > 1 else ""
    return f"box {box}{who}" + ("" if bet == "main" else f" {bet}")
