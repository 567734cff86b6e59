"""A driver and a firmware joined by a bad line, all in memory and in virtual time: hours of a link in a second.

What goes wrong is one record of named rates and a seed; the same two always give the same run.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from drivers.api import Driver, Report
from firmware_sim.wire import Firmware


@dataclass(frozen=True, slots=True)
class LineRates:
    """How bad a line is. A piece is a frame, or a part of one where ``split_permille`` says so."""

    lose_permille: int = 0
    duplicate_permille: int = 0
    flip_permille: int = 0
    noise_permille: int = 0
    split_permille: int = 0
    delay_ms: int = 0
    """each piece takes 0 to so many milliseconds; pieces never overtake each other"""


class Line:
    """One direction of a line: bytes in, later the same bytes or worse out, in order."""

    def __init__(self, rates: LineRates, rng: random.Random) -> None:
        self.rates = rates
        self._rng = rng
        self._pieces: deque[tuple[int, bytes]] = deque()
        self._free_ms = 0

    def put(self, data: bytes, now_ms: int) -> None:
        """Bytes begin their way."""
        for frame in data.split(b"\x00"):
            piece = frame + b"\x00"
            if self._hits(self.rates.split_permille) and len(piece) > 1:
                cut = self._rng.randrange(1, len(piece))
                self._post(piece[:cut], now_ms)
                self._post(piece[cut:], now_ms)
            elif frame:
                self._post(piece, now_ms)

    def take(self, now_ms: int) -> bytes:
        """What has arrived by now."""
        arrived = b""
        while self._pieces and self._pieces[0][0] <= now_ms:
            arrived += self._pieces.popleft()[1]
        return arrived

    def cut(self) -> None:
        """What is under way is lost."""
        self._pieces.clear()

    def _post(self, piece: bytes, now_ms: int) -> None:
        rates = self.rates
        if self._hits(rates.lose_permille):
            return
        if self._hits(rates.flip_permille):
            spoilt = bytearray(piece)
            spoilt[self._rng.randrange(len(spoilt))] ^= 1 << self._rng.randrange(8)
            piece = bytes(spoilt)
        if self._hits(rates.noise_permille):
            piece = self._rng.randbytes(self._rng.randint(1, 20)) + piece
        for _ in range(2 if self._hits(rates.duplicate_permille) else 1):
            self._free_ms = max(self._free_ms, now_ms + self._rng.randint(0, rates.delay_ms))
            self._pieces.append((self._free_ms, piece))

    def _hits(self, permille: int) -> bool:
        return self._rng.randrange(1000) < permille


class Bench:
    """Runs both ends. Every reliable report is committed ``commit_ms`` after it came (None: only by `commit_all`)."""

    def __init__(
        self,
        driver: Driver,
        firmware: Firmware,
        rates: LineRates | None = None,
        seed: int = 0,
        commit_ms: int | None = 0,
        step_ms: int = 10,
        name: str = "bench",
    ) -> None:
        """Put both ends onto the bench, not connected yet; ``name`` goes into the names of the connections."""
        rng = random.Random(seed)
        self.driver = driver
        self.firmware = firmware
        self.commit_ms = commit_ms
        self.now_ms = 0
        self.reports: list[Report] = []
        self.durable: list[Report] = []
        self.to_host = Line(rates or LineRates(), rng)
        self.to_device = Line(rates or LineRates(), rng)
        self._step_ms = step_ms
        self._name = name
        self._waiting: deque[tuple[int, Report]] = deque()
        self._connections = 0
        self._open = False

    def connect(self) -> None:
        """The host opens the port."""
        self._connections += 1
        self._open = True
        self.firmware.connected(self.now_ms)
        self._report(self.driver.connected(f"{self._name}-{self._connections}", self.now_ms))

    def disconnect(self, reason: str = "unplugged") -> None:
        """The cable is pulled; what is under way is lost."""
        self._open = False
        self.to_host.cut()
        self.to_device.cut()
        self._report(self.driver.disconnected(reason, self.now_ms))

    def replace_host(self, driver: Driver) -> None:
        """The controller died, with everything that was not durable, and another one starts; it must still connect."""
        self._open = False
        self.to_host.cut()
        self.to_device.cut()
        self._waiting.clear()
        self.driver = driver

    def run(self, duration_ms: int) -> None:
        """Let so much time pass."""
        end_ms = self.now_ms + duration_ms
        while self.now_ms < end_ms:
            self.now_ms += self._step_ms
            self._step()

    def run_until(self, condition: Callable[[], bool], limit_ms: int) -> bool:
        """Let time pass until the condition holds; False when it does not within the limit."""
        end_ms = self.now_ms + limit_ms
        while not condition():
            if self.now_ms >= end_ms:
                return False
            self.now_ms += self._step_ms
            self._step()
        return True

    def commit_all(self) -> None:
        """Everything reported so far becomes durable now."""
        while self._waiting:
            self._commit(self._waiting.popleft()[1])

    def _step(self) -> None:
        self.firmware.tick(self.now_ms)
        while spoken := self.firmware.outgoing():
            if self._open:
                self.to_host.put(spoken, self.now_ms)
        if self._open:
            arrived = self.to_host.take(self.now_ms)
            if arrived:
                self._report(self.driver.receive(arrived, self.now_ms))
        self._report(self.driver.tick(self.now_ms))
        while self.commit_ms is not None and self._waiting and self._waiting[0][0] <= self.now_ms:
            self._commit(self._waiting.popleft()[1])
        spoken = self.driver.outgoing()
        if self._open:
            self.to_device.put(spoken, self.now_ms)
            arrived = self.to_device.take(self.now_ms)
            if arrived:
                self.firmware.receive(arrived, self.now_ms)

    def _report(self, reports: Sequence[Report]) -> None:
        for report in reports:
            self.reports.append(report)
            if report.reliable:
                self._waiting.append((self.now_ms + (self.commit_ms or 0), report))

    def _commit(self, report: Report) -> None:
        self.durable.append(report)
        self.driver.committed(report.identity)
