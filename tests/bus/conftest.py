"""Real brokers, a real journal with its publisher, and a bare paho subscriber that shares no code with
ours.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from bench import waiting
from bench.brokers import Mosquitto
from controller.bus.backoff import Backoff
from controller.bus.broker import EmbeddedBroker
from controller.bus.commands import CommandJudge, CommandRefusal, CommandRequest, CommandSpec, ReadRequest
from controller.bus.endpoint import Endpoint
from controller.bus.keys import Role, StaffKey, StaffMember, Target, new_staff_key
from controller.bus.payloads import Vitals
from controller.bus.publisher import Publisher
from controller.bus.topics import Topics
from controller.bus.voice import Identity, Pace
from controller.journal.chain import EventDraft
from controller.journal.errors import JournalError
from controller.journal.outbox import Outbox
from controller.journal.store import Journal

TOPICS = Topics("lv1", "bj-012")
PATIENCE_S = 30.0
FLOOR = frozenset({Role.SUPERVISOR, Role.PIT})
SPECS = (
    CommandSpec("resume", FLOOR, ("verdict", "correction", "card", "reason")),
    CommandSpec("hold", FLOOR, ()),
    CommandSpec("ack-alert", FLOOR, ("verdict",)),
    CommandSpec("approve", FLOOR | {Role.DEALER}, ("request",)),
)
"""Commands of a table, to be judged."""


class Subscriber:
    """A bare MQTT client: it stores what it is sent and asks for nothing."""

    def __init__(self, port: int, *filters: str) -> None:
        self._lock = threading.Lock()
        self._messages: list[tuple[str, bytes, bool]] = []
        self._subscribed = threading.Event()
        self._filters = filters
        self.client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv311)
        self.client.on_connect = lambda client, *_: client.subscribe([(name, 1) for name in filters])
        self.client.on_subscribe = lambda *_: self._subscribed.set()
        self.client.on_message = self._on_message
        self.client.reconnect_delay_set(1, 1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        self.wait_subscribed()

    def wait_subscribed(self) -> None:
        assert self._subscribed.wait(PATIENCE_S)

    def forget_subscription(self) -> None:
        self._subscribed.clear()

    def messages(self, topic: str) -> list[bytes]:
        with self._lock:
            return [payload for name, payload, _ in self._messages if name == topic]

    def json(self, topic: str) -> list[dict[str, Any]]:
        return [json.loads(payload) for payload in self.messages(topic) if payload]

    def retained(self, topic: str) -> list[bytes]:
        with self._lock:
            return [payload for name, payload, kept in self._messages if name == topic and kept]

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self.client.publish(topic, payload, 1, retain).wait_for_publish(PATIENCE_S)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def _on_message(self, _client: Client, _userdata: object, message: MQTTMessage) -> None:
        with self._lock:
            self._messages.append((message.topic, bytes(message.payload), message.retain))


@dataclass
class Sink:
    """Keeps whatever the bus hands on."""

    accepted_: list[CommandRequest] = field(default_factory=list)
    refused_: list[CommandRefusal] = field(default_factory=list)
    served_: list[tuple[ReadRequest, str]] = field(default_factory=list)

    def accepted(self, request: CommandRequest) -> None:
        self.accepted_.append(request)

    def refused(self, refusal: CommandRefusal) -> None:
        self.refused_.append(refusal)

    def served(self, request: ReadRequest, detail: str) -> None:
        self.served_.append((request, detail))


class Table:
    """A journal and its publisher, which can die and come back."""

    def __init__(self, folder: Path, staff: list[StaffMember]) -> None:
        self._folder = folder
        self._staff = staff
        self.sink = Sink()
        self.journal = Journal.open(folder / "t.journal", TOPICS.site, TOPICS.table)
        self.journal.start()
        self.publisher: Publisher | None = None

    @property
    def target(self) -> Target:
        return Target(TOPICS.site, TOPICS.table, self.journal.epoch)

    def outbox(self) -> Outbox:
        """A fresh look at the cursor's file."""
        return Outbox(self._folder / "t.cursor", self.journal.journal_id)

    def append(self, count: int) -> None:
        self.journal.append([EventDraft("card.dealt", {"n": number}, number) for number in range(count)])
        if self.publisher is not None:
            self.publisher.wake()

    def publish(self, *endpoints: Endpoint, archive_s: float = 0.5) -> Publisher:
        identity = Identity(TOPICS, self.journal.journal_id, self.journal.epoch)
        self.publisher = Publisher(
            endpoints,
            identity,
            self.journal,
            self.outbox(),
            CommandJudge(self.target, self._staff, SPECS),
            self.sink,
            vitals=self.vitals,
            read_errors=(JournalError,),
            pace=Pace(heartbeat_s=0.3, cursor_s=0.05, archive_s=archive_s),
            backoff=Backoff(0.05, 0.3),
        )
        self.publisher.start()
        return self.publisher

    def vitals(self) -> Vitals:
        return Vitals(free_bytes=12345)

    def stop(self) -> None:
        if self.publisher is not None:
            self.publisher.stop()
            self.publisher = None

    def close(self) -> None:
        self.stop()
        self.journal.close()


@pytest.fixture
def keys() -> dict[str, StaffKey]:
    return {actor: new_staff_key() for actor in ("dealer:1", "supervisor:2", "pit:3")}


@pytest.fixture
def specs() -> tuple[CommandSpec, ...]:
    return SPECS


@pytest.fixture
def staff(keys: dict[str, StaffKey]) -> list[StaffMember]:
    return [StaffMember(actor, Role(actor.split(":")[0]), key.public_key) for actor, key in keys.items()]


@pytest.fixture
def table(tmp_path: Path, staff: list[StaffMember]) -> Iterator[Table]:
    made = Table(tmp_path, staff)
    yield made
    made.close()


@pytest.fixture
def make_mosquitto(tmp_path: Path) -> Iterator[Callable[..., Mosquitto]]:
    made: list[Mosquitto] = []

    def make(extra: str = "", *, anonymous: bool = True) -> Mosquitto:
        made.append(Mosquitto(tmp_path, anonymous=anonymous, extra=extra))
        made[-1].start()
        return made[-1]

    yield make
    for broker in made:
        broker.kill()


@pytest.fixture
def mosquitto(make_mosquitto: Callable[..., Mosquitto]) -> Mosquitto:
    return make_mosquitto()


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[EmbeddedBroker]:
    broker = EmbeddedBroker(tmp_path / "nats", backoff=Backoff(0.05, 0.2))
    state = broker.start()
    assert state.running, state.reason
    yield broker
    broker.stop()


@pytest.fixture
def subscribe() -> Iterator[Callable[..., Subscriber]]:
    made: list[Subscriber] = []

    def make(port: int, *filters: str) -> Subscriber:
        made.append(Subscriber(port, *filters))
        return made[-1]

    yield make
    for subscriber in made:
        subscriber.close()


@pytest.fixture
def until() -> Callable[..., None]:
    return waiting.until
