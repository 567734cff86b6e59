"""The table's clock: whoever decides and takes longer than the rules allow is told to the game, once; and a source of
cards that stays silent is told to the table."""

from __future__ import annotations

from typing import Any, Final

from controller.core.bookkeeping import holds
from controller.core.game import Game
from controller.core.inputs import DealerSignalled, SourcesWaited
from controller.core.sources.fusion import Fusion
from controller.core.sources.watch import waits
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


class Silence:
    """Watches the sources of one table from the writer's thread. Anything that one of them says, and any card, starts
    the time anew."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._before: Fusion | None = None
        self._since_s = 0.0
        self._told = False

    def look(self, state: TableState, now_s: float) -> SourcesWaited | None:
        """What the clock has to say now; ``now_s`` is monotonic time in seconds."""
        if not state.fusion.sources or not waits(self._game, state):
            self._before = None
            return None
        if state.fusion is not self._before:
            self._before, self._since_s, self._told = state.fusion, now_s, False
        if self._told or now_s - self._since_s < state.fusion.silence_s:
            return None
        self._told = True
        return SourcesWaited(CLOCK, state.fusion.silence_s)


class Idle:
    """Both clocks where time passes only while the table waits: waits in a row add up until something happens."""

    def __init__(self, game: Game) -> None:
        self._patience, self._silence = Patience(game), Silence(game)
        self._waited_s = 0.0

    def waits(self, state: TableState, waited_s: float) -> None:
        """Nothing happens at a table that stands so for so long."""
        self.silent(state)
        self.over(state)
        self._waited_s += waited_s

    def silent(self, state: TableState) -> tuple[SourcesWaited, ...]:
        """What the clock says of the sources now."""
        said = self._silence.look(state, self._waited_s)
        return (said,) if said else ()

    def over(self, state: TableState) -> tuple[DealerSignalled, ...]:
        """What the clock says of whoever decides now."""
        said = self._patience.look(state, self._waited_s)
        return (said,) if said else ()
