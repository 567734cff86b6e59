"""Totals of hands, every two-card hand of a deck and every count of aces."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest

from controller.core.cards import DECK, Card
from controller.games.blackjack.hand import Stake, add_stake, dealer_draws, hard_total, is_blackjack, total, total_text

POINTS = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))


def by_hand(cards: tuple[Card, ...]) -> tuple[int, bool]:
    """The best total by trying every ace both ways."""
    each = [(1, 11) if c.text[0] == "A" else (POINTS[c.text[0]],) for c in cards]
    sums = {sum(way) for way in product(*each)}
    best = max((s for s in sums if s <= 21), default=min(sums))
    return best, best != sum(POINTS[c.text[0]] for c in cards)


def test_every_two_card_hand() -> None:
    blackjacks = 0
    for pair in product(DECK, DECK):
        assert total(pair) == by_hand(pair)
        blackjacks += is_blackjack(pair)
        assert is_blackjack(pair) == (total(pair) == (21, True))
    assert blackjacks == 2 * 4 * 16


def test_every_hand_of_one_to_five_ranks() -> None:
    one_suit = DECK[:13]
    for size in (1, 3, 4, 5):
        for cards in combinations_with_replacement(one_suit, size):
            assert total(cards) == by_hand(cards)
            assert hard_total(cards) == sum(POINTS[c.text[0]] for c in cards)
            assert not is_blackjack(cards)


def test_the_dealer_draws_to_sixteen_and_on_soft_seventeen_where_the_rules_say_so() -> None:
    for cards in combinations_with_replacement(DECK[:13], 3):
        points, soft = by_hand(cards)
        assert dealer_draws(cards, False) == (points <= 16)
        assert dealer_draws(cards, True) == (points <= 16 or (points == 17 and soft))


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("", ""),
        ("AS KD", "blackjack"),
        ("AS 6D", "soft 17"),
        ("AS 6D KC", "17"),
        ("7S 7D 7C", "21"),
        ("AS 5D 5C", "21"),
        ("KS KD 2C", "bust 22"),
        ("AS", "soft 11"),
    ],
)
def test_a_total_as_a_dealer_calls_it(cards: str, text: str) -> None:
    assert total_text(tuple(Card(c) for c in cards.split())) == text


def test_stakes_add_up_by_person_and_vanish_at_nothing() -> None:
    stakes = add_stake(add_stake((), 2, 500), 1, 300)
    assert stakes == (Stake(1, 300), Stake(2, 500))
    assert add_stake(stakes, 1, -100) == (Stake(1, 200), Stake(2, 500))
    assert add_stake(stakes, 2, -500) == (Stake(1, 300),)
