"""Plays a recorded trace back into a driver: the bytes as they came, at the times at which they came.

The driver gets the names that its connections had, so that what it asked with then fits the answers in the trace. What
it would say now is thrown away. Every reliable report is taken as durable at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from drivers.api import Driver, Report
from drivers.trace import TraceChunk

TICK_MS = 50
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
        self._open = False
        self._openings = 0

    def play(self, chunk: TraceChunk) -> Iterator[tuple[int, Report]]:
        """One chunk at its time."""
        pause_ms = 0 if self._chunk_ms is None else chunk.at_ms - self._chunk_ms
        self._chunk_ms = chunk.at_ms
        yield from self.wait_until(self.now_ms + min(max(pause_ms, 0), LONGEST_PAUSE_MS))
        if chunk.direction == "=" or not self._open:
            yield from self._connect(chunk.data if chunk.direction == "=" else b"")
        if chunk.direction == "<":
            yield from self._said(self._driver.receive(chunk.data, self.now_ms))

    def wait_until(self, until_ms: int) -> Iterator[tuple[int, Report]]:
        """Time passes."""
        while self.now_ms < until_ms:
            self.now_ms = min(self.now_ms + TICK_MS, until_ms)
            yield from self._said(self._driver.tick(self.now_ms))

    def _connect(self, name: bytes) -> Iterator[tuple[int, Report]]:
        if self._open:
            yield from self._said(self._driver.disconnected("the port was opened anew in the trace", self.now_ms))
        self._open = True
        self._openings += 1
        connection = name.decode("ascii", "replace") or f"trace-{self._openings}"
        yield from self._said(self._driver.connected(connection, self.now_ms))

    def _said(self, reports: Sequence[Report]) -> Iterator[tuple[int, Report]]:
        self._driver.outgoing()
        for report in reports:
            yield self.now_ms, report
            if report.reliable:
                self._driver.committed(report.identity)
