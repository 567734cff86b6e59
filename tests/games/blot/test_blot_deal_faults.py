"""Cards that are not as they should be, in a spread, in the deal and at the end: what holds and frees the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bench.blot_rounds import SPREAD
from controller.core.cards import Card
from controller.core.facts import ViolationRaised
from controller.core.inputs import CardDrawn, CardLaid, CardUnreadable, DeckSpread, DeviceGap
from controller.games.blot.facts import DeckChecked, TurnUp
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
