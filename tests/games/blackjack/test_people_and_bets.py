"""Several persons on a box, several boxes of a person, rebet, chips, even money, surrender, side bets, bonuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Table = Callable[..., Any]

TRILUX = {"trilux": {"flush": "5:1"}}


def test_a_person_bets_on_boxes_side_by_side(felt: Table) -> None:
    table = felt("hebrew")
    assert table.play("B3:500 B5:500") == ["NOT_ADJACENT"]
    assert table.play("B4:500 B2:500 B1:500") == ["HANDS_LIMIT"]
    assert table.play("B5.2:500 B2:500 B2.2:500") == ["BOX_FULL"]
    assert [b.number for b in table.game.boxes] == [2, 3, 4, 5]


def test_a_persons_limit_on_a_box_is_his_own(felt: Table) -> None:
    table = felt(person_max=1000)
    assert table.play("B1.1:1000 B1.2:600 B1.2:500") == ["PERSON_MAXIMUM"]
    assert table.play("B1.1:1") == ["PERSON_MAXIMUM"]


def test_the_stakes_of_the_round_before_are_laid_again_in_one_action(felt: Table) -> None:
    table = felt("hebrew", side_bets=TRILUX)
    assert table.play("rebet") == ["NO_REBET"]
    table.play("B1:500 B2:700 S2:200 B5.2:900 TS TC 9C 5H 6D 6S 7S 8H stand stand stand TD")
    table.settle()
    assert table.play("collect") == []
    assert table.play("rebet@5") == []
    assert [(b.number, b.staked_minor) for b in table.game.boxes] == [(5, 900)]
    assert table.play("rebet@0") == ["NO_REBET"]
    assert table.play("rebet@0.1") == []
    assert [(b.number, b.staked_minor, len(b.sides)) for b in table.game.boxes] == [
        (1, 500, 0),
        (2, 700, 1),
        (5, 900, 0),
    ]
    assert table.play("TS rebet@0") == ["WRONG_PHASE"]


def test_a_rebet_over_a_limit_lays_nothing_and_no_chips_go_back(felt: Table) -> None:
    table = felt("hebrew")
    table.play("B1:500 B2:500 TS TC 5H 6D 6S 9S stand stand TD")
    table.settle()
    table.play("collect B2.2:500")
    assert table.play("rebet@0") == ["BOX_FULL"]
    assert [b.number for b in table.game.boxes] == [2]
    assert table.game.to_return == ()


def test_notes_are_changed_only_while_the_game_pauses(felt: Table) -> None:
    table = felt("greek")
    assert table.play("change@1:10000 B1:500 change@1:500") == []
    assert [f.amount_minor for f in table.said("chips.exchanged")] == [10000, 500]
    assert table.play("TS change@1:500") == ["CHANGE_IN_ROUND"]
    assert table.play("change@1:0 change@9:5") == ["BAD_AMOUNT", "CHANGE_IN_ROUND"]
    assert felt().play("B1:500 TS change@1:10 change@0:10") == ["NO_SUCH_BOX"]


SPLIT = "B1.1:2000 B1.2:1000 B1.3:1000 8S TD 8H split"


def test_a_back_bettor_may_choose_the_hand_his_stake_stays_on(felt: Table) -> None:
    table = felt("greek", back_bet_no_split="choose")
    table.play(SPLIT)
    assert table.play("second_hand@1.3") == []
    table.chips(1, 2000, "split", 1)
    assert table.play("second_hand@1.1 second_hand@1.4") == ["DECISION_NOT_NOW", "DECISION_NOT_NOW"]
    table.play("3S")
    first, second = table.game.boxes[0].hands
    assert [(s.person, s.amount_minor) for s in first.stakes] == [(1, 2000), (2, 1000)]
    assert [(s.person, s.amount_minor) for s in second.stakes] == [(1, 2000), (3, 1000)]
    table.play("stand 9S stand 7C")
    assert (table.net(1, 1), table.net(1, 2), table.net(1, 3)) == (-2000, -1000, 0)


def test_where_the_stake_stays_on_the_first_hand_nothing_is_chosen(felt: Table) -> None:
    assert felt("greek").play(SPLIT + " second_hand@1.3") == ["NOT_OFFERED"]


def test_chips_for_the_split_undo_the_choice(felt: Table) -> None:
    table = felt("greek", back_bet_no_split="choose")
    table.play(SPLIT + " second_hand@1.2")
    table.chips(1, 1000, "split", 2)
    table.chips(1, 2000, "split", 1)
    table.play("3S")
    assert [s.person for s in table.game.boxes[0].hands[0].stakes] == [1, 2, 3]


def test_even_money_is_each_persons_own_and_final(felt: Table) -> None:
    table = felt()
    table.play("B1.1:1000 B1.2:1000 AS AH KD")
    assert table.play("even_money@1.2 even_money@1.2") == ["EVEN_MONEY_NOT_NOW"]
    assert table.dues()["1.2 main"] == 1000
    assert table.chips(1, 500, "insurance", 2) == ["INS_NOT_NOW"]
    assert table.pay(1, 1000, "main", 2) == []
    assert table.play("no") == []
    assert table.phase == "dealer"  # person 1 still has a blackjack to win or push
    table.play("KH")
    assert (table.net(1, 1), table.net(1, 2)) == (0, 1000)


def test_when_all_took_even_money_the_dealer_draws_no_card(felt: Table) -> None:
    table = felt()
    table.play("B1:1000 AS AH KD even_money@1 no")
    assert (table.phase, table.net(1)) == ("settlement", 1000)


@pytest.mark.parametrize(
    ("keys", "script", "codes"),
    [
        ({"even_money": False}, "B1:500 AS AH KD even_money@1", ["NOT_OFFERED"]),
        ({}, "B1:500 TS AH KD even_money@1", ["EVEN_MONEY_NOT_NOW"]),
        ({}, "B1:500 AS AH KD I1:250 even_money@1", ["EVEN_MONEY_NOT_NOW"]),
        ({}, "B1:500 AS TH KD even_money@1", ["HAND_FINISHED"]),
        ({}, "B1:500 AS 7H KD double@1", ["DOUBLE_BJ"]),
    ],
)
def test_even_money_and_doubling_of_a_blackjack_refused(
    felt: Table, keys: dict[str, Any], script: str, codes: list[str]
) -> None:
    assert felt(**keys).play(script) == codes


def test_without_insurance_even_money_is_still_offered(felt: Table) -> None:
    table = felt(insurance="none")
    table.play("B1:500 AS AH KD")
    assert (table.phase, table.expected()) == ("insurance", "even money, then the first decision")
    assert table.play("I1:250") == ["NOT_OFFERED"]
    assert felt(insurance="none").play("B1:500 TS AH KD") == []


@pytest.mark.parametrize(("drawn", "net"), [("KH", -1000), ("9H", -500)])
def test_a_late_surrender_loses_all_to_a_blackjack(felt: Table, drawn: str, net: int) -> None:
    table = felt(surrender="late")
    table.play("B1:1000 TS AH 6D no surrender")
    assert table.phase == "dealer"
    assert table.dues()["1.1 main"] == 0
    table.play(drawn)
    assert table.net(1) == net


def test_a_late_surrender_after_the_peek_is_final(felt: Table) -> None:
    table = felt("hebrew", surrender="late", surrender_against_ace=True)
    table.play("B1:1000 TS TH 6D KC surrender")
    assert (table.phase, table.net(1)) == ("settlement", -500)


TAKES = "B1:1000 8S TH 8D +split 8C +split 3C +double 5C TS hit 9C 9S stand AH"
"""A doubled 16, a bust 27 and a 17 against a blackjack."""


@pytest.mark.parametrize(("takes", "net"), [("all", -4000), ("busted_plus_one", -2000), ("original_only", -1000)])
def test_what_a_blackjack_without_a_peek_takes(felt: Table, takes: str, net: int) -> None:
    table = felt(dealer_blackjack_takes=takes)
    table.play(TAKES)
    assert table.phase == "settlement"
    assert table.net(1) == net


def test_a_side_bet_stands_beside_a_first_stake_of_the_same_person(felt: Table) -> None:
    table = felt("greek")
    assert table.play("S1:500 B1.2:500 S1:500") == ["SIDE_WITHOUT_MAIN", "SIDE_WITHOUT_MAIN"]
    assert table.play("S1.2:500 S1.2:9600") == ["SIDE_MAXIMUM"]
    assert table.back(1, 9600, "side:trilux", 2) == []
    assert table.back(1, 500, "side:trilux", 2) == []
    assert table.game.boxes[0].sides == ()


def test_a_side_bet_does_not_stay_without_its_first_stake(felt: Table) -> None:
    table = felt("greek")
    table.play("B1:500 S1:200")
    assert table.back(1, 500) == ["SIDE_WITHOUT_MAIN"]
    assert [(m.bet, m.net_minor) for m in table.game.to_return] == [("side:trilux", 200)]
    assert table.game.boxes == ()


def test_a_side_bet_is_owed_as_soon_as_the_first_cards_lie(felt: Table) -> None:
    table = felt("greek")
    table.play("B1:500 S1:200 2S 7S 9S")
    assert [(f.bet, f.owed_minor, f.outcome) for f in table.said("payout.due")] == [("side:trilux", 1000, "flush")]
    assert table.pay(1, 1000, "side:trilux") == []
    table.play("stand TC")
    assert [f.bet for f in table.said("payout.due")] == ["side:trilux", "main"]


def test_a_side_bet_keeps_the_first_two_cards_after_splits(felt: Table) -> None:
    table = felt("greek")
    table.play("B1:500 S1:200 8S 8C 8H +split")
    assert table.dues()["1.1 side:trilux"] == 4000
    table.play("KD stand 5S")
    assert table.dues()["1.1 side:trilux"] == 4000


def test_other_pay_tables_prove_the_seam(felt: Table) -> None:
    tables = {
        "21plus3": {"straight": "9:1", "suited_trips": "100:1"},
        "perfect11": {"suited_11": "25:1", "any_11": "3:1"},
    }
    table = felt(side_bets=tables)
    table.play("B1:500")
    assert table.chips(1, 100, "side:21plus3") == []
    assert table.chips(1, 100, "side:perfect11") == []
    assert table.chips(1, 100, "side:trilux") == ["BET_NOT_OFFERED"]
    table.play("5S 7H 6D")
    assert table.dues() == {"1.1 main": 0, "1.1 side:21plus3": 900, "1.1 side:perfect11": 300}


def test_a_side_bet_below_its_minimum_stops_the_deal(felt: Table) -> None:
    table = felt("greek")
    assert table.play("B1:500 S1:50 no") == ["UNDER_MINIMUM"]
    assert table.play("S1:50 no") == []


def test_side_bets_come_in_whole_chips_where_the_rules_say_so(felt: Table) -> None:
    keys = {"chip_quantum": 100, "rounding": "reject_bet", "side_bets": {"trilux": {"flush": "3:2"}}}
    assert felt(**keys).play("B1:1000 S1:100 S1:200") == ["ODD_STAKE"]


BONUS = {"bonus_three_sevens": "2:1", "bonus_suited_blackjack": "1:2", "bonus_suited_678": "3:1"}


@pytest.mark.parametrize(
    ("keys", "script", "net"),
    [
        ({}, "B1:1000 7S TH 7D hit 7C KH", 3000),
        ({"bonus_needs_win": True}, "B1:1000 7S 7H 7D hit 7C 4H KH", 0),
        ({"bonus_instead": True}, "B1:1000 7S TH 7D hit 7C KH", 2000),
        ({"bonus_instead": True}, "B1:1000 7S TH 7D +double 7C KH", 3000),
        ({"bonus_instead": True}, "B1:1000 7S TH 7D +double 7C AH", 1000),
        ({}, "B1:1000 7S TH 7D hit 7C AH", 1000),
        ({"bonus_needs_win": True}, "B1:1000 7S TH 7D hit 7C AH", -1000),
        ({}, "B1:1000 8S TH 6S hit 7S KH", 4000),
        ({}, "B1:1000 8S TH 6S hit 7D KH", 1000),
        ({}, "B1:1000 AS 7H KS", 2000),
        ({}, "B1:1000 AS AH KS even_money@1 no", 1500),
        ({}, "B1:1000 7S TH 7D +split 7C hit 7H 2S stand KH", 0),
        ({"bonus_on_split": True}, "B1:1000 7S TH 7D +split 7C hit 7H 2S stand KH", 2000),
        ({"surrender": "early"}, "B1:1000 7S TH 7D surrender", -500),
    ],
)
def test_a_bonus_by_its_conditions(felt: Table, keys: dict[str, Any], script: str, net: int) -> None:
    table = felt(**BONUS, **keys)
    table.play(script)
    assert table.net(1) == net
    assert table.settle() == []
    assert table.phase == "collection"


def test_a_bonus_may_be_paid_together_with_the_win(felt: Table) -> None:
    table = felt(**BONUS)
    table.play("B1:1000 7S TH 7D hit 7C KH")
    assert table.dues() == {"1.1 main": 1000, "1.1 bonus": 2000}
    assert table.pay(1, 3000) == []
    assert table.phase == "collection"


def test_six_cards_win_at_once_and_the_dealer_need_not_draw(felt: Table) -> None:
    table = felt(six_cards="win", bonus_six_cards="1:1")
    table.play("B1:1000 2S TH 2D hit 2C hit 3C hit 3D hit 3H")
    assert (table.phase, table.net(1)) == ("settlement", 2000)
    assert [f.total for f in table.said("hand.won")] == ["15"]
