"""Another device on a wire in the middle of a round, over real ptys and a real broker: the table is held, nothing it
says counts, and a supervisor pairs it, at the console or over MQTT."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bench import waiting
from bench.trial_table import device, person, trial_table
from controller.app.check import usable
from controller.app.runner import Runner
from controller.bus.endpoint import Endpoint
from controller.journal.reader import JournalReader
from controller.journal.verify import verify
from drivers.messages import KeyPressed, RackCounted, WagerPlaced
from firmware_sim.bets import SimBetSensor
from firmware_sim.clock import RealClock
from firmware_sim.console import SimConsole
from firmware_sim.native import NativeFirmware
from firmware_sim.native_shoe import NativeShoe
from firmware_sim.rack import SimRack
from firmware_sim.shoe import ShoeCard
from firmware_sim.table import DEALER_CARD, SUPERVISOR_CARD, SimTable
from firmware_sim.wire import FirmwareRunner, PtyWire

Cli = Callable[..., tuple[int, str, str]]
DEADLINE_S = 45.0
AFTERWARDS = {
    "shoe": ["SHOE_UNALIGNED"],
    "bets": ["CHIPS_UNSEEN", "TABLE_HELD"],
    "console": ["WRONG_PHASE"],
    "rack": [],
}
"""What is said once the device is let in: of the shoe itself, and of what the others kept to say."""


def until(condition: Callable[[], object], what: Callable[[], object] | str) -> None:
    waiting.until(condition, what, DEADLINE_S)


class Table:
    """A table whose devices are all on the native link, followed by a runner in a thread."""

    def __init__(self, folder: Path, broker: Endpoint, key: str) -> None:
        self.config = folder / "table.toml"
        self.sim = SimTable(folder, seed=3, shoe="native")
        self.rack = FirmwareRunner(SimRack("RACK-1"), PtyWire(folder / "rack"), RealClock())
        self.spare = NativeShoe([ShoeCard(rank, "C") for rank in range(2, 12)], serial="SPARE-1")
        self._spare = FirmwareRunner(self.spare, PtyWire(folder / "spare"), RealClock())
        self.sim.start()
        people = (person("4711", "dealer", DEALER_CARD), person("12", "supervisor", SUPERVISOR_CARD, key))
        devices = [device(name, "native", folder / name) for name in ("shoe", "console", "bets", "rack")]
        devices.append(device("spare", "native", folder / "spare", "shoe"))
        url = f'urls = ["mqtt://127.0.0.1:{broker.port}"]'
        self.config.write_text(trial_table(*people, *devices, broker=url), encoding="utf-8")
        self.follow()

    def follow(self) -> None:
        """Start a controller."""
        self.runner = Runner(usable(self.config), lambda line: None, lambda event: None)
        self._thread = threading.Thread(target=self.runner.run)
        self._thread.start()

    def leave(self) -> None:
        """Stop the controller."""
        self.runner.stop()
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()

    def close(self) -> None:
        self.leave()
        self.sim.stop()
        self.rack.stop()
        self._spare.stop()

    def exchange(self, device: str, firmware: NativeFirmware) -> None:
        if device == "rack":
            self.rack.exchange(firmware)
        else:
            self.sim.exchange(device, firmware)

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        """What is on record."""
        with JournalReader(self.config.parent / "table.sqlite") as reader:
            return [event.data() for event in reader.events() if event.type == kind]

    def shows(self, *phases: str) -> None:
        until(lambda: self.sim.look().phase in phases, lambda: f"{phases}; it shows {self.sim.console.texts}")

    def into_a_round(self) -> None:
        """Open the table, load the shoe and deal the first card."""
        sim = self.sim
        self.shows("closed")
        sim.show_staff_card(DEALER_CARD)
        sim.press("open_table")
        self.shows("inspection")
        sim.spread((6,) * 52)
        for key, value in (("shuffled", 0), ("player_cut", 100), ("second_cut", 208)):
            sim.press(key, value=value)
        sim.load_shoe(100)
        sim.press("shoe_loaded")
        self.shows("burn")
        sim.draw()
        until(lambda: self.sim.look().drawn == 1, "a card is burned")
        sim.press("next_round")
        self.shows("betting")
        sim.place(1, 1, "main", 1000)
        until(lambda: sim.acknowledged, "the bet is on record")
        sim.press("no_more_bets")
        self.shows("dealing")
        sim.draw()
        until(lambda: self.sim.look().drawn == 2, "a card is dealt")


@pytest.fixture
def table(tmp_path: Path, broker: Endpoint, cli: Cli) -> Iterator[Table]:
    code, out, _ = cli("keygen", tmp_path / "12.key")
    assert code == 0
    made = Table(tmp_path, broker, re.findall('public_key = "([0-9a-f]{64})"', out)[0])
    yield made
    made.close()


def other(device: str) -> NativeFirmware:
    """Another device of this kind, which has something to say already."""
    match device:
        case "shoe":
            return NativeShoe([ShoeCard(13, "H")], serial="OTHER-1")
        case "console":
            console = SimConsole("OTHER-1")
            console.record(KeyPressed("no_more_bets"))
            return console
        case "bets":
            sensor = SimBetSensor("OTHER-1")
            sensor.record(WagerPlaced(1, 1, "main", 7700))
            return sensor
        case _:
            rack = SimRack("OTHER-1")
            rack.record(RackCounted(77))
            return rack


@pytest.mark.broker
@pytest.mark.parametrize("device", ["shoe", "bets", "rack", "console"])
def test_a_device_exchanged_in_mid_round_is_quarantined_until_it_is_paired(table: Table, cli: Cli, device: str) -> None:
    table.into_a_round()
    stranger = other(device)
    table.exchange(device, stranger)
    until(lambda: table.events("device.stranger"), lambda: f"{device} is noticed")
    (found,) = table.events("device.stranger")
    assert (found["device"], found["serial"], found["sees_cards"]) == (device, "OTHER-1", device == "shoe")
    assert found["sees_chips"] == (device == "bets")
    assert [held["code"] for held in table.events("table.held")] == ["DEVICE_STRANGER"]
    assert stranger.acked == 0
    if device == "console":
        said = ("command", "pair-device", "device=console", "serial=OTHER-1", "--config", table.config)
        assert cli(*said, "--key", table.config.parent / "12.key", "--wait", 25)[:2] == (0, "pair-device: executed\n")
    else:
        table.shows("held")
        until(lambda: table.sim.console.texts[3] == "1 pair_device", "the way out is shown")
        table.sim.show_staff_card(SUPERVISOR_CARD)
        table.sim.press("choose", value=1)
    until(lambda: stranger.acked == stranger.last_event, "its events are taken")
    (paired,) = table.events("device.paired")
    assert (paired["device"], paired["serial"], paired["actor"]) == (device, "OTHER-1", "12")
    raised = [raised["code"] for raised in table.events("violation.raised")]
    assert raised[:3] == ["DEVICE_STRANGER", *AFTERWARDS[device]]
    table.leave()
    assert verify(table.config.parent / "table.sqlite").lines()[1:] == []
    table.follow()
    until(lambda: table.events("system.started")[1:] and stranger.acked == stranger.last_event, "it is let in again")
    online = [event["serial"] for event in table.events("device.online") if event["device"] == device]
    until(lambda: online[-1] == "OTHER-1", "the paired one belongs here")
    assert len(table.events("device.stranger")) == 1


@pytest.mark.broker
def test_the_right_device_frees_the_table_without_anybody(table: Table) -> None:
    table.into_a_round()
    before = table.sim.exchange("bets", SimBetSensor("OTHER-1"))
    table.shows("held")
    table.sim.exchange("bets", before)
    table.shows("dealing")
    assert [event["how"] for event in table.events("violation.resolved")] == ["put_right"]
    assert table.events("device.paired") == []


@pytest.mark.broker
def test_a_spare_shoe_takes_over_in_mid_round(table: Table) -> None:
    """The shoe in use dies, two people hand over at the console, and the round goes on from the spare's packs."""
    table.into_a_round()
    sim = table.sim
    until(lambda: table.spare.locked, "a spare is locked")
    sim.unplug("shoe")
    until(lambda: sim.console.texts[1] == "shoe is offline: plug it in", lambda: f"it is told; {sim.console.texts}")
    sim.show_staff_card(SUPERVISOR_CARD)
    sim.press("hand_over")
    until(lambda: table.events("command.signed"), lambda: f"it waits for a second person; {sim.console.texts}")
    sim.show_staff_card(DEALER_CARD)
    sim.press("approve")
    table.shows("inspection")
    (over,) = table.events("shoe.handed_over")
    assert (over["burned"], over["on_table"], over["left"], over["round"]) == (1, 1, 310, "1-1")
    sim.replug("shoe")
    sim.spread((6,) * 52)
    for key, value in (("shuffled", 0), ("player_cut", 100), ("second_cut", 208), ("shoe_loaded", 0)):
        sim.press(key, value=value)
    table.shows("burn")
    until(lambda: not table.spare.locked, "the spare is unlocked")
    table.spare.draw()
    until(lambda: sim.look().drawn == 1, "a card of the spare is burned")
    sim.press("next_round")
    table.shows("dealing")
    table.spare.draw()
    until(lambda: sim.look().drawn == 2, "a card of the spare is dealt")
    assert isinstance(sim.shoe, NativeShoe)
    until(lambda: sim.shoe.locked, "the former one is locked when it is back")
    assert [dealt["card"] for dealt in table.events("card.dealt")][1:] == ["3C"]
    table.leave()
    assert verify(table.config.parent / "table.sqlite").lines()[1:] == []
    table.follow()
    until(lambda: table.events("system.started")[1:] and sim.look().drawn == 2, "it goes on where it was")
    assert [used["device"] for used in table.events("shoe.in_use")] == ["shoe", "spare"]
