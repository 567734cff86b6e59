"""``tablewatch rules``: rule sets as a person reads them; what is wrong with one; how two of them differ."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.table import Table
from rich.text import Text

from controller.app.config import ConfigError
from controller.app.plugins import load_game
from controller.app.rulesets import LoadedRules, all_shipped, find_rules, load_rules
from controller.cli.screen import Screen, output
from controller.core.game import Game
from controller.core.words import clean
from controller.games.blackjack import GAME as BLACKJACK
from controller.games.blackjack.odds.strategy import Strategy, strategy_for

app = typer.Typer(
    help="Rule sets: list, show, check, compare; basic strategy.", no_args_is_help=True, rich_markup_mode=None
)

RULESET_HELP: Final = (
    "A shipped rule set (blot/armenian; armenian alone is blackjack's; `rules list` has all), or a TOML file."
)
Which = Annotated[str, typer.Argument(help=RULESET_HELP, show_default=False)]


@app.command("list")
def list_() -> None:
    """The rule sets that ship, as `GAME/NAME`."""
    rows = _columns("cyan", "")
    for game, name in all_shipped():
        rows.add_row(f"{game}/{name}", clean(load_rules(load_game(game), name, {}).title))
    output().print(rows, soft_wrap=False)


@app.command()
def show(ruleset: Which) -> None:
    """A rule set as a card to hang on the wall, with what its owner must know."""
    game, loaded = find_rules(ruleset)
    screen = output()
    screen.print(Text(clean(loaded.title), "bold"))
    for section in game.wall_card(loaded.rules):
        screen.print()
        screen.print(Text(section.title, "bold cyan"))
        rows = _columns("", "")
        for about, text in section.lines:
            rows.add_row(f"  {about}", clean(text))
        screen.print(rows, soft_wrap=False)
    _warn(screen, game, loaded)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="The rule set's TOML file.", show_default=False)],
) -> None:
    """Say everything that is wrong with a rule set's file, or what its owner must know."""
    if file.suffix != ".toml":
        raise ConfigError((f"{file}: a rule set is a file that ends in .toml",))
    game, loaded = find_rules(str(file))
    screen = output()
    _warn(screen, game, loaded)
    left_out = [key for key in type(loaded.rules).model_fields if key not in loaded.data]
    if left_out:
        screen.print(Text(f"not said, so as by default: {', '.join(left_out)}", "dim"))
    screen.print(Text(f"{file}: a table can play {game.name} by this", "green"))


@app.command()
def diff(a: Which, b: Which) -> None:
    """The keys in which two rule sets of one game differ."""
    (game, left), (other, right) = find_rules(a), find_rules(b)
    if game.name != other.name:
        raise ConfigError((f"{a} is of {game.name}, {b} of {other.name}: compare two of one game",))
    rows = _columns("cyan", "", "", "dim")
    rows.show_header = True
    for column, name in zip(rows.columns, ("key", left.name, right.name, "meaning"), strict=True):
        column.header = clean(name)
    for key, field in type(left.rules).model_fields.items():
        values = [_shown(getattr(loaded.rules, key)) for loaded in (left, right)]
        if values[0] != values[1]:
            rows.add_row(key, *(clean(value) for value in values), _meaning(field.description))
    if rows.row_count:
        output().print(rows, soft_wrap=False)
    else:
        output().print("the two rule sets say the same")


@app.command()
def strategy(ruleset: Which) -> None:
    """The basic strategy of a blackjack rule set, as it is worked out from its keys."""
    game, loaded = find_rules(ruleset)
    if game.name != BLACKJACK.name:
        raise ConfigError((f"{ruleset} is of {game.name}: a basic strategy is one of {BLACKJACK.name}",))
    screen = output()
    screen.print(Text(clean(f"Basic strategy: {loaded.title}"), "bold"))
    screen.print(_strategy(strategy_for(loaded.rules)), soft_wrap=False)
    screen.print(
        "H hit, S stand, D double, P split, R surrender; a second letter is for when the first may not be done"
    )


def _meaning(description: str | None) -> str:
    return " ".join((description or "").replace("``", "").split())


def _shown(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case Enum():
            return str(value.value)
        case dict():
            return "; ".join(f"{key}: {_shown(inner)}" for key, inner in value.items()) or "none"
        case tuple() | list():
            return ", ".join(_shown(inner) for inner in value)
        case _:
            return str(value)


def _warn(screen: Screen, game: Game, loaded: LoadedRules) -> None:
    warnings = game.warnings(loaded.rules)
    if warnings:
        screen.print()
    for warning in warnings:
        screen.print(Text(f"warning: {clean(warning, 1000)}", "yellow"))


def _columns(*styles: str) -> Table:
    rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0), show_edge=False)
    for style in styles:
        rows.add_column(style=style, overflow="fold")
    return rows


_LETTERS: Final = {"hit": "H", "stand": "S", "double": "D", "split": "P", "surrender": "R"}
_FALLS_BACK: Final = frozenset({"double", "split", "surrender"})
"""Actions that a hand of more cards, or after a split, may not have."""


def _strategy(found: Strategy) -> Table:
    rows = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for name in ("", "2", "3", "4", "5", "6", "7", "8", "9", "10", "A"):
        rows.add_column(name)
    for (kind, points), rankings in found.rankings.items():
        cells = []
        for ranking in (*rankings[1:], rankings[0]):
            letters = "".join(_LETTERS[action] for action in ranking)
            certain = next(i for i, action in enumerate(ranking) if action not in _FALLS_BACK)
            cells.append(letters[: certain + 1])
        rows.add_row(_name(kind, points), *cells)
    return rows


def _name(kind: str, points: int) -> str:
    return f"{kind} {'A' if kind == 'pair' and points == 1 else points}"
