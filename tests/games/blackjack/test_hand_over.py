"""A spare shoe takes over: the former one is locked and counted, the round goes on from packs that were made ready."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.core.cards import Card
from controller.core.inputs import (
    CardDrawn,
    CardUnreadable,
    CutCardDrawn,
    DeckSpread,
    DeviceGap,
    DeviceOffline,
    Input,
    ShoesChosen,
)
from controller.core.table import phase
from controller.games.blackjack import GAME

Table = Any
Make = Callable[..., Table]
SHOES = ShoesChosen(("shoe", "spare"))


@pytest.fixture
def two(felt: Make) -> Make:
    """A table with a spare shoe, its bets open."""

    def made(**keys: Any) -> Table:
        table = felt(**keys)
        table.put(SHOES)
        return table

    return made


def told(table: Table, kind: str) -> list[Any]:
    return [fact for fact in table.facts if kind == fact.TYPE]


def cards(table: Table, device: str, *faces: str) -> list[str]:
    return [code for face in faces for code in table.put(CardDrawn(device, Card(face)))]


def make_ready(table: Table, burned: str = "2C") -> None:
    """Inspection, shuffle, cuts, loading and burn of the spare's packs."""
    assert phase(GAME, table.state) == "inspection"
    table.put(DeckSpread("console", (6,) * 52))
    for signal, value in (("shuffled", 0), ("player_cut", 156), ("second_cut", 208), ("shoe_loaded", 0)):
        assert table.signal(signal, value) == []
    assert cards(table, "spare", burned) == []
    assert table.signal("next_round") == []


def test_the_first_shoe_is_in_use_and_a_card_of_the_other_holds_the_table(two: Make) -> None:
    table = two()
    assert (table.state.wires.active, table.state.wires.idle("spare")) == ("shoe", True)
    before = table.game
    for event in (CardDrawn("spare", Card("KH")), CardUnreadable("spare"), CutCardDrawn("spare")):
        table.put(event)
        assert [v.code for v in table.state.verdicts] == ["SHOE_NOT_IN_USE"]
    assert table.game is before
    assert "KH" not in str(table.facts)
    assert table.resume("other_packs") == ""
    assert table.state.verdicts == ()
    assert table.put(DeviceGap("spare", "unplugged")) == []


def test_a_round_goes_on_from_the_spare(two: Make) -> None:
    table = two()
    table.play("B1:500 TH 9D 6S")
    assert table.command("hand-over") == ""
    (over,) = told(table, "shoe.handed_over")
    assert (over.shoe, over.cards, over.burned, over.on_table, over.discarded, over.left) == (1, 312, 1, 3, 0, 308)
    (used,) = told(table, "shoe.in_use")[-1:]
    assert (used.device, used.before, used.actor, used.approver) == ("spare", "shoe", "17", "4711")
    assert table.game.round_id == "1-1"
    make_ready(table)
    assert phase(GAME, table.state) == "players"
    assert table.game.round_id == "1-1"
    assert cards(table, "shoe", "5H") == ["SHOE_NOT_IN_USE"]
    table.resume("other_packs")
    assert table.play("hit") == []
    assert cards(table, "spare", "5H") == []
    assert phase(GAME, table.state) == "dealer"
    assert cards(table, "spare", "TC") == []
    assert phase(GAME, table.state) == "settlement"
    assert table.pay(1, 500) == []
    assert table.play("collect:5") == []
    assert (table.game.shoe.number, table.game.shoe_number, table.game.discarded) == (2, 2, 2)
    table.facts.clear()
    table.play("B1:500")
    assert table.game.round_id == "2-1"


def test_both_shoes_are_counted_at_their_ends(two: Make) -> None:
    table = two()
    table.play("B1:500 TH 9D 6S")
    table.command("hand-over")
    make_ready(table)
    table.play("stand")
    cards(table, "spare", "TC")
    table.pay(1, -500)
    table.play("collect")
    table.facts.clear()
    assert table.signal("new_packs") == []
    (ended,) = told(table, "shoe.reconciled")
    assert (ended.shoe, ended.cards, ended.burned, ended.dealt, ended.left) == (2, 312, 1, 1, 310)


def test_a_hand_over_in_the_middle_of_a_hand_over(two: Make) -> None:
    table = two()
    table.play("B1:500 TH 9D 6S")
    table.command("hand-over")
    table.put(DeckSpread("console", (6,) * 52))
    assert table.command("hand-over", target="shoe") == ""
    assert table.state.wires.active == "shoe"
    assert phase(GAME, table.state) == "inspection"
    assert len(told(table, "shoe.handed_over")) == 1


def test_the_rules_may_want_the_round_void(two: Make) -> None:
    table = two(spare_shoe="void_round")
    table.play("B1:500 TH 9D 6S")
    assert table.command("hand-over") == ""
    assert len(told(table, "round.voided")) == 1
    assert table.state.wires.active == "spare"
    assert phase(GAME, table.state) == "inspection"


def test_between_rounds_the_spare_is_made_ready_for_the_next(two: Make) -> None:
    table = two()
    assert table.command("hand-over", target="spare") == ""
    assert told(table, "shoe.changed")[-1].reason == "hand_over"
    make_ready(table)
    assert phase(GAME, table.state) == "betting"
    assert table.game.shoe_number == 2


def test_a_decided_round_is_finished_first(two: Make) -> None:
    table = two()
    table.play("B1:500 TH 9D 6S stand TC")
    assert phase(GAME, table.state) == "settlement"
    assert table.command("hand-over") == ""
    assert phase(GAME, table.state) == "settlement"
    table.pay(1, -500)
    table.play("collect")
    assert phase(GAME, table.state) == "inspection"


def test_a_round_that_waits_for_its_shoe_may_be_void(two: Make) -> None:
    table = two()
    table.play("B1:500 TH 9D 6S")
    table.command("hand-over")
    assert table.command("void-round", reason="no packs") == ""
    table.back(1, 500)
    table.play("collect")
    assert phase(GAME, table.state) == "inspection"
    make_ready(table)
    assert table.game.shoe_number == 2


def test_a_dead_shoe_may_be_handed_over_and_that_aligns_it(two: Make) -> None:
    table = two()
    table.play("B1:500 TH 9D 6S")
    table.put(DeviceOffline("shoe", "no answer"))
    table.put(DeviceGap("shoe", "the link was down"))
    assert [v.code for v in table.state.verdicts] == ["SHOE_UNALIGNED"]
    assert table.command("hand-over") == ""
    assert table.state.verdicts == ()


def test_no_hidden_card_gets_the_name_of_another(two: Make) -> None:
    """Names of cards go on behind those of the former shoe: a seal is opened by its name."""
    table = two(burn_face_down=True)
    table.play("B1:500 TH 9D 6S")
    table.command("hand-over")
    last = table.game.numbered
    make_ready(table)
    assert [aside.number for aside in table.game.face_down] == [last + 1]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"target": "shoe"}, "shoe is in use already"),
        ({"target": "third"}, "no shoe third; spares are spare"),
        ({"role": "dealer"}, "role dealer may not; it needs pit or supervisor"),
        ({"approver": "17"}, "a second, different person must approve it"),
    ],
)
def test_a_hand_over_that_cannot_be_is_refused(two: Make, fields: dict[str, str], why: str) -> None:
    assert two().command("hand-over", **fields) == why


@pytest.mark.parametrize(
    ("before", "why"),
    [
        (DeviceOffline("spare", "unplugged"), "spare is offline: plug it in first"),
        (CardUnreadable("shoe"), "every card that left the shoe named and in its place"),
    ],
)
def test_a_hand_over_waits_for_what_must_come_first(two: Make, before: Input, why: str) -> None:
    table = two()
    table.play("B1:500 TH")
    table.put(before)
    shoe = table.state.wires.active
    assert table.command("hand-over").startswith(why)
    assert table.state.wires.active == shoe


def test_a_table_with_one_shoe_has_no_spare(felt: Make) -> None:
    assert felt().command("hand-over") == "the table has no spare shoe"
