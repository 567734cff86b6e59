"""``tablewatch verify``: is this journal whole, unchanged, and does it mean what it says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from controller.app.audit import Audit
from controller.cli.guard import ExitCode
from controller.cli.screen import Screen, output
from controller.core.words import clean
from controller.journal.errors import JournalError, JournalFormatError, JournalLocationError
from controller.journal.reader import JournalReader
from controller.journal.verify import Report
from controller.journal.verify import verify as verify_chain

PROGRESS_EVERY: Final = 1000
"""Events between two looks of the progress bar."""


def verify(
    journal: Annotated[Path, typer.Argument(help="The table's journal file.", show_default=False)],
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            help="The table's public key, 64 hexadecimal digits; else the file's own is believed.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check a journal: chain, signatures, conclusions, states."""
    if key is not None and (len(key) != 64 or not all(c in "0123456789abcdefABCDEF" for c in key)):
        raise typer.BadParameter("a public key has 64 hexadecimal digits", param_hint="--key")
    try:
        JournalReader(journal).close()
    except (JournalLocationError, JournalFormatError):
        raise
    except JournalError:
        pass  # a journal that is damaged: that is what verification is to find
    report, audit = _checked(journal, None if key is None else key.lower())
    screen = output()
    head, *findings = report.lines()
    screen.print(Text(clean(head, 1000), "green" if report.ok else "bold red"))
    if report.ok:
        screen.print(f"{audit.events} events folded again; the state is the signed one at {audit.states} checkpoints")
        if not report.public_key:
            screen.print(Text("nothing vouches for it: give the key from the topic meta as --key", "yellow"))
        elif not report.pinned:
            screen.print(Text(f"signed with {report.public_key}; give it as --key to be sure whose it is", "dim"))
        return
    for finding in findings:
        screen.print(Text(clean(finding, 1000), "red"))
    raise typer.Exit(ExitCode.WRONG)


def _checked(path: Path, key: str | None) -> tuple[Report, Audit]:
    screen = Screen(sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("chain", total=None)

        def on_event(sequence: int) -> None:
            if sequence % PROGRESS_EVERY == 1:
                bar.update(task, description="fold", total=total, completed=sequence)

        total = _length(path)
        audit = Audit(path, on_event)
        report = verify_chain(path, key, fold_check=audit)
    return report, audit


def _length(path: Path) -> int | None:
    try:
        with JournalReader(path) as reader:
            return reader.head()
    except JournalError:
        return None
