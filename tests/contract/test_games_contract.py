"""Every installed game, with every rule set: total from the first input on, and its state survives being written."""

from __future__ import annotations

from typing import Any, cast

import pytest

from controller.app.plugins import load_game, names
from controller.app.rulesets import load_rules, shipped
from controller.core.cards import Card
from controller.core.codec import Codec, encode
from controller.core.fold import state_bytes, state_from
from controller.core.inputs import (
    CardDrawn,
    CardLaid,
    CardShown,
    CardUnreadable,
    ChipsCollected,
    ChipsPaid,
    CommandReceived,
    CutCardDrawn,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    DeviceGap,
    Input,
    RulesChosen,
    SystemStarted,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.state import EMPTY
from controller.core.table import phase, step

CASES = [(game, ruleset) for game in names("tablewatch.games") for ruleset in shipped(game)]
STRANGE: tuple[Input, ...] = (
    CardDrawn("shoe", Card("7H")),
    CardDrawn("shoe", Card("7H"), "locked"),
    CardDrawn("shoe", Card("7H"), again=True),
    CardUnreadable("shoe", "smudged"),
    CutCardDrawn("shoe"),
    CardLaid("bets", 3),
    CardLaid("bets", 99, 99),
    CardShown("camera", 1, Card("KH")),
    CardShown("camera", 99, Card("7H"), 99),
    DeckSpread("console", (0,) * 52),
    DeckSpread("console", ()),
    WagerPlaced("bets", 1, 1, "main", 1000),
    WagerPlaced("bets", -1, 0, "nonsense", -5),
    WagerWithdrawn("bets", 1, 1, "main", 1000),
    ChipsCollected("bets", 1, 1, "main", 1000),
    ChipsPaid("bets", 1, 1, "main", 1000),
    DecisionSignalled("console", 1, "hit"),
    DecisionSignalled("console", 0, "", 9, 9, 9),
    DealerSignalled("console", "no_more_bets"),
    DealerSignalled("console", "collect", 3),
    DealerSignalled("console", "dance"),
    DeviceGap("shoe", "the cable was out"),
    CommandReceived("resume", "12", "supervisor"),
    CommandReceived("void-round", "12", "supervisor", "13", "surveillance"),
    CommandReceived("close-table", "12", "supervisor"),
)


def opened(game_name: str, ruleset: str) -> tuple[Any, Any]:
    game = load_game(game_name)
    loaded = load_rules(game, ruleset, {})
    state = EMPTY
    for event in (
        SystemStarted(1, "test"),
        RulesChosen(game.name, loaded.name, loaded.data, loaded.sha256),
        CommandReceived("open-table", "12", "supervisor"),
    ):
        state = step(game, state, cast(Input, event), 1).state
    return game, state


@pytest.mark.parametrize(("game_name", "ruleset"), CASES)
def test_anything_may_come_first_and_in_any_order(game_name: str, ruleset: str) -> None:
    game, start = opened(game_name, ruleset)
    codec = Codec.of(game)
    for first in STRANGE:
        state = step(game, start, first, 2).state
        for event in STRANGE:
            done = step(game, state, event, 3)
            state = done.state
            assert phase(game, state)
            for fact in done.facts:
                assert codec.decode(fact.TYPE, encode(fact)) == fact
            assert codec.decode(event.TYPE, encode(event)) == event


@pytest.mark.parametrize(("game_name", "ruleset"), CASES)
def test_a_state_survives_being_written(game_name: str, ruleset: str) -> None:
    game, state = opened(game_name, ruleset)
    for event in STRANGE:
        state = step(game, state, event, 2).state
        assert state_from(game, state_bytes(game, state)) == state


@pytest.mark.parametrize("game_name", names("tablewatch.games"))
def test_fact_types_are_the_games_own(game_name: str) -> None:
    game = load_game(game_name)
    types = [cls.TYPE for cls in game.fact_types]
    assert len(types) == len(set(types))
    assert all("." in name for name in types)
