"""Cables of memory: a real driver at one end, a simulated device at the other, and a line between them, good or bad."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from controller.adapters.link import Wiring
from controller.app.plugins import load_driver
from drivers.api import Driver, DriverFactory, Report
from drivers.messages import DeviceIdentified
from firmware_sim.faults import FaultInjector, Faults
from firmware_sim.native import NativeFirmware
from firmware_sim.reader_barcode import SimBarcodeReader
from firmware_sim.shoe import AngelEyeShoe

BAD_LINES: Final = Faults(
    drop_copy=0.2,
    corrupt_copy=0.2,
    truncate_copy=0.1,
    drop_frame=0.05,
    corrupt_frame=0.05,
    split=0.2,
    glue=0.1,
    noise=0.1,
)
"""Lines that lose and damage what the devices say, and yet leave a copy of everything."""

TORN_LINES: Final = Faults(split=0.2, glue=0.1)
"""A bad line of a reader: it says a card once, so that what is lost on its way would be lost for good."""

DRIVERS: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "shoe": ("angel-eye", {}),
    "console": ("native", {"allow_simulated": True}),
    "bets": ("native", {"allow_simulated": True}),
    "reader": ("barcode", {}),
}
"""The driver of each kind of device of a scenario's table, and its options."""

Firmware = AngelEyeShoe | NativeFirmware | SimBarcodeReader


@dataclass(slots=True)
class MemoryCable:
    """One device's cable. Times are milliseconds of the scenario's clock."""

    wiring: Wiring
    firmware: Firmware
    line: FaultInjector
    driver: Driver
    plugged: bool = True
    known: bool = False
    """a native device has said who it is since it was connected or restarted"""

    @classmethod
    def make(cls, wiring: Wiring, firmware: Firmware, bad_lines: int | None) -> MemoryCable:
        """A cable with a fresh driver; ``bad_lines`` is the seed of its faults, None for a good one."""
        bad = TORN_LINES if isinstance(firmware, SimBarcodeReader) else BAD_LINES
        faults = Faults() if bad_lines is None else replace(bad, seed=bad_lines)
        return cls(wiring, firmware, FaultInjector(faults), _driver(wiring, ""))

    @property
    def name(self) -> str:
        """The device's name."""
        return self.wiring.name

    @property
    def settled(self) -> bool:
        """The device has said all it has to say, and knows that it was heard."""
        if isinstance(self.firmware, AngelEyeShoe):
            return self.firmware.quiet
        if isinstance(self.firmware, SimBarcodeReader):
            return True
        return not self.plugged or (self.known and self.firmware.acked == self.firmware.last_event)

    def renew(self, heard: str) -> None:
        """The controller comes back with a driver that knows only the last event heard durably."""
        self.driver = _driver(self.wiring, heard)

    def connect(self, connection: str, now_ms: int) -> Sequence[Report]:
        """Plug it in, or find it plugged in, under a name unique for ever."""
        self.plugged, self.known = True, False
        self.firmware.connected(now_ms)
        return self.driver.connected(connection, now_ms)

    def pull(self, now_ms: int) -> Sequence[Report]:
        """Pull it out."""
        self.plugged = False
        return self.driver.disconnected("the cable was pulled", now_ms)

    def reboot(self) -> None:
        """The device restarts."""
        self.known = False
        if isinstance(self.firmware, SimBarcodeReader):
            self.firmware.power_loss()
            self.firmware.power_on()
        else:
            self.firmware.reboot()

    def listen(self, now_ms: int) -> list[Report]:
        """What the device says now, as its driver reports it."""
        self.firmware.tick(now_ms)
        while unit := self.firmware.outgoing():
            self.line.push(unit)
        data = self.line.take()
        if not self.plugged:
            return []
        reports = [*(self.driver.receive(data, now_ms) if data else ()), *self.driver.tick(now_ms)]
        self.known = self.known or any(isinstance(report.message, DeviceIdentified) for report in reports)
        return reports

    def answer(self, now_ms: int) -> None:
        """What the driver says to the device now."""
        if self.plugged and (out := self.driver.outgoing()):
            self.firmware.receive(out, now_ms)

    @contextlib.contextmanager
    def losing(self) -> Iterator[None]:
        """Within the block every copy of a shoe's telegram is lost."""
        usual = self.line.faults
        self.line.faults = replace(usual, drop_copy=1.0, intact_copies=0)
        try:
            yield
        finally:
            self.line.faults = usual


@functools.cache
def _factory(kind: str) -> DriverFactory:
    factory: DriverFactory = load_driver(kind, DRIVERS[kind][0], f"scenario.{kind}")
    return factory


def _driver(wiring: Wiring, heard: str) -> Driver:
    name, options = DRIVERS[wiring.kind]
    resume = {"resume": heard} if heard and name == "native" else {}
    position = {"position": wiring.name} if wiring.kind == "reader" else {}
    return _factory(wiring.kind)({**options, **resume, **position})
