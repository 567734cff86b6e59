"""Plays a recorded trace back into a driver: the bytes as they came, at the times at which they came.

The driver gets the names that its connections had, so that what it asked with then fits the answers in the trace. What
it would say now is thrown away. Every reliable report is taken as durable at once. A driver that asks at other times
than the one that recorded (another option, a newer version) may not know what an answer in the trace belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from drivers.api import Driver, Report
from drivers.trace import TraceChunk

TICK_MS = 50
SPEAK_WITHIN_MS = 20
LONGEST_PAUSE_MS = 60_000
"""A longer pause in a trace is shortened to this: every time limit of every driver but the Angel Eye's longest silence
limits is below it."""


def replay(driver: Driver, chunks: Iterable[TraceChunk], after_ms: int = 10_000) -> Iterator[tuple[int, Report]]:
    """The reports of the driver and when they came, in ms since the trace began; ``after_ms`` of silence follow its
    end. Chunks before the first opening of the port are taken as those of a connection without a name."""
    player = _Player(driver)
    for chunk in chunks:
        yield from player.play(chunk)
    yield from player.wait_until(player.now_ms + after_ms)


class _Player:
    def __init__(self, driver: Driver) -> None:
        self.now_ms = 0
        self._driver = driver
        self._chunk_ms: int | None = None
        self._due_ms = 0
        self._open = False
        self._openings = 0
        self._has_spoken = False

    def play(self, chunk: TraceChunk) -> Iterator[tuple[int, Report]]:
        """One chunk at its time."""
        pause_ms = 0 if self._chunk_ms is None else chunk.at_ms - self._chunk_ms
        self._chunk_ms = chunk.at_ms
        self._due_ms += min(max(pause_ms, 0), LONGEST_PAUSE_MS)
        yield from self.wait_until(self._due_ms)
        if chunk.direction == "=" or not self._open:
            yield from self._connect(chunk.data if chunk.direction == "=" else b"")
        if chunk.direction == "<":
            yield from self._said(self._driver.receive(chunk.data, self.now_ms))
        elif chunk.direction == ">":
            yield from self._speak()

    def wait_until(self, until_ms: int) -> Iterator[tuple[int, Report]]:
        """Time passes."""
        while self.now_ms < until_ms:
            self.now_ms = min(self.now_ms + TICK_MS, until_ms)
            yield from self._said(self._driver.tick(self.now_ms))

    def _speak(self) -> Iterator[tuple[int, Report]]:
        """The driver spoke here; a rounded millisecond must not make it ask only after the answer."""
        until_ms = self.now_ms + SPEAK_WITHIN_MS
        while not self._has_spoken and self.now_ms < until_ms:
            self.now_ms += 1
            yield from self._said(self._driver.tick(self.now_ms))
        self._has_spoken = False

    def _connect(self, name: bytes) -> Iterator[tuple[int, Report]]:
        if self._open:
            yield from self._said(self._driver.disconnected("the port was opened anew in the trace", self.now_ms))
        self._open = True
        self._openings += 1
        connection = name.decode("ascii", "replace") or f"trace-{self._openings}"
        yield from self._said(self._driver.connected(connection, self.now_ms))

    def _said(self, reports: Sequence[Report]) -> Iterator[tuple[int, Report]]:
        self._has_spoken = bool(self._driver.outgoing()) or self._has_spoken
        for report in reports:
            yield self.now_ms, report
            if report.reliable:
                self._driver.committed(report.identity)
