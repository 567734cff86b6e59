"""Games and drivers by name, from entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

from controller.app.config import ConfigError
from controller.core.game import Game

GAMES: Final = "tablewatch.games"
"""The entry point group of games."""

DRIVER_GROUPS: Final = {
    "shoe": "tablewatch.shoes",
    "console": "tablewatch.consoles",
    "bets": "tablewatch.bet_sensors",
    "reader": "tablewatch.readers",
    "rack": "tablewatch.racks",
}
"""Entry point group of each kind of device."""


def names(group: str) -> tuple[str, ...]:
    """What is installed in an entry point group."""
    return tuple(sorted({e.name for e in entry_points(group=group)}))


@cache
def load_game(name: str) -> Game:
    """The game of this name. Raises ConfigError naming the installed ones."""
    game: Game = _load(GAMES, name, "table.game")
    return game


def load_driver(kind: str, name: str, key: str) -> Any:
    """The driver factory of this name. Raises ConfigError."""
    return _load(DRIVER_GROUPS[kind], name, key)


def _load(group: str, name: str, key: str) -> Any:
    for entry in entry_points(group=group):
        if entry.name == name:
            return entry.load()
    raise ConfigError((f"{key}: {name!r} is not installed; installed: {', '.join(names(group)) or 'none'}",))
