"""Cards face down on a real journal: no face is on record before it is shown, and the fold is the live state."""

from __future__ import annotations

from typing import Any

import pytest

from controller.games.blackjack import GAME
from controller.games.blackjack.picture import DealerView
from controller.journal.sealing import opens
from drivers import messages as m


def shown(table: Any, face: str) -> Any:
    """The reveal of this face; its salt opens the seal of the card as it was drawn."""
    (reveal,) = [data for data in table.of_type("card.revealed") if data["card"] == face]
    assert opens(reveal["sealed"], reveal["salt"], face)
    drawn = [data for data in table.of_type("card.drawn") if data.get("sealed") == reveal["sealed"]]
    assert [data["card"] for data in drawn] == [None]
    return reveal


def test_a_hole_card_is_secret_until_the_dealer_turns_it(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D KC")
    assert not table.tells("KC")
    assert GAME.view(table.state.rules, table.state.game).dealer == DealerView(("7H",), 1, "7")
    table.check_fold()
    table.keys("hit@1")
    table.cards("4S")
    table.again()
    table.check_fold()
    assert not table.tells("KC")
    table.keys("stand@1")
    assert shown(table, "KC")["box"] == 0
    assert table.tells("KC")
    table.check_fold()


@pytest.mark.parametrize(("up", "hole"), [("AH", "KC"), ("TH", "AC")])
def test_a_peek_that_finds_a_blackjack_shows_it(recorded: Any, up: str, hole: str) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards(f"TS {up} 6D {hole}")
    if up == "AH":
        assert not table.tells(hole)
        table.keys("no_more_bets")
    shown(table, hole)
    assert [data["blackjack"] for data in table.of_type("hand.peeked")] == [True]
    assert table.state.game.phase.value == "settlement"
    table.check_fold()


def test_a_peek_that_finds_nothing_tells_no_face(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS TH 6D KC")
    assert [data["blackjack"] for data in table.of_type("hand.peeked")] == [False]
    assert not table.tells("KC")
    table.keys("stand@1")
    assert table.tells("KC")


def test_a_hole_card_of_a_voided_round_stays_secret(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D KC")
    table.says("console", m.StaffCardPresented("S1"))
    table.keys("void_round")
    table.says("console", m.StaffCardPresented("D1"))
    table.keys("approve", "collect:4")
    assert table.state.game.round_id == ""
    assert not table.tells("KC")
    table.check_fold()


def test_a_hole_card_drawn_while_the_table_is_held_stays_secret(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D")
    table.says("shoe", m.DeviceGap(1, "a telegram is lost"))
    table.cards("KC")
    assert not table.tells("KC")
    table.says("console", m.StaffCardPresented("S1"))
    for _ in range(len(table.state.verdicts)):
        table.keys("choose:1")
    assert not table.tells("KC")
    assert len(table.state.game.dealer) == 2
    table.keys("stand@1")
    shown(table, "KC")
    table.check_fold()


@pytest.mark.parametrize(("choice", "secret"), [(1, True), (2, False), (3, False)])
def test_what_becomes_of_a_hole_card_that_the_shoe_counts_out(recorded: Any, choice: int, secret: bool) -> None:
    """The next card dealt, burned, or exposed."""
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D")
    table.says("shoe", m.CardDrawn(13, "C", out_of_game=m.OutOfGame.LOCKED))
    assert not table.tells("KC")
    table.says("console", m.StaffCardPresented("S1"))
    table.keys(f"choose:{choice}")
    assert table.state.verdicts == ()
    assert table.tells("KC") is not secret
    table.check_fold()


@pytest.mark.parametrize(
    ("before", "way", "after"),
    [
        ("", "next_card", ("hit@1",)),
        ("", "exposed", ()),
        ("", "burn", ()),
        ("", "next_card", ("stand@1",)),
        ("a gap", "next_card", ("hit@1",)),
    ],
)
def test_a_card_drawn_in_error_is_secret_until_it_is_dealt_or_said_to_have_been_seen(
    recorded: Any, before: str, way: str, after: tuple[str, ...]
) -> None:
    table = recorded("armenian")
    table.cards("2D")
    table.bet(1, 500)
    table.cards("TS 7H 6D")
    if before:
        table.says("shoe", m.DeviceGap(1, "a telegram is lost"))
    table.cards("4C")
    assert not table.tells("4C")
    table.again()
    table.check_fold()
    table.says("console", m.StaffCardPresented("S1"))
    if before:
        table.keys("choose:1")
    ways = [c.kind for c in table.state.verdicts[0].corrections]
    table.keys(f"choose:{ways.index(way) + 1}")
    assert table.state.verdicts == ()
    assert table.tells("4C") is not bool(after)
    table.keys(*after)
    shown(table, "4C")
    table.check_fold()


def test_a_card_drawn_in_error_and_announced_again_stays_secret(recorded: Any) -> None:
    table = recorded("armenian")
    table.cards("2D")
    table.bet(1, 500)
    table.cards("TS 7H 6D 4C")
    table.cards("4C", again=True)
    assert [data["code"] for data in table.of_type("violation.raised")] == ["EXTRA_CARD", "READ_AGAIN"]
    assert not table.tells("4C")
    table.check_fold()


def test_a_card_for_a_later_hand_of_a_split_is_shown_when_it_stays_there(recorded: Any) -> None:
    table = recorded("armenian")
    table.cards("2D")
    table.bet(1, 500)
    for face, box in (("8S", 1), ("7H", 0), ("8D", 1)):
        table.cards(face)
        table.says("bets", m.CardLaid(box))
    table.keys("split@1")
    table.bet(1, 500, "split")
    table.cards("3C")
    table.says("bets", m.CardLaid(1))
    table.cards("9S")
    table.says("bets", m.CardLaid(1, 2))
    assert [v.code for v in table.state.verdicts] == ["SPLIT_ORDER"]
    assert not table.tells("9S")
    table.says("console", m.StaffCardPresented("S1"))
    table.keys("choose:1")
    assert shown(table, "9S")["hand"] == 2
    table.check_fold()


def test_a_card_before_the_stakes_are_in_order_is_secret(recorded: Any) -> None:
    table = recorded("armenian")
    table.cards("2D")
    table.bet(1, 400)
    table.cards("4C")
    assert [data["code"] for data in table.of_type("violation.raised")] == ["UNDER_MINIMUM", "EXTRA_CARD"]
    assert not table.tells("4C")


def test_verdicts_about_a_hidden_card_do_not_tell_its_face(recorded: Any) -> None:
    table = recorded("hebrew", decks=1)
    table.bet(1, 500)
    table.cards("TS 7H 6D KC")
    table.cards("KC", again=True)
    assert [data["code"] for data in table.of_type("violation.raised")] == ["READ_AGAIN"]
    assert not table.tells("KC")
    other = recorded("hebrew", decks=1)
    other.bet(1, 500)
    other.cards("KC 7H 6D KC")
    raised = other.of_type("violation.raised")
    assert [data["code"] for data in raised] == ["CARD_DISPUTED"]
    assert "K" not in raised[0]["actual"] + raised[0]["expected"]
    assert "KC" not in raised[0]["evidence"]
    assert "♣" not in raised[0]["evidence"]


def test_a_hole_card_that_was_seen_is_shown_and_noted(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D KC")
    table.keys("exposed")
    shown(table, "KC")
    assert [data["code"] for data in table.of_type("violation.raised")] == ["EXPOSED_HOLE"]
    assert GAME.view(table.state.rules, table.state.game).dealer.cards == ("7H", "KC")
    table.keys("exposed")
    assert table.of_type("violation.raised")[-1]["code"] == "NOTHING_HIDDEN"


def test_a_burned_card_face_down_stays_secret_for_ever(recorded: Any) -> None:
    table = recorded("greek")
    table.cards("QS")
    table.bet(1, 500)
    table.cards("TS 7H 9D")
    table.keys("stand@1")
    table.cards("TC")
    assert not table.tells("QS")
    assert [data["card"] for data in table.of_type("card.burned")] == [None]
    table.check_fold()


def test_one_burned_card_too_many_is_secret_until_it_is_burned_as_well(recorded: Any) -> None:
    table = recorded("greek")
    table.cards("QS KC")
    assert [v.code for v in table.state.verdicts] == ["BURN_TOO_MANY"]
    assert not table.tells("KC")
    table.says("console", m.StaffCardPresented("S1"))
    table.keys("choose:1")
    shown(table, "KC")
    assert not table.tells("QS")


def test_an_exposed_burn_is_shown_and_noted(recorded: Any) -> None:
    table = recorded("greek")
    table.cards("QS")
    table.keys("exposed")
    shown(table, "QS")
    assert [data["code"] for data in table.of_type("violation.raised")] == ["EXPOSED_BURN"]


def test_an_unread_hole_card_that_is_named_lies_open(recorded: Any) -> None:
    table = recorded("hebrew")
    table.bet(1, 500)
    table.cards("TS 7H 6D")
    table.says("shoe", m.CardUnreadable())
    table.says("console", m.StaffCardPresented("S1"))
    table.says("console", m.CardNamed(13, "C", "assign"))
    table.says("console", m.StaffCardPresented("D1"))
    table.keys("approve")
    assert GAME.view(table.state.rules, table.state.game).dealer.cards == ("7H", "KC")
    assert table.of_type("card.revealed") == []
    table.check_fold()
