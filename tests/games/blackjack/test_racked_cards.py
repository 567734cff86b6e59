"""A card read in the burn or discard place tells nothing: it may have got there face down."""

from __future__ import annotations

from typing import Any

import pytest

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
