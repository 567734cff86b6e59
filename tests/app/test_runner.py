"""A whole table in one process on real ptys: what its devices said while it was stopped, killed or started is kept."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.trial_table import device, trial_table
from bench.waiting import until
from controller.app.check import Usable
from controller.app.config import TableConfig, load_config
from controller.app.plugins import load_game
from controller.app.rulesets import load_rules
from controller.app.runner import Runner
from controller.journal.chain import StoredEvent
from controller.journal.errors import JournalBusyError, JournalError
from controller.journal.reader import JournalReader
from controller.journal.verify import verify
from drivers.native.stream import EventIdentity
from firmware_sim.bets import SimBetSensor
from firmware_sim.clock import RealClock
from firmware_sim.wire import FirmwareRunner, PtyWire


def ready(config: TableConfig) -> Usable:
    rules = load_rules(load_game(config.table.game), config.table.ruleset, config.rules)
    return Usable(config, rules, ())


class Running:
    """A runner in a thread, as `tablewatch run` has it in its main thread."""

    def __init__(self, config: TableConfig, said: list[str]) -> None:
        self.shown: list[StoredEvent] = []
        self.runner = Runner(ready(config), said.append, self.shown.append)
        self._thread = threading.Thread(target=self.runner.run)
        self._thread.start()

    def stop(self) -> None:
        self.runner.stop()
        self._thread.join(30)
        assert not self._thread.is_alive()


@pytest.fixture
def sensor(tmp_path: Path) -> Iterator[SimBetSensor]:
    firmware = SimBetSensor("BET-1")
    runner = FirmwareRunner(firmware, PtyWire(tmp_path / "bets"), RealClock())
    yield firmware
    runner.stop()


@pytest.fixture
def config(tmp_path: Path, sensor: SimBetSensor) -> TableConfig:
    path = tmp_path / "table.toml"
    path.write_text(trial_table(device("bets", "native", tmp_path / "bets")), encoding="utf-8")
    return load_config(path)


def journaled(config: TableConfig) -> list[int]:
    """Numbers of the sensor's events on record, in the record's order."""
    with JournalReader(config.journal.path) as reader:
        identities = [event.data().get("identity") for event in reader.events()]
    return [EventIdentity.parse(identity).number for identity in identities if identity]


def types(config: TableConfig) -> list[str]:
    with JournalReader(config.journal.path) as reader:
        return [event.type for event in reader.events()]


def test_a_stop_in_a_flood_loses_nothing_and_records_nothing_twice(config: TableConfig, sensor: SimBetSensor) -> None:
    said: list[str] = []
    first = Running(config, said)
    until(lambda: types_if_any(config).count("device.online"), "the sensor is online")
    stopping = threading.Event()
    flood = threading.Thread(target=lay_chips, args=(sensor, stopping))
    flood.start()
    until(lambda: sensor.acked >= 20, "events are acknowledged")
    first.stop()
    stopping.set()
    flood.join()
    assert types(config)[-1] == "system.stopped"
    kept = journaled(config)
    assert kept == list(range(1, len(kept) + 1))
    assert 20 <= sensor.acked <= len(kept)
    second = Running(config, said)
    until(lambda: sensor.acked == sensor.last_event, "the rest is fetched")
    second.stop()
    assert journaled(config) == list(range(1, sensor.last_event + 1))
    report = verify(config.journal.path)
    assert report.lines()[1:] == []
    assert said[0].startswith("no broker configured: the table journals")


def lay_chips(sensor: SimBetSensor, stopping: threading.Event) -> None:
    while not stopping.wait(0.002) and sensor.last_event < 400:
        sensor.place(1, 1, "main", 500)


def types_if_any(config: TableConfig) -> list[str]:
    """Empty while the journal is only being made."""
    with contextlib.suppress(JournalError):
        return types(config)
    return []


def test_what_is_shown_is_the_record_in_order(config: TableConfig, sensor: SimBetSensor) -> None:
    running = Running(config, [])
    sensor.place(3, 1, "main", 500)
    until(lambda: sensor.acked == 1, "the event is acknowledged")
    running.stop()
    with JournalReader(config.journal.path) as reader:
        assert [event.sequence for event in running.shown] == [event.sequence for event in reader.events()]


def test_a_journal_that_is_in_use_is_left_alone(config: TableConfig, sensor: SimBetSensor) -> None:
    running = Running(config, [])
    until(lambda: types_if_any(config).count("device.online"), "the sensor is online")
    second = Runner(ready(config), print, lambda _event: None)
    with pytest.raises(JournalBusyError, match=r"is writing it; stop that process or name another journal"):
        second.run()
    running.stop()
    assert types(config).count("system.started") == 1


def test_health_is_known_before_and_after_the_bus_is_made(config: TableConfig, sensor: SimBetSensor) -> None:
    said: list[str] = []
    running = Running(config, said)
    until(lambda: said, "it says that there is no broker")
    health: Any = running.runner.health()
    assert (health.connected, health.trouble) == (False, said[0])
    running.stop()
    with contextlib.closing(JournalReader(config.journal.path)) as reader:
        assert reader.last_of_type("system.stopped") is not None
