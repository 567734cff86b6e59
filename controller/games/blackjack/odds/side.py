"""A side bet's exact counts and house edge from a fresh shoe, for any pay table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from controller.games.blackjack.odds.composition import combinations, total_ways
from controller.games.blackjack.side_bets import Category, SideBet, best, categories

Key = frozenset[Category]


def counts_by_kind(decks: int, bet: SideBet) -> dict[Key, int]:
    """Number of unordered draws by everything the cards are; the empty key is "nothing"."""
    found: dict[Key, int] = {}
    for cards, ways in combinations(decks, 2 if bet is SideBet.PERFECT_11 else 3):
        kind = categories(cards)
        found[kind] = found.get(kind, 0) + ways
    return found


def house_edge(decks: int, bet: SideBet, odds: Mapping[Category, Fraction]) -> Fraction:
    """What the house keeps of the stake on average, exactly."""
    size = 2 if bet is SideBet.PERFECT_11 else 3
    returned = Fraction(0)
    for cards, ways in combinations(decks, size):
        category = best(bet, cards, odds)
        returned += ways * (odds[category] if category is not None else Fraction(-1))
    return -returned / total_ways(decks, size)
