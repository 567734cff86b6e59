"""Verdicts: what the table says about a deviation, and what may be done about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Severity(StrEnum):
    """What a deviation does to the table."""

    NOTE = "note"
    """put right or harmless; recorded"""
    REFUSED = "refused"
    """not accepted; nothing has changed"""
    OPEN = "open"
    """play goes on, the next round waits until it is put right"""
    HOLD = "hold"
    """the table waits for a supervisor"""


@dataclass(frozen=True, slots=True)
class Correction:
    """A legal way out of a verdict. ``kind`` is the word a supervisor chooses, ``text`` what it does, for a person;
    ``needs_card`` when a card must be named with it."""

    kind: str
    text: str
    needs_card: bool = False


VOID_ROUND: Final = Correction("void_round", "void the round: every stake goes back")
"""Every game can do it while a round with stakes is open."""
NEW_SHOE: Final = Correction("new_shoe", "void what is open, take all cards together, count and shuffle them anew")
"""The way out that is left when no other is; every game can do it at any time."""
SHUFFLE_AGAIN: Final = Correction("shuffle_again", "take the pack out, shuffle, cut and load it again")
"""For a shoe from which no round was dealt yet."""

START_ANEW: Final = frozenset({NEW_SHOE.kind, SHUFFLE_AGAIN.kind, VOID_ROUND.kind})
"""Corrections after which no earlier matter is left: they close every open verdict."""


@dataclass(frozen=True, slots=True)
class VerdictCode:
    """One entry of the list of verdicts: the code, its severities, what it means and what may be done about it."""

    code: str
    severities: tuple[Severity, ...]
    meaning: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A judgement by the rules, before the table has numbered it. ``key`` joins findings of one matter: an open
    finding with the same key is replaced, and closed by `Settled`."""

    code: str
    severity: Severity
    expected: str
    actual: str
    corrections: tuple[Correction, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """The open finding of this key has been put right."""

    key: str


@dataclass(frozen=True, slots=True)
class OpenVerdict:
    """A verdict that waits: for a supervisor (hold) or to be put right (open). ``id`` is ``v`` and a number."""

    id: str
    code: str
    severity: Severity
    expected: str
    actual: str
    corrections: tuple[Correction, ...] = ()
    key: str = ""
