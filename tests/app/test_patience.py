"""The clock of a table: one word for each decision that takes too long, and none while nobody decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.sighted_table import SightedTable
from controller.app.patience import Patience, Silence
from controller.app.rulesets import load_rules
from controller.core.cards import Card
from controller.core.inputs import (
    CardDrawn,
    CommandReceived,
    DealerSignalled,
    DecisionSignalled,
    Input,
    RulesChosen,
    SourcesWaited,
    WagerPlaced,
)
from controller.core.state import EMPTY, Service, TableState
from controller.core.table import step
from controller.games.blackjack import GAME


def table(state: TableState, *inputs: Input) -> TableState:
    for event in inputs:
        state = step(GAME, state, event, 0).state
    return state


def deciding(timeout_s: int) -> TableState:
    """Box 1 with 16 is to decide."""
    keys = {"inspection": False, "player_cut": False, "burn_min": 0, "burn_max": 0, "decision_timeout_s": timeout_s}
    rules = load_rules(GAME, "armenian", keys)
    signals = (("shuffled", 0), ("second_cut", 208), ("shoe_loaded", 0))
    return table(
        EMPTY,
        RulesChosen("blackjack", rules.name, rules.data, rules.sha256),
        CommandReceived("open-table", "1", "dealer"),
        *(DealerSignalled("console", signal, value) for signal, value in signals),
        WagerPlaced("bets", 1, 1, "main", 500),
        *(CardDrawn("shoe", Card(face)) for face in ("TS", "7H", "6D")),
    )


def test_a_decision_that_takes_too_long_is_told_once() -> None:
    patience, state = Patience(GAME), deciding(60)
    assert patience.look(state, 100.0) is None
    assert patience.look(state, 159.9) is None
    assert patience.look(state, 160.0) == DealerSignalled("clock", "time_over", 60)
    assert patience.look(state, 500.0) is None


def test_whatever_happens_starts_the_time_anew() -> None:
    patience, state = Patience(GAME), deciding(60)
    assert patience.look(state, 100.0) is None
    state = table(state, DecisionSignalled("console", 1, "hit"))
    assert patience.look(state, 159.0) is None
    state = table(state, CardDrawn("shoe", Card("2C")))
    assert patience.look(state, 200.0) is None
    assert patience.look(state, 259.0) is None
    assert patience.look(state, 260.0) is not None


def test_a_held_or_closed_table_is_not_timed() -> None:
    patience, state = Patience(GAME), deciding(60)
    assert patience.look(state, 0.0) is None
    held = table(state, DecisionSignalled("console", 1, "absent"))
    assert patience.look(held, 90.0) is None
    assert patience.look(replace(state, service=Service.CLOSED), 90.0) is None
    assert patience.look(state, 100.0) is None


@pytest.mark.parametrize("timeout_s", [0, 60])
def test_nobody_is_timed_who_does_not_decide(timeout_s: int) -> None:
    patience, state = Patience(GAME), deciding(timeout_s)
    if timeout_s:
        state = table(state, DecisionSignalled("console", 1, "stand"))
    assert patience.look(state, 0.0) is None
    assert patience.look(state, 9999.0) is None


def sighted() -> SightedTable:
    """Box 1 has a king that its reader has not seen; the clock waits for it."""
    made = SightedTable()
    made.bet(1)
    assert made.draw("KH") == []
    return made


def test_a_source_that_is_waited_for_is_told_once() -> None:
    silence, made = Silence(GAME), sighted()
    assert silence.look(made.state, 100.0) is None
    assert silence.look(made.state, 107.9) is None
    assert silence.look(made.state, 108.0) == SourcesWaited("clock", 8)
    assert silence.look(made.state, 500.0) is None


def test_a_word_or_a_card_starts_the_time_anew() -> None:
    silence, made = Silence(GAME), sighted()
    assert silence.look(made.state, 100.0) is None
    made.draw("7D")
    assert silence.look(made.state, 107.0) is None
    made.see(0, "7D")
    assert silence.look(made.state, 114.0) is None
    assert silence.look(made.state, 121.0) is None
    assert silence.look(made.state, 122.0) is not None


def test_nobody_is_waited_for_when_all_was_seen_or_the_table_is_held() -> None:
    silence, made = Silence(GAME), sighted()
    assert silence.look(made.state, 100.0) is None
    made.see(1, "KH")
    assert silence.look(made.state, 300.0) is None
    made.draw("7D")
    assert silence.look(made.state, 301.0) is None
    made.see(0, "8D")
    assert made.held == ["SOURCES_DISAGREE"]
    assert silence.look(made.state, 400.0) is None


def test_a_source_that_was_told_silent_is_not_told_again_and_one_that_comes_back_is() -> None:
    silence, made = Silence(GAME), sighted()
    silence.look(made.state, 100.0)
    said = silence.look(made.state, 108.0)
    assert said is not None
    assert made.put(said) == ["SOURCE_SILENT"]
    assert silence.look(made.state, 200.0) is None
    made.draw("7D")
    assert silence.look(made.state, 201.0) is None
    assert silence.look(made.state, 209.0) is not None


def test_a_table_without_a_second_source_waits_for_none() -> None:
    assert Silence(GAME).look(deciding(60), 1_000.0) is None
