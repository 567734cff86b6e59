"""Cards from the shoe's wire to a subscriber: a dealt table, its controller, a broker, and a clock at both ends."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from bench.brokers import Mosquitto
from bench.figures import Samples
from bench.parts import at_once, bare_commit, bare_round_trip
from bench.stage import STAFF
from controller.bus.topics import Topics
from controller.cli.demo.stage import SITE, TABLE, Actor, wait_for, write_config
from controller.journal.chain import EventDraft
from controller.journal.reader import JournalReader
from drivers.shoes.angel_eye.telegram import Kind
from firmware_sim.dealer import Dealer
from firmware_sim.faults import TelegramCopy
from firmware_sim.shoe import AngelEyeShoe
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import SimTable

SPEED = 40.0
"""Of the people, so that a shoe is dealt in a minute; the wires keep their own time."""
MANY_ROUNDS = 1_000_000
CARD_S = 30.0
"""Longer than that no card takes to come."""
REPEATS = 1000


class TimedShoe(AngelEyeShoe):
    """A shoe that notes when the first copy of each card's telegram goes out, in seconds of `time.monotonic`."""

    def __init__(self) -> None:
        """An empty shoe."""
        super().__init__()
        self.written_s: list[float] = []

    def outgoing(self) -> bytes:
        """The next copy; its runner writes it at once."""
        unit = super().outgoing()
        if isinstance(unit, TelegramCopy) and unit.number == 1 and chr(unit[2]) in {Kind.DRAWN, Kind.DRAWN_OUTSIDE}:
            self.written_s.append(time.monotonic())
        return unit


class Receiver:
    """A bare subscriber; ``received_s`` are the times at which each card drawn came to it."""

    def __init__(self, port: int) -> None:
        """Connect and subscribe."""
        self.received_s: list[float] = []
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
        self._client.on_connect = self._subscribe
        self._client.on_message = self._take
        self._client.connect("127.0.0.1", port)
        at_once(self._client)
        self._client.loop_start()

    def close(self) -> None:
        """Leave."""
        self._client.disconnect()
        self._client.loop_stop()

    def _subscribe(self, client: Client, _u: object, _f: ConnectFlags, _r: ReasonCode, _p: Properties | None) -> None:
        client.subscribe(Topics(SITE, TABLE).evt, 1)

    def _take(self, _client: Client, _userdata: object, message: MQTTMessage) -> None:
        now_s = time.monotonic()
        event: dict[str, Any] = json.loads(message.payload)
        if event["type"] == "tablewatch.card.drawn":
            self.received_s.append(now_s)


@dataclass(frozen=True, slots=True)
class WireFigures:
    """What was measured in one run; ``journal`` is its record."""

    cards: Samples
    commit: Samples
    round_trip: Samples
    journal: Path


class BenchError(RuntimeError):
    """The measurement could not be made. The text is one line."""


def measure(folder: Path, *, cards: int, seed: int, progress: Callable[[int], None]) -> WireFigures:
    """Deal until so many cards came to the subscriber and a round is over. Raises BenchError, BrokerMissingError."""
    with contextlib.ExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder))
        receiver = Receiver(broker.port)
        stack.callback(receiver.close)
        table = SimTable(folder, seed=seed, speed=SPEED)
        shoe = table.shoe = TimedShoe()
        stack.callback(table.stop)
        table.start()
        write_config(folder, dict(table.urls), STAFF, broker_url=broker.url)
        controller = Actor(("run", str(folder / "table.toml")), folder / "controller.log")
        stack.callback(controller.stop)
        controller.start()
        supervisor = Supervisor(table)
        dealer = Dealer(table, supervisor, rounds=MANY_ROUNDS, seed=seed)
        for person in (supervisor, dealer):
            stack.callback(person.stop)
            person.start()
        while len(receiver.received_s) < cards or not dealer.report.rounds:
            before = len(receiver.received_s)
            if not wait_for(lambda: len(receiver.received_s) > before, CARD_S):  # noqa: B023 - used at once
                raise BenchError(f"no card in {CARD_S:.0f} s; the controller said: {controller.last_lines(3)}")
            progress(len(receiver.received_s))
        dealer.stop()
        durations = zip(shoe.written_s[:cards], receiver.received_s[:cards], strict=True)
        taken = Samples("card: wire to subscriber", [(end - start) * 1000 for start, end in durations])
        envelope, drafts = of_one_card(folder / "table.sqlite")
        trips = bare_round_trip(broker.endpoint, envelope, REPEATS)
    return WireFigures(taken, bare_commit(folder, drafts, REPEATS), trips, folder / "table.sqlite")


def of_one_card(journal: Path) -> tuple[bytes, list[EventDraft]]:
    """What one dealt card leaves in a journal: the envelope of its input, and input and fact as drafts."""
    with JournalReader(journal) as reader:
        events = list(reader.events())
    index = next(n for n, event in enumerate(events) if event.type == "card.dealt")
    pair = events[index - 1 : index + 1]
    return pair[0].envelope, [EventDraft(event.type, event.data(), event.time_us) for event in pair]
