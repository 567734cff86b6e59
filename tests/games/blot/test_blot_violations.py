"""Every violation of the specification: its code, what was expected and what came, and that it changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bench.blot_rounds import SPREAD
from controller.core.cards import Card
from controller.core.facts import ViolationRaised
from controller.core.inputs import CardDrawn, CardLaid, CardShown, CardUnreadable, CutCardDrawn, DeckSpread, DeviceGap
from controller.games.blot import codes
from controller.games.blot.facts import DeckChecked, RoundVoided, TurnUp
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


def refused(table: Any, line: str, code: str, expected: str = "") -> None:
    """The line is refused with this code and nothing has changed."""
    before = table.state
    assert table.say(line) == [code]
    assert table.state is before
    raised = table.last(ViolationRaised)
    assert raised.severity == "refused"
    assert raised.actual
    assert expected in raised.expected


def spread_of(changes: dict[str, int]) -> DeckSpread:
    counts = list(SPREAD.counts)
    for card, count in changes.items():
        counts[Card(card).index] = count
    return DeckSpread("console", tuple(counts))


@pytest.mark.parametrize(
    ("changes", "code", "text"),
    [
        ({"KD": 0}, "DECK_INCOMPLETE", "23 cards: KD 0 of 1"),
        ({"7H": 1}, "CARD_NOT_IN_DECK", "25 cards: 7H 1 of 0"),
        ({"KD": 2, "KC": 0}, "DUPLICATE_CARD", "24 cards: KD 2 of 1, KC 0 of 1"),
    ],
)
def test_a_deck_that_is_not_the_24_cards(
    felt: Callable[..., Any], changes: dict[str, int], code: str, text: str
) -> None:
    table = felt(ready=False)
    assert table.put(spread_of(changes)) == [code]
    assert table.held == [code]
    assert table.last(ViolationRaised).actual == text
    assert table.put(SPREAD) == ["TABLE_HELD"]
    table.command("respread")
    assert table.put(SPREAD) == []
    assert table.count(DeckChecked) == 1
    assert table.phase == Phase.OPENING


def test_a_spread_with_too_few_counts(felt: Callable[..., Any]) -> None:
    table = felt(ready=False)
    assert table.put(DeckSpread("console", (1,))) == ["DECK_INCOMPLETE"]


def test_a_foreign_card_in_the_deal(felt: Callable[..., Any]) -> None:
    table = felt()
    assert table.say("card 7H") == ["CARD_NOT_IN_DECK"]
    assert table.held == ["CARD_NOT_IN_DECK"]
    assert table.the_deal.dealt == 0
    assert [c.kind for c in table.last(ViolationRaised).corrections] == ["name_card", "take_out", "void_round"]
    table.command("take_out")
    assert table.say("card KS") == []
    assert table.the_deal.hands[0].bit_count() == 1


def test_a_misread_card_is_named(felt: Callable[..., Any]) -> None:
    table = felt()
    table.say("card KS", "card KS")
    assert table.held == ["DUPLICATE_CARD"]
    table.command("name_card", "QS")
    assert table.held == []
    assert table.the_deal.hands[0] == (1 << Card("KS").index | 1 << Card("QS").index)
    table.say("card QS")
    table.command("name_card", "2S")
    assert table.held == ["CARD_NOT_IN_DECK"]
    table.command("name_card", "JS")
    assert table.the_deal.dealt == 3


def test_cards_drawn_while_the_table_is_held_are_judged_in_order_afterwards(felt: Callable[..., Any]) -> None:
    table = felt()
    table.say("card KS", "card KS")
    assert table.say("card JS", "card AS", "card 8D", "card AC") == []
    table.command("name_card", "QS")
    assert table.held == ["CARD_NOT_IN_DECK"]
    assert table.the_deal.dealt == 4
    table.command("take_out")
    assert table.the_deal.dealt == 5
    assert table.game.waiting == ()
    assert table.the_deal.hands[1] == 1 << Card("AS").index | 1 << Card("AC").index


def test_an_unreadable_card(felt: Callable[..., Any]) -> None:
    table = felt()
    assert table.put(CardUnreadable("shoe", "smudged")) == ["CARD_UNREADABLE"]
    table.command("name_card", "KS")
    assert table.the_deal.hands[0] == 1 << Card("KS").index
    table.put(CardUnreadable("shoe"))
    table.command("deal_unknown")
    assert table.the_deal.unknown == (1, 0)
    assert table.the_deal.dealt == 2


def test_the_turned_up_card_is_never_unknown(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal("KS QS JS TS 9D TC", "AS AH KH JH TH AD", "7D")
    assert table.held == ["CARD_NOT_IN_DECK"]
    table.command("take_out")
    table.put(CardUnreadable("shoe"))
    assert [c.kind for c in table.last(ViolationRaised).corrections] == ["name_card", "take_out", "void_round"]
    table.command("name_card", "9C")
    assert table.last(TurnUp).card == Card("9C")
    assert table.phase == Phase.BIDDING


def test_a_card_at_the_wrong_place(felt: Callable[..., Any]) -> None:
    table = felt()
    assert table.say("card KS") == []
    assert table.put(CardLaid("sensor", 1)) == []
    table.say("card QS")
    assert table.put(CardLaid("sensor", 2)) == ["WRONG_DESTINATION"]
    raised = table.last(ViolationRaised)
    assert (raised.expected, raised.actual) == ("the card goes to seat 1", "it was laid at seat 2")
    assert [c.kind for c in raised.corrections] == ["move", "lies_right", "void_round"]
    table.command("move")
    assert table.held == []


def test_places_may_be_noticed_before_the_card_and_late(felt: Callable[..., Any]) -> None:
    table = felt()
    assert table.put(CardLaid("sensor", 1)) == []
    assert table.say("card KS", "card QS", "card JS") == []
    assert table.put(CardLaid("sensor", 1), CardLaid("sensor", 1)) == []
    assert table.put(CardLaid("sensor", 1)) == []
    assert table.say("card AS") == ["WRONG_DESTINATION"]
    table.command("lies_right")
    assert table.the_deal.hands[1] == 1 << Card("AS").index


def test_a_card_that_no_source_announced(felt: Callable[..., Any]) -> None:
    table = felt()
    assert table.put(CardLaid("sensor", 1), CardLaid("sensor", 1)) == ["CARD_UNSEEN"]
    table.command("name_card", "KS")
    assert table.the_deal.dealt == 1
    assert table.held == []
    assert table.say("card QS") == []
    assert table.put(CardLaid("sensor", 1), CardLaid("sensor", 1)) == ["CARD_UNSEEN"]
    table.command("no_card")
    assert table.held == []
    assert table.say("card JS") == []


@pytest.mark.parametrize(("correction", "dealt"), [("next_card", 15), ("put_back", 14)])
def test_an_extra_card_in_the_bidding(felt: Callable[..., Any], correction: str, dealt: int) -> None:
    table = felt()
    table.deal(ONE, TWO, "QH")
    assert table.phase == Phase.BIDDING
    assert table.say("card 9C") == ["EXTRA_CARD"]
    assert table.say("1 take") == ["TABLE_HELD"]
    table.command(correction)
    assert table.held == []
    assert table.say("1 take") == []
    assert table.the_deal.dealt == dealt


def test_an_extra_card_in_play_goes_back(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    before = table.game
    assert table.say("card 9S") == ["EXTRA_CARD"]
    assert [c.kind for c in table.last(ViolationRaised).corrections] == ["put_back", "void_round"]
    table.command("put_back")
    assert table.game.play == before.play
    assert table.say("1 plays KS") == []


def test_a_card_that_the_shoe_counts_out_is_not_dealt_unasked(felt: Callable[..., Any]) -> None:
    table = felt()
    assert table.put(CardDrawn("shoe", Card("KS"), outside="locked")) == ["EXTRA_CARD"]
    table.command("next_card")
    assert table.the_deal.dealt == 1


def test_a_card_announced_again_is_a_note(felt: Callable[..., Any]) -> None:
    table = felt()
    table.say("card KS")
    assert table.put(CardDrawn("shoe", Card("KS"), again=True)) == ["READ_AGAIN"]
    assert table.the_deal.dealt == 1
    assert table.put(CardDrawn("shoe", Card("QS"), again=True)) == []
    assert table.the_deal.dealt == 2


def test_cards_outside_a_deal(felt: Callable[..., Any]) -> None:
    table = felt(ready=False)
    assert table.say("card KS") == ["CARD_OUTSIDE_PLAY"]
    assert table.held == []
    table.put(SPREAD)
    assert table.put(CardUnreadable("shoe")) == ["CARD_OUTSIDE_PLAY"]
    assert table.held == ["CARD_OUTSIDE_PLAY"]
    table.command("shuffle_again")
    assert table.phase == Phase.INSPECTION


def test_more_cards_than_the_deck_has(felt: Callable[..., Any]) -> None:
    table = felt()
    table.say("card 2S", *["card 3S"] * 23)
    assert table.say("card 3S") == ["TOO_MANY_CARDS"]
    table.command("new_shoe")
    assert table.held == []
    assert table.phase == Phase.INSPECTION


def test_an_incomplete_deal(felt: Callable[..., Any]) -> None:
    table = felt()
    table.say("card KS")
    refused(table, "1 take", "INCOMPLETE_DEAL", "12 more cards")
    refused(table, "1 plays KS", "INCOMPLETE_DEAL", "12 more cards")
    table = felt()
    table.deal(ONE, TWO, "QH")
    table.say("1 take", "card 9C")
    refused(table, "1 plays KS", "INCOMPLETE_DEAL", "4 more cards")
    refused(table, "1 give_up", "INCOMPLETE_DEAL", "4 more cards")


@pytest.mark.parametrize("line", ["1 take", "1 show 0", "1 announce_run 3", "1 plays KS", "1 give_up", "1 score 0"])
def test_the_wrong_phase(felt: Callable[..., Any], line: str) -> None:
    refused(felt(), line, "WRONG_PHASE")


@pytest.mark.parametrize("line", ["collect 24", "first_dealer 1", "shuffled 0", "1 take", "1 score 9"])
def test_the_wrong_phase_in_play(felt: Callable[..., Any], line: str) -> None:
    refused(playing(felt), line, "WRONG_PHASE")


def test_a_spread_in_play(felt: Callable[..., Any]) -> None:
    assert playing(felt).put(SPREAD) == ["WRONG_PHASE"]


def test_out_of_turn(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal(ONE, TWO, "QH")
    refused(table, "2 take", "OUT_OF_TURN", "seat 1 speaks")
    table = playing(felt)
    refused(table, "2 plays AS", "OUT_OF_TURN", "seat 1 plays")
    refused(table, "2 give_up", "OUT_OF_TURN", "seat 1 plays")


def bidding(felt: Callable[..., Any], up: str, *bids: str, **keys: Any) -> Any:
    table = felt(**keys)
    hands = (ONE.replace(up, "9S"), TWO.replace(up, "9S"))
    assert table.deal(*hands, up, *bids) == []
    assert table.phase == Phase.BIDDING
    return table


def test_bids_that_are_not_allowed(felt: Callable[..., Any]) -> None:
    table = bidding(felt, "QH")
    refused(table, "1 spades 1", "BID_NOT_ALLOWED", "take or pass")
    table.say("1 pass", "2 pass")
    refused(table, "1 take", "BID_NOT_ALLOWED")
    refused(table, "1 hearts 1", "BID_NOT_ALLOWED", "another suit")
    refused(table, "1 spades", "BID_NOT_ALLOWED", "kept (1) or left (2)")
    refused(table, "1 all_trump 1", "BID_NOT_ALLOWED", "all-trump is not played")
    never = bidding(felt, "QH", "1 pass", "2 pass", no_trump="never")
    refused(never, "1 no_trump 1", "BID_NOT_ALLOWED", "no-trump is not played")
    assert bidding(felt, "QH", "1 pass", "2 pass", all_trump=True).say("1 all_trump 2") == []


def test_who_must_take(felt: Callable[..., Any]) -> None:
    jack = bidding(felt, "JH", "1 pass")
    refused(jack, "2 pass", "MUST_TAKE", "Jack")
    assert jack.say("2 take") == []
    last = bidding(felt, "QH", "1 pass", "2 pass", "1 pass")
    refused(last, "2 pass", "MUST_TAKE", "names a contract")
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
    refused(table, "2 plays 7D", "CARD_NOT_IN_DECK")


def test_a_played_card_comes_once(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    table.say("1 plays KS")
    assert table.say("1 plays KS") == ["CARD_SEEN_AGAIN"]
    table.say("2 plays AS")
    refused(table, "2 plays KS", "DUPLICATE_CARD")


def test_the_suit_must_be_followed(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    table.say("1 plays KS")
    refused(table, "2 plays AD", "REVOKE", "a spade, the suit of K♠, which the hand holds")
    refused(table, "2 plays JH", "REVOKE")
    assert table.last(ViolationRaised).corrections[0].kind == "take_back"
    assert table.say("2 plays AS") == []


def test_who_cannot_follow_must_trump(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal("KS QS JS TS 9S TC 9C QC 9H", TWO, "QH", "1 pass", "2 take")
    table.say("1 plays KS", "2 plays AS", "2 plays KC", "1 plays TC", "1 plays QS")
    refused(table, "2 plays AC", "MUST_TRUMP", "a heart, as trump on Q♠, which the hand holds")
    table.say("2 plays QH", "2 plays AC", "1 plays 9C", "2 plays AD")
    refused(table, "1 plays JS", "MUST_TRUMP")
    assert table.say("1 plays 9H", "1 plays JS", "2 plays TH", "2 plays KH", "1 plays TS") == []


def test_must_overtrump(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal("KS QS JS TS 9D TC 9C QC 9H", TWO, "QH", "1 pass", "2 take")
    table.say("1 plays 9H")
    refused(table, "2 plays AH", "MUST_OVERTRUMP", "a heart that beats 9♥, which the hand holds")
    refused(table, "2 plays TH", "MUST_OVERTRUMP")
    assert table.say("2 plays JH") == []


def test_must_beat_only_where_the_rules_ask_for_it(felt: Callable[..., Any]) -> None:
    hands = ("KC QS JS TS 9D TC 9C QC JD", "AS AH KH QH JH TH AD AC 9S")
    free = felt()
    free.deal(*hands, "QH", "1 pass", "2 take")
    assert free.say("1 plays QS", "2 plays 9S") == []
    strict = felt(must_beat_plain=True)
    strict.deal(*hands, "QH", "1 pass", "2 take")
    strict.say("1 plays QS")
    refused(strict, "2 plays 9S", "MUST_BEAT", "a spade that beats Q♠")
    assert strict.say("2 plays AS") == []


def test_combinations_false_late_and_unshown(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    refused(table, "1 announce_run 5", "FALSE_COMBINATION")
    refused(table, "1 announce_four 11", "FALSE_COMBINATION")
    refused(table, "1 announce_four 3", "FALSE_COMBINATION")
    refused(table, "1 announce_run 2", "FALSE_COMBINATION")
    assert table.say("1 announce_run 4") == []
    refused(table, "1 announce_run 3", "FALSE_COMBINATION")
    refused(table, "1 show 0", "WRONG_PHASE", "trick 2")
    assert table.say("1 plays KS") == []
    refused(table, "1 announce_run 3", "LATE_COMBINATION", "before the own first card")
    assert table.say("2 announce_run 3", "2 plays AS") == []
    refused(table, "2 show 2", "FALSE_COMBINATION")
    refused(table, "1 opens AD", "FALSE_COMBINATION")
    assert table.say("2 plays AH") == ["UNSHOWN_COMBINATION"]
    assert table.state.verdicts == ()
    refused(table, "2 show 0", "LATE_COMBINATION", "before the own card")
    refused(table, "2 opens KH", "LATE_COMBINATION")
    assert table.say("1 show 1", "1 plays 9D") == []


def test_announcing_until_the_end_of_the_first_trick(felt: Callable[..., Any]) -> None:
    table = playing(felt, announce_by="first_trick")
    table.say("1 plays KS")
    assert table.say("1 announce_run 4") == []
    table.say("2 plays AS")
    refused(table, "2 announce_run 3", "LATE_COMBINATION", "before the end of trick 1")


def test_a_wrong_score(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    assert table.say("1 give_up") == []
    assert table.game.score.points == (0, 23)
    refused(table, "2 score 21", "WRONG_SCORE", "23 for seat 2 (capot_by_taker)")
    assert table.say("2 score 23") == []
    refused(table, "1 score 1", "WRONG_SCORE", "0 for seat 1")
    assert table.say("1 score 0") == []
    assert table.phase == Phase.COLLECTION


@pytest.mark.parametrize(("counted", "code"), [(23, "CARD_MISSING"), (25, "CARD_SURPLUS")])
def test_the_cards_do_not_add_up(felt: Callable[..., Any], counted: int, code: str) -> None:
    table = playing(felt)
    table.say("1 give_up", "1 score 0", "2 score 23")
    assert table.say(f"collect {counted}") == [code]
    table.command("recount")
    assert table.put(spread_of({"KD": 0})) == ["DECK_INCOMPLETE"]
    table.command("new_shoe")
    assert table.phase == Phase.INSPECTION
    assert table.put(SPREAD) == []
    assert table.phase == Phase.DEALING
    assert table.the_deal.dealer == 1
    assert table.game.match.totals == (0, 23)


def test_words_and_seats_that_do_not_exist(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    refused(table, "1 dance", "ACTION_UNKNOWN", "take")
    refused(table, "3 take", "NO_SUCH_SEAT")
    refused(table, "3 plays KS", "WRONG_DESTINATION")
    refused(table, "dance 0", "SIGNAL_UNKNOWN")
    assert table.put(CutCardDrawn("shoe")) == ["CUT_CARD"]
    refused(felt(ready=False), "first_dealer 3", "NO_SUCH_SEAT")


def test_a_void_round_is_dealt_again_by_the_same_player(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    table.command(name="void-round")
    assert table.last(RoundVoided).round == "1-1"
    assert table.phase == Phase.INSPECTION
    table.put(SPREAD)
    assert (table.the_deal.dealer, table.the_deal.round) == (2, "1-2")
    assert table.game.match.totals == (0, 0)


def test_a_gap_in_the_shoes_cards(felt: Callable[..., Any]) -> None:
    table = felt()
    table.say("card KS")
    assert table.put(DeviceGap("shoe", "the cable was out")) == ["SHOE_UNALIGNED"]
    table.command("name_card", "QS")
    assert table.the_deal.dealt == 1
    table.command("aligned")
    assert table.held == []
    assert table.the_deal.dealt == 2
    assert table.say("card JS", "card AS") == []


def test_a_card_played_while_the_table_is_held_is_kept(felt: Callable[..., Any]) -> None:
    table = playing(felt)
    table.say("1 plays KS", "card 9S")
    assert table.held == ["EXTRA_CARD"]
    assert table.say("2 plays AS") == []
    assert table.the_play.cards == 1
    table.command("put_back")
    assert table.the_play.cards == 2


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
