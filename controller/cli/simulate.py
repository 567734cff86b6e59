"""``tablewatch simulate``: rounds by the thousand through the rules of a live table, and what they come to."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated, Final, TypeVar

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from controller.app.rulesets import find_rules
from controller.app.simulate import run
from controller.cli.guard import CannotError
from controller.cli.rules import RULESET_HELP
from controller.cli.screen import Screen, output
from controller.core.simulation import Report, Sheet, SimulationError, Told
from controller.core.words import clean

MOST_ROUNDS: Final = 10**9
MOST_JOBS: Final = 256
POLICY_HELP: Final = (
    "How players decide. Blackjack: basic (unless another is named), mimic, never-hit, stand12, random. "
    "Blot: greedy (unless another is named), random."
)
T = TypeVar("T")


def simulate(
    ruleset: Annotated[str, typer.Argument(help=RULESET_HELP, show_default=False)],
    rounds: Annotated[int, typer.Option("--rounds", help="Rounds to play.", min=1, max=MOST_ROUNDS)] = 100_000,
    policy: Annotated[str, typer.Option("--policy", help=POLICY_HELP, show_default=False)] = "",
    jobs: Annotated[int, typer.Option("--jobs", help="Processes.", min=1, max=MOST_JOBS)] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Of every card and chance.", min=0)] = 1,
    boxes: Annotated[
        int | None, typer.Option("--boxes", help="Blackjack: boxes in play, one person on each (1).", min=1)
    ] = None,
    stake: Annotated[
        int | None, typer.Option("--stake", help="Blackjack: stake of each box (minor units).", min=1)
    ] = None,
    side: Annotated[
        int | None, typer.Option("--side", help="Blackjack: stake of each side bet (minor units).", min=0)
    ] = None,
    to_cut_card: Annotated[
        bool, typer.Option("--to-cut-card", help="Blackjack: deal each shoe to its cut card, as a live table does.")
    ] = False,
    exact: Annotated[bool, typer.Option("--exact", help="Blackjack: work out the expectation exactly, too.")] = False,
) -> None:
    """Play rounds of a game and say what they come to."""
    game, loaded = find_rules(ruleset)
    name = f"{game.name}/{loaded.name}"
    keyed = {"boxes": boxes, "stake": stake, "side": side, "to_cut_card": to_cut_card or None, "exact": exact or None}
    options = {key: value for key, value in keyed.items() if value is not None}
    try:
        plan = run.plan_for(game, loaded, policy, options)
    except ValueError as error:
        raise typer.BadParameter(f"{name}: {error}") from None
    try:
        tally = _with_bar(
            lambda told: run.simulate(plan, rounds, seed, jobs, lambda done: told("rounds", done, rounds))
        )
    except SimulationError as error:
        raise CannotError(f"simulate {name}: {error}; nothing is counted") from None
    report = _with_bar(lambda told: game.simulation.report(loaded.rules, plan.setup, tally, told))
    screen = output()
    screen.print(Text(clean(f"{name}: {loaded.title}"), "bold"))
    _show(screen, report, seed)


def _with_bar(work: Callable[[Told], T]) -> T:
    """Do the work with a progress bar on standard error, if that is a terminal and the work tells how far it is."""
    screen = Screen(sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("starting", total=None)
        return work(lambda what, done, whole: bar.update(task, description=what, completed=done, total=whole))


def _show(screen: Screen, report: Report, seed: int) -> None:
    screen.print(f"{report.played}, seed {seed}")
    for figure in report.figures:
        screen.print(figure)
    for number, sheet in enumerate(report.sheets):
        if number:
            screen.print()
        screen.print(_table(sheet), soft_wrap=False)
    for remark in report.remarks:
        screen.print(remark)


def _table(sheet: Sheet) -> Table:
    rows = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    for number, title in enumerate(sheet.titles):
        rows.add_column(title, justify="left" if number < sheet.words else "right")
    for row in sheet.rows:
        rows.add_row(*row.cells, style="bold" if row.strong else None, end_section=row.strong)
    return rows
