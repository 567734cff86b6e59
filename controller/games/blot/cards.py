"""The 24 cards of Blot: their order and points in each contract.

A set of cards is a whole number, bit ``1 << card.index`` for each; a single card is its index (`controller.core.cards`)
or -1. A contract is an index into `CONTRACTS`: the trump suit, no-trump, or all-trump.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from controller.core.cards import DECK, Card

CONTRACTS: Final = ("S", "H", "D", "C", "NT", "AT")
"""Letters of the contracts, in records and facts."""
CONTRACT_WORDS: Final = ("spades", "hearts", "diamonds", "clubs", "no_trump", "all_trump")
"""The same as words: what a taker names."""
NO_TRUMP: Final = 4
ALL_TRUMP: Final = 5

RANKS: Final = (9, 10, 11, 12, 13, 1)
"""Ranks in the order of runs, nine to ace."""
_TRUMP_ORDER: Final = (12, 13, 10, 1, 9, 11)
_PLAIN_ORDER: Final = (9, 11, 12, 13, 10, 1)
_TRUMP_POINTS: Final = {11: 20, 9: 14, 1: 11, 10: 10, 13: 4, 12: 3}
_PLAIN_POINTS: Final = {1: 11, 10: 10, 13: 4, 12: 3, 11: 2, 9: 0}
_NO_TRUMP_POINTS: Final = {1: 19, 10: 10, 13: 4, 12: 3, 11: 2, 9: 0}
_ALL_TRUMP_POINTS: Final = {11: 14, 9: 9, 1: 6, 10: 5, 13: 3, 12: 1}

LAST_TRICK: Final = 10
FULL: Final = 162
"""Points of a round: 152 in cards and the last trick."""
HAND: Final = 9
"""Cards each player plays with."""

SUIT_MASKS: Final = tuple(sum(1 << (13 * suit + rank - 1) for rank in RANKS) for suit in range(4))
"""The six cards of each suit, in the order of `CONTRACTS`."""
DECK_MASK: Final = sum(SUIT_MASKS)
"""The 24 cards."""


def is_trump(contract: int, suit: int) -> bool:
    """True when cards of this suit (0..3) are trumps in this contract."""
    return contract in {suit, ALL_TRUMP}


def order(contract: int, suit: int) -> tuple[int, ...]:
    """Ranks of a suit from the lowest to the highest in this contract."""
    return _TRUMP_ORDER if is_trump(contract, suit) else _PLAIN_ORDER


def _points(contract: int, suit: int) -> dict[int, int]:
    if contract == NO_TRUMP:
        return _NO_TRUMP_POINTS
    if contract == ALL_TRUMP:
        return _ALL_TRUMP_POINTS
    return _TRUMP_POINTS if contract == suit else _PLAIN_POINTS


def _point_table(contract: int) -> tuple[int, ...]:
    table = [0] * 52
    for suit in range(4):
        for rank, points in _points(contract, suit).items():
            table[13 * suit + rank - 1] = points
    return tuple(table)


def _higher_table(contract: int) -> tuple[int, ...]:
    table = [0] * 52
    for suit in range(4):
        ranks = order(contract, suit)
        for place, rank in enumerate(ranks):
            table[13 * suit + rank - 1] = sum(1 << (13 * suit + other - 1) for other in ranks[place + 1 :])
    return tuple(table)


POINTS: Final = tuple(_point_table(contract) for contract in range(6))
"""Points of each card, by contract and index."""
HIGHER: Final = tuple(_higher_table(contract) for contract in range(6))
"""The cards of the same suit that beat each card, by contract and index."""


def bits(mask: int) -> Iterator[int]:
    """Indexes of the cards of a set, in index order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card.index
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a set, in index order."""
    return tuple([DECK[index] for index in bits(mask)])


def as_held(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards as a person holds and reads them: by suit, nine to ace."""
    return tuple(sorted(cards, key=lambda card: (card.index // 13, RANKS.index(card.rank))))


def points_of(contract: int, mask: int) -> int:
    """Points of a set of cards in this contract."""
    table = POINTS[contract]
    total = 0
    while mask:
        low = mask & -mask
        total += table[low.bit_length() - 1]
        mask ^= low
    return total


def beats(contract: int, led: int, reply: int) -> bool:
    """True when the follower's card wins the trick."""
    if reply // 13 == led // 13:
        return bool(HIGHER[contract][led] >> reply & 1)
    return reply // 13 == contract
