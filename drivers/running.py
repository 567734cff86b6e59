"""What every session has in common: a thread that runs for ever, and the memory of the bug that ended it."""

from __future__ import annotations

import sys
import threading
from abc import ABC, abstractmethod


class Running(ABC):
    """A thread of one's own. `start` it once; it ends when ``_stopping`` is set, or by a bug."""

    def __init__(self, thread_name: str) -> None:
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._guarded, name=thread_name, daemon=True)
        self._ended_by = ""

    @property
    def alive(self) -> bool:
        """Whether the thread runs. It ends only by `stop`, or by a bug (see `ended_by`)."""
        return self._thread.is_alive()

    @property
    def ended_by(self) -> str:
        """The bug that ended the thread, one line; empty while it runs and after `stop`. The exception itself goes to
        `threading.excepthook`."""
        return self._ended_by

    def start(self) -> None:
        """Start the thread; returns at once."""
        self._thread.start()

    @property
    def _started(self) -> bool:
        return self._thread.ident is not None

    def _ended_within(self, timeout_s: float) -> bool:
        """Wait for the end of a thread that was told to stop; whether it came in time. One that never began has
        ended."""
        if self._started:
            self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @abstractmethod
    def _run(self) -> None:
        """What the thread does until ``_stopping`` is set."""

    def _guarded(self) -> None:
        try:
            self._run()
        finally:
            bug = sys.exception()
            if bug is not None:
                said = " ".join(f"{type(bug).__name__}: {bug}".split())
                self._ended_by = "".join(c if c.isprintable() else "?" for c in said)
