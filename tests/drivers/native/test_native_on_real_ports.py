"""The native link on real ports: a pty and a TCP device server, through the session's thread and the firmware's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Lock

import pytest

from bench import waiting
from drivers.api import Report
from drivers.console import DRIVER
from drivers.messages import CommandResult, KeyPressed, LineFault, LinkChanged, LinkState, SetLamp
from drivers.session import DeviceSession
from firmware_sim.clock import RealClock
from firmware_sim.console import SimConsole
from firmware_sim.faults import Faults
from firmware_sim.wire import FirmwareRunner, PtyWire, TcpWire, Wire

FAULTS = Faults(seed=7, drop_frame=0.15, corrupt_frame=0.1, split=0.3, glue=0.2, noise=0.05)


class Journal:
    """Takes the session's reports and commits the reliable ones at once, as a journal would."""

    def __init__(self) -> None:
        self.session: DeviceSession | None = None
        self._reports: list[Report] = []
        self._lock = Lock()

    def sink(self, name: str, report: Report) -> None:
        with self._lock:
            self._reports.append(report)
        if report.reliable and self.session is not None:
            self.session.committed(report.identity)

    @property
    def reports(self) -> list[Report]:
        with self._lock:
            return list(self._reports)

    @property
    def values(self) -> list[int]:
        return [report.message.value for report in self.reports if isinstance(report.message, KeyPressed)]

    @property
    def last_identity(self) -> str:
        return [report.identity for report in self.reports if report.reliable][-1]

    def saw(self, state: LinkState) -> bool:
        return any(isinstance(r.message, LinkChanged) and r.message.state is state for r in self.reports)


@contextmanager
def running(
    wire: Wire, journal: Journal, resume: list[str] | None = None, **options: object
) -> Iterator[DeviceSession]:
    driver = DRIVER({"allow_simulated": True, "resume": resume or [], **options})
    session = DeviceSession("console", wire.url, driver, journal.sink, line=DRIVER.line)
    journal.session = session
    session.start()
    try:
        yield session
    finally:
        assert session.stop()


wait_for = partial(waiting.until, patience_s=60.0)


@pytest.fixture(params=["pty", "tcp"])
def wire(request: pytest.FixtureRequest, tmp_path: Path) -> Wire:
    return PtyWire(tmp_path / "console") if request.param == "pty" else TcpWire()


def test_every_key_comes_once_over_a_bad_line_an_unplugged_cable_a_reboot_and_a_killed_controller(wire: Wire) -> None:
    console, journal = SimConsole(), Journal()
    runner = FirmwareRunner(console, wire, RealClock(), FAULTS)
    try:
        with running(wire, journal) as session:
            for value in range(20):
                console.press_key("hit", box=1, value=value)
            wait_for(lambda: len(journal.values) >= 20)
            request = session.command(SetLamp(2, "on"))
            wait_for(lambda: CommandResult(request, "done") in [report.message for report in journal.reports])
            assert console.lamps[2] == "on"
            wire.unplug()
            wait_for(lambda: journal.saw(LinkState.DOWN))
            for value in range(20, 30):
                console.press_key("stand", box=1, value=value)
            wire.replug()
            wait_for(lambda: len(journal.values) >= 30)
            console.reboot()
            for value in range(30, 40):
                console.press_key("double", box=1, value=value)
            wait_for(lambda: len(journal.values) >= 40)
        for value in range(40, 50):
            console.press_key("hit", box=2, value=value)
        with running(wire, journal, [journal.last_identity]):
            wait_for(lambda: len(journal.values) >= 50 and console.acked == 50)
        assert journal.values == list(range(50))
        assert len({report.identity for report in journal.reports if report.reliable}) == 50
    finally:
        assert runner.stop()


def test_a_simulator_on_a_real_port_is_refused_where_it_is_not_allowed(tmp_path: Path) -> None:
    console, journal = SimConsole(), Journal()
    console.press_key("hit")
    wire = PtyWire(tmp_path / "console")
    runner = FirmwareRunner(console, wire, RealClock())
    try:
        with running(wire, journal, allow_simulated=False):
            wait_for(lambda: any(isinstance(report.message, LineFault) for report in journal.reports))
        (fault,) = [report.message for report in journal.reports if isinstance(report.message, LineFault)]
        assert fault.code == "simulator_refused"
        assert journal.values == []
        assert console.acked == 0
    finally:
        assert runner.stop()
