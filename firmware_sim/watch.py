"""How people at the simulated table wait: they look at the console and never act before it says what they wait for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from firmware_sim.display import Display
from firmware_sim.table import SimTable

Seen = Callable[[Display], bool]

LOOK_EVERY_S = 0.02
CALM_S = 0.3
"""After a host came anew or a hold was shown, a person waits until the display has stood still so long."""
PATIENCE_S = 60.0
"""Real time after which a person goes on without what he waited for."""


class Stopped(Exception):  # noqa: N818
    """The simulation is being stopped; leaves a person's script wherever it is."""


class Watch:
    """The eyes and the patience of one person. Every method raises Stopped once ``stopping`` is set."""

    def __init__(self, table: SimTable, stopping: threading.Event, patience_s: float = PATIENCE_S) -> None:
        """``patience_s`` is real time."""
        self._table = table
        self._stopping = stopping
        self._patience_s = patience_s

    def look(self) -> Display:
        """The console now."""
        if self._stopping.is_set():
            raise Stopped
        return self._table.look()

    def until(self, seen: Seen, patience_s: float | None = None) -> bool:
        """Wait until the console shows it; False when patience ended first."""
        return self._wait(lambda: seen(self.look()), patience_s)

    def acknowledged(self, patience_s: float | None = None) -> bool:
        """Wait until the host has every event for good; False when patience ended first."""
        return self._wait(lambda: self._table.acknowledged, patience_s)

    def free(self, patience_s: float | None = None) -> Display:
        """Wait until the controller follows, holds nothing, and nothing has interrupted for a while; the display then,
        or as it is when patience ended first."""
        console = self._table.console

        def calm() -> bool:
            return self.look().free and time.monotonic() - console.interrupted_s >= CALM_S

        self._wait(calm, patience_s)
        return self.look()

    def steady(self, calm_s: float = CALM_S) -> Display:
        """Wait until every event is acknowledged and the display has stood still for ``calm_s`` of real time."""
        self.acknowledged()
        display, since_s = self.look(), time.monotonic()
        ends_s = since_s + self._patience_s
        while time.monotonic() - since_s < calm_s and time.monotonic() < ends_s:
            self._rest()
            now = self.look()
            if now != display:
                display, since_s = now, time.monotonic()
        return display

    def pause(self, duration_ms: float) -> None:
        """Let simulated time pass."""
        if self._stopping.wait(duration_ms / 1000 / self._table.clock.speed):
            raise Stopped

    def _wait(self, condition: Callable[[], bool], patience_s: float | None) -> bool:
        ends_s = time.monotonic() + (self._patience_s if patience_s is None else patience_s)
        while not condition():
            if time.monotonic() >= ends_s:
                return False
            self._rest()
        return True

    def _rest(self) -> None:
        if self._stopping.is_set():
            raise Stopped
        changed = self._table.console.changed
        with changed:
            changed.wait(LOOK_EVERY_S)
