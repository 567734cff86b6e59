"""``tablewatch scenario``: plays scenario files, through drivers and simulated devices or straight into the core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os.path import commonpath
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.table import Table
from rich.text import Text

from controller.app.config import ConfigError
from controller.app.scenario.bench import Bench
from controller.app.scenario.core_bench import CoreBench
from controller.app.scenario.load import Scenario, load_scenario
from controller.app.scenario.play import Failure, Played, play
from controller.cli.guard import ExitCode
from controller.cli.scenario_devices import Workshop
from controller.cli.screen import Screen, complain, output
from controller.core.words import clean

SUFFIXES: Final = (".yaml", ".yml")
"""Endings of the scenario files that a folder is searched for."""
LONGEST: Final = 2000
"""Characters shown of one side of a difference."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file: played, or not even read (``problems``)."""

    path: Path
    played: Played | None = None
    problems: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether all of it holds."""
        return self.played is not None and self.played.failure is None


def scenario(
    files: Annotated[list[Path], typer.Argument(help="Scenario files, or folders of them.", show_default=False)],
    core: Annotated[bool, typer.Option("--core", help="Straight into the core, without drivers and journal.")] = False,
    bad_lines: Annotated[
        int | None,
        typer.Option("--bad-lines", metavar="SEED", help="Cables that lose and damage what devices say.", min=0),
    ] = None,
) -> None:
    """Play scenarios: what devices and people do at a table, and what must be found.

    Exit code 0 when every one of them holds, 1 when one does not, 2 when a file cannot be used.
    """
    if core and bad_lines is not None:
        raise typer.BadParameter("the core has no cables: leave --core or --bad-lines out", param_hint="--bad-lines")
    paths = list(found(files))
    screen = output()
    with Workshop(bad_lines) as workshop:
        make: Callable[[Scenario], Bench] = CoreBench if core else workshop.bench
        outcomes = [run_file(path, make) for path in paths]
        report(screen, outcomes)
        if bad_lines is not None:
            screen.print(Text(f"the lines lost or damaged {workshop.line_faults} times what the devices said", "dim"))
    if any(outcome.problems for outcome in outcomes):
        raise typer.Exit(ExitCode.USAGE)
    if not all(outcome.good for outcome in outcomes):
        raise typer.Exit(ExitCode.WRONG)


def found(paths: Sequence[Path]) -> Iterator[Path]:
    """The scenario files meant, a folder's in the order of their names. Raises ConfigError for a folder without any."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        inside = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
        if not inside:
            raise ConfigError(
                (f"{path}: no scenario ({' or '.join(SUFFIXES)}) in this folder; name one that has some",)
            )
        yield from inside


def run_file(path: Path, make: Callable[[Scenario], Bench]) -> Outcome:
    """Read and play one file."""
    try:
        read = load_scenario(path)
    except ConfigError as error:
        return Outcome(path, problems=error.problems)
    return Outcome(path, play(read, make))


def report(screen: Screen, outcomes: Sequence[Outcome]) -> None:
    """What is wrong, file by file, then a table of all results and one line that sums them up."""
    for outcome in outcomes:
        if outcome.problems:
            complain(*(clean(problem, 1000) for problem in outcome.problems))
        elif outcome.played is not None and outcome.played.failure is not None:
            _show_failure(screen, outcome.played, outcome.played.failure)
    screen.print(_table(outcomes), soft_wrap=False)
    good = sum(outcome.good for outcome in outcomes)
    unread = sum(1 for outcome in outcomes if outcome.problems)
    text = f"{good} of {len(outcomes)} scenarios hold" + (f", {unread} cannot be used" if unread else "")
    screen.print(Text(text, "green" if good == len(outcomes) else "bold red"))


def _show_failure(screen: Screen, played: Played, failure: Failure) -> None:
    name = played.scenario.name
    screen.print(Text(clean(f"{name}:{failure.line}: {played.scenario.title}"), "bold red"))
    screen.print("  ", Text(clean(failure.text, LONGEST)), sep="")
    width = max(len(mismatch.key) for mismatch in failure.mismatches)
    for mismatch in failure.mismatches:
        key = mismatch.key.ljust(width)
        for head, text in ((f"{key}  expected", mismatch.expected), (f"{' ' * width}  found   ", mismatch.found)):
            screen.print("    ", Text(head, "yellow"), "  ", Text(clean(text, LONGEST)), sep="")
    screen.print("  ", Text(clean(f"the table then: {failure.stood}", LONGEST), "dim"), sep="")
    screen.print()


def _table(outcomes: Sequence[Outcome]) -> Table:
    """All results; files by their names below the folder that they share, where that is shorter."""
    folder = commonpath([outcome.path.parent.absolute() for outcome in outcomes])
    rows = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    rows.add_column("scenario", overflow="fold")
    rows.add_column("shows", overflow="fold")
    rows.add_column("verdicts", justify="right")
    rows.add_column("result", no_wrap=True)
    for outcome in outcomes:
        names = (str(outcome.path.absolute().relative_to(folder)), str(outcome.path))
        played, name = outcome.played, Text(clean(min(names, key=len)))
        if played is None:
            rows.add_row(name, "", "", Text("cannot be used", "bold red"))
            continue
        result = Text("holds", "green") if outcome.good else Text(f"fails at line {_line(played)}", "bold red")
        rows.add_row(name, Text(clean(played.scenario.title)), str(played.verdicts), result)
    return rows


def _line(played: Played) -> int:
    return played.failure.line if played.failure else 0
