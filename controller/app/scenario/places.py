"""Places at a table as a scenario writes them: box ``3``, its second hand ``3.2``, its second person ``3/2``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from drivers.readers.options import spot_of

DEALER: Final = "dealer"
HEAPS: Final = ("burn", "discard")
"""Places of cards that are out of the round."""
_PLACE: Final = re.compile(r"([0-9]{1,3})(?:\.([1-9][0-9]?))?(?:/([1-9][0-9]?))?")
USAGE: Final = "a place is written box, box.hand or box/person, such as 3, 3.2 or 3/2; the dealer is 0 or dealer"


@dataclass(frozen=True, slots=True)
class Place:
    """Box 0 is the dealer; ``hand`` and ``person`` count from 1, 0 means "not given"."""

    box: int
    hand: int = 0
    person: int = 0

    def bet(self, kind: str) -> str:
        """The name of a bet of this kind here: ``main``, at a later hand ``main:2``."""
        return f"{kind}:{self.hand}" if self.hand > 1 and ":" not in kind else kind


def parse_place(text: str) -> Place:
    """The place written so. Raises ValueError saying how one is written."""
    if text == DEALER:
        return Place(0)
    found = _PLACE.fullmatch(text)
    if found is None or int(found[1]) > 255:
        raise ValueError(f"{text!r} is no place: {USAGE}")
    return Place(int(found[1]), int(found[2] or 0), int(found[3] or 0))


def is_place(text: str) -> bool:
    """Whether a word is a place."""
    return text == DEALER or _PLACE.fullmatch(text) is not None


def position_of(text: str) -> str:
    """The position of the reader at a place, by which it is called: ``box-3``, ``box-3-2``, ``dealer``, ``burn``,
    ``discard``. Raises ValueError."""
    if text in HEAPS:
        return text
    place = parse_place(text)
    if place.person:
        raise ValueError(f"{text!r}: a reader lies at a box or a hand, not at a person")
    if not place.box:
        return DEALER
    position = f"box-{place.box}-{place.hand}" if place.hand > 1 else f"box-{place.box}"
    spot_of(position)
    return position


def is_position(text: str) -> bool:
    """Whether a word is the position of a reader at a place."""
    try:
        return spot_of(text) is not None or text in HEAPS
    except ValueError:
        return False


def hand_text(box: int, hand: int = 1) -> str:
    """A hand: ``3``, ``3.2``, ``dealer``."""
    if box == 0:
        return DEALER
    return f"{box}.{hand}" if hand > 1 else str(box)


def bettor_text(box: int, person: int) -> str:
    """A person at a box: ``3``, the second person ``3/2``."""
    return f"{box}/{person}" if person > 1 else str(box)


def bet_text(box: int, person: int, bet: str) -> str:
    """A bet: ``3``, at the second hand ``3.2``, of the second person ``3/2``; another than the main bet by its name
    behind it, ``3 insurance``."""
    kind, _, number = bet.partition(":")
    numbered = number.isdecimal()
    place = f"{box}.{number}" if numbered else str(box)
    place = f"{place}/{person}" if person > 1 else place
    name = kind if numbered else bet
    return place if name == "main" else f"{place} {name}"


def canonical_bet(text: str) -> str:
    """A bet as `bet_text` writes it, from what a person wrote. Raises ValueError."""
    first, _, name = text.strip().partition(" ")
    place = parse_place(first)
    return bet_text(place.box, place.person or 1, place.bet(name.strip() or "main"))


def canonical_hand(text: str) -> str:
    """A hand as `hand_text` writes it. Raises ValueError."""
    place = parse_place(text)
    return hand_text(place.box, place.hand or 1)


def canonical_bettor(text: str) -> str:
    """A bettor as `bettor_text` writes it. Raises ValueError."""
    place = parse_place(text)
    return bettor_text(place.box, place.person or 1)
