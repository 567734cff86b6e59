"""Deviations: each is found, with the code named in docs/verdicts.md, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from controller.core.inputs import DeckSpread

Table = Callable[..., Any]

# name, rule keys, what goes before (nothing is found in it), the step in question, codes, phase after
CASES: list[tuple[str, dict[str, Any], str, str, list[str], str]] = [
    ("S11 late bet", {}, "B1:500 B3:500 5D", "B2:500", ["LATE_BET"], "dealing"),
    ("S12 bet changed", {}, "B1:2500 AS", "B1:2500", ["BET_CHANGED"], "dealing"),
    ("S13 box full", {}, "B2.1:500 B2.2:500 B2.3:500", "B2.4:500", ["BOX_FULL"], "betting"),
    ("box maximum", {}, "B2:100000", "B2:100", ["BOX_MAXIMUM"], "betting"),
    ("no such box", {}, "", "B8:500", ["NO_SUCH_BOX"], "betting"),
    ("under the minimum", {}, "B2:499", "no", ["UNDER_MINIMUM"], "betting"),
    ("no bets", {}, "", "no", ["NO_BETS"], "betting"),
    ("S16 the deal", {}, "B1:500 B3:500 B5:500 9H 4S KD 7C 2D TH", "6C", [], "players"),
    ("S17 two then dealer", {"deal_order": "two_then_dealer"}, "B1:500 B3:500 9H 2D 4S TH", "7C", [], "players"),
    ("S26 shuffle due", {}, "B1:500 AS 9H KD cut", "", [], "settlement"),
    ("S27 cut card in mid-round", {}, "B1:500 9S 7H 5D hit", "cut", [], "players"),
    ("S31 out of turn", {}, "B1:500 B3:500 TS 7H 6D 9S 7D", "hit@3", ["OUT_OF_TURN"], "players"),
    ("S35 double amount", {}, "B1:2500 6S 7H 5D double", "", [], "players"),
    ("S37 equal value", {}, "B1:500 KS 7H TD", "split", [], "players"),
    ("S37 by rank", {"split_by": "rank"}, "B1:500 KS 7H TD", "split", ["SPLIT_PAIR"], "players"),
    ("S38 third split", {}, "B1:500 8S 7H 8D +split 8C +split 8H", "split", [], "players"),
    ("S38 fourth split", {}, "B1:500 8S 7H 8D +split 8C +split 8H +split 8S", "split", ["SPLIT_LIMIT"], "players"),
    ("S40 split ace", {}, "B1:500 AS 7H AD +split AC", "hit", ["SPLIT_ACE_ONE_CARD"], "players"),
    ("split ace doubled", {}, "B1:500 AS 7H AD +split AC", "double", ["SPLIT_ACE_ONE_CARD"], "players"),
    ("S42 surrender", {}, "B1:2500 TS AH 6D no", "surrender", [], "settlement"),
    ("S42 surrender late", {}, "B1:2500 TS 7H 3D hit 2C", "surrender", ["SURRENDER_LATE"], "players"),
    ("S42 not offered", {"surrender": "none"}, "B1:2500 TS 7H 6D", "surrender", ["NOT_OFFERED"], "players"),
    ("no ace", {"surrender_against_ace": False}, "B1:2500 TS AH 6D no", "surrender", ["SURRENDER_ACE"], "players"),
    ("surrender after a split", {}, "B1:500 8S 7H 8D +split TC", "surrender", ["SURRENDER_LATE"], "players"),
    ("S44 insurance late", {}, "B1:1000 5S AH 6D no hit 2C", "I1:500", ["INS_LATE"], "players"),
    ("insurance early", {}, "B1:1000 5S", "I1:500", ["INS_NOT_NOW"], "dealing"),
    ("insurance not half", {}, "B1:1000 5S AH 6D", "I1:400", ["INS_AMOUNT"], "insurance"),
    ("insurance up to half", {"insurance": "up_to_half"}, "B1:1000 5S AH 6D", "I1:400", [], "insurance"),
    ("no insurance", {"insurance": "none"}, "B1:1000 5S AH 6D", "I1:500", ["NOT_OFFERED"], "players"),
    ("S46 must draw", {}, "B1:500 TS TH 8D stand 6H", "dealer", ["MUST_DRAW"], "dealer"),
    ("dealer overdraws", {}, "B1:500 TS TH 8D stand 7H", "5C", ["DEALER_OVERDRAW"], "held"),
    ("hit on 21", {"draw_on_21": False}, "B1:500 TS 7H 6D hit 5C", "hit@1", ["HIT_ON_21"], "dealer"),
    ("S40 stood split ace", {}, "B1:500 AS 7H AD +split 3C 5C", "hit@1", ["SPLIT_ACE_ONE_CARD"], "dealer"),
    ("double late", {}, "B1:500 2S 7H 6D hit 2C", "double", ["DOUBLE_LATE"], "players"),
    ("double total", {"double_on": "total"}, "B1:500 7S 7H 5D", "double", ["DOUBLE_TOTAL"], "players"),
    ("double 11", {"double_on": "total"}, "B1:500 6S 7H 5D", "double", [], "players"),
    ("double soft 16", {"double_on": "total"}, "B1:500 AS 7H 5D", "double", [], "players"),
    ("no double", {"double_on": "none"}, "B1:500 6S 7H 5D", "double", ["NOT_OFFERED"], "players"),
    ("double after split", {}, "B1:500 8S 7H 8D +split 3C", "double", [], "players"),
    (
        "no double after split",
        {"double_after_split": False},
        "B1:500 8S 7H 8D +split 3C",
        "double",
        ["DOUBLE_AFTER_SPLIT"],
        "players",
    ),
    ("card without a decision", {}, "B1:500 8S 7H 9D", "5C", ["EXTRA_CARD"], "held"),
    ("card in the insurance", {}, "B1:500 8S AH 9D", "5C", ["EXTRA_CARD"], "held"),
    ("decision before the card", {}, "B1:500 8S 7H 3D hit", "hit", ["CARD_DUE"], "players"),
    ("decision while dealing", {}, "B1:500 8S", "hit@1", ["DECISION_NOT_NOW"], "dealing"),
    ("decision of a finished hand", {}, "B1:500 B2:500 8S 8C 7H 9D 9C stand", "hit@1", ["HAND_FINISHED"], "players"),
    ("unknown word", {}, "B1:500 8S 7H 9D", "decline", ["NOT_OFFERED"], "players"),
    ("next round before settlement", {}, "B1:500 TS TH 8D stand 7H", "next", ["SETTLEMENT_OPEN"], "settlement"),
    ("collected before settlement", {}, "B1:500 TS TH 8D stand 7H", "collect", ["SETTLEMENT_OPEN"], "settlement"),
    ("bet before settlement", {}, "B1:500 TS TH 8D stand 7H", "B1:500", ["NEXT_ROUND_EARLY"], "settlement"),
    ("next round before collecting", {}, "B1:500 TS TH 8D stand 8H", "next", ["CARDS_ON_TABLE"], "collection"),
    ("S49 count", {}, "B1:500 TS TH 8D stand 8H", "collect:3", ["CARD_MISSING"], "held"),
    ("S49 surplus", {}, "B1:500 TS TH 8D stand 8H", "collect:5", ["CARD_SURPLUS"], "held"),
    ("count below nothing", {}, "B1:500 TS TH 8D stand 8H", "collect:-4", ["BAD_COUNT"], "collection"),
    ("unreadable", {}, "B1:500 TS", "unread", ["CARD_UNREADABLE"], "held"),
    ("second cut card", {}, "B1:500 TS cut", "cut", ["CUT_CARD_AGAIN"], "dealing"),
    ("card with no bets", {}, "", "TS", ["EXTRA_CARD"], "held"),
]


@pytest.mark.parametrize(("name", "keys", "before", "then", "codes", "phase"), CASES, ids=[c[0] for c in CASES])
def test_deviation(
    felt: Table, name: str, keys: dict[str, Any], before: str, then: str, codes: list[str], phase: str
) -> None:
    table = felt(**keys)
    assert table.play(before) == []
    assert table.play(then) == codes
    assert table.phase == phase


def prepared(felt: Table, upto: str, **keys: Any) -> Any:
    table = felt(ready=False, **keys)
    table.put(DeckSpread("console", (table.state.rules.decks,) * 52))
    for signal, value in (("shuffled", 0), ("player_cut", 140), ("second_cut", 208), ("shoe_loaded", 0)):
        if signal == upto:
            break
        assert table.signal(signal, value) == []
    return table


def test_s01_from_new_packs_to_four_burned_cards(felt: Table) -> None:
    table = prepared(felt, "end")
    assert table.play("5C QS 2D 2H next") == []
    assert table.phase == "betting"
    assert [f.TYPE for f in table.facts if f.TYPE.startswith("shoe.")] == [
        "shoe.inspected",
        "shoe.shuffled",
        "shoe.cut",
        "shoe.loaded",
    ]
    assert table.game.burned == 4


def test_s02_a_pack_without_a_king_of_diamonds_is_not_loaded(felt: Table) -> None:
    table = felt(ready=False)
    counts = [6] * 52
    counts[38] = 5
    assert table.put(DeckSpread("console", tuple(counts))) == ["DECK_INCOMPLETE"]
    assert table.signal("shuffled") == ["TABLE_HELD"]
    assert "KD 5 of 6" in table.state.verdicts[0].actual
    assert table.resume("respread") == ""
    assert table.signal("shuffled") == ["NOT_INSPECTED"]
    assert table.put(DeckSpread("console", (6,) * 52)) == []
    assert table.signal("shuffled") == []


@pytest.mark.parametrize(
    ("upto", "signal", "value", "codes"),
    [
        ("player_cut", "player_cut", 6, ["CUT_RANGE"]),
        ("player_cut", "player_cut", 303, ["CUT_RANGE"]),
        ("player_cut", "player_cut", 302, []),
        ("player_cut", "shoe_loaded", 0, ["CUT_MISSING"]),
        ("player_cut", "second_cut", 208, ["CUT_MISSING"]),
        ("second_cut", "second_cut", 150, ["CUTCARD_POSITION"]),
        ("second_cut", "second_cut", 182, []),
        ("second_cut", "second_cut", 235, ["CUTCARD_POSITION"]),
        ("second_cut", "shoe_loaded", 0, ["CUTCARD_MISSING"]),
        ("shuffled", "player_cut", 140, ["WRONG_PHASE"]),
        ("end", "shuffled", 0, ["WRONG_PHASE"]),
        ("end", "no_more_bets", 0, ["BURN_MISSING"]),
        ("end", "next_round", 0, ["BURN_MISSING"]),
        ("end", "polish", 0, ["SIGNAL_UNKNOWN"]),
    ],
)
def test_the_shoe_is_made_ready_in_order(felt: Table, upto: str, signal: str, value: int, codes: list[str]) -> None:
    table = prepared(felt, upto)
    before = table.state
    assert table.signal(signal, value) == codes
    assert (table.state is before) == bool(codes)


def test_s07_a_bet_before_the_burn_goes_back(felt: Table) -> None:
    table = prepared(felt, "end")
    assert table.chips(1, 500) == ["BURN_MISSING"]
    assert table.phase == "burn"
    assert table.expected().startswith("box 1 person 1: 5.00 main goes back")
    assert table.back(1, 500) == []
    assert table.game.to_return == ()


def test_s08_the_seventh_burned_card_holds_the_table(felt: Table) -> None:
    table = prepared(felt, "end")
    assert table.play("2S 3S 4S 5S 6S 7S") == []
    assert table.play("8S") == ["BURN_TOO_MANY"]
    assert table.resume("burn") == ""
    assert table.game.burned == 7
    assert table.play("next B1:500") == []


def test_a_cut_card_in_the_burn_means_shuffling_again(felt: Table) -> None:
    table = prepared(felt, "end")
    assert table.play("2S cut") == ["CUT_CARD_EARLY"]
    assert table.resume("shuffle_again") == ""
    assert table.phase == "shuffle"
    assert table.signal("shuffled") == []
    assert table.game.shoe_number == 2


def test_s26_after_the_cut_card_no_round_is_dealt(felt: Table) -> None:
    table = felt()
    assert table.play("B1:500 TS TH 8D cut stand 8H collect") == []
    assert table.phase == "shuffle"
    assert table.chips(1, 500) == ["SHUFFLE_DUE"]


def test_a_cut_card_between_rounds_ends_the_shoe(felt: Table) -> None:
    table = felt()
    assert table.play("cut") == []
    assert table.phase == "shuffle"


@pytest.mark.parametrize(
    ("script", "net_minor", "codes"),
    [
        ("B1:2500 AS 7H KD", 2500, ["PAY_AMOUNT"]),
        ("B1:2500 TS TH 8D stand 8H", 100, ["PUSH_PAID"]),
        ("B1:2500 TS TH 8D stand 8H", -100, ["PUSH_TAKEN"]),
        ("B1:2500 TS TH 6D hit KD", 2500, ["BUST_PAID"]),
        ("B1:2500 TS TH 8D stand 9H", 2500, ["LOSER_PAID"]),
        ("B1:2500 TS TH 8D stand 9H", -2000, ["TAKE_AMOUNT"]),
        ("B1:2500 TS TH 9D stand 8H", -2500, ["WINNER_TAKEN"]),
        ("B1:2500 TS TH 9D", 2500, ["PAY_EARLY"]),
        ("B1:2500 TS TH 9D", -2500, ["TAKE_EARLY"]),
    ],
)
def test_s48_wrong_payments_stay_open_until_put_right(
    felt: Table, script: str, net_minor: int, codes: list[str]
) -> None:
    table = felt()
    table.play(script)
    assert table.pay(1, net_minor) == codes
    assert table.open_codes() == codes
    assert table.pay(1, -net_minor) == []
    assert [c for c in table.open_codes() if c in codes] == []


def test_a_busted_hand_is_taken_at_once_or_at_the_end(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B2:500 TS 9S TH 6D 9D hit KD")
    assert table.pay(1, -500) == []
    table = felt(bust_collect="end")
    table.play("B1:500 B2:500 TS 9S TH 6D 9D hit KD")
    assert table.pay(1, -500) == ["TAKE_EARLY"]


def test_chips_where_no_bet_is(felt: Table) -> None:
    table = felt()
    table.play("B1:2500 TS TH 9D stand 8H")
    assert table.pay(2, 100) == ["PAY_NO_BET"]
    assert table.pay(3, -100) == ["TAKE_NO_BET"]
    assert table.pay(9, 100) == ["NO_SUCH_BET"]
    assert table.settle() == []
    assert (table.phase, table.open_codes()) == ("collection", [])


def test_chips_moved_outside_a_round_go_back(felt: Table) -> None:
    table = felt()
    assert table.pay(4, 500) == ["PAY_NO_BET"]
    assert table.expected() == "box 4 person 1: 5.00 main is recovered"
    table.play("cut shuffled")
    assert table.open_codes() == ["PAY_NO_BET"]
    assert table.pay(4, -500) == []
    assert table.open_codes() == []
    table = felt()
    table.play("B1:500")
    assert table.pay(1, -500) == ["TAKE_EARLY"]
    assert table.resume("write_off") == ""
    assert table.open_codes() == []


def test_a_blackjack_against_a_low_card_may_be_paid_at_once(felt: Table) -> None:
    table = felt()
    table.play("B1:500 B2:500 AS 9S 7H KD 9D")
    assert table.pay(1, 750) == []


def test_a_payment_that_was_early_is_judged_when_the_round_is_decided(felt: Table) -> None:
    table = felt()
    table.play("B1:2500 TS TH 9D")
    assert table.pay(1, 2500) == ["PAY_EARLY"]
    table.play("stand 9C")
    assert table.open_codes() == ["PUSH_PAID"]
    table = felt()
    table.play("B1:2500 TS TH 9D")
    table.pay(1, 2500)
    table.play("stand 8C")
    assert (table.open_codes(), table.phase) == ([], "collection")


def test_the_settlement_gate_may_only_warn(felt: Table) -> None:
    table = felt(settlement_gate="warn")
    table.play("B1:500 TS TH 8D stand 7H")
    assert table.play("next") == ["SETTLEMENT_OPEN"]
    assert table.play("collect") == []
    assert table.phase == "betting"


def test_a_payment_after_the_settlement_keeps_the_next_round_waiting(felt: Table) -> None:
    table = felt()
    table.play("B1:2500 TS TH 8D stand 8H")
    assert table.pay(1, 100) == ["PUSH_PAID"]
    assert table.play("collect") == ["SETTLEMENT_OPEN"]
    assert table.pay(1, -100) == []
    assert (table.play("collect"), table.phase, table.open_codes()) == ([], "betting", [])


def test_the_shoe_is_empty_in_mid_round(felt: Table) -> None:
    table = felt()
    table.play("B1:500 TS TH 2D")
    shoe = table.game.shoe
    assert shoe is not None
    gone = shoe.left - 1
    game = replace(table.game, shoe=replace(shoe, drawn=shoe.drawn + gone), discarded=gone)
    table.state = replace(table.state, game=game)
    assert table.play("hit 2C") == []
    assert table.play("hit") == ["SHOE_EMPTY"]
    assert table.play("5C") == ["CARD_DISPUTED"]
    assert table.resume("void_round") == ""
    assert table.back(1, 500) == []
    assert table.play("collect") == []
    assert table.phase == "inspection"
