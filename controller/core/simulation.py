"""Simulation: what a game brings so that a table of it plays itself by the thousand rounds.

The table (`controller.app.simulate`) judges as a live one does; the game's own player says what comes, counts what
came of it, and words the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from controller.core.inputs import Input

Told = Callable[[str, int, int], None]
"""Takes what is being worked on, how much of it is done, and how much there is."""


class SimulationError(RuntimeError):
    """The table found something wrong in a round in which nothing was: a fault of the product, or a setup that cannot
    be played to its end. The text says which verdict."""


class SelfPlayed(Protocol):
    """An open table that a player plays alone."""

    @property
    def rules(self) -> Any:
        """The game's rules object."""
        ...

    @property
    def game(self) -> Any:
        """The game's state as it is now."""
        ...

    def put(self, event: Input) -> tuple[Any, ...]:
        """One input, and the facts it left. Raises SimulationError when anything is found wrong with it."""
        ...

    def chance(self) -> float:
        """A number from 0 to below 1, different at each call."""
        ...


class Tally(Protocol):
    """What rounds came to, in whole numbers that can be added up over jobs and machines."""

    @property
    def rounds(self) -> int:
        """Rounds played to their end."""
        ...

    def add(self, other: Any) -> None:
        """Take in another tally of the same setup."""
        ...


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a sheet, a text for each column. ``strong``: a sum of the lines above, after which something else
    begins."""

    cells: tuple[str, ...]
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """Figures under column titles; the first ``words`` columns are words, the others numbers."""

    titles: tuple[str, ...]
    rows: tuple[Row, ...]
    words: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """A simulation's result for people: what was played (one phrase), the main figures, sheets, and remarks below."""

    played: str
    figures: tuple[str, ...]
    sheets: tuple[Sheet, ...]
    remarks: tuple[str, ...] = ()


class Simulation(Protocol):
    """The seam between simulations and a game. A setup is the game's own frozen record, fit to be sent to another
    process."""

    @property
    def policies(self) -> tuple[str, ...]:
        """How players decide, by name; the first one unless another is chosen."""
        ...

    @property
    def options(self) -> tuple[str, ...]:
        """Keys of the options that `setup` takes."""
        ...

    @property
    def part_rounds(self) -> int:
        """Rounds of one part of the work, a few seconds of it."""
        ...

    def setup(self, rules: Any, policy: str, options: Mapping[str, int]) -> Any:
        """What to simulate; ``options`` are among ``options`` of this game, those left out have their default. Raises
        ValueError naming what is allowed."""
        ...

    def tally(self, setup: Any) -> Tally:
        """An empty tally."""
        ...

    def play(self, setup: Any, table: SelfPlayed, rounds: int) -> Tally:
        """Play so many rounds at a table that has just been opened. Raises SimulationError."""
        ...

    def report(self, rules: Any, setup: Any, tally: Any, told: Told) -> Report:
        """The result in words; ``told`` hears of work that takes a while."""
        ...
