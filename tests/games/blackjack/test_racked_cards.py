"""A card read in the burn or discard place tells nothing: it may have got there face down."""

from __future__ import annotations

from typing import Any

import pytest

from controller.core.cards import Card
from controller.core.inputs import CardDrawn, CardRacked, CutCardDrawn, ShoesChosen
from controller.games.blackjack import voiding
from controller.games.blackjack.state import Work
from drivers import messages as m

READ_THERE = [
    m.TagSeen("burn", "04A1B2C3"),
    m.CardPresent("burn", 13, "C"),
    m.TagSeen("discard", "04A1B2C3"),
    m.CardPresent("discard", 13, "C"),
]


@pytest.mark.parametrize("message", READ_THERE, ids=lambda message: f"{type(message).__name__}-{message.position}")
@pytest.mark.parametrize("rules", ["hebrew", "armenian"])
def test_a_card_read_in_the_burn_or_discard_place_stays_secret(recorded: Any, rules: str, message: Any) -> None:
    """Through the card that lies face down a tag is read; its number would tell the card to whoever saw it before."""
    table = recorded(rules, burn_face_down=True)
    table.cards("KC")
    assert table.state.game.burned == 1
    table.says("burn", message)
    table.says("burn", m.CardGone(message.position, "04A1B2C3"))
    (racked,) = table.of_type("card.racked")
    assert (racked["card"], racked["tag"], racked["place"]) == (None, "", message.position)
    assert table.journal.secret(racked["sealed"]).content == "KC"
    assert not table.tells("KC")
    assert "04A1B2C3" not in table.record()
    assert table.state.verdicts == ()
    table.again()
    table.check_fold()


def test_a_reader_of_the_burn_place_says_no_face_while_the_table_is_held_or_closed(recorded: Any) -> None:
    table = recorded("hebrew")
    table.cards("2D")
    table.says("shoe", m.DeviceGap(1, "a telegram is lost"))
    table.says("burn", m.CardPresent("burn", 13, "C"))
    table.says("console", m.StaffCardPresented("S1"))
    table.keys("choose:1")
    table.says("console", m.StaffCardPresented("D1"))
    table.keys("close_table")
    assert table.state.service.value == "closed"
    table.says("burn", m.CardPresent("burn", 13, "C"))
    assert len(table.of_type("card.racked")) == 2
    assert [data["code"] for data in table.of_type("violation.raised")] == ["SHOE_UNALIGNED"]
    assert not table.tells("KC")
    table.check_fold()


def test_the_cards_of_two_shoes_are_not_set_against_the_record_of_one(felt: Any) -> None:
    table = felt(count_racked=True, inspection=False)
    table.put(ShoesChosen(("shoe", "spare")))
    table.play("B1:500 TS 7H 8D")
    assert table.command("hand-over") == ""
    table.play("shuffled")
    for signal, value in (("player_cut", 156), ("second_cut", 208), ("shoe_loaded", 0)):
        assert table.signal(signal, value) == []
    for face in ("2C", "TC"):
        if face == "TC":
            assert table.play("next stand") == []
        assert table.put(CardDrawn("spare", Card(face))) == []
    table.settle()
    table.play("collect")
    table.put(CutCardDrawn("spare"))
    assert table.play("shuffled") == []
    assert (table.said("shoe.racked"), table.game.rack.mixed) == ([], False)


def test_discards_that_go_into_the_shoe_again_are_read_again(felt: Any) -> None:
    table = felt(count_racked=True)
    table.put(CardRacked("rack", "burn", Card("2C")))
    assert table.game.rack.read == 1
    table.state = table.state.with_game(refilled(table))
    assert table.game.rack.read == 0


def refilled(table: Any) -> Any:
    w = Work(table.state.rules, table.game)
    voiding.shuffle_discards(w)
    return w.state
