"""The last line of defence: what a user did wrong becomes one line and an exit code, what we did wrong a crash file."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import tempfile
import threading
import traceback
from enum import IntEnum
from types import TracebackType
from typing import Self

from controller.app.config import ConfigError
from controller.app.deckregister_file import RegisterError
from controller.app.record import RecordError
from controller.bus.endpoint import EndpointError
from controller.bus.keys import StaffKeyError
from controller.bus.link import LinkError
from controller.cli.screen import OutputClosedError, complain
from controller.core.words import clean
from controller.journal.chain import ChainError
from controller.journal.errors import JournalError
from drivers.ports import PortError


class ExitCode(IntEnum):
    """Exit codes of every command (docs/cli.md)."""

    OK = 0
    WRONG = 1
    """the command worked and found something wrong"""
    USAGE = 2
    """the command line or the configuration cannot be used"""
    CANNOT = 3
    """journal, port, broker or file cannot be used now"""
    BUG = 70
    """a fault of tablewatch itself"""
    INTERRUPTED = 130
    OUTPUT_CLOSED = 141


class CannotError(Exception):
    """The command cannot do its work now. The text is one line: what, where, what to do. Exit code 3."""


class Guard:
    """A context that lets no exception out; ``code`` is how the program ends. ``debug`` shows our own faults whole."""

    def __init__(self) -> None:
        self.debug = False
        self.code = int(ExitCode.OK)
        self._hook = threading.excepthook

    def __enter__(self) -> Self:
        self._hook, threading.excepthook = threading.excepthook, self._thread_ended
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        threading.excepthook = self._hook
        if error is None:
            return False
        if isinstance(error, SystemExit):
            self.code = error.code if isinstance(error.code, int) else int(error.code is not None)
            return True
        expected = outcome_of(error)
        if expected is None:
            self.code = ExitCode.BUG
            complain(*self._confess(error))
            return True
        self.code, lines = expected
        if self.code == ExitCode.OUTPUT_CLOSED:
            _forget_output()
        complain(*(f"tablewatch: {clean(line, 1000)}" for line in lines))
        return True

    def _thread_ended(self, ended: threading.ExceptHookArgs) -> None:
        """A thread of ours ended by a fault of ours: that is told as one of the main thread is; whoever needs the
        thread must notice."""
        if ended.exc_value is not None:
            complain(*self._confess(ended.exc_value))

    def _confess(self, error: BaseException) -> list[str]:
        details = "".join(traceback.format_exception(error))
        said = f"tablewatch: a fault of tablewatch itself: {type(error).__name__}: {clean(str(error))}"
        if self.debug:
            return [details.rstrip(), said]
        try:
            with tempfile.NamedTemporaryFile("w", prefix="tablewatch-", suffix=".crash", delete=False) as file:
                file.write(f"arguments: {sys.argv[1:]}\n{details}")
        except OSError:
            return [f"{said}; run it again with --debug before the command to see where"]
        return [f"{said}; the details are in {file.name}, please report them"]


def outcome_of(error: BaseException) -> tuple[ExitCode, tuple[str, ...]] | None:
    """Exit code and lines for a person; None for a fault of ours."""
    match error:
        case ConfigError(problems=problems):
            return ExitCode.USAGE, problems
        case EndpointError() | StaffKeyError():
            return ExitCode.USAGE, (str(error),)
        case (
            JournalError() | ChainError() | RecordError() | LinkError() | RegisterError() | PortError() | CannotError()
        ):
            return ExitCode.CANNOT, (str(error),)
        case sqlite3.Error():
            return ExitCode.CANNOT, (f"a database cannot be used: {error}; check its path and the disk",)
        case OSError(filename=str(name)):
            return ExitCode.CANNOT, (f"{name}: {error.strerror}; check the path and its permissions",)
        case OutputClosedError() | BrokenPipeError():
            return ExitCode.OUTPUT_CLOSED, ()
        case KeyboardInterrupt():
            return ExitCode.INTERRUPTED, ("interrupted",)
        case _:
            return None


def _forget_output() -> None:
    """Point standard output nowhere, or the interpreter complains once more when it flushes it at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
