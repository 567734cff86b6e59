"""Hands with cards that no source has read: judged as far as they are known, the rest when it comes to light."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.core.cards import Card
from controller.core.facts import ViolationRaised
from controller.core.inputs import CardDrawn, CardUnreadable
from controller.games.blot.facts import Declaration, RoundScored
from controller.games.blot.state import Phase

ONE = "KS QS JS TS 9D TC 9C QC JD"
TWO = "AS AH KH QH JH TH AD AC KC"


def blind(felt: Callable[..., Any], unread: str, one: str = ONE) -> Any:
    """Seat 2 has taken the queen of hearts; the cards of ``unread`` went to their hands without being read."""
    table = felt(unread_cards="blind")
    hands = {1: one.split(), 2: [card for card in TWO.split() if card != "QH"]}
    bids = ["1 pass", "2 take"]
    while table.game.phase is not Phase.PLAY:
        if table.game.phase is Phase.BIDDING:
            assert table.say(bids.pop(0)) == []
            continue
        place = table.the_deal.plan[table.the_deal.dealt]
        card = hands[place].pop(0) if place else "QH"
        event = CardUnreadable("shoe") if place and card in unread.split() else CardDrawn("shoe", Card(card))
        assert table.put(event) == []
    return table


def test_an_unread_card_is_known_once_it_is_played(felt: Callable[..., Any]) -> None:
    table = blind(felt, "KS")
    assert table.the_play.unknown == (1, 0)
    assert table.say("1 plays KS", "2 plays AS") == []
    assert table.the_play.unknown == (0, 0)
    assert table.the_play.start[0].bit_count() == 9


def test_what_is_known_is_judged_at_once(felt: Callable[..., Any]) -> None:
    table = blind(felt, "KH")
    table.say("1 plays KS")
    assert table.say("2 plays AD") == ["REVOKE"]
    assert table.held == []
    assert table.say("2 plays AS") == []


def test_a_revoke_comes_to_light_when_the_denied_suit_is_played(felt: Callable[..., Any]) -> None:
    table = blind(felt, "AS")
    assert table.say("1 plays KS", "2 plays QH", "2 plays AD", "1 plays 9D") == []
    assert table.the_play.denials[0].code == "REVOKE"
    assert table.say("2 plays AS") == ["REVOKE"]
    assert table.held == ["REVOKE"]
    raised = table.last(ViolationRaised)
    assert raised.expected == "no such card in seat 2's hand, by what it played in trick 1"
    assert raised.actual == "A♠ from seat 2"
    assert [c.kind for c in raised.corrections] == ["accept", "void_round"]
    assert table.the_play.cards == 5
    table.command("accept")
    assert table.say("1 plays QS") == []


def test_trumps_that_were_denied_come_to_light(felt: Callable[..., Any]) -> None:
    table = blind(felt, "AS AH KH QH JH TH")
    assert table.say("1 plays KS") == []
    assert table.say("2 plays AD") == ["MUST_TRUMP"]  # the queen of trumps was turned up: it is known
    assert table.say("2 plays QH", "2 plays AD", "1 plays 9D", "2 plays AC", "1 plays 9C") == []
    assert table.say("2 plays KC", "1 plays TC", "1 plays QS", "2 plays TH") == []
    denied = [(d.code, d.trick) for d in table.the_play.denials]
    assert denied == [("REVOKE", 1), ("REVOKE", 5)]


def test_a_higher_trump_that_was_denied(felt: Callable[..., Any]) -> None:
    table = blind(felt, "JH", one="KS QS JS TS 9D TC 9C QC 9H")
    assert table.say("1 plays 9H", "2 plays QH", "1 plays KS") == []
    assert table.say("2 plays AS", "2 plays JH") == ["MUST_OVERTRUMP"]


def test_combinations_of_an_unread_hand_are_laid_open(felt: Callable[..., Any]) -> None:
    table = blind(felt, "KS QS")
    assert table.say("1 announce_run 4", "1 plays TC", "2 plays AC", "2 plays AD") == []
    assert table.say("1 show 0") == ["HAND_UNREAD"]
    assert table.say("1 opens KS", "1 opens QS", "1 opens JS") == []
    assert table.count(Declaration) == 1
    assert table.say("1 opens TS") == []
    shown = table.last(Declaration)
    assert (shown.step, shown.points, [c.text for c in shown.cards]) == ("shown", 50, ["TS", "JS", "QS", "KS"])
    assert table.the_play.unknown == (0, 0)
    assert table.say("1 plays 9D") == []


def test_a_card_of_the_other_hand_cannot_be_the_unread_one(felt: Callable[..., Any]) -> None:
    table = blind(felt, "KS")
    assert table.say("1 plays AH") == ["CARD_NOT_OWNED"]
    table.command("take_back")
    assert table.say("1 opens AH") == ["CARD_NOT_OWNED"]
    table.command("take_back")
    assert table.say("1 plays KS") == []


def test_giving_up_needs_hands_that_can_be_counted(felt: Callable[..., Any]) -> None:
    table = blind(felt, "KS AS")
    assert table.say("1 give_up") == ["HAND_UNREAD"]
    assert table.say("1 opens KS", "2 opens AS", "1 give_up") == []
    assert table.last(RoundScored).undealt + sum(table.last(RoundScored).cards) == 162


def test_a_revoke_found_when_the_card_is_laid_open(felt: Callable[..., Any]) -> None:
    table = blind(felt, "AS")
    table.say("1 plays KS", "2 plays QH", "2 plays AD", "1 plays 9D")
    assert table.say("2 opens AS") == ["REVOKE"]
    assert table.the_play.unknown == (0, 0)


def test_a_misread_deal_makes_the_hand_unread(felt: Callable[..., Any]) -> None:
    table = felt()
    table.deal(ONE, TWO, "QH", "1 pass", "2 take")
    assert table.say("1 plays AD") == ["CARD_NOT_OWNED"]
    table.command("hand_unknown")
    assert table.held == []
    assert table.the_play.cards == 1
    assert table.the_play.unknown == (8, 1)
    assert table.say("2 plays AC") == ["MUST_TRUMP"]
    assert table.say("2 plays QH", "2 plays AS", "1 plays 9S", "2 plays KC", "1 plays TC") == []
    assert table.the_play.unknown == (6, 1)


def test_a_round_of_unread_hands_is_scored_like_any_other(felt: Callable[..., Any]) -> None:
    seen, unseen = felt(), blind(felt, ONE + " " + TWO)
    seen.deal(ONE, TWO, "QH", "1 pass", "2 take")
    answers = ["AH 9D", "KH JD", "QH TC", "JH 9C", "TH QC", "AD JS", "AC TS", "KC QS"]
    lines = ["1 plays KS", "2 plays AS"]
    for answer in answers:
        led, reply = answer.split()
        lines += [f"2 plays {led}", f"1 plays {reply}"]
    for table in (seen, unseen):
        assert table.say(*lines) == []
    assert unseen.last(RoundScored) == seen.last(RoundScored)
    assert seen.last(RoundScored).blot == (0, 20)
