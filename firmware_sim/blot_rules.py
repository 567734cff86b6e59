"""What the people at a simulated Blot table know of the game: duties, points, combinations, the score in short form.

Faces are pairs of rank (1 ace, 9 .. 13 king) and suit (``S H D C``); a contract is a suit or ``NT``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Face = tuple[int, str]

SUITS: Final = "SHDC"
RUN_ORDER: Final = (9, 10, 11, 12, 13, 1)
PACK: Final[tuple[Face, ...]] = tuple((rank, suit) for suit in SUITS for rank in RUN_ORDER)
NO_TRUMP: Final = "NT"
CONTRACT_KEYS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", NO_TRUMP: "no_trump"}
"""The console's key for each contract."""
JACK: Final = 11
LAST_TRICK: Final = 10
SMALLEST_RUN, LARGEST_RUN = 3, 5
BLOT_POINTS: Final = 20

_TRUMP_ORDER: Final = (12, 13, 10, 1, 9, 11)
_PLAIN_ORDER: Final = (9, 11, 12, 13, 10, 1)
_TRUMP_POINTS: Final = {11: 20, 9: 14, 1: 11, 10: 10, 13: 4, 12: 3}
_PLAIN_POINTS: Final = {1: 11, 10: 10, 13: 4, 12: 3, 11: 2, 9: 0}
_RUN_POINTS: Final = {3: 20, 4: 50, 5: 100}
_FOUR_POINTS: Final = {11: 200, 9: 140, 1: 110, 10: 100, 13: 100, 12: 100}
_NO_TRUMP_ACE: Final = 19
_NO_TRUMP_FOURS: Final = {1: 190, 10: 100, 11: 100, 12: 100, 13: 100}
_SHORT_FULL, _SHORT_CAPOT = 16, 21


@dataclass(frozen=True, slots=True)
class Combination:
    """A combination as it is announced: ``size`` is a run's length or the rank of four. ``strength`` compares it."""

    kind: str
    size: int
    points: int
    strength: tuple[int, int, int, int]


def points(card: Face, contract: str) -> int:
    """Points of a captured card."""
    rank, suit = card
    if contract == NO_TRUMP and rank == 1:
        return _NO_TRUMP_ACE
    return (_TRUMP_POINTS if suit == contract else _PLAIN_POINTS)[rank]


def height(card: Face, contract: str) -> int:
    """Place of a card among those of its suit, 0 the lowest."""
    rank, suit = card
    return (_TRUMP_ORDER if suit == contract else _PLAIN_ORDER).index(rank)


def beats(led: Face, reply: Face, contract: str) -> bool:
    """Whether the reply wins the trick."""
    if led[1] == reply[1]:
        return height(reply, contract) > height(led, contract)
    return reply[1] == contract


def legal(hand: Sequence[Face], led: Face | None, contract: str) -> list[Face]:
    """The cards of a hand that may be played; ``led`` is None for the one who leads."""
    if led is None:
        return list(hand)
    same = [card for card in hand if card[1] == led[1]]
    if same and led[1] == contract:
        return [card for card in same if beats(led, card, contract)] or same
    return same or [card for card in hand if card[1] == contract] or list(hand)


def combinations(nine: Iterable[Face], contract: str) -> tuple[Combination, ...]:
    """What nine cards can announce together: fours first, runs of what they leave."""
    cards = set(nine)
    worth = _NO_TRUMP_FOURS if contract == NO_TRUMP else _FOUR_POINTS
    order = _PLAIN_ORDER if contract == NO_TRUMP else _TRUMP_ORDER
    found = []
    for rank, value in worth.items():
        if all((rank, suit) in cards for suit in SUITS):
            cards -= {(rank, suit) for suit in SUITS}
            found.append(Combination("four", rank, value, (1, value, order.index(rank), 0)))
    for suit in SUITS:
        top, length = _run([(rank, suit) in cards for rank in RUN_ORDER])
        if length >= SMALLEST_RUN:
            size = min(length, LARGEST_RUN)
            found.append(Combination("run", size, _RUN_POINTS[size], (0, size, top, int(suit == contract))))
    return tuple(found)


def _run(held: Sequence[bool]) -> tuple[int, int]:
    """Place of the top card and length of the longest run."""
    best, length = (0, 0), 0
    for place, there in enumerate(held):
        length = length + 1 if there else 0
        if length > best[1]:
            best = (place, length)
    return best


def has_blot(nine: Iterable[Face], contract: str) -> bool:
    """Whether king and queen of trumps are among nine cards."""
    return {(12, contract), (13, contract)} <= set(nine)


def bonuses(
    first: int, counted: Mapping[int, Sequence[Combination]], nines: Mapping[int, Iterable[Face]], contract: str
) -> dict[int, int]:
    """Points of combinations and Blot of seats 1 and 2; ``first`` announced first and wins what is equal."""
    none = (-1, 0, 0, 0)
    best = {seat: max((c.strength for c in counted[seat]), default=none) for seat in (1, 2)}
    winner = first if best[first] >= best[3 - first] else 3 - first
    found = {}
    for seat in (1, 2):
        contested = sum(c.points for c in counted[seat]) if seat == winner else 0
        found[seat] = contested + BLOT_POINTS * has_blot(nines[seat], contract)
    return found


def score(taker: int, captured: Mapping[int, int], bonus: Mapping[int, int]) -> dict[int, int]:
    """The points that the croupier writes down for seats 1 and 2, in short form; ``captured`` with the last trick."""
    other = 3 - taker
    mine, theirs = bonus[taker] // 10, bonus[other] // 10
    if not captured[other]:
        return {taker: _SHORT_CAPOT + mine, other: theirs}
    if not captured[taker]:
        return {taker: 0, other: _SHORT_CAPOT + mine + theirs}
    if captured[taker] + bonus[taker] > captured[other] + bonus[other]:
        tens = (captured[other] + 4) // 10
        return {taker: _SHORT_FULL - tens + mine, other: tens + theirs}
    return {taker: 0, other: _SHORT_FULL + mine + theirs}
