"""Lines for a terminal that may stand still: whoever watches never makes the table wait."""

from __future__ import annotations

import queue
import threading
from typing import Final

from rich.text import Text

from controller.cli.screen import OutputClosedError, Screen

WAITING: Final = 1000
"""Lines that wait for a slow terminal; more are dropped and counted."""
END_S: Final = 1.0


class Printer:
    """Prints in a thread of its own. `say` never waits and never raises; a terminal that is gone ends the printing."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._lines: queue.Queue[Text | None] = queue.Queue(WAITING)
        self._dropped = 0
        self._thread = threading.Thread(target=self._run, name="printer", daemon=True)
        self._thread.start()

    def say(self, line: Text) -> None:
        """Print a line when there is room for it."""
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            self._dropped += 1

    def end(self) -> None:
        """Print what waits, for a moment at most."""
        try:
            self._lines.put(None, timeout=END_S)
        except queue.Full:
            return
        self._thread.join(END_S)

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            dropped, self._dropped = self._dropped, 0
            try:
                if dropped:
                    self._screen.print(Text(f"{dropped} lines were not shown: the terminal stood still", "dim"))
                self._screen.print(line)
            except (OSError, ValueError, OutputClosedError):
                return
