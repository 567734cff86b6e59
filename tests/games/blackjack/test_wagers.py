"""Chips laid and taken back: what a cheating player tries, and what an honest one may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.core.inputs import DecisionSignalled

Table = Callable[..., Any]


def test_chips_for_a_double_after_asking_for_a_card_do_not_double(felt: Table) -> None:
    table = felt()
    table.play("B1:500 6S 7H 5D hit")
    assert table.chips(1, 500, "double") == ["DOUBLE_NOT_NOW"]
    table.play("TC 7D")
    assert table.game.boxes[0].hands[0].raises == ()
    assert table.expected().startswith("box 1 person 1: 5.00 double goes back")


def test_chips_for_a_double_while_the_split_is_due_do_not_double(felt: Table) -> None:
    table = felt()
    table.play("B1:500 8S 7H 8D split")
    assert table.chips(1, 500, "double") == ["DOUBLE_NOT_NOW"]
    assert table.chips(1, 500, "split") == []


@pytest.mark.parametrize("amount_minor", [1000, 2499, 2501, 5000])
def test_s35_a_double_is_exactly_the_first_stake(felt: Table, amount_minor: int) -> None:
    table = felt()
    table.play("B1:2500 6S 7H 5D double")
    assert table.chips(1, amount_minor, "double") == ["DOUBLE_AMOUNT"]
    assert table.play("TC") == ["EXTRA_CARD"]


def test_a_double_keyed_with_its_amount_needs_no_chip_sensor(felt: Table) -> None:
    table = felt()
    table.play("B1:500 6S 7H 5D")
    assert table.put(DecisionSignalled("console", 1, "double", amount_minor=400)) == ["DOUBLE_AMOUNT"]
    assert table.put(DecisionSignalled("console", 1, "double", amount_minor=500)) == []
    assert table.play("TC") == []
    assert table.game.boxes[0].hands[0].raise_of(1) == 500


def test_chips_laid_for_a_decision_that_is_not_taken_go_back(felt: Table) -> None:
    table = felt()
    table.play("B1:500 8S 7H 8D +split 3C")
    assert table.chips(1, 500, "double") == []
    assert table.play("stand TC") == []
    assert table.expected() == "box 1 person 1: 5.00 double goes back"
    assert table.chips(1, 500, "double") == []
    assert table.play("stand") == []
    assert [m.bet for m in table.game.to_return] == ["double", "double:2"]
    assert table.back(1, 500, "double") == []
    assert table.back(1, 500, "double:2") == []
    assert table.game.to_return == ()


def test_chips_laid_for_a_split_that_is_not_taken_go_back_once(felt: Table) -> None:
    table = felt()
    table.play("B1:500 8S 7H 8D")
    assert table.chips(1, 500, "split") == []
    assert table.play("hit") == []
    assert table.game.boxes[0].splitting == ()
    assert table.back(1, 500, "split") == []
    assert table.game.to_return == ()


def test_a_player_may_think_again_until_the_card(felt: Table) -> None:
    table = felt()
    table.play("B1:500 8S 7H 8D double")
    assert table.chips(1, 500, "double") == []
    assert table.back(1, 400, "double") == ["BET_WITHDRAWN"]
    assert table.expected() == "box 1 person 1: 4.00 double is put back"
    assert table.back(1, 500, "double") == ["NO_SUCH_STAKE"]
    assert table.back(1, 100, "double") == []
    assert table.game.lifted == ()
    assert table.play("+split 3C") == []
    assert len(table.game.boxes[0].hands) == 2


def test_stakes_may_change_only_before_the_deal(felt: Table) -> None:
    table = felt()
    assert table.chips(1, 500) == []
    assert table.chips(1, 700) == []
    assert table.back(1, 200) == []
    assert table.game.boxes[0].main_of(1) == 1000
    assert table.back(1, 1001) == ["NO_SUCH_STAKE"]
    assert table.back(2, 500) == ["NO_SUCH_STAKE"]
    table.play("8S")
    assert table.back(1, 500) == ["BET_WITHDRAWN"]
    assert table.game.boxes[0].main_of(1) == 1000


def test_a_box_whose_stakes_are_taken_back_is_out_of_play(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B2:500")
    assert table.back(1, 500) == []
    assert table.play("8S") == []
    assert [b.number for b in table.game.boxes] == [2]


def test_insurance_in_parts_is_judged_by_their_sum(felt: Table) -> None:
    """Chips that follow others on the same insurance are not a bet of their own."""
    table = felt()
    table.play("B1:1000 TS AH 6D")
    assert table.chips(1, 500, "insurance") == []
    assert table.chips(1, 500, "insurance") == ["INS_AMOUNT"]
    assert [s.amount_minor for s in table.game.boxes[0].insurance] == [500]
    table = felt(insurance="up_to_half")
    table.play("B1:1000 TS AH 6D")
    assert (table.chips(1, 300, "insurance"), table.chips(1, 200, "insurance")) == ([], [])
    assert table.chips(1, 100, "insurance") == ["INS_AMOUNT"]
    assert [s.amount_minor for s in table.game.boxes[0].insurance] == [500]


def test_insurance_may_be_taken_back_while_it_is_offered(felt: Table) -> None:
    table = felt()
    table.play("B1:1000 8S AH 8D I1:500")
    assert table.back(1, 200, "insurance") == ["BET_WITHDRAWN"]
    assert table.chips(1, 200, "insurance") == []
    assert table.back(1, 500, "insurance") == []
    assert table.chips(1, 500, "insurance") == []
    table.play("stand@1")
    assert table.back(1, 500, "insurance") == ["BET_WITHDRAWN"]


def test_a_refused_decision_does_not_end_the_insurance(felt: Table) -> None:
    table = felt()
    table.play("B1:1000 8S AH 9D")
    before = table.state
    assert table.play("split@1") == ["SPLIT_PAIR"]
    assert table.play("hit@2") == ["OUT_OF_TURN"]
    assert table.state is before
    assert table.chips(1, 500, "insurance") == []
    assert table.play("hit@1") == []
    assert table.phase == "players"


def test_with_blackjacks_only_nobody_decides_after_the_insurance(felt: Table) -> None:
    table = felt()
    table.play("B1:1000 AS AH KD")
    assert table.play("hit@1") == ["DECISION_NOT_NOW"]
    assert table.play("no KC") == []
    assert table.phase == "collection"


def test_only_the_decider_decides(felt: Table) -> None:
    table = felt()
    table.play("B1.2:500 B1.3:500 8S 7H 9D")
    assert table.put(DecisionSignalled("console", 1, "hit", person=3)) == ["WRONG_DECIDER"]
    assert table.put(DecisionSignalled("console", 1, "hit", person=2)) == []


@pytest.mark.parametrize(
    ("box", "amount_minor", "bet", "person", "code"),
    [
        (1, 0, "main", 1, "BAD_WAGER"),
        (1, -500, "main", 1, "BAD_WAGER"),
        (1, 500, "main", 0, "BAD_WAGER"),
        (1, 500, "main", 100, "BAD_WAGER"),
        (1, 10**10 + 1, "main", 1, "AMOUNT_TOO_LARGE"),
        (1, 2**70, "main", 1, "AMOUNT_TOO_LARGE"),
        (0, 500, "main", 1, "NO_SUCH_BOX"),
        (-3, 500, "main", 1, "NO_SUCH_BOX"),
        (1, 500, "main:2", 1, "BET_NOT_OFFERED"),
        (1, 500, "side:trilux", 1, "BET_NOT_OFFERED"),
        (1, 500, "", 1, "BET_NOT_OFFERED"),
        (1, 500, "double:²", 1, "DOUBLE_NOT_NOW"),
        (1, 500, "split:" + "9" * 5000, 1, "SPLIT_NOT_NOW"),
    ],
)
def test_wagers_of_any_content_are_refused_with_a_reason(
    felt: Table, box: int, amount_minor: int, bet: str, person: int, code: str
) -> None:
    table = felt()
    assert table.chips(box, amount_minor, bet, person) == [code]


def test_insurance_of_several_boxes_and_persons(felt: Table) -> None:
    table = felt()
    table.play("B1.1:1000 B1.2:600 B2:500 TS 9S AH TD 9D")
    for box, person, half in ((1, 1, 500), (1, 2, 300), (2, 1, 250)):
        assert table.chips(box, half, "insurance", person) == []
    assert table.chips(3, 250, "insurance") == ["INS_AMOUNT"]
    table.play("no stand stand KH")
    assert [table.net(1, 1), table.net(1, 2), table.net(2, 1)] == [0, 0, 0]


@pytest.mark.parametrize(("cards", "paid", "codes"), [("TC 7H 9D", 2500, []), ("7C 7H TD", 2500, ["PUSH_PAID"])])
def test_a_payment_is_never_taken_for_refused_chips_that_go_back(
    felt: Table, cards: str, paid: int, codes: list[str]
) -> None:
    """Chips laid too late stay on the felt; what the dealer pays then is judged as a payment."""
    table = felt()
    table.play(f"B1:2500 {cards}")
    assert table.chips(1, 2500) == ["BET_CHANGED"]
    table.play("stand TS")
    assert table.pay(1, paid) == codes
    assert table.expected().startswith("box 1 person 1: 25.00 main goes back")
    assert table.back(1, 2500) == []
