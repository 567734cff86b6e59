"""What a table tells its devices, on real ptys: changes only, everything again to one that came back, nothing to one
that is away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench.waiting import until
from controller.app.config import ConfigError, TableConfig
from controller.app.devices import Devices
from controller.app.picture import DARK, Display
from drivers import messages as m
from drivers.api import Report
from drivers.messages import DeviceCommand
from drivers.native.payloads import Refusal
from firmware_sim.clock import RealClock
from firmware_sim.console import SimConsole
from firmware_sim.faults import Faults
from firmware_sim.shoe import AngelEyeShoe, ShoeCard
from firmware_sim.wire import Firmware, FirmwareRunner, PtyWire

BETTING = Display(("betting", "a bet", "shoe 1 drawn 3 table 0", ""), ("on", "off", "off", "off"))
DEALING = Display(("dealing 1-1", "card to box 3", "shoe 1 drawn 3 table 0", ""), ("on", "off", "on", "off"))


class Console(SimConsole):
    """A console that remembers what it was told, in order."""

    def __init__(self) -> None:
        self.told: list[DeviceCommand] = []
        super().__init__("CON-1")

    def apply(self, command: DeviceCommand) -> Refusal:
        self.told.append(command)
        return super().apply(command)


class Stage:
    """A console and a shoe on ptys, and the table's end of their wires."""

    def __init__(self, folder: Path) -> None:
        self.console = Console()
        self.shoe = AngelEyeShoe([ShoeCard(rank, "S") for rank in range(1, 14)])
        wires = {"console": PtyWire(folder / "console"), "shoe": PtyWire(folder / "shoe")}
        firmwares: dict[str, Firmware] = {"console": self.console, "shoe": self.shoe}
        self.runners = [FirmwareRunner(firmwares[name], wire, RealClock()) for name, wire in wires.items()]
        drivers = {"console": "native", "shoe": "angel-eye"}
        config = {
            "table": {"site": "lv1", "id": "bj-1", "ruleset": "armenian", "simulation": True},
            "journal": {"path": str(folder / "t.sqlite")},
            "device": [
                {"name": name, "kind": name, "driver": drivers[name], "port": wire.url} for name, wire in wires.items()
            ],
        }
        self.heard: list[tuple[str, Report]] = []
        self.devices = Devices(TableConfig.model_validate(config), lambda name, report: self._hear(name, report))
        self.devices.start()
        until(lambda: self.up() == {"console", "shoe"}, "both links are up")
        for name in drivers:
            self.devices.came_online(name)

    def _hear(self, name: str, report: Report) -> None:
        self.heard.append((name, report))

    def up(self) -> set[str]:
        return {
            n
            for n, r in tuple(self.heard)
            if isinstance(r.message, m.LinkChanged) and r.message.state is m.LinkState.UP
        }

    def results(self) -> list[m.CommandResult]:
        """What the table heard of commands to the console."""
        return [r.message for n, r in tuple(self.heard) if n == "console" and isinstance(r.message, m.CommandResult)]

    def told(self, count: int) -> list[DeviceCommand]:
        """Wait for the next ``count`` commands at the console and forget them."""
        until(lambda: len(self.console.told) >= count, f"{count} commands at the console")
        told, self.console.told = self.console.told, []
        return told

    def close(self) -> None:
        self.devices.stop()
        for runner in self.runners:
            runner.stop()


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.close()


def test_a_console_is_told_everything_first_and_then_only_what_changed(stage: Stage) -> None:
    stage.devices.show(BETTING)
    assert len(stage.told(8)) == 8
    assert stage.console.texts == BETTING.lines
    assert stage.console.lamps[:4] == BETTING.lamps
    stage.devices.show(BETTING)
    stage.devices.show(DEALING)
    assert stage.told(3) == [m.ShowText(0, "dealing 1-1"), m.ShowText(1, "card to box 3"), m.SetLamp(2, "on")]
    assert stage.console.texts == DEALING.lines


def test_one_that_came_back_is_told_everything_again_and_one_that_is_away_nothing(stage: Stage) -> None:
    stage.devices.show(DARK)
    stage.told(8)
    stage.devices.went_offline("console")
    stage.devices.show(BETTING)
    stage.devices.came_online("console")
    stage.devices.show(DEALING)
    told = stage.told(8)
    assert len(told) == 8
    assert m.ShowText(0, "betting") not in told
    assert stage.console.texts == DEALING.lines


def test_a_console_whose_answers_are_lost_is_one_word_and_shows_the_newest_in_the_end(stage: Stage) -> None:
    stage.devices.show(BETTING)
    stage.told(8)
    injector = stage.runners[0].injector
    injector.faults = Faults(drop_frame=1.0)
    for number in range(200):
        stage.devices.show(replace(DEALING, lines=(f"dealing {number}", *DEALING.lines[1:])))
    until(lambda: stage.results(), "what became of the commands is said")
    injector.faults = Faults()
    until(lambda: stage.console.texts[0] == "dealing 199", lambda: stage.console.texts)
    assert len(stage.results()) == 1


def test_a_shoe_is_locked_and_unlocked_on_changes_only(stage: Stage) -> None:
    stage.devices.lock(True)
    until(lambda: stage.shoe.locked, "the shoe is locked")
    sent = stage.devices.counters()["shoe"].root.frames_out
    stage.devices.lock(True)
    stage.devices.lock(False)
    until(lambda: not stage.shoe.locked, "the shoe is free")
    assert stage.devices.counters()["shoe"].root.frames_out == sent + 1
    stage.devices.came_online("shoe")
    stage.devices.lock(False)
    until(lambda: stage.devices.counters()["shoe"].root.frames_out == sent + 2, "it is told again after it came back")


def test_an_error_of_the_shoe_is_cleared_and_cards_are_heard_once(stage: Stage) -> None:
    stage.shoe.draw()
    stage.shoe.draw_unreadable()
    until(lambda: stage.shoe.in_error_mode, "the shoe is in error")
    stage.devices.clear_errors()
    until(lambda: not stage.shoe.in_error_mode, "the error is cleared")
    stage.devices.round_over()
    until(lambda: any(isinstance(r.message, m.ShoeStandBy) for _, r in stage.heard), "the shoe stands by")
    cards = [r.message for _, r in stage.heard if isinstance(r.message, m.CardDrawn | m.CardUnreadable)]
    assert [type(card) for card in cards] == [m.CardDrawn, m.CardUnreadable]


def test_a_simulator_is_refused_where_the_table_is_no_simulation(tmp_path: Path) -> None:
    runner = FirmwareRunner(SimConsole("CON-1"), PtyWire(tmp_path / "console"), RealClock())
    device = {"name": "console", "kind": "console", "driver": "native", "port": runner.wire.url}
    config = TableConfig.model_validate(
        {
            "table": {"site": "lv1", "id": "bj-1", "ruleset": "armenian"},
            "journal": {"path": str(tmp_path / "t.sqlite")},
            "device": [device],
        }
    )
    heard: list[m.DeviceMessage] = []
    devices = Devices(config, lambda _name, report: heard.append(report.message))
    devices.start()
    try:
        until(lambda: any(isinstance(x, m.LineFault) and x.code == "simulator_refused" for x in heard), "it is refused")
    finally:
        devices.stop()
        runner.stop()


def test_a_driver_that_is_not_installed_is_named(tmp_path: Path) -> None:
    config = TableConfig.model_validate(
        {
            "table": {"site": "lv1", "id": "bj-1", "ruleset": "armenian"},
            "journal": {"path": str(tmp_path / "t.sqlite")},
            "device": [{"name": "shoe", "kind": "shoe", "driver": "angeleye", "port": "/dev/ttyUSB0"}],
        }
    )
    with pytest.raises(ConfigError, match=r"device\.0\.driver: 'angeleye' is not installed; installed: angel-eye"):
        Devices(config, lambda _name, _report: None)
