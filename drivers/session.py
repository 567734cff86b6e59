"""Runs one driver on one port in a thread of its own, for ever: opens, reads, ticks, writes, and reconnects."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import random
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from drivers.api import Driver, LineSettings, Report
from drivers.messages import DeviceCommand, LineFault, LinkChanged, LinkState
from drivers.ports import Port, PortError, open_port
from drivers.running import Running
from drivers.trace import TraceFile

TICK_MS = 50
STOP_TIMEOUT_S = 2.0
STABLE_S = 5.0
"""A connection that lasted this long starts the back-off anew."""

Sink = Callable[[str, Report], None]
"""Takes the device's name and one report, in the session's thread. It may block: then the port is not read meanwhile,
and whatever flow control the wire has takes over. It must return once the application stops."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """Pauses between attempts to open a port: ``initial_s`` doubling up to ``maximum_s``, each varied by up to
    ``jitter`` of itself. ``initial_s`` stays above the 150 ms that an Angel Eye shoe takes for the copies of one
    telegram, so that a copy is never met again after a reconnection."""

    initial_s: float = 0.25
    maximum_s: float = 5.0
    jitter: float = 0.2

    def delay_s(self, attempt: int) -> float:
        """Pause after the failed attempt of this number, from 0."""
        delay = min(self.initial_s * 2.0 ** min(attempt, 32), self.maximum_s)
        return delay * (1 + self.jitter * random.random())


class DeviceSession(Running):
    """One device: its port, its driver and its thread. `start` it, `stop` it; both once."""

    def __init__(
        self,
        name: str,
        url: str,
        driver: Driver,
        sink: Sink,
        *,
        line: LineSettings,
        backoff: Backoff | None = None,
        trace: Path | None = None,
    ) -> None:
        """``url`` as in `drivers.ports`; ``trace`` names a file for the raw bytes."""
        super().__init__(f"device-{name}")
        self.name = name
        self.url = url
        self._driver = driver
        self._sink = sink
        self._line = line
        self._backoff = backoff or Backoff()
        self._tracer = _Tracer(trace)
        self._requests = itertools.count(1)
        self._inbox: queue.SimpleQueue[str | tuple[DeviceCommand, int]] = queue.SimpleQueue()
        self._wake = _Wake()
        self._link: LinkState | None = None
        self._faults: set[str] = set()

    @property
    def driver(self) -> Driver:
        """The driver, for its capabilities and counters; everything else belongs to the session's thread."""
        return self._driver

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """End the thread and close the port; whether it ended in time. Only a TCP host that is silent while it is being
        connected to (see `drivers.ports.open_port`), or a sink that goes on blocking, can hold it longer."""
        self._stopping.set()
        self._wake.ring()
        if not self._started:
            self._wake.close()
        return self._ended_within(timeout_s)

    def committed(self, identity: str) -> None:
        """Thread-safe: the event of this identity is durable."""
        self._inbox.put(identity)
        self._wake.ring()

    def command(self, command: DeviceCommand) -> int:
        """Thread-safe: queue a command. The number returned comes back in its CommandResult."""
        request = next(self._requests)
        self._inbox.put((command, request))
        self._wake.ring()
        return request

    def _run(self) -> None:
        attempt = 0
        try:
            while not self._stopping.is_set():
                began_s = time.monotonic()
                self._connect_once()
                if time.monotonic() - began_s >= STABLE_S:
                    attempt = 0
                self._pause(self._backoff.delay_s(attempt))
                attempt += 1
        finally:
            self._wake.close()
            self._tracer.close()

    def _connect_once(self) -> None:
        try:
            port = open_port(self.url, self._line)
        except PortError as error:
            self._link_is_down(error.reason)
            self._fault("port", error.reason)
            return
        reason = f"{self.url}: closed by the controller"
        try:
            self._faults.clear()
            connection = uuid.uuid4().hex
            self._trace("=", connection.encode("ascii"))
            self._emit(self._driver.connected(connection, _now_ms()))
            self._pump(port)
        except PortError as error:
            reason = error.reason
        finally:
            port.close()
        self._emit(self._driver.disconnected(reason, _now_ms()))
        self._link_is_down(reason)

    def _pump(self, port: Port) -> None:
        while not self._stopping.is_set():
            data = port.read(TICK_MS, self._wake.fd)
            if data:
                self._trace("<", data)
                self._emit(self._driver.receive(data, _now_ms()))
            self._take_inbox()
            self._emit(self._driver.tick(_now_ms()))
            output = self._driver.outgoing()
            if output:
                self._trace(">", output)
                port.write(output)

    def _pause(self, delay_s: float) -> None:
        """Wait before the next attempt; commands given meanwhile are answered by the driver."""
        until_s = time.monotonic() + delay_s
        while (left_s := until_s - time.monotonic()) > 0:
            if self._stopping.wait(min(left_s, TICK_MS / 1000)):
                return
            self._take_inbox()
            self._emit(self._driver.tick(_now_ms()))

    def _take_inbox(self) -> None:
        self._wake.clear()
        while True:
            try:
                item = self._inbox.get_nowait()
            except queue.Empty:
                return
            if isinstance(item, str):
                self._driver.committed(item)
            else:
                self._driver.command(*item)

    def _emit(self, reports: Sequence[Report]) -> None:
        for report in reports:
            if isinstance(report.message, LinkChanged):
                self._link = report.message.state
            self._sink(self.name, report)

    def _link_is_down(self, reason: str) -> None:
        """Report the link down unless the driver, or an attempt before, said so already. That it is up, only the
        driver can say."""
        if self._link is not LinkState.DOWN:
            self._emit((Report(LinkChanged(LinkState.DOWN, reason)),))

    def _fault(self, code: str, reason: str) -> None:
        """Report a fault once until the port was open again."""
        if reason not in self._faults:
            self._faults.add(reason)
            self._emit((Report(LineFault(code, reason)),))

    def _trace(self, direction: str, data: bytes) -> None:
        fault = self._tracer.write(direction, data)
        if fault:
            self._fault("trace", fault)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class _Tracer:
    """A trace that may be absent, and that ends at the first error: a full disk must not stop a table."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: TraceFile | None = None

    def write(self, direction: str, data: bytes) -> str:
        """Append a chunk; the fault in one line when there is one, and the trace is over."""
        if self._path is None:
            return ""
        try:
            self._file = self._file or TraceFile(self._path)
            self._file.write(direction, data)
        except OSError as error:
            fault = f"{self._path}: cannot write the trace ({error.strerror}); tracing is off, the device goes on"
            self.close()
            self._path = None
            return fault
        return ""

    def close(self) -> None:
        """Close the file if there is one."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None


class _Wake:
    """A pipe that ends a poll from another thread."""

    def __init__(self) -> None:
        self.fd, self._write_fd = os.pipe()
        os.set_blocking(self.fd, False)
        os.set_blocking(self._write_fd, False)
        self._lock = threading.Lock()
        self._open = True

    def ring(self) -> None:
        """End the poll; a full pipe already will."""
        with self._lock, contextlib.suppress(BlockingIOError):
            if self._open:
                os.write(self._write_fd, b"w")

    def clear(self) -> None:
        """Take what was rung."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self.fd, 4096):
                pass

    def close(self) -> None:
        """Close both ends."""
        with self._lock:
            self._open = False
            os.close(self.fd)
            os.close(self._write_fd)
