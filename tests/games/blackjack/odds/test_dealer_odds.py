"""The dealer's totals and simple chances against the numbers of the specification (fresh six decks)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from controller.core.cards import Card
from controller.games.blackjack.hand import is_blackjack, value
from controller.games.blackjack.odds.composition import probability
from controller.games.blackjack.odds.dealer import finals, finals_of_all, insurance_value

ALL = {
    "17": ".145245",
    "18": ".139258",
    "19": ".133685",
    "20": ".179527",
    "21": ".072874",
    "blackjack": ".047489",
    "bust": ".281921",
}
BUST = {
    1: ".353504",
    2: ".374194",
    3: ".395805",
    4: ".418406",
    5: ".422842",
    6: ".261936",
    7: ".243693",
    8: ".229242",
    9: ".212471",
    0: ".115473",
}


def text(number: object, digits: int = 6) -> str:
    return f"{float(number):.{digits}f}".removeprefix("0")  # type: ignore[arg-type]


def test_finals_of_all_up_cards() -> None:
    found = finals_of_all(6)
    assert {outcome: text(chance) for outcome, chance in found.items()} == ALL
    assert sum(found.values()) == 1


@pytest.mark.parametrize(("up", "bust"), BUST.items())
def test_bust_by_up_card(up: int, bust: str) -> None:
    assert text(finals(6, up)["bust"]) == bust


def test_blackjack_by_up_card() -> None:
    assert text(finals(6, 9)["blackjack"]) == ".077170"
    assert text(finals(6, 0)["blackjack"]) == ".308682"


@pytest.mark.parametrize(("decks", "wanted"), [(4, (-5, 69)), (6, (-23, 311)), (8, (-31, 415))])
def test_insurance_when_only_the_ace_is_known(decks: int, wanted: tuple[int, int]) -> None:
    assert insurance_value(decks, Fraction(2)) == Fraction(*wanted)


def same_rank(cards: tuple[Card, ...]) -> bool:
    return cards[0].rank == cards[1].rank


def same_value(cards: tuple[Card, ...]) -> bool:
    return value(cards[0]) == value(cards[1])


def ranks(*wanted: int) -> Callable[[tuple[Card, ...]], bool]:
    return lambda cards: sorted(card.rank for card in cards) == list(wanted)


def suited(holds: Callable[[tuple[Card, ...]], bool]) -> Callable[[tuple[Card, ...]], bool]:
    return lambda cards: holds(cards) and len({card.suit for card in cards}) == 1


@pytest.mark.parametrize(
    ("cards", "holds", "wanted"),
    [
        (2, is_blackjack, ".047489488"),
        (2, suited(is_blackjack), ".011872372"),
        (2, same_rank, ".073954984"),
        (2, same_value, ".145189216"),
        (3, ranks(7, 7, 7), ".000403724"),
        (3, ranks(6, 7, 8), ".002757454"),
        (3, suited(ranks(6, 7, 8)), ".000172341"),
    ],
)
def test_chances_of_the_first_cards(cards: int, holds: Callable[[tuple[Card, ...]], bool], wanted: str) -> None:
    assert text(probability(6, cards, holds), 9) == wanted


def test_three_suited_sevens() -> None:
    assert text(probability(6, 3, suited(ranks(7, 7, 7))), 10) == ".0000159575"
