"""Side bets against the numbers of the specification: counts of six decks, house edges of uniform tables."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from controller.core.cards import Card
from controller.games.blackjack.odds.composition import total_ways
from controller.games.blackjack.odds.side import counts_by_kind, house_edge
from controller.games.blackjack.side_bets import THREE_CARDS, Category, SideBet, best, cards_of, categories

EXAMPLE = {
    Category.ROYAL: Fraction(50),
    Category.STRAIGHT_FLUSH: Fraction(30),
    Category.TRIPS: Fraction(20),
    Category.STRAIGHT: Fraction(10),
    Category.FLUSH: Fraction(5),
}


def hand(text: str) -> tuple[Card, ...]:
    return tuple(Card(word) for word in text.split())


def test_counts_of_six_decks() -> None:
    counts = counts_by_kind(6, SideBet.TRILUX)
    three = frozenset
    assert counts[three({Category.ROYAL, Category.STRAIGHT_FLUSH, Category.STRAIGHT, Category.FLUSH})] == 864
    assert counts[three({Category.STRAIGHT_FLUSH, Category.STRAIGHT, Category.FLUSH})] == 9_504
    assert counts[three({Category.SUITED_TRIPS, Category.TRIPS, Category.FLUSH})] == 1_040
    assert counts[three({Category.TRIPS})] == 25_272
    assert counts[three({Category.STRAIGHT})] == 155_520
    assert counts[three({Category.FLUSH})] == 236_736 + 56_160
    assert sum(counts.values()) == total_ways(6, 3) == 5_013_320


@pytest.mark.parametrize("decks", [4, 5, 6, 8])
def test_counts_and_edge_are_those_of_the_formulas(decks: int) -> None:
    """Each count by a formula of its own: ranks times suits times packs."""
    cubed = decks**3
    trips = 13 * comb(4 * decks, 3)
    suited_trips = 13 * 4 * comb(decks, 3)
    flushes = 4 * comb(13 * decks, 3)
    by_formula = {
        Category.ROYAL: 4 * cubed,
        Category.STRAIGHT_FLUSH: 12 * 4 * cubed,
        Category.SUITED_TRIPS: suited_trips,
        Category.TRIPS: trips,
        Category.STRAIGHT: 12 * 64 * cubed,
        Category.FLUSH: flushes,
    }
    counts = counts_by_kind(decks, SideBet.TRILUX)
    found = {category: sum(n for kind, n in counts.items() if category in kind) for category in by_formula}
    assert found == by_formula
    paid = trips + 12 * 64 * cubed + flushes - suited_trips - 12 * 4 * cubed
    table = {category: Fraction(8) for category in THREE_CARDS}
    assert house_edge(decks, SideBet.TRILUX, table) == 1 - Fraction(9 * paid, total_ways(decks, 3))


@pytest.mark.parametrize(("odds", "edge"), [(8, "12.9147"), (9, "3.2386")])
def test_the_edge_of_one_price_for_all(odds: int, edge: str) -> None:
    table = {category: Fraction(odds) for category in THREE_CARDS}
    assert f"{float(100 * house_edge(6, SideBet.TRILUX, table)):.4f}" == edge


def test_the_edge_of_the_example_table() -> None:
    assert f"{float(100 * house_edge(6, SideBet.TRILUX, EXAMPLE)):.2f}" == "13.04"


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("AH KH QH", Category.ROYAL),
        ("7S 8S 9S", Category.STRAIGHT_FLUSH),
        ("7S 7S 7S", Category.TRIPS),
        ("AC 2D 3H", Category.STRAIGHT),
        ("KS AD 2H", None),
        ("TS JS QD", Category.STRAIGHT),
        ("9S 9H 2C", None),
        ("KD KD 4D", Category.FLUSH),
    ],
)
def test_worked_cases(cards: str, category: Category | None) -> None:
    assert best(SideBet.TRILUX, hand(cards), EXAMPLE) is category


def test_a_table_with_a_row_for_suited_trips_pays_it() -> None:
    table = {**EXAMPLE, Category.SUITED_TRIPS: Fraction(100)}
    assert best(SideBet.TRILUX, hand("7S 7S 7S"), table) is Category.SUITED_TRIPS


def test_perfect_11_looks_at_the_players_two_cards() -> None:
    assert cards_of(SideBet.PERFECT_11, hand("6S 5S TD"), Card("AH")) == hand("6S 5S")
    assert categories(hand("6S 5S")) == {Category.SUITED_11, Category.COLOURED_11, Category.ANY_11}
    assert categories(hand("6H 5D")) == {Category.COLOURED_11, Category.ANY_11}
    assert categories(hand("6H 5S")) == {Category.ANY_11}
    assert categories(hand("AH TS")) == frozenset()


def test_21_plus_3_has_no_royal_row() -> None:
    table = {Category.ROYAL: Fraction(50), Category.STRAIGHT_FLUSH: Fraction(30)}
    assert best(SideBet.TWENTY_ONE_PLUS_THREE, hand("AH KH QH"), table) is Category.STRAIGHT_FLUSH
