"""``tablewatch``: where the program begins. It imports little, so that Ctrl-C is heard while the rest is loaded."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line (default: the program's own) and return its exit code; raises nothing."""
    with _leaving_at_once():
        # Here and not above: this takes the second in which an impatient person presses Ctrl-C.
        from controller.cli.app import guarded
    return guarded(arguments)


def main() -> None:
    """The entry point ``tablewatch``."""
    sys.exit(run())


@contextmanager
def _leaving_at_once() -> Iterator[None]:
    """While modules are loaded an interruption ends the process: raised as an exception it would come out of any of
    them. Where SIGINT is ignored or handled already, that stays."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _leave(_number: int, _frame: FrameType | None) -> None:
    os.write(2, b"tablewatch: interrupted\n")
    os._exit(INTERRUPTED)
