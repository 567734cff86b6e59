"""A device whose serial number does not belong here holds the table until the right one is back or it is paired."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from controller.core.cards import Card
from controller.core.fold import state_bytes, state_from
from controller.core.inputs import (
    CardDrawn,
    CommandReceived,
    DealerSignalled,
    DeckSpread,
    DeviceOffline,
    DeviceOnline,
    DeviceStranger,
    Input,
    RulesChosen,
)
from controller.core.state import EMPTY, TableState
from controller.core.table import phase, step
from controller.core.wires import MOST_DEVICES, Known
from controller.games.blackjack import GAME

DATA = tomllib.loads(resources.files("controller.rulesets").joinpath("blackjack", "armenian.toml").read_text("utf-8"))
RULES = RulesChosen("blackjack", "armenian", DATA["rules"], "0" * 64)
OPEN = CommandReceived("open-table", "4711", "dealer")
CONSOLE = DeviceOnline("console", "TW-CONSOLE", "CN-1")
WHO = "device CN-2 is on the wire where CN-1 belongs"
STRANGER = DeviceStranger("console", "CN-2", WHO)
SIGNALS = (("shuffled", 0), ("player_cut", 100), ("second_cut", 208), ("shoe_loaded", 0))


def run(*events: Input, state: TableState = EMPTY) -> tuple[TableState, list[Any]]:
    facts: list[Any] = []
    for event in events:
        done = step(GAME, state, event, 0)
        state = done.state
        facts += done.facts
    return state, facts


def codes(state: TableState) -> list[str]:
    return [v.code for v in state.verdicts]


def rejection(facts: list[Any]) -> str:
    return next((f.reason for f in facts if f.TYPE == "command.rejected"), "")


def pair(device: str = "", serial: str = "", role: str = "supervisor") -> CommandReceived:
    return CommandReceived("pair-device", "12", role, target=device, serial=serial)


def test_a_stranger_holds_the_open_table_and_says_who_it_is() -> None:
    state, facts = run(RULES, OPEN, CONSOLE, STRANGER)
    assert phase(GAME, state) == "held"
    assert (codes(state), state.verdicts[0].actual) == (["DEVICE_STRANGER"], WHO)
    assert [f.TYPE for f in facts][-2:] == ["violation.raised", "table.held"]
    assert run(STRANGER, state=state)[0] == state


def test_the_right_device_frees_it_again() -> None:
    state, facts = run(RULES, OPEN, CONSOLE, STRANGER, DeviceOffline("console", "gone"), CONSOLE)
    assert codes(state) == []
    assert [f.TYPE for f in facts][-2:] == ["violation.resolved", "table.resumed"]
    assert state.wires.known == (Known("console", "CN-1"),)
    assert state.wires.strangers == ()


def test_a_supervisor_pairs_it_by_command_or_by_the_correction_offered() -> None:
    held, _ = run(RULES, OPEN, CONSOLE, STRANGER)
    for command in (
        pair("console", "CN-2"),
        pair("console"),
        CommandReceived("resume", "12", "supervisor", correction="pair_device"),
        CommandReceived("resume", "12", "supervisor", correction="#1"),
    ):
        state, facts = run(command, state=held)
        assert codes(state) == []
        (paired,) = [f for f in facts if f.TYPE == "device.paired"]
        assert (paired.device, paired.serial, paired.before, paired.actor) == ("console", "CN-2", "CN-1", "12")
        assert state.wires.known == (Known("console", "CN-2", paired=True),)
        again, _ = run(DeviceOnline("console", "TW-CONSOLE", "CN-2"), state=state)
        assert again == state


def test_pairing_what_is_not_there_is_refused() -> None:
    state, _ = run(RULES, OPEN, CONSOLE, STRANGER)
    assert rejection(run(pair("bets"), state=state)[1]) == (
        "no stranger is on bets; devices that may be paired: console: CN-2"
    )
    assert rejection(run(pair("console", "CN-9"), state=state)[1]) == "the device on console is CN-2, not CN-9"
    assert "role dealer may not" in rejection(run(pair("console", role="dealer"), state=state)[1])
    calm, _ = run(RULES, OPEN)
    assert rejection(run(pair(), state=calm)[1]).startswith("no stranger is on (no device named)")


def test_nothing_else_lets_it_in() -> None:
    """A hold that is closed with everything else comes again, and a table is not opened past it."""
    closed, facts = run(RULES, CONSOLE, STRANGER)
    assert codes(closed) == []
    assert "violation.raised" not in [f.TYPE for f in facts]
    state, _ = run(OPEN, state=closed)
    assert codes(state) == ["DEVICE_STRANGER"]
    away, _ = run(CommandReceived("out-of-service", "3", "technician"), state=state)
    assert codes(away) == []
    back, _ = run(CommandReceived("back-in-service", "3", "technician"), OPEN, state=away)
    assert codes(back) == ["DEVICE_STRANGER"]


def test_a_card_source_that_was_exchanged_is_aligned_after_it() -> None:
    signals = [DealerSignalled("console", *s) for s in SIGNALS]
    state, _ = run(
        RULES,
        OPEN,
        DeckSpread("console", (6,) * 52),
        *signals,
        CardDrawn("shoe", Card("2D")),
        DeviceOnline("shoe", "TW-SHOE", "SH-1"),
        DeviceStranger("shoe", "SH-2", "another shoe", sees_cards=True),
        pair("shoe"),
    )
    assert codes(state) == ["SHOE_UNALIGNED"]
    assert state.verdicts[0].actual == "shoe was exchanged for SH-2: cards may have left unseen"
    assert codes(run(CommandReceived("resume", "12", "supervisor", correction="aligned"), state=state)[0]) == []


def test_a_bet_sensor_that_was_exchanged_has_not_seen_the_stakes() -> None:
    stranger = DeviceStranger("bets", "BT-2", "another sensor", sees_chips=True)
    state, facts = run(RULES, OPEN, DeviceOnline("bets", "TW-BETS", "BT-1"), stranger, pair("bets"))
    assert codes(state) == ["CHIPS_UNSEEN"]
    assert state.verdicts[0].actual == "bets was exchanged for BT-2, which has not seen the chips that lie"
    assert phase(GAME, state) == "held"
    assert [f.TYPE for f in facts][-3:-1] == ["violation.resolved", "violation.raised"]
    again = CommandReceived("resume", "12", "supervisor", correction="aligned")
    assert codes(run(again, state=state)[0]) == []
    closed, _ = run(RULES, DeviceOnline("bets", "TW-BETS", "BT-1"), stranger, pair("bets"))
    assert codes(closed) == []


def test_a_second_stranger_takes_the_place_of_the_first() -> None:
    state, _ = run(RULES, OPEN, CONSOLE, STRANGER, DeviceStranger("console", "CN-3", "CN-3 is there"))
    assert [v.actual for v in state.verdicts] == ["CN-3 is there"]
    assert rejection(run(pair("console", "CN-2"), state=state)[1]) == "the device on console is CN-3, not CN-2"


def test_who_belongs_where_is_in_the_state_that_is_signed() -> None:
    state, _ = run(RULES, OPEN, CONSOLE, STRANGER)
    assert state_from(GAME, state_bytes(GAME, state)) == state


def test_only_so_many_devices_are_followed() -> None:
    many = [DeviceOnline(f"d-{n}", "M", f"S-{n}") for n in range(MOST_DEVICES + 5)]
    strange = [DeviceStranger(f"d-{n}", "X", "x") for n in range(MOST_DEVICES + 5)]
    state, _ = run(RULES, *many, *strange)
    assert (len(state.wires.known), len(state.wires.strangers)) == (MOST_DEVICES, MOST_DEVICES)
