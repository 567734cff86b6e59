"""A card that the shoe announces again after it could not read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.core.cards import Card
from controller.core.inputs import CardDrawn

Table = Callable[..., Any]


@pytest.mark.parametrize("again", ["KD", "TS"])
def test_a_card_read_again_after_it_could_not_be_read_is_one_card(felt: Table, again: str) -> None:
    table = felt()
    table.play("B1:500 TS unread")
    drawn = table.game.accounted
    assert table.put(CardDrawn("shoe", Card(again), again=True)) == ["READ_AGAIN"]
    assert (table.game.accounted, len(table.game.unnamed), table.game.loose) == (drawn, 1, ())
    assert table.resume("name_card", "KD") == ""
    assert [f.card for f in table.said("card.dealt")] == [Card("TS"), Card("KD")]
    assert table.phase == "dealing"


def test_a_card_read_again_after_the_unread_one_has_its_name_is_a_card_too_many(felt: Table) -> None:
    table = felt()
    table.play("B1:500 TS unread")
    table.resume("name_card", "KD")
    assert table.put(CardDrawn("shoe", Card("9C"), again=True)) == ["EXTRA_CARD"]
