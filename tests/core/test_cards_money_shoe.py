"""Cards, money and the shoe's composition."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

from controller.core.cards import DECK, Card
from controller.core.money import Rounding, exact_multiple, format_money, paid_to_player, parse_ratio
from controller.core.shoe import Shoe, spread_faults


def test_a_card_is_always_the_same_object() -> None:
    assert Card("KD") is Card("K♦") is Card.of(13, "D") is DECK[38]
    assert pickle.loads(pickle.dumps(Card("KD"))) is Card("KD")
    assert [c.index for c in DECK] == list(range(52))
    assert len({c.text for c in DECK}) == 52
    assert (Card("TS").pretty, repr(Card("TS")), int(Card("TS").rank)) == ("T♠", "Card('TS')", 10)


@pytest.mark.parametrize("text", ["", "K", "10S", "kd", "KX", "1S", "KDD"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        Card(text)


@pytest.mark.parametrize(("rank", "suit"), [(0, "S"), (14, "S"), (-1, "S"), (1, "X"), (1, "")])
def test_no_card_has_this_rank_or_suit(rank: int, suit: str) -> None:
    with pytest.raises(ValueError):
        Card.of(rank, suit)


@pytest.mark.parametrize(
    "text", ["", "3", "3:", ":2", "0:1", "1:0", "-3:2", "3.5:1", "a:b", "²:1", "3:2:1", "9999999999:1"]
)
def test_what_are_no_odds_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a ratio"):
        parse_ratio(text)


def test_odds_are_exact() -> None:
    assert parse_ratio("3:2") == Fraction(3, 2)
    assert parse_ratio("6:4") == Fraction(3, 2)


@pytest.mark.parametrize(
    ("amount_minor", "quantum_minor", "house", "player"),
    [
        (2500, 1, 3750, 3750),
        (2500, 100, 3700, 3800),
        (500, 100, 700, 800),
        (1, 1, 1, 2),
        (0, 100, 0, 0),
        (200, 100, 300, 300),
    ],
)
def test_a_payout_is_rounded_only_to_chips(amount_minor: int, quantum_minor: int, house: int, player: int) -> None:
    odds = Fraction(3, 2)
    assert paid_to_player(amount_minor, odds, quantum_minor, Rounding.HOUSE) == house
    assert paid_to_player(amount_minor, odds, quantum_minor, Rounding.PLAYER) == player
    assert exact_multiple(amount_minor, odds, quantum_minor) == (house == player)


def test_money_is_shown_with_two_digits() -> None:
    assert [format_money(n) for n in (0, 5, 250, -12345)] == ["0.00", "0.05", "2.50", "-123.45"]
    assert format_money(100, "EUR") == "1.00 EUR"


def test_a_shoe_counts_what_comes_out() -> None:
    shoe = Shoe(1, 6)
    for _ in range(6):
        assert not shoe.would_exceed(Card("KD"))
        shoe = shoe.with_drawn(Card("KD"))
    assert shoe.would_exceed(Card("KD"))
    assert shoe.cannot_be(Card("KD"))
    assert not shoe.would_exceed(Card("KC"))
    assert (shoe.total, shoe.left, shoe.with_drawn(None).left) == (312, 306, 305)
    named = shoe.with_drawn(None).with_named(Card("KC"))
    assert (named.drawn, sum(named.seen)) == (7, 7)


def test_nothing_can_come_out_of_an_empty_shoe() -> None:
    shoe = Shoe(1, 1, drawn=52)
    assert shoe.left == 0
    assert all(shoe.would_exceed(card) for card in DECK)
    assert Shoe(1, 1, drawn=60).left == 0


def test_a_spread_is_complete_or_the_faces_are_named() -> None:
    assert spread_faults((6,) * 52, 6) == ()
    counts = [6] * 52
    counts[38], counts[0] = 5, 7
    assert spread_faults(tuple(counts), 6) == ("AS 7 of 6", "KD 5 of 6")
    assert spread_faults((6,) * 51, 6) == ("51 counts given, 52 wanted",)
