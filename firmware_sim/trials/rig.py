"""Runs one trial in virtual time: days at a table in a minute, the same way for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from drivers.api import Driver, Report
from drivers.messages import CommandResult, DeviceCommand, DeviceMessage
from firmware_sim.faults import FaultInjector, Faults
from firmware_sim.mishaps import Mishap, Mishaps
from firmware_sim.trials.judge import Fact, Gap, Judgement, judge
from firmware_sim.wire import Firmware

STEP_MS = 10
TICK_MS = 50
FLUSH_ACTS = 4
SETTLE_MS = 60_000
"""How long the line may take, once it is good again, until everything is told."""


class Teller(Protocol):
    """Whoever can give the device commands."""

    def tell(self, command: DeviceCommand) -> int:
        """Give a command; its number comes back."""
        ...

    def outcome(self, request: int) -> str:
        """What became of it; empty while nothing is known."""
        ...


class Trial(Protocol):
    """A device in its world. An act is an iterator: what it does between two values happens at once, each value is how
    many milliseconds pass then."""

    options: Mapping[str, object]
    """of the driver"""
    may_repeat: bool
    truth: list[Fact]

    @property
    def firmware(self) -> Firmware:
        """The device."""
        ...

    @property
    def unseen(self) -> int:
        """How much happened that no sensor of this device could see."""
        ...

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """Something happens at the table."""
        ...

    def restart(self, *, blank: bool) -> Iterator[int]:
        """The device restarts; ``blank``: and its memory is lost."""
        ...

    def stranger(self) -> Firmware | None:
        """Another device of this kind with events of its own; None where a wire has no identity to tell it by."""
        ...

    def heard(self, message: DeviceMessage) -> Fact | Gap | None:
        """What a message says about the world; None for nothing."""
        ...

    def settled(self) -> bool:
        """Whether the device has nothing left to say."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a trial. ``counts`` are the faults that happened, by name."""

    judgement: Judgement
    counts: Mapping[str, int]
    unseen: int
    virtual_ms: int
    bytes_in: int


class Rig:
    """A driver and a trial's device, joined by a line with faults."""

    def __init__(self, driver: Driver, trial: Trial, faults: Faults) -> None:
        """Joins them; the host opens the port at once."""
        self.reports: list[Report] = []
        self.trace: list[tuple[int, str, bytes]] = []
        """every chunk, when ``keep_trace``: its time, ``<`` from the device, ``>`` to it or ``=`` opened, its bytes"""
        self.keep_trace = False
        self._driver = driver
        self._trial = trial
        self._faults = faults
        self._mishaps = Mishaps(faults)
        self._random = random.Random(f"acts {faults.seed}")
        self._to_host = FaultInjector(faults)
        self._to_device = FaultInjector(replace(faults, seed=faults.seed + 1))
        self._firmware = trial.firmware
        self._now_ms = 0
        self._host_ahead_ms = 0
        self._open = False
        self._connections = 0
        self._requests = 0
        self._due: list[str] = []

    def connect(self) -> None:
        """The host opens the port."""
        self._connections += 1
        self._open = True
        self._note("=", b"")
        self._firmware.connected(self._now_ms)
        self._take(self._driver.connected(f"trial-{self._connections}", self._host_ms))

    def disconnect(self, reason: str = "unplugged") -> None:
        """The cable is pulled."""
        self._open = False
        self._to_host.cut()
        self._to_device.cut()
        self._take(self._driver.disconnected(reason, self._host_ms))

    def tell(self, command: DeviceCommand) -> int:
        """Give the device a command; its number comes back in a CommandResult."""
        self._requests += 1
        self._driver.command(command, self._requests)
        return self._requests

    def outcome(self, request: int) -> str:
        """What became of a command; empty while nothing is known."""
        results = (report.message for report in self.reports if isinstance(report.message, CommandResult))
        return next((result.outcome for result in results if result.request == request), "")

    def run(self, duration_ms: int) -> None:
        """Let time pass."""
        for _ in range(max(1, duration_ms // STEP_MS)):
            self._now_ms += STEP_MS
            self._step()

    def play(self, acts: int) -> Result:
        """So many acts with everything that goes wrong, then some on a good line; everything heard is judged."""
        for _ in range(acts):
            mishap = self._mishaps.before_act()
            if mishap is not None:
                self._suffer(mishap)
            self._do(self._trial.act(self._mishaps, self._random, self))
        counts = self._counts()
        self._repair()
        for _ in range(FLUSH_ACTS):
            self._do(self._trial.act(Mishaps(Faults()), self._random, self))
        for _ in range(SETTLE_MS // 1000):
            self.run(1000)
            if self._trial.settled():
                break
        said = [self._trial.heard(report.message) for report in self.reports]
        heard = [item for item in said if item is not None]
        judgement = judge(self._trial.truth, heard, may_repeat=self._trial.may_repeat)
        return Result(judgement, counts, self._trial.unseen, self._now_ms, self._driver.counters.bytes_in)

    @property
    def _host_ms(self) -> int:
        return self._now_ms + self._host_ahead_ms

    def _do(self, steps: Iterator[int]) -> None:
        for duration_ms in steps:
            self.run(duration_ms)

    def _suffer(self, mishap: Mishap) -> None:
        match mishap:
            case Mishap.UNPLUG:
                self.disconnect()
                for _ in range(self._random.randrange(3)):
                    self._do(self._trial.act(self._mishaps, self._random, self))
                self.run(self._mishaps.duration_ms(300, 10_000))
                self.connect()
            case Mishap.REBOOT | Mishap.REBOOT_BLANK:
                self._do(self._trial.restart(blank=mishap is Mishap.REBOOT_BLANK))
            case Mishap.SWAP:
                self._swap()
            case Mishap.CLOCK_JUMP:
                self._host_ahead_ms += self._mishaps.duration_ms(100, 60_000)

    def _swap(self) -> None:
        stranger = self._trial.stranger()
        if stranger is None:
            return
        self._to_host.cut()
        self._to_device.cut()
        self._firmware = stranger
        stranger.connected(self._now_ms)
        self._do(self._trial.act(self._mishaps, self._random, self))
        self.run(self._mishaps.duration_ms(1000, 12_000))
        self._to_host.cut()
        self._to_device.cut()
        self._firmware = self._trial.firmware

    def _repair(self) -> None:
        self._to_host.faults = self._to_device.faults = Faults()
        self.run(self._faults.stall_max_ms + 5000)
        self.disconnect("the cable is exchanged")
        self.run(1000)
        self.connect()
        self.run(10_000)

    def _counts(self) -> dict[str, int]:
        return dict(self._to_host.counts + self._to_device.counts + self._mishaps.counts)

    def _step(self) -> None:
        self._firmware.tick(self._now_ms)
        while unit := self._firmware.outgoing():
            if self._open:
                self._to_host.push(unit)
        if self._open and (arrived := self._to_host.take(self._now_ms)):
            self._note("<", arrived)
            self._take(self._driver.receive(arrived, self._host_ms))
        elif self._now_ms % TICK_MS:
            return
        for identity in self._due:
            self._driver.committed(identity)
        self._due.clear()
        self._take(self._driver.tick(self._host_ms))
        said = self._driver.outgoing()
        if self._open:
            if said:
                self._note(">", said)
                self._to_device.push(said)
            if arrived := self._to_device.take(self._now_ms):
                self._firmware.receive(arrived, self._now_ms)

    def _take(self, reports: Sequence[Report]) -> None:
        self.reports += reports
        self._due += (report.identity for report in reports if report.reliable)

    def _note(self, direction: str, data: bytes) -> None:
        if self.keep_trace:
            self.trace.append((self._now_ms, direction, data))
