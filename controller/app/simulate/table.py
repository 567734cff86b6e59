"""A table that is played alone: inputs go through the same `step` as at a live table, and nothing may be wrong."""

from __future__ import annotations

import random
from typing import Any, Final

from controller.core.facts import ViolationRaised
from controller.core.game import Game
from controller.core.inputs import CommandReceived, Input, RulesChosen
from controller.core.simulation import SimulationError
from controller.core.state import EMPTY, TableState
from controller.core.table import step

STEP_US: Final = 1_000_000
"""Time between two inputs."""


class SimulatedTable:
    """One open table; see `controller.core.simulation.SelfPlayed`. ``seed`` decides every card and every chance."""

    def __init__(self, game: Game, rules_name: str, rules_data: dict[str, Any], seed: str) -> None:
        self._game = game
        self.chance = random.Random(seed).random
        self._state: TableState = EMPTY
        self.game: Any = None
        self._time_us = 0
        self.put(RulesChosen(game.name, rules_name, rules_data, ""))
        self.put(CommandReceived("open-table", "simulation", "dealer"))
        self.rules: Any = self._state.rules

    def put(self, event: Input) -> tuple[Any, ...]:
        """One input, and the facts it left. Raises SimulationError when anything is found wrong with it."""
        self._time_us += STEP_US
        done = step(self._game, self._state, event, self._time_us)
        for fact in done.facts:
            if type(fact) is ViolationRaised:
                raise SimulationError(f"{fact.code}: expected {fact.expected}; came: {fact.actual}")
        self._state = done.state
        self.game = done.state.game
        return done.facts
