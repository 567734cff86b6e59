"""What the commands of the campaigns share: a folder, a bar while it runs, and what was found."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from bench.stage import Figures, Setting
from bench.stamp import commit, machine

F = TypeVar("F", bound=Figures)


def new_folder(kept: Path | None, name: str) -> Path:
    """The folder to keep, made, or one of its own."""
    folder = kept or Path(tempfile.mkdtemp(prefix=f"tablewatch-{name}-"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def watched(
    console: Console, what: str, total: int, done: Callable[[F], int], run: Callable[[Callable[[F], None]], F]
) -> F:
    """Run a campaign with a progress bar: ``run`` is given what it tells its figures so far, of which ``done`` of
    ``total`` are done."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total)

        def progress(figures: F) -> None:
            found = f", {len(figures.findings)} findings" if figures.findings else ""
            bar.update(task, completed=done(figures), description=f"{what}{found}")

        return run(progress)


def report(title: str, own: Mapping[str, object], figures: Figures, setting: Setting) -> Table:
    """The figures of a campaign: its own, and those that every campaign has."""
    table = Table(title=title, show_header=False)
    table.add_column(style="bold")
    table.add_column(justify="right")
    rows = {
        **own,
        "rounds dealt": figures.rounds,
        "cards that left the shoe": figures.cards,
        "events of console and bet sensor": figures.native_events,
        "moves of chips among them": figures.chips,
        "events on record": figures.journal_events,
        "gaps of the shoe on record": figures.gaps,
        "signed states compared with the fold": figures.checkpoints,
        "duration": f"{figures.wall_s:.0f} s",
        "lost, doubled or different": len(figures.findings) or "nothing",
    }
    for name, value in rows.items():
        table.add_row(name, str(value))
    table.caption = f"seed {setting.seed}, speed {setting.speed:g}, commit {commit()}\n{machine()}"
    return table


def findings(console: Console, figures: Figures) -> None:
    """What people remarked, and every promise that was broken."""
    for remark in figures.remarks:
        console.print(f"remark: {remark}", markup=False)
    for finding in figures.findings:
        console.print(f"FINDING: {finding}", style="bold red", markup=False)


def tidy(console: Console, folder: Path, *, kept: bool, ok: bool) -> int:
    """Remove a folder in which nothing is to be seen, else say where it is; the command's exit status."""
    if not ok:
        console.print(f"world, journal, archive and logs are in {folder}", markup=False)
    elif not kept:
        shutil.rmtree(folder)
    return int(not ok)
