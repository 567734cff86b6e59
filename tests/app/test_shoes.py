"""Which shoe is in use, which is away, and what the dealer is told to do."""

from __future__ import annotations

from typing import Any

import pytest

from controller.app.hub import condition_of
from controller.app.picture import WIDTH, display, state_payload
from controller.app.shoes import Shoes, console_text, shoes_of
from controller.bus.payloads import Condition
from controller.core.records import replace
from controller.core.state import EMPTY, Service
from controller.core.wires import Wires
from drivers import messages as m

SEVERAL = replace(EMPTY, service=Service.OPEN, wires=Wires(shoes=("main", "spare", "third"), active="spare"))


def test_the_only_shoe_is_in_use() -> None:
    assert shoes_of(EMPTY, ["shoe"]) == Shoes(("shoe",))


def test_of_several_shoes_one_is_in_use_and_the_others_are_spares() -> None:
    assert shoes_of(SEVERAL, ["main", "spare", "third"]) == Shoes(("spare",), ("main", "third"))


def test_a_missing_shoe_is_plugged_in_or_handed_over_to_one_that_is_there() -> None:
    away = replace(SEVERAL, offline=("spare", "main"))
    assert shoes_of(away, ["main", "spare", "third"]) == Shoes(
        ("spare",), ("main", "third"), ("main", "spare"), "spare is offline: plug it in, or hand over to third"
    )
    closed = replace(away, service=Service.CLOSED)
    assert shoes_of(closed, ["main", "spare", "third"]).advice == "spare is offline: plug it in"


def test_a_spare_that_is_away_is_seen_and_asks_nothing_of_the_dealer() -> None:
    shoes = shoes_of(replace(SEVERAL, offline=("third",)), ["main", "spare", "third"])
    assert (shoes.offline, shoes.missing, shoes.advice) == (("third",), "", "")


@pytest.mark.parametrize("name", ["shoe", "s" * 14, "s" * 32])
def test_a_console_names_any_shoe_whole(name: str) -> None:
    said = console_text(shoes_of(replace(EMPTY, offline=(name,)), [name]), WIDTH)
    assert name in said
    assert "plug" in said
    assert len(said) <= WIDTH


def away_at(table: Any) -> tuple[Any, Shoes]:
    table.says("shoe", m.LinkChanged(m.LinkState.DOWN, "unplugged"), "")
    state = table.engine.state
    return state, shoes_of(state, ["shoe"])


def test_before_the_shoe_is_loaded_the_step_that_is_due_stays_on_the_console(table: Any) -> None:
    table.engine.start(table.now_us())
    table.says("console", m.StaffCardPresented("D1"))
    table.key("open_table")
    state, shoes = away_at(table)
    shown = display(table.game, state, "", shoes)
    assert shown.lines[1:3] == ("spread 6 packs, 312 cards, face up", "shoe is offline: plug it in")
    assert shown.lamps == ("on", "off", "blink", "off")
    assert condition_of(state, low_space=False, shoes=shoes) == Condition("degraded", "shoe is offline: plug it in")
    assert state_payload(table.game, state, 1, "EUR", shoes).shoes.advice == "shoe is offline: plug it in"


def test_a_card_that_cannot_come_gives_way_to_the_shoe_and_the_counts_stay(table: Any) -> None:
    table.open_shoe()
    table.says("bets", m.WagerPlaced(1, 1, "main", 2500))
    table.key("no_more_bets")
    state, shoes = away_at(table)
    shown = display(table.game, state, "", shoes)
    assert shown.lines[0].startswith("held v1 SHOE_UNALIGNED")
    assert shown.lines[1:3] == ("shoe is offline: plug it in", "shoe 1 drawn 1 table 0")
    assert shown.lamps[:3] == ("off", "blink", "blink")


def test_other_devices_that_are_away_are_named_beside_the_shoe(table: Any) -> None:
    table.open_shoe()
    table.says("bets", m.LinkChanged(m.LinkState.DOWN, "unplugged"), "")
    state = replace(table.engine.state, offline=("bets", "shoe"))
    reason = condition_of(state, low_space=False, shoes=shoes_of(state, ["shoe"])).reason
    assert reason == "shoe is offline: plug it in; offline: bets"
