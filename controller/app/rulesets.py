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
from controller.app.plugins import GAMES, load_game, names
from controller.core.game import Game, RulesError
from controller.core.problems import unknown_key

_TOP: Final = ("game", "rules", "title")
"""Keys of a rule set's file."""


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
        try:
            game = load_game(named)
        except ConfigError as error:
            raise ConfigError(tuple(f"{wanted}: {text.removeprefix('table.')}" for text in error.problems)) from None
        return game, load_rules(game, wanted, {})
    for named, name in all_shipped():
        if wanted in {name, f"{named}/{name}"}:
            game = load_game(named)
            return game, load_rules(game, name, {})
    every = ", ".join(f"{game}/{name}" for game, name in all_shipped())
    raise ConfigError((f"no rule set {wanted!r}; shipped: {every}; or a path to a .toml",))


def _not_there(game: Game, named: str, wanted: str) -> str:
    if named != game.name and (named, wanted.rpartition("/")[2]) in all_shipped():
        return f"{wanted!r} {_other_game(named, game)}"
    known = ", ".join(shipped(game.name)) or "none"
    return f"no rule set {wanted!r}; shipped: {known}; or a path to a .toml"


def _other_game(named: str, game: Game) -> str:
    return f"is of {named}, and the game here is {game.name}: set game to {named} where this rule set is chosen"


def load_rules(game: Game, name_or_path: str, overrides: Mapping[str, Any]) -> LoadedRules:
    """Load a rule set of this game: ``name`` or ``game/name`` as it ships, or a path. Raises ConfigError naming file,
    key and allowed values."""
    path = Path(name_or_path)
    named, _, name = name_or_path.rpartition("/")
    if path.suffix == ".toml":
        data, where = read_toml(path), str(path)
    elif name in shipped(game.name) and named in {"", game.name}:
        with resources.as_file(resources.files("controller.rulesets").joinpath(game.name, f"{name}.toml")) as file:
            data, where = read_toml(file), f"rule set {name}"
    else:
        raise ConfigError((f"table.ruleset: {_not_there(game, named, name_or_path)}",))
    faults = [unknown_key(key, _TOP) for key in sorted(set(data) - set(_TOP))]
    if data.get("game", game.name) != game.name:
        faults.append(_other_game(str(data["game"]), game))
    if not isinstance(data.get("rules"), dict):
        faults.append("needs a [rules] table")
    if faults:
        raise ConfigError(tuple(f"{where}: {fault}" for fault in faults))
    rules_data = {**data["rules"], **overrides}
    try:
        rules = game.parse_rules(rules_data)
    except RulesError as error:
        raise ConfigError(tuple(f"{where}: {problem}" for problem in error.problems)) from None
    digest = hashlib.sha256(json.dumps(rules_data, sort_keys=True).encode()).hexdigest()
    return LoadedRules(path.stem, str(data.get("title", path.stem)), rules_data, digest, rules)
