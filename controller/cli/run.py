"""`tablewatch run TABLE.toml`: one process, one table, until it is stopped."""

from __future__ import annotations

import signal
from pathlib import Path
from types import FrameType

from rich.console import Console

from controller.app.config import load_config
from controller.app.runner import Runner
from controller.journal.chain import StoredEvent


def run(path: Path, console: Console) -> None:
    """Run the table of a configuration; SIGTERM and Ctrl-C end it cleanly.

    Raises ConfigError, JournalError or RecordError when it cannot run.
    """
    config = load_config(path)

    def say(line: str) -> None:
        console.print(line, style="yellow", markup=False, highlight=False)

    def show(event: StoredEvent) -> None:
        console.print(f"{event.sequence:>7} {event.type} {event.data()}", markup=False, highlight=False)

    runner = Runner(config, say, show)

    def stop(_number: int, _frame: FrameType | None) -> None:
        runner.stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    for warning in runner.game.warnings(runner.rules.rules):
        say(f"for the owner: {warning}")
    runner.run()
