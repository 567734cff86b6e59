"""Side bets on the first cards: what a hand of cards is, and what a pay table says about it.

A pay table is data: rows of a category and its odds. The best category that has a row counts; none, the bet loses.
Trilux looks at the player's first two cards and the dealer's up card; 21+3 and Perfect 11 are further tables on that
seam.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Final

from controller.core.cards import Card, Rank
from controller.games.blackjack.hand import total


class SideBet(StrEnum):
    """A side bet by which cards it looks at."""

    TRILUX = "trilux"
    """player's first two cards and the dealer's up card"""
    TWENTY_ONE_PLUS_THREE = "21plus3"
    """the same cards, other rows"""
    PERFECT_11 = "perfect11"
    """player's first two cards only"""


class Category(StrEnum):
    """What cards are, best first within a bet."""

    ROYAL = "royal"
    """ace, king and queen of one suit"""
    SUITED_TRIPS = "suited_trips"
    STRAIGHT_FLUSH = "straight_flush"
    TRIPS = "trips"
    STRAIGHT = "straight"
    """three ranks in a row; ace, two, three and queen, king, ace count, king, ace, two does not"""
    FLUSH = "flush"
    """one suit; a pair does not spoil it"""
    SUITED_11 = "suited_11"
    COLOURED_11 = "coloured_11"
    """a total of 11 in one colour"""
    ANY_11 = "any_11"


THREE_CARDS: Final = (
    Category.ROYAL,
    Category.STRAIGHT_FLUSH,
    Category.SUITED_TRIPS,
    Category.TRIPS,
    Category.STRAIGHT,
    Category.FLUSH,
)
TWO_CARDS: Final = (Category.SUITED_11, Category.COLOURED_11, Category.ANY_11)
CATEGORIES: Final[Mapping[SideBet, tuple[Category, ...]]] = {
    SideBet.TRILUX: THREE_CARDS,
    SideBet.TWENTY_ONE_PLUS_THREE: tuple(c for c in THREE_CARDS if c is not Category.ROYAL),
    SideBet.PERFECT_11: TWO_CARDS,
}
"""The rows that a pay table of each bet may have."""

_RED: Final = frozenset("HD")


def cards_of(bet: SideBet, player: tuple[Card, ...], up_card: Card) -> tuple[Card, ...]:
    """The cards a bet looks at; ``player`` are at least the first two cards."""
    first = player[:2]
    return first if bet is SideBet.PERFECT_11 else (*first, up_card)


def categories(cards: tuple[Card, ...]) -> frozenset[Category]:
    """Everything that these two or three cards are."""
    return _two(cards) if len(cards) == 2 else _three(cards)


def best(bet: SideBet, cards: tuple[Card, ...], odds: Mapping[Category, Fraction]) -> Category | None:
    """The category that pays: of those the cards are and the table has a row for, the one that pays most."""
    paying = [c for c in categories(cards) if c in odds and c in CATEGORIES[bet]]
    return max(paying, key=lambda category: odds[category], default=None)


def _three(cards: tuple[Card, ...]) -> frozenset[Category]:
    ranks = sorted(card.rank for card in cards)
    suited = len({card.suit for card in cards}) == 1
    found = set()
    if suited:
        found.add(Category.FLUSH)
    if ranks[0] == ranks[2]:
        found |= {Category.TRIPS, Category.SUITED_TRIPS} if suited else {Category.TRIPS}
    if _in_a_row(ranks):
        found.add(Category.STRAIGHT)
        if suited:
            found.add(Category.STRAIGHT_FLUSH)
            if ranks == [Rank.ACE, Rank.QUEEN, Rank.KING]:
                found.add(Category.ROYAL)
    return frozenset(found)


def _in_a_row(ranks: list[Rank]) -> bool:
    return ranks == [Rank.ACE, Rank.QUEEN, Rank.KING] or (ranks[1] - ranks[0], ranks[2] - ranks[1]) == (1, 1)


def _two(cards: tuple[Card, ...]) -> frozenset[Category]:
    if total(cards)[0] != 11:
        return frozenset()
    suits = {card.suit for card in cards}
    found = {Category.ANY_11}
    if len({suit in _RED for suit in suits}) == 1:
        found.add(Category.COLOURED_11)
    if len(suits) == 1:
        found.add(Category.SUITED_11)
    return frozenset(found)
