"""`tablewatch run TABLE.toml`: one process, one table, until it is stopped."""

from __future__ import annotations

import signal
from pathlib import Path
from types import FrameType
from typing import Annotated

import typer
from rich.text import Text

from controller.app.check import usable
from controller.app.narrate import narrate
from controller.app.runner import Runner
from controller.cli.printer import Printer
from controller.cli.screen import output, styled
from controller.journal.chain import StoredEvent


def run(
    table: Annotated[Path, typer.Argument(help="The table's configuration, TABLE.toml.", show_default=False)],
) -> None:
    """Run a table: follow its devices, keep its journal, publish it, until SIGTERM or Ctrl-C."""
    checked = usable(table)
    config = checked.config
    printer = Printer(output())

    def say(line: str) -> None:
        printer.say(Text(line, "yellow"))

    def show(event: StoredEvent) -> None:
        line = narrate(event.type, event.data(), config.table.currency, config.table.game)
        if line is not None:
            printer.say(Text.assemble((f"{event.sequence:>7} ", "dim"), styled(line)))

    runner = Runner(checked, say, show)

    def stop(_number: int, _frame: FrameType | None) -> None:
        runner.stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    for warning in checked.warnings:
        say(f"warning: {warning}")
    try:
        runner.run()
        printer.say(Text("stopped; the journal is closed"))
    finally:
        printer.end()
