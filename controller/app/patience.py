"""The table's clock: whoever decides and takes longer than the rules allow is told to the game, once."""

from __future__ import annotations

from typing import Any, Final

from controller.core.bookkeeping import holds
from controller.core.game import Game
from controller.core.inputs import DealerSignalled
from controller.core.state import Service, TableState

CLOCK: Final = "clock"
"""The name of this clock among the devices."""


class Patience:
    """Watches one table from the writer's thread. Anything that changes the game starts the time anew."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._before: Any = None
        self._since_s = 0.0
        self._told = False

    def look(self, state: TableState, now_s: float) -> DealerSignalled | None:
        """What the clock has to say now; ``now_s`` is monotonic time in seconds."""
        if state.service is not Service.OPEN or holds(state):
            self._before = None
            return None
        if state.game is not self._before:
            self._before, self._since_s, self._told = state.game, now_s, False
        limit_s = self._game.patience_s(state.rules, state.game)
        if self._told or not limit_s or now_s - self._since_s < limit_s:
            return None
        self._told = True
        return DealerSignalled(CLOCK, "time_over", limit_s)
