"""Combinations: what a player may announce, which cards it is, and whose is best.

Four of a kind beat runs. A run is three to five cards of one suit in the order 9 T J Q K A; six are one of five.
Blot, king and queen of trumps, stands outside all this (`blot_points`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from controller.games.blot.cards import ALL_TRUMP, DECK_MASK, NO_TRUMP, RANKS, is_trump, order
from controller.games.blot.rules import Rules

Kind = Literal["run", "four"]

RUN_POINTS: Final = {3: 20, 4: 50, 5: 100}
BLOT: Final = 20

_FOUR_POINTS: Final = {11: 200, 9: 140, 1: 110, 10: 100, 13: 100, 12: 100}
_FOUR_POINTS_NO_TRUMP: Final = {1: 190, 10: 100, 11: 100, 12: 100, 13: 100, 9: 0}
_PLACE: Final = {rank: place for place, rank in enumerate(RANKS)}
_RANK_MASKS: Final = {rank: sum(1 << (13 * suit + rank - 1) for suit in range(4)) for rank in RANKS}
_KING_QUEEN: Final = tuple(3 << (13 * suit + 11) for suit in range(4))


@dataclass(frozen=True, slots=True)
class Claim:
    """What a player announces: a run of ``size`` 3, 4 or 5 cards, or four of the rank ``size`` (1 ace, 9..13)."""

    kind: Kind
    size: int


@dataclass(frozen=True, slots=True)
class Combination:
    """A combination by its cards. ``rank`` is of its top card (or of all four), ``suit`` 0..3 of a run."""

    kind: Kind
    size: int
    rank: int
    suit: int
    cards: int
    points: int


def four_points(contract: int, rank: int) -> int:
    """Points of four cards of a rank in this contract."""
    return (_FOUR_POINTS_NO_TRUMP if contract == NO_TRUMP else _FOUR_POINTS)[rank]


def blot_points(contract: int, nine: int) -> int:
    """Points of Blot in nine cards: king and queen of the trump suit. None in no-trump and all-trump."""
    if contract >= NO_TRUMP:
        return 0
    both = _KING_QUEEN[contract]
    return BLOT if nine & both == both else 0


@lru_cache(maxsize=64)
def _run_in(places: int) -> tuple[int, int]:
    """Lowest place and length of the run of three or more in a suit's six places (one bit each); (0, 0) for none."""
    for length in (6, 5, 4, 3):
        for low in range(7 - length):
            block = ((1 << length) - 1) << low
            if places & block == block:
                return low, length
    return 0, 0


def runs_in(mask: int) -> list[tuple[int, int, int]]:
    """The runs in a set of cards: suit, place of the top card in `RANKS`, length 3..6. At most one a suit."""
    found = []
    for suit in range(4):
        cards = mask >> 13 * suit
        low, length = _run_in(cards >> 8 & 0x1F | (cards & 1) << 5)
        if length:
            found.append((suit, low + length - 1, length))
    return found


def _run(suit: int, top: int, size: int) -> Combination:
    cards = sum(1 << (13 * suit + RANKS[place] - 1) for place in range(top - size + 1, top + 1))
    return Combination("run", size, RANKS[top], suit, cards, RUN_POINTS[size])


def fours_in(rules: Rules, contract: int, mask: int) -> list[Combination]:
    """The fours in a set of cards that are combinations in this contract."""
    found = []
    for rank, four in _RANK_MASKS.items():
        points = four_points(contract, rank)
        if mask & four == four and (points or rules.zero_four == "contested"):
            found.append(Combination("four", rank, rank, 0, four, points))
    return found


def all_in(rules: Rules, contract: int, nine: int) -> tuple[Combination, ...]:
    """Everything nine cards can announce together: the fours, and the runs in what they leave."""
    fours = fours_in(rules, contract, nine)
    rest = nine
    if not rules.overlap:
        for four in fours:
            rest &= ~four.cards
    runs = [_run(suit, top, min(length, 5)) for suit, top, length in runs_in(rest)]
    return (*fours, *runs)


def claims_of(combinations: Sequence[Combination]) -> tuple[Claim, ...]:
    """How these are announced."""
    return tuple([Claim(c.kind, c.size) for c in combinations])


def resolve(rules: Rules, contract: int, cards: int, claims: Sequence[Claim]) -> tuple[Combination | None, ...]:
    """The best combinations among ``cards`` that the claims can mean, one for each; None for one that has no cards.

    Fours come first and, without ``overlap``, take their cards from runs; a long run may be announced as a shorter one.
    """
    found: list[Combination | None] = [None] * len(claims)
    rest = cards
    fours = {four.rank: four for four in fours_in(rules, contract, cards)}
    for i, claim in enumerate(claims):
        if claim.kind == "four" and claim.size in fours:
            four = found[i] = fours.pop(claim.size)
            if not rules.overlap:
                rest &= ~four.cards
    free = sorted(runs_in(rest), key=lambda run: (run[1], is_trump(contract, run[0])), reverse=True)
    longest_first = sorted(
        (i for i, claim in enumerate(claims) if claim.kind == "run" and claim.size in RUN_POINTS),
        key=lambda i: -claims[i].size,
    )
    for i in longest_first:
        run = next((r for r in free if r[2] >= claims[i].size), None)
        if run is not None:
            free.remove(run)
            found[i] = _run(run[0], run[1], claims[i].size)
    return tuple(found)


def strength(rules: Rules, contract: int, combination: Combination) -> tuple[int, int, int, int]:
    """Comparable: fours before runs; points, then the rank order; length, top card, trump."""
    if combination.kind == "four":
        ranks = RANKS if rules.equal_fours == "natural" else _four_order(contract)
        return 1, combination.points, ranks.index(combination.rank), 0
    trump = contract != ALL_TRUMP and is_trump(contract, combination.suit)
    return 0, combination.size, _PLACE[combination.rank], int(trump)


def _four_order(contract: int) -> tuple[int, ...]:
    return order(contract, contract if contract < NO_TRUMP else 0)


def contest(
    rules: Rules, contract: int, first: Sequence[Combination], second: Sequence[Combination]
) -> tuple[int, int, int]:
    """Whose combinations count: 1 the first player's (N, who wins what is equal), 2 the second's, 0 nobody has any;
    then the points of each."""
    best_first = max((strength(rules, contract, c) for c in first), default=None)
    best_second = max((strength(rules, contract, c) for c in second), default=None)
    if best_first is None and best_second is None:
        return 0, 0, 0
    if best_second is None or (best_first is not None and best_first >= best_second):
        return 1, _scored(rules, contract, first), 0
    return 2, 0, _scored(rules, contract, second)


def _scored(rules: Rules, contract: int, combinations: Sequence[Combination]) -> int:
    if rules.winner_scores == "best":
        return max(combinations, key=lambda c: strength(rules, contract, c)).points
    return sum([c.points for c in combinations])


def possible(rules: Rules, contract: int, claim: Claim) -> bool:
    """True when this is a combination at all in this contract."""
    if claim.kind == "four":
        return any(four.rank == claim.size for four in fours_in(rules, contract, DECK_MASK))
    return claim.size in RUN_POINTS
