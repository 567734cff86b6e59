"""Every violation of the specification: its code, what was expected and what came, and that it changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bench.blot_rounds import SPREAD
from controller.core.cards import Card
from controller.core.facts import ViolationRaised
from controller.core.inputs import CardShown, CutCardDrawn
from controller.games.blot import codes
from controller.games.blot.facts import RoundVoided
from controller.games.blot.state import Phase

ONE = "KS QS JS TS 9D TC 9C QC JD"
TWO = "AS AH KH QH JH TH AD AC KC"
"""Hands of seat 1 and 2; the nines of spades and of hearts, K Q T of diamonds and J of clubs are left."""


def playing(felt: Callable[..., Any], **keys: Any) -> Any:
    """Seat 2 (D) has taken the queen of hearts; seat 1 (N) leads."""
    table = felt(**keys)
    assert table.deal(ONE, TWO, "QH", "1 pass", "2 take") == []
    assert table.phase == Phase.PLAY
    return table


def test_an_incomplete_deal(felt: Callable[..., Any]) -> None:
    table = felt()
    table.say("card KS")
    table.refuses("1 take", "INCOMPLETE_DEAL", "12 more cards")
    table.refuses("1 plays KS", "INCOMPLETE_DEAL", "12 more cards")
    table = felt()
    table.deal(ONE, TWO, "QH")
    table.say("1 take", "card 9C")
    table.refuses("1 plays KS", "INCOMPLETE_DEAL", "4 more cards")
    table.refuses("1 give_up", "INCOMPLETE_DEAL", "4 more cards")


@pytest.mark.parametrize("line", ["1 take", "1 show 0", "1 announce_run 3", "1 plays KS", "1 give_up", "1 score 0"])
def test_the_wrong_phase(felt: Callable[..., Any], line: str) -> None:
    felt().refuses(line, "WRONG_PHASE")


@pytest.mark.parametrize("line", ["collect 24", "first_dealer 1", "shuffled 0", "1 take", "1 score 9"])
def test_the_wrong_phase_in_play(felt: Callable[..., Any], line: str) -> None:
    playing(felt).refuses(line, "WRONG_PHASE")


def test_a_spread_in_play(felt: Callable[..., Any]) -> None:
    assert playing(felt).put(SPREAD) == ["WRONG_PHASE"]


def test_out_of_turn(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal(ONE, TWO, "QH")
    table.refuses("2 take", "OUT_OF_TURN", "seat 1 speaks")
    table = playing(felt)
    table.refuses("2 plays AS", "OUT_OF_TURN", "seat 1 plays")
    table.refuses("2 give_up", "OUT_OF_TURN", "seat 1 plays")


def bidding(felt: Callable[..., Any], up: str, *bids: str, **keys: Any) -> Any:
    table = felt(**keys)
    hands = (ONE.replace(up, "9S"), TWO.replace(up, "9S"))
    assert table.deal(*hands, up, *bids) == []
    assert table.phase == Phase.BIDDING
    return table


def test_bids_that_are_not_allowed(felt: Callable[..., Any]) -> None:
    table = bidding(felt, "QH")
    table.refuses("1 spades 1", "BID_NOT_ALLOWED", "take or pass")
    table.say("1 pass", "2 pass")
    table.refuses("1 take", "BID_NOT_ALLOWED")
    table.refuses("1 hearts 1", "BID_NOT_ALLOWED", "another suit")
    table.refuses("1 spades", "BID_NOT_ALLOWED", "kept (1) or left (2)")
    table.refuses("1 all_trump 1", "BID_NOT_ALLOWED", "all-trump is not played")
    never = bidding(felt, "QH", "1 pass", "2 pass", no_trump="never")
    never.refuses("1 no_trump 1", "BID_NOT_ALLOWED", "no-trump is not played")
    assert bidding(felt, "QH", "1 pass", "2 pass", all_trump=True).say("1 all_trump 2") == []


def test_who_must_take(felt: Callable[..., Any]) -> None:
    jack = bidding(felt, "JH", "1 pass")
    jack.refuses("2 pass", "MUST_TAKE", "Jack")
    assert jack.say("2 take") == []
    last = bidding(felt, "QH", "1 pass", "2 pass", "1 pass")
    last.refuses("2 pass", "MUST_TAKE", "names a contract")
    assert last.say("2 clubs 2") == []
    assert (last.the_deal.taker, last.the_deal.contract, last.the_deal.kept) == (2, 3, False)


def test_a_card_that_is_not_in_the_hand(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    before = table.game.play
    assert table.say("1 plays AS") == ["CARD_NOT_OWNED"]
    assert table.held == ["CARD_NOT_OWNED"]
    assert table.game.play == before
    assert [c.kind for c in table.last(ViolationRaised).corrections] == ["take_back", "hand_unknown", "void_round"]
    table.command("take_back")
    assert table.say("1 plays KS") == []
    table.refuses("2 plays 7D", "CARD_NOT_IN_DECK")


def test_a_played_card_comes_once(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    table.say("1 plays KS")
    assert table.say("1 plays KS") == ["CARD_SEEN_AGAIN"]
    table.say("2 plays AS")
    table.refuses("2 plays KS", "DUPLICATE_CARD")


def test_the_suit_must_be_followed(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    table.say("1 plays KS")
    table.refuses("2 plays AD", "REVOKE", "a spade, the suit of K♠, which the hand holds")
    table.refuses("2 plays JH", "REVOKE")
    assert table.last(ViolationRaised).corrections[0].kind == "take_back"
    assert table.say("2 plays AS") == []


def test_who_cannot_follow_must_trump(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal("KS QS JS TS 9S TC 9C QC 9H", TWO, "QH", "1 pass", "2 take")
    table.say("1 plays KS", "2 plays AS", "2 plays KC", "1 plays TC", "1 plays QS")
    table.refuses("2 plays AC", "MUST_TRUMP", "a heart, as trump on Q♠, which the hand holds")
    table.say("2 plays QH", "2 plays AC", "1 plays 9C", "2 plays AD")
    table.refuses("1 plays JS", "MUST_TRUMP")
    assert table.say("1 plays 9H", "1 plays JS", "2 plays TH", "2 plays KH", "1 plays TS") == []


def test_must_overtrump(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal("KS QS JS TS 9D TC 9C QC 9H", TWO, "QH", "1 pass", "2 take")
    table.say("1 plays 9H")
    table.refuses("2 plays AH", "MUST_OVERTRUMP", "a heart that beats 9♥, which the hand holds")
    table.refuses("2 plays TH", "MUST_OVERTRUMP")
    assert table.say("2 plays JH") == []


def test_must_beat_only_where_the_rules_ask_for_it(felt: Callable[..., Any]) -> None:
    hands = ("KC QS JS TS 9D TC 9C QC JD", "AS AH KH QH JH TH AD AC 9S")
    free = felt()
    free.deal(*hands, "QH", "1 pass", "2 take")
    assert free.say("1 plays QS", "2 plays 9S") == []
    strict = felt(must_beat_plain=True)
    strict.deal(*hands, "QH", "1 pass", "2 take")
    strict.say("1 plays QS")
    strict.refuses("2 plays 9S", "MUST_BEAT", "a spade that beats Q♠")
    assert strict.say("2 plays AS") == []


def test_combinations_false_late_and_unshown(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    table.refuses("1 announce_run 5", "FALSE_COMBINATION")
    table.refuses("1 announce_four 11", "FALSE_COMBINATION")
    table.refuses("1 announce_four 3", "FALSE_COMBINATION")
    table.refuses("1 announce_run 2", "FALSE_COMBINATION")
    assert table.say("1 announce_run 4") == []
    table.refuses("1 announce_run 3", "FALSE_COMBINATION")
    table.refuses("1 show 0", "WRONG_PHASE", "trick 2")
    assert table.say("1 plays KS") == []
    table.refuses("1 announce_run 3", "LATE_COMBINATION", "before the own first card")
    assert table.say("2 announce_run 3", "2 plays AS") == []
    table.refuses("2 show 2", "FALSE_COMBINATION")
    table.refuses("1 opens AD", "FALSE_COMBINATION")
    assert table.say("2 plays AH") == ["UNSHOWN_COMBINATION"]
    assert table.state.verdicts == ()
    table.refuses("2 show 0", "LATE_COMBINATION", "before the own card")
    table.refuses("2 opens KH", "LATE_COMBINATION")
    assert table.say("1 show 1", "1 plays 9D") == []


def test_announcing_until_the_end_of_the_first_trick(felt: Callable[..., Any]) -> None:
    table = playing(felt, announce_by="first_trick")
    table.say("1 plays KS")
    assert table.say("1 announce_run 4") == []
    table.say("2 plays AS")
    table.refuses("2 announce_run 3", "LATE_COMBINATION", "before the end of trick 1")


def test_a_wrong_score(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    assert table.say("1 give_up") == []
    assert table.game.score.points == (0, 23)
    table.refuses("2 score 21", "WRONG_SCORE", "23 for seat 2 (capot_by_taker)")
    assert table.say("2 score 23") == []
    table.refuses("1 score 1", "WRONG_SCORE", "0 for seat 1")
    assert table.say("1 score 0") == []
    assert table.phase == Phase.COLLECTION


def test_words_and_seats_that_do_not_exist(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    table.refuses("1 dance", "ACTION_UNKNOWN", "take")
    table.refuses("3 take", "NO_SUCH_SEAT")
    table.refuses("3 plays KS", "WRONG_DESTINATION")
    table.refuses("dance 0", "SIGNAL_UNKNOWN")
    assert table.put(CutCardDrawn("shoe")) == ["CUT_CARD"]
    felt(ready=False).refuses("first_dealer 3", "NO_SUCH_SEAT")


def test_a_void_round_is_dealt_again_by_the_same_player(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    table.command(name="void-round")
    assert table.last(RoundVoided).round == "1-1"
    assert table.phase == Phase.INSPECTION
    table.put(SPREAD)
    assert (table.the_deal.dealer, table.the_deal.round) == (2, "1-2")
    assert table.game.match.totals == (0, 0)


def test_only_listed_codes_are_raised() -> None:
    words = {code.code for code in codes.CODES}
    wanted = (
        "CARD_NOT_IN_DECK DUPLICATE_CARD WRONG_DESTINATION EXTRA_CARD INCOMPLETE_DEAL WRONG_PHASE OUT_OF_TURN "
        "BID_NOT_ALLOWED MUST_TAKE CARD_NOT_OWNED REVOKE MUST_TRUMP MUST_OVERTRUMP FALSE_COMBINATION LATE_COMBINATION "
        "UNSHOWN_COMBINATION WRONG_SCORE"
    )
    assert set(wanted.split()) <= words
    assert len(words) == len(codes.CODES)


def test_a_card_shown_at_no_time_is_refused(felt: Callable[..., Any]) -> None:
    assert felt(ready=False).put(CardShown("camera", 1, Card("KS"))) == ["WRONG_PHASE"]
