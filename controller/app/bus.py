"""The table on MQTT: broker, publisher and the way of commands into the queue. The table runs without it, too."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.app.config import ConfigError, Secrets, TableConfig
from controller.app.payloads import Counters, MetaPayload, StatePayload
from controller.bus.broker import EmbeddedBroker
from controller.bus.commands import (
    CommandJudge,
    CommandRefusal,
    CommandRequest,
    CommandSpec,
    ReadRequest,
)
from controller.bus.endpoint import PASSWORD_VARIABLE, Endpoint, EndpointError, parse_endpoint
from controller.bus.keys import Role, StaffMember, Target
from controller.bus.payloads import Alert, Condition, Vitals
from controller.bus.publisher import Publisher
from controller.bus.topics import Topics
from controller.bus.voice import Identity
from controller.core.authority import AUTHORITY
from controller.journal.errors import JournalError
from controller.journal.outbox import Outbox
from controller.journal.reader import JournalReader

NOT_YET: Final = ("not started yet", "not connected yet")
"""What `BusStatus.trouble` says before anything was tried: nothing that a person must be told."""

MOST_DEATHS: Final = 8
"""Bugs that the publication may meet before it is not begun again."""


@dataclass(frozen=True, slots=True)
class BusStatus:
    """How publication stands, for screens. ``trouble`` is one line, empty when all is well."""

    url: str
    connected: bool
    published: int
    acknowledged: int
    archived: int | None
    trouble: str


Received = CommandRequest | CommandRefusal | ReadRequest


class _Inlet:
    """Puts what came over MQTT into the table's queue."""

    def __init__(self, put: Callable[[Received, str], None]) -> None:
        self._put = put

    def accepted(self, request: CommandRequest) -> None:
        """A command to be carried out."""
        self._put(request, "")

    def refused(self, refusal: CommandRefusal) -> None:
        """A refusal, answered already."""
        self._put(refusal, "")

    def served(self, request: ReadRequest, detail: str) -> None:
        """A replay was served."""
        self._put(request, detail)


def endpoints_of(config: TableConfig) -> tuple[Endpoint, ...]:
    """The brokers named in the configuration. Raises ConfigError with every fault."""
    environ = {PASSWORD_VARIABLE: Secrets().mqtt_password}
    found, faults = [], []
    for index, url in enumerate(config.broker.urls):
        try:
            found.append(parse_endpoint(url, environ, insecure_lab=config.broker.insecure_lab))
        except EndpointError as error:
            faults.append(f"broker.urls.{index}: {error}")
    if faults:
        raise ConfigError(tuple(faults))
    return tuple(found)


def command_specs() -> tuple[CommandSpec, ...]:
    """The table's commands as the bus checks them; the table itself checks once more who may do what."""
    return tuple(
        CommandSpec(name, frozenset(Role(role) for role in authority.roles), authority.arguments)
        for name, authority in AUTHORITY.items()
    )


class Bus:
    """Broker and publisher of one life of the table. No method but `stop` waits for a broker."""

    def __init__(
        self,
        config: TableConfig,
        journal_id: str,
        epoch: int,
        put: Callable[[Received, str], None],
        vitals: Callable[[], Vitals],
        say: Callable[[str], None],
    ) -> None:
        """``say`` is told, from any thread, what happened to the embedded broker. Raises ConfigError for a broker's URL
        that cannot be used."""
        self._config = config
        self._endpoints = endpoints_of(config)
        self._vitals = vitals
        self._say = say
        self._inlet = _Inlet(put)
        self._lock = threading.Lock()
        self._publisher: Publisher | None = None
        self._reader: JournalReader | None = None
        self._broker: EmbeddedBroker | None = None
        self._trouble = NOT_YET[0]
        self._deaths = 0
        self._condition = Condition("init")
        self._meta: MetaPayload | None = None
        self._state: StatePayload[Any] | None = None
        self._alerts: dict[str, Alert] = {}
        self._identity = Identity(Topics(config.table.site, config.table.id), journal_id, epoch, config.broker.archives)
        self._thread = threading.Thread(target=self._start, name="bus-start", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    def _start(self) -> None:
        if not self._endpoints:
            if not self._config.broker.embedded:
                self._trouble = "no broker configured: the table journals, nothing is published"
                return
            self._broker = EmbeddedBroker(
                _beside(self._config.journal.path, ".broker"), self._config.broker.embedded_port, say=self._say
            )
            state = self._broker.start()
            if not state.running:
                self._trouble = f"{state.reason}; the table runs and journals, nothing is published"
            endpoint = self._broker.endpoint()
            if endpoint is None:
                return
            self._endpoints = (endpoint,)
        self._try_to_open()

    def revive(self) -> None:
        """A publisher whose thread a bug has ended is made anew, `MOST_DEATHS` times at most."""
        with self._lock:
            publisher, reader = self._publisher, self._reader
            if publisher is None or publisher.running or self._deaths == MOST_DEATHS:
                return
            self._publisher, self._reader = None, None
        self._deaths += 1
        if reader is not None:
            reader.close()
        ended = "a fault of the controller ended the publication"
        if self._deaths < MOST_DEATHS:
            self._say(f"{ended}; it is begun again")
            self._try_to_open()
        else:
            self._trouble = f"{ended}; nothing is published before the next start"

    def _try_to_open(self) -> None:
        try:
            self._open(self._endpoints)
        except (JournalError, OSError) as error:
            self._trouble = f"{error}; nothing is published"

    def _open(self, endpoints: tuple[Endpoint, ...]) -> None:
        path = self._config.journal.path
        reader = JournalReader(path)
        outbox = Outbox(_beside(path, ".cursor"), self._identity.journal_id)
        target = Target(self._config.table.site, self._config.table.id, self._identity.epoch)
        publisher = Publisher(
            endpoints,
            self._identity,
            reader,
            outbox,
            CommandJudge(target, _members(self._config), command_specs()),
            self._inlet,
            vitals=self._vitals,
            read_errors=(JournalError, OSError),
        )
        with self._lock:
            self._reader, self._publisher, self._trouble = reader, publisher, ""
            publisher.set_status(self._condition)
            if self._meta is not None:
                publisher.set_meta(self._meta)
            if self._state is not None:
                publisher.set_state(self._state)
            for alert in self._alerts.values():
                publisher.open_alert(alert)
            publisher.start()

    def stop(self) -> None:
        """Say goodbye, then stop the embedded broker."""
        self._thread.join(timeout=20)
        if self._publisher is not None:
            self._publisher.stop()
        if self._reader is not None:
            self._reader.close()
        if self._broker is not None:
            self._broker.stop()

    def committed(self, condition: Condition, state: StatePayload[Any]) -> None:
        """The journal has grown and the table stands so."""
        with self._lock:
            self._state = state
            if self._publisher is not None:
                self._publisher.wake()
                self._publisher.set_state(state)
            self._show(condition)

    def lost(self, reason: str) -> None:
        """Nobody follows the table any more; how it stood last is left as it was."""
        with self._lock:
            self._show(Condition("lost", reason))

    def _show(self, condition: Condition) -> None:
        changed, self._condition = condition != self._condition, condition
        if changed and self._publisher is not None:
            self._publisher.set_status(condition)

    def alerts(self, wanted: Iterable[Alert]) -> None:
        """The alerts that are open now."""
        with self._lock:
            before, self._alerts = self._alerts, {alert.id: alert for alert in wanted}
            if self._publisher is not None:
                for key in sorted(before.keys() - self._alerts.keys()):
                    self._publisher.close_alert(key)
                for key, alert in self._alerts.items():
                    if before.get(key) != alert:
                        self._publisher.open_alert(alert)

    def set_meta(self, meta: MetaPayload) -> None:
        """What the table is."""
        with self._lock:
            self._meta = meta
            if self._publisher is not None:
                self._publisher.set_meta(meta)

    def telemetry(self, counters: Mapping[str, Counters]) -> None:
        """Link counters of the devices."""
        with self._lock:
            if self._publisher is not None:
                for device, values in counters.items():
                    self._publisher.telemetry(device, values)

    def respond(self, client: str, corr: str, status: str, **more: Any) -> None:
        """Answer a command."""
        with self._lock:
            if self._publisher is not None and client:
                self._publisher.respond(client, corr, status, **more)

    def health(self) -> BusStatus:
        """How publication stands."""
        with self._lock:
            broker = self._broker.state() if self._broker else None
            url = broker.url if broker else ", ".join(str(e) for e in self._endpoints)
            if self._publisher is None:
                return BusStatus(url, False, 0, 0, None, self._trouble)
            health = self._publisher.health()
            trouble = health.trouble or (broker.reason if broker else "")
            return BusStatus(url, health.connected, health.published, health.acknowledged, health.archived, trouble)


def _members(config: TableConfig) -> tuple[StaffMember, ...]:
    return tuple(StaffMember(s.id, Role(s.role), s.public_key) for s in config.staff if s.public_key)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
