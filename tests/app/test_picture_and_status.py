"""What the dealer's console, the retained state and the status say of a table. All pure, from real standings."""

from __future__ import annotations

import json
from typing import Any

from controller.app.hub import condition_of
from controller.app.picture import WIDTH, display, state_payload
from controller.bus.payloads import Condition, payload_bytes
from controller.core.state import EMPTY
from drivers import messages as m


def shows(table: Any, refused: str = "") -> Any:
    return display(table.game, table.engine.state, refused)


def test_a_closed_table_says_so_and_is_dark(table: Any) -> None:
    table.engine.start(table.now_us())
    shown = shows(table)
    assert shown.lines == ("closed", "", "", "")
    assert set(shown.lamps) == {"off"}


def test_the_console_follows_a_round(table: Any) -> None:
    table.open_shoe()
    assert shows(table).lines[2] == "shoe 1 drawn 1 table 0"
    table.says("bets", m.WagerPlaced(1, 1, "main", 2500))
    table.key("no_more_bets")
    shown = shows(table)
    assert shown.lines[0] == "dealing 1-1"
    assert shown.lines[1] == "card to box 1"
    assert shown.lamps == ("on", "off", "on", "off")
    for box, face in ((1, "KH"), (0, "7D"), (1, "QS")):
        table.card(face)
        table.says("bets", m.CardLaid(box))
    assert shows(table).lines[2] == "shoe 1 drawn 4 table 3"
    assert shows(table).lamps == ("on", "off", "off", "off")


def test_a_refusal_shows_its_code_until_something_is_accepted(table: Any) -> None:
    table.open_shoe()
    assert shows(table, "LATE_BET").lines[3] == "! LATE_BET"
    assert shows(table).lines[3] == ""


def test_a_hold_shows_its_verdict_its_ways_out_and_blinks(table: Any) -> None:
    table.open_shoe()
    table.says("shoe", m.CardUnreadable("smudge"))
    shown = shows(table)
    assert shown.lines[0] == "held v1 CARD_UNREADABLE"
    assert shown.lines[3].startswith("1 name_card")
    assert shown.lamps[:3] == ("off", "blink", "off")


def test_a_wrong_payment_lights_its_lamp_until_it_is_put_right(table: Any) -> None:
    table.open_shoe()
    table.play_to_the_dealer()
    table.card("10D")
    table.says("bets", m.CardLaid(0))
    table.says("bets", m.PayoutMade(1, 1, "main", 5000))
    assert shows(table).lamps[3] == "on"
    table.says("bets", m.ChipsCollected(1, 1, "main", 2500))
    assert shows(table).lamps[3] == "off"


def test_every_line_fits_the_console(table: Any) -> None:
    table.open_shoe()
    table.says("bets", m.WagerPlaced(7, 1, "main", 2500))
    table.key("no_more_bets")
    for face in ("KH", "KD", "KS", "KC"):
        table.card(face)
    for code in ("X" * 80, ""):
        assert all(len(line) <= WIDTH for line in shows(table, code).lines)


def test_the_state_answers_what_is_expected_legal_and_owed(table: Any) -> None:
    table.open_shoe()
    table.play_to_the_dealer()
    head = table.journal.tip.sequence
    payload = state_payload(table.game, table.engine.state, head, "EUR")
    assert (payload.phase, payload.round, payload.as_of) == ("dealer", "1-1", head)
    assert [e.kind for e in payload.expected] == ["card"]
    table.card("10D")
    table.says("bets", m.CardLaid(0))
    payload = state_payload(table.game, table.engine.state, head, "EUR")
    (due,) = payload.dues
    assert (due.box, due.owed_minor, due.moved_minor) == (1, 2500, 0)
    table.says("shoe", m.CardUnreadable("smudge"))
    payload = state_payload(table.game, table.engine.state, head, "EUR")
    assert payload.phase == "held"
    assert payload.held is not None
    assert payload.held.code == "CARD_UNREADABLE"
    assert payload.held.corrections[0].kind == "name_card"
    assert json.loads(payload_bytes(payload))["held"]["id"] == "v1"


def test_the_status_is_held_before_degraded_before_ready(table: Any) -> None:
    assert condition_of(EMPTY, low_space=False) == Condition("ready", service="closed")
    assert condition_of(EMPTY, low_space=True).state == "degraded"
    table.open_shoe()
    assert condition_of(table.engine.state, low_space=False).state == "ready"
    table.says("bets", m.LinkChanged(m.LinkState.DOWN, "cable out"), "")
    assert condition_of(table.engine.state, low_space=False) == Condition("degraded", "offline: bets")
    table.says("shoe", m.CardUnreadable("smudge"))
    condition = condition_of(table.engine.state, low_space=True)
    assert condition.state == "held"
    assert condition.reason.startswith("CARD_UNREADABLE: expected a card that is read; came: ")
