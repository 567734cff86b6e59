"""``tablewatch check``: what is wrong with a configuration, all of it at once, or what it sets up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from controller.app.check import Checked, examine
from controller.app.config import TableConfig
from controller.app.rulesets import LoadedRules
from controller.cli.guard import ExitCode
from controller.cli.screen import complain, output
from controller.core.words import clean
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader


def check(
    table: Annotated[Path, typer.Argument(help="The table's configuration, TABLE.toml.", show_default=False)],
) -> None:
    """Say everything that is wrong with a configuration."""
    checked = examine(table)
    if checked.problems or checked.config is None or checked.rules is None:
        complain(*(clean(problem, 1000) for problem in checked.problems))
        complain(f"tablewatch: {len(checked.problems)} to put right in {table}")
        raise typer.Exit(ExitCode.USAGE)
    screen = output()
    screen.print(_summary(checked.config, checked.rules), soft_wrap=False)
    _warn(checked)
    screen.print(Text(f"{table}: a table can run with this", "green"))


def _warn(checked: Checked) -> None:
    screen = output()
    for warning in checked.warnings:
        screen.print(Text(f"warning: {clean(warning, 1000)}", "yellow"))


def _summary(config: TableConfig, rules: LoadedRules) -> Table:
    rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0), show_edge=False)
    rows.add_column(style="cyan", no_wrap=True)
    rows.add_column(overflow="fold")
    table = config.table
    rows.add_row("table", f"{table.site}/{table.id}, {table.game}, money in {table.currency}")
    rows.add_row("rules", f"{rules.name}: {rules.title} ({rules.sha256[:12]})")
    for key, value in config.rules.items():
        rows.add_row("", clean(f"{key} = {value!r} at this table"))
    rows.add_row("journal", f"{config.journal.path} ({_content(config.journal.path)})")
    embedded = "embedded, on loopback" if config.broker.embedded else "none"
    rows.add_row("broker", ", ".join(clean(url) for url in config.broker.urls) or embedded)
    for device in config.device:
        options = "".join(f" {key}={value!r}" for key, value in device.options.items())
        rows.add_row(device.kind, clean(f"{device.name}: {device.driver} at {device.port}{options}"))
    for person in config.staff:
        ways = [way for way, given in (("card", person.card), ("key", person.public_key)) if given]
        rows.add_row(person.role, f"{person.id} ({' and '.join(ways) or 'no card, no key'})")
    return rows


def _content(path: Path) -> str:
    if not path.exists() or not path.stat().st_size:
        return "new"
    try:
        with JournalReader(path) as reader:
            return f"{reader.head()} events"
    except JournalError as error:
        return str(error)
