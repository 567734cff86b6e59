"""Reading the words of a line: cards, numbers, and how many there are."""

from __future__ import annotations

from typing import Final

from controller.core.cards import Card

CARD_USAGE: Final = "a card is rank and suit, such as KD or TS, XX for one that cannot be read, CUT for the cut card"

Words = list[str]


def card_of(word: str) -> Card:
    """The card written so. Raises ValueError."""
    try:
        return Card(word)
    except ValueError:
        raise ValueError(f"{word!r} is no card: {CARD_USAGE}") from None


def number_of(word: str, low: int, high: int, what: str) -> int:
    """A whole number from ``low`` to ``high``. Raises ValueError."""
    if not word.isdecimal() or not low <= int(word[:20]) <= high:
        raise ValueError(f"{word!r} is no {what} from {low} to {high}")
    return int(word)


def count(words: Words, low: int, high: int) -> None:
    """So many words stand behind the verb. Raises ValueError."""
    if not low <= len(words) <= high:
        raise ValueError(f"{len(words)} words behind the verb")
