"""Chips after a void round and after the settlement: nothing owed gets lost, and the next round waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.core.inputs import SystemStarted
from tests.games.blackjack.conftest import Felt

Table = Callable[..., Felt]


def undone(table: Any) -> list[tuple[int, int, str, int, int]]:
    return [(u.box, u.person, u.bet, u.stake_minor, u.float_minor) for u in table.game.undone]


def void(table: Any) -> None:
    assert table.command("void-round", reason="misdeal") == ""


def test_the_next_round_waits_until_every_stake_of_a_void_one_is_taken_back(felt: Table) -> None:
    table = felt()
    table.play("B1:2500 B2:1000 B2.2:700 KD TS 9H")
    void(table)
    assert undone(table) == [(1, 1, "main", 2500, 0), (2, 1, "main", 1000, 0), (2, 2, "main", 700, 0)]
    assert table.expected() == "box 1 person 1: 25.00 main goes back"
    assert (table.back(1, 2500), table.play("collect")) == ([], ["CHIPS_NOT_RETURNED"])
    assert table.chips(3, 500) == ["CHIPS_NOT_RETURNED"]
    assert (table.back(3, 500), table.phase, table.game.round_open) == ([], "betting", False)
    assert table.back(2, 1200) == ["NO_SUCH_STAKE"]
    assert (table.back(2, 400), table.back(2, 600), table.back(2, 700, person=2)) == ([], [], [])
    assert (table.open_codes(), table.game.overdue) == ([], False)
    assert table.play("B1:2500 no") == []
    assert table.phase == "dealing"


def test_what_the_float_took_beyond_the_stake_goes_back_whole(felt: Table) -> None:
    """The dealer took 15.00 for a busted 10.00: after the void all of it is the bettor's."""
    table = felt()
    assert table.play("B1:1000 TS 9H 6D hit@1 TC") == []
    assert table.pay(1, -1500) == ["TAKE_AMOUNT"]
    void(table)
    assert undone(table) == [(1, 1, "main", 1000, 1500)]
    assert table.expected() == "box 1 person 1: 15.00 main goes back"
    assert (table.pay(1, 1500), table.expected()) == ([], "box 1 person 1: 10.00 main goes back")
    assert (table.back(1, 1000), table.open_codes()) == ([], [])


def test_more_than_the_refused_chips_does_not_go_back(felt: Table) -> None:
    table = felt()
    table.play("B1:1000 TS")
    assert table.chips(3, 500) == ["LATE_BET"]
    assert table.back(3, 800) == ["NO_SUCH_STAKE"]
    assert [m.net_minor for m in table.game.to_return] == [500]
    assert (table.back(3, 500), table.game.to_return) == ([], ())


def test_nobody_leaves_any_more_once_the_dealer_who_missed_his_card_has_one(felt: Table) -> None:
    """A blackjack has nothing to decide, so its bettor could wait for the dealer's card."""
    table = felt(dealer_skipped="may_withdraw")
    assert table.play("B1:1000 B2:1000 AS 7H KD skipped@0 TC") == ["DEALER_SKIPPED"]
    assert table.resume("may_withdraw") == ""
    assert table.play("stand@2 AD") == []
    assert (table.phase, table.back(1, 1000)) == ("dealer", ["BET_WITHDRAWN"])


def test_a_round_void_before_its_first_card_waits_at_once(felt: Table) -> None:
    table = felt()
    table.play("B1:2500")
    void(table)
    assert (table.phase, table.open_codes()) == ("betting", ["CHIPS_NOT_RETURNED"])
    assert table.chips(1, 2500) == ["CHIPS_NOT_RETURNED"]
    assert (table.back(1, 2500), table.back(1, 2500), table.open_codes()) == ([], [], [])


def test_a_rebet_waits_as_well(felt: Table) -> None:
    table = felt(rebet=True)
    table.play("B1:2500 KD TS")
    void(table)
    table.play("collect")
    assert table.play("rebet@0") == ["CHIPS_NOT_RETURNED"]
    table.back(1, 2500)
    assert table.play("rebet@0") == []


def test_the_settlement_gate_may_only_warn(felt: Table) -> None:
    table = felt(settlement_gate="warn")
    table.play("B1:2500 KD TS")
    void(table)
    assert table.play("collect B2:500") == ["CHIPS_NOT_RETURNED"]
    assert (table.game.round_open, table.open_codes()) == (True, ["CHIPS_NOT_RETURNED"])


def test_doubles_splits_insurance_and_side_bets_are_owed_back_too(felt: Table) -> None:
    table = felt("greek")
    table.play("B1:500 S1:100 8S 7H 8H +split 3S stand 3H +double")
    void(table)
    assert undone(table) == [(1, 1, "main", 1500, 0), (1, 1, "side:trilux", 100, 0)]
    assert (table.back(1, 500, "double:2"), table.back(1, 500, "split")) == ([], [])
    assert undone(table) == [(1, 1, "main", 500, 0), (1, 1, "side:trilux", 100, 0)]
    table.back(1, 100, "side:trilux")
    assert (table.back(1, 500), undone(table)) == ([], [])


def test_a_stake_that_its_bettor_has_taken_up_is_with_him_already(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B2:700 KD TS 9H")
    assert table.back(1, 500) == ["BET_WITHDRAWN"]
    void(table)
    assert undone(table) == [(2, 1, "main", 700, 0)]


def test_insurance_goes_back(felt: Table) -> None:
    table = felt()
    table.play("B1:500 KD AS 9H I1:250")
    void(table)
    assert undone(table) == [(1, 1, "insurance", 250, 0), (1, 1, "main", 500, 0)]


def test_what_was_taken_is_paid_back_and_what_was_paid_is_recovered(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B2:1000 B3:500 AS TC 5S 7H KH KD 6S hit KC")
    table.pay(1, 750)
    table.pay(2, -1000)
    void(table)
    assert undone(table) == [(1, 1, "main", 500, -750), (2, 1, "main", 1000, 1000), (3, 1, "main", 500, 0)]
    assert (table.pay(1, -750), table.pay(2, 1000)) == ([], [])
    assert undone(table) == [(1, 1, "main", 500, 0), (2, 1, "main", 1000, 0), (3, 1, "main", 500, 0)]
    table.play("collect")
    assert (table.back(1, 500), table.back(2, 1000), table.back(3, 500), table.open_codes()) == ([], [], [], [])


def test_what_a_bettor_was_paid_is_not_his_to_take(felt: Table) -> None:
    table = felt()
    table.play("B1:500 AS TC KH")
    table.pay(1, 750)
    void(table)
    assert (table.back(1, 1250), undone(table)) == (["NO_SUCH_STAKE"], [(1, 1, "main", 500, -750)])
    assert (table.back(1, 500), undone(table)) == ([], [(1, 1, "main", 0, -750)])
    assert table.expected() == "box 1 person 1: 7.50 main is recovered"
    assert (table.pay(1, -750), undone(table)) == ([], [])


@pytest.mark.parametrize(("wrong", "code"), [(-1000, "TAKE_NO_BET"), (1000, "PAY_NO_BET")])
def test_a_wrong_movement_on_a_void_bet_is_undone_as_well(felt: Table, wrong: int, code: str) -> None:
    table = felt()
    table.play("B2:1000 KD TS 9H")
    void(table)
    assert table.pay(2, wrong) == [code]
    assert undone(table) == [(2, 1, "main", 1000, -wrong)]
    assert (table.pay(2, -wrong), table.back(2, 1000), table.open_codes()) == ([], [], [])


def test_a_supervisor_writes_off_what_does_not_come_back(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B2:1000 AS TC 5S KH KD")
    table.pay(1, 750)
    void(table)
    table.back(1, 500)
    assert table.play("collect") == ["CHIPS_NOT_RETURNED"]
    assert table.resume("write_off") == ""
    assert [(f.entries, f.net_minor) for f in table.said("payout.written_off")] == [(2, 250)]
    assert table.play("B1:500") == []


def test_a_void_that_starts_a_new_shoe_forgets_no_stake(felt: Table) -> None:
    table = felt()
    table.play("B1:500 TS TH 8D 2C")
    assert table.resume("void_round") == ""
    table.play("collect")
    assert table.command("close-table", role="dealer", actor="4711").startswith("verdicts are open")
    table.back(1, 500)
    assert table.command("close-table", role="dealer", actor="4711") == ""


def out(table: Any) -> str:
    reason: str = table.command("out-of-service", role="technician", actor="3", approver="")
    return reason


def back_and_open(table: Any) -> None:
    assert table.command("back-in-service", role="technician", actor="3", approver="") == ""
    assert table.command("open-table", role="dealer", actor="4711") == ""
    table.prepare()


def test_out_of_service_forgets_no_chips(felt: Table) -> None:
    table = felt()
    assert table.pay(1, 50000) == ["PAY_NO_BET"]
    assert out(table) == ""
    assert table.open_codes() == ["CHIPS_NOT_RETURNED"]
    assert table.back(1, 50000) == ["TABLE_CLOSED"]
    back_and_open(table)
    assert table.chips(1, 2500) == ["CHIPS_NOT_RETURNED"]
    assert (table.back(1, 2500), table.pay(1, -50000), table.open_codes()) == ([], [], [])
    assert table.play("B1:2500") == []


def test_out_of_service_by_one_person_closes_what_holds_the_cards_and_nothing_about_chips(felt: Table) -> None:
    table = felt()
    table.play("B1:500 TS")
    void(table)
    table.play("collect 5C")
    assert table.open_codes() == ["CHIPS_NOT_RETURNED", "EXTRA_CARD"]
    assert out(table).startswith("a round is open")
    table.resume("burn")
    assert out(table) == ""
    assert table.open_codes() == ["CHIPS_NOT_RETURNED"]


def test_chips_refused_and_left_behind_at_the_closing_are_asked_for_at_the_next_opening(felt: Table) -> None:
    table = felt()
    assert table.chips(1, 100_000_000) == ["BOX_MAXIMUM"]
    assert table.command("close-table", role="dealer", actor="4711") == ""
    assert table.open_codes() == ["CHIPS_NOT_RETURNED"]
    table.put(SystemStarted(2, "1"))
    assert table.command("open-table", role="dealer", actor="4711") == ""
    table.prepare()
    assert table.chips(2, 2500) == ["CHIPS_NOT_RETURNED"]
    assert table.resume("write_off") == ""
    assert table.play("B2:2500") == []


def test_chips_after_the_settlement_correct_the_result(felt: Table) -> None:
    table = felt()
    table.play("B1:2500 KD 9H QD stand TC")
    table.pay(1, 2500)
    assert [f.house_minor for f in table.said("round.settled")] == [-2500]
    assert table.pay(1, 1000) == ["PAY_AMOUNT"]
    assert [(f.round, f.house_minor) for f in table.said("round.corrected")] == [("1-1", -3500)]
    assert table.pay(1, -400) == ["WINNER_TAKEN"]
    assert table.resume("accept") == ""
    assert table.play("collect") == []
    assert [f.house_minor for f in table.said("round.settled")] == [-2500]
    assert [f.house_minor for f in table.said("round.corrected")] == [-3500, -3100]


def test_where_the_gate_only_warns_the_round_has_a_result_and_later_chips_correct_it(felt: Table) -> None:
    table = felt(settlement_gate="warn")
    table.play("B1:2500 B2:500 KD 9H QD TS TH stand stand TC")
    table.pay(1, 2500)
    assert table.play("next") == ["SETTLEMENT_OPEN"]
    assert [f.house_minor for f in table.said("round.settled")] == [-2500]
    table.pay(2, 500)
    assert [f.house_minor for f in table.said("round.corrected")] == [-3000]
    assert len(table.said("round.settled")) == 1


def test_a_result_that_stands_is_not_corrected(felt: Table) -> None:
    table = felt()
    table.play("B1:2500 KD 9H QD stand TC")
    table.pay(1, 2500)
    table.play("collect B1:2500 KD 9H QD stand TC")
    table.pay(1, 2500)
    assert table.said("round.corrected") == []


@pytest.mark.parametrize("pieces", [(20, 20, 20), (60,), (30, 30), (50, 10), (10, 10, 40), (45, 15)])
def test_two_hands_of_a_split_are_paid_in_any_pieces(felt: Table, pieces: tuple[int, ...]) -> None:
    table = felt()
    table.play("B1:3000 KD TS QH +split 9H stand 9D stand 6C TC")
    assert table.dues() == {"1.1 main": 3000, "1.1 main:2": 3000}
    for units in pieces:
        table.pay(1, units * 100)
    assert (table.phase, table.open_codes()) == ("collection", [])
    assert [f.house_minor for f in table.said("round.settled")] == [-6000]


def test_too_much_for_a_split_is_one_difference_to_move_back(felt: Table) -> None:
    table = felt()
    table.play("B1:3000 KD TS QH +split 9H stand 9D stand 6C TC")
    assert table.pay(1, 7000) == ["PAY_AMOUNT"]
    assert table.dues() == {"1.1 main": 0, "1.1 main:2": -1000}
    assert (table.pay(1, -1000), table.phase, table.open_codes()) == ([], "collection", [])
