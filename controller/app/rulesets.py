"""Rule sets: the shipped ones by name, or a file; with the table's own limits laid over them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from controller.app.config import DEFAULT_GAME, ConfigError, read_toml
from controller.app.plugins import load_game, names
from controller.core.game import Game, RulesError

GAMES: Final = "tablewatch.games"
"""The entry point group of games."""


@dataclass(frozen=True, slots=True)
class LoadedRules:
    """A rule set ready for a table: its name, its data with the overrides, the hash of that, and the parsed rules."""

    name: str
    title: str
    data: dict[str, Any]
    sha256: str
    rules: Any


def shipped(game: str) -> tuple[str, ...]:
    """Names of the rule sets that ship for a game."""
    folder = resources.files("controller.rulesets").joinpath(game)
    if not folder.is_dir():
        return ()
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml")))


def all_shipped() -> tuple[tuple[str, str], ...]:
    """Game and name of every rule set that ships, those of the default game first."""
    games = sorted(names(GAMES), key=lambda game: (game != DEFAULT_GAME, game))
    return tuple((game, name) for game in games for name in shipped(game))


def find_rules(wanted: str) -> tuple[Game, LoadedRules]:
    """The rule set a person means, and the game it is of: ``game/name`` as it ships, ``name`` alone (the default game's
    where two games have one of that name), or a TOML file, which names its game. Raises ConfigError."""
    if wanted.endswith(".toml"):
        named = read_toml(Path(wanted)).get("game", DEFAULT_GAME)
        if not isinstance(named, str):
            raise ConfigError((f"{wanted}: game = {named!r} is not a name such as {DEFAULT_GAME!r}",))
        game = load_game(named)
        return game, load_rules(game, wanted, {})
    for named, name in all_shipped():
        if wanted in {name, f"{named}/{name}"}:
            game = load_game(named)
            return game, load_rules(game, name, {})
    every = ", ".join(f"{game}/{name}" for game, name in all_shipped())
    raise ConfigError((f"no rule set {wanted!r}; shipped: {every}; or a path to a .toml",))


def load_rules(game: Game, name_or_path: str, overrides: Mapping[str, Any]) -> LoadedRules:
    """Load a rule set. Raises ConfigError naming file, key and allowed values."""
    path = Path(name_or_path)
    if name_or_path in shipped(game.name):
        with resources.as_file(resources.files("controller.rulesets").joinpath(game.name, f"{path}.toml")) as file:
            data, where = read_toml(file), f"rule set {name_or_path}"
    elif path.suffix == ".toml":
        data, where = read_toml(path), str(path)
    else:
        names = ", ".join(shipped(game.name)) or "none"
        raise ConfigError((f"table.ruleset: no rule set {name_or_path!r}; shipped: {names}; or a path to a .toml",))
    unknown = sorted(set(data) - {"title", "game", "rules"})
    if unknown or not isinstance(data.get("rules"), dict) or data.get("game", game.name) != game.name:
        fault = f"unknown keys {unknown}" if unknown else f"needs game = {game.name!r} and a [rules] table"
        raise ConfigError((f"{where}: {fault}",))
    rules_data = {**data["rules"], **overrides}
    try:
        rules = game.parse_rules(rules_data)
    except RulesError as error:
        raise ConfigError(tuple(f"{where}: {problem}" for problem in error.problems)) from None
    digest = hashlib.sha256(json.dumps(rules_data, sort_keys=True).encode()).hexdigest()
    return LoadedRules(path.stem, str(data.get("title", path.stem)), rules_data, digest, rules)
