"""Matches: by points and by rounds, who deals next, fees and rake, closing and changing the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bench.blot_rounds import SPREAD
from controller.core.inputs import ChipsCollected, ChipsPaid, CommandReceived, RulesChosen, WagerPlaced, WagerWithdrawn
from controller.core.table import expected
from controller.games.blot import GAME
from controller.games.blot.facts import FeeMoved, FeeWaived, MatchEnded, MatchVoided, Reconciled, ScoreRecorded
from controller.games.blot.rules import Rules
from controller.games.blot.score import match_winner
from controller.games.blot.state import Phase

ONE = "KS QS JS TS 9D TC 9C QC JD"
TWO = "AS AH KH QH JH TH AD AC KC"


def given_up(table: Any, loser: int) -> None:
    """A round in which ``loser`` gives up at once, or after the other has led."""
    dealer = table.the_deal.dealer
    n_hand, d_hand = (ONE, TWO) if dealer == 2 else (TWO, ONE)
    n, d = 3 - dealer, dealer
    hands = (n_hand, d_hand) if n == 1 else (d_hand, n_hand)
    up, bids = ("QH", [f"{n} take"]) if "QH" in n_hand else ("QH", [f"{n} pass", f"{d} take"])
    assert table.deal(*hands, up, *bids) == []
    if loser == n:
        assert table.say(f"{n} give_up") == []
    else:
        lead = n_hand.split()[0]
        assert table.say(f"{n} plays {lead}", f"{d} give_up") == []
    points = table.game.score.points
    assert table.say(f"1 score {points[0]}", f"2 score {points[1]}", "collect 24") == []


def test_rounds_add_up_to_a_match_by_points(felt: Callable[..., Any]) -> None:
    table = felt(target=51)
    given_up(table, 1)
    given_up(table, 1)
    assert table.count(MatchEnded) == 0
    assert table.game.match.totals == (0, 42 + 2 + 2)
    given_up(table, 1)
    ended = table.last(MatchEnded)
    assert (ended.winner, ended.totals, ended.pays_minor) == (2, table.last(ScoreRecorded).totals, 0)
    assert GAME.tell(ended, "EUR").text == f"match 1 to seat 2: 0 to {ended.totals[1]}, rounds 0 to 3"
    assert table.phase == Phase.OPENING
    assert table.game.match.number == 2
    assert table.say("first_dealer 1") == []
    assert table.the_deal.round == "2-1"


@pytest.mark.parametrize("target", [1, 3, 5])
def test_a_match_by_rounds(felt: Callable[..., Any], target: int) -> None:
    table = felt(match_by="rounds", target=target)
    losers = [1] * (target - 1) + [2] * target
    for loser in losers:
        given_up(table, loser)
    assert table.last(MatchEnded).winner == 1
    assert table.last(MatchEnded).wins == (target, target - 1)


@pytest.mark.parametrize(
    ("rule", "loser", "dealer"),
    [("alternate", 1, 1), ("alternate", 2, 1), ("winner", 1, 2), ("winner", 2, 1), ("loser", 1, 1), ("loser", 2, 2)],
)
def test_who_deals_next(felt: Callable[..., Any], rule: str, loser: int, dealer: int) -> None:
    table = felt(next_dealer=rule)
    given_up(table, loser)
    assert table.the_deal.dealer == dealer


def test_both_reach_the_target() -> None:
    higher, taker = Rules(), Rules(match_tie="taker")
    assert [match_winner(higher, totals, (0, 0), 0) for totals in ((104, 107), (105, 105), (107, 104))] == [1, -1, 0]
    assert [match_winner(taker, totals, (0, 0), 0) for totals in ((104, 107), (105, 105))] == [0, 0]
    assert match_winner(taker, (100, 107), (0, 0), 0) == 1


def test_fees_and_rake(felt: Callable[..., Any]) -> None:
    table = felt(ready=False, match_by="rounds", target=1, fee_minor=5000, rake_bp=500)
    table.put(SPREAD)
    table.say("first_dealer 2")
    assert table.phase == Phase.OPENING
    assert [e.text for e in expected(GAME, table.state)] == ["fee of 50.00 at seat 1", "fee of 50.00 at seat 2"]
    assert table.say("card KS") == ["CARD_OUTSIDE_PLAY"]
    table.command("shuffle_again")
    assert table.put(SPREAD) == []
    assert table.put(WagerPlaced("bets", 1, 1, "main", 4000)) == ["WRONG_FEE"]
    assert table.put(WagerPlaced("bets", 3, 1, "main", 5000)) == ["BET_NOT_OFFERED"]
    assert table.put(WagerPlaced("bets", 1, 1, "main", 5000)) == []
    assert table.put(WagerPlaced("bets", 1, 1, "main", 5000)) == ["FEE_NOT_NOW"]
    assert table.put(WagerWithdrawn("bets", 1, 1, "main", 5000), WagerPlaced("bets", 1, 1, "main", 5000)) == []
    assert table.put(WagerWithdrawn("bets", 2, 1, "main", 5000)) == ["BET_NOT_OFFERED"]
    assert table.put(WagerPlaced("bets", 2, 1, "main", 5000)) == []
    assert table.phase == Phase.DEALING
    assert not GAME.can_close(table.game)
    assert table.put(ChipsPaid("bets", 2, 1, "main", 1)) == ["PAYMENT_NOT_DUE"]
    given_up(table, 1)
    assert table.phase == Phase.SETTLEMENT
    ended = table.last(MatchEnded)
    assert (ended.winner, ended.pays_minor, ended.rake_minor) == (2, 4500, 500)
    assert GAME.tell(ended, "EUR").text.endswith("; 45.00 EUR to it, the house keeps 5.00 EUR")
    assert [(d.box, d.owed_minor, d.outcome) for d in GAME.dues(table.state.rules, table.game)] == [
        (1, -5000, "lost"),
        (2, 4500, "won"),
    ]
    assert [e.amount_minor for e in expected(GAME, table.state)] == [-5000, 4500]
    assert table.put(ChipsCollected("bets", 1, 1, "main", 5000), ChipsPaid("bets", 2, 1, "main", 4500)) == []
    assert table.last(FeeMoved).owed_minor == 4500
    assert table.phase == Phase.OPENING
    assert table.game.match.fees == (0, 0)


def test_a_wrong_payment_is_put_right_or_let_stand(felt: Callable[..., Any]) -> None:
    table = felt(ready=False, match_by="rounds", target=1, fee_minor=5000)
    for seat in (1, 2):
        table.put(WagerPlaced("bets", seat, 1, "main", 5000))
    table.put(SPREAD)
    table.say("first_dealer 2")
    given_up(table, 1)
    assert table.put(ChipsPaid("bets", 2, 1, "main", 6000)) == ["PAYOUT_MISMATCH"]
    assert [v.code for v in table.state.verdicts] == ["PAYOUT_MISMATCH"]
    assert table.put(ChipsCollected("bets", 2, 1, "main", 1000)) == []
    assert table.state.verdicts == ()
    assert table.put(ChipsPaid("bets", 1, 1, "main", 100)) == ["PAYOUT_MISMATCH"]
    assert table.put(ChipsCollected("bets", 1, 1, "main", 0)) == ["BAD_AMOUNT"]
    table.command("accept_fee")
    assert table.last(FeeWaived).difference_minor == -5100
    assert table.phase == Phase.OPENING


@pytest.mark.parametrize(
    ("rake_bp", "rounding", "quantum", "rake"),
    [
        (0, "house", 1, 0),
        (500, "player", 1, 500),
        (333, "player", 1, 333),
        (333, "house", 50, 350),
        (333, "player", 50, 300),
    ],
)
def test_the_rake_is_a_share_of_both_fees_in_whole_chips(rake_bp: int, rounding: str, quantum: int, rake: int) -> None:
    keys = {"fee_minor": 5000, "rake_bp": rake_bp, "rake_rounding": rounding, "chip_quantum": quantum}
    assert GAME.parse_rules(keys).rake_minor == rake


def test_no_chips_without_a_fee(felt: Callable[..., Any]) -> None:
    table = felt()
    assert table.put(WagerPlaced("bets", 1, 1, "main", 5000)) == ["BET_NOT_OFFERED"]
    assert GAME.dues(table.state.rules, table.game) == ()


def test_a_match_is_voided_between_two_rounds(felt: Callable[..., Any]) -> None:
    table = felt(ready=False, fee_minor=5000)
    for seat in (1, 2):
        table.put(WagerPlaced("bets", seat, 1, "main", 5000))
    table.put(SPREAD)
    table.say("first_dealer 2")
    given_up(table, 1)
    assert GAME.can_void(table.game)
    table.command(name="void-round")
    assert table.last(MatchVoided).match == 1
    assert table.phase == Phase.OPENING
    assert table.put(WagerWithdrawn("bets", 1, 1, "main", 5000), WagerWithdrawn("bets", 2, 1, "main", 5000)) == []
    assert GAME.can_close(table.game)
    assert table.game.match.number == 2


def test_the_table_closes_between_rounds_only(felt: Callable[..., Any]) -> None:
    table = felt()
    close = CommandReceived("close-table", "12", "supervisor")
    table.say("card KS")
    table.put(close)
    assert table.state.service.value == "open"
    table.command(name="void-round")
    table.put(close)
    assert table.state.service.value == "closed"
    table.put(CommandReceived("open-table", "12", "supervisor"), SPREAD)
    table.say("first_dealer 1")
    assert table.the_deal.round == "2-1"


def test_new_rules_begin_a_new_match(felt: Callable[..., Any], keys: dict[str, Any]) -> None:
    table = felt()
    given_up(table, 1)
    assert table.put(RulesChosen("blot", "long", keys | {"form": "long", "target": 501}, "1")) == []
    assert table.phase == Phase.OPENING
    assert table.game.match.totals == (0, 0)
    assert table.game.match.number == 2


def test_the_first_dealer_may_be_put_right_until_the_first_card(felt: Callable[..., Any]) -> None:
    table = felt()
    assert table.say("first_dealer 1") == []
    assert table.the_deal.opponent == 2
    table.say("card KS")
    assert table.say("first_dealer 2") == ["WRONG_PHASE"]


def test_the_cards_are_reconciled(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal(ONE, TWO, "QH", "1 pass", "2 take")
    table.say("1 plays KS", "2 give_up", "1 score 0")
    assert table.say("collect 24") == ["WRONG_PHASE"]
    points = table.game.score.points
    table.say(f"1 score {points[0]}", f"2 score {points[1]}")
    assert table.put(SPREAD) == []
    done = table.last(Reconciled)
    assert (done.round, done.played, done.undealt, done.counted) == ("1-1", 1, 6, 24)
    assert table.phase == Phase.DEALING
    for signal in ("shuffled", "player_cut", "shoe_loaded", "next_round"):
        assert table.say(signal) == []
