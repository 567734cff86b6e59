"""One process, one table: opens everything, then takes inputs from the queue until it is stopped."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from controller import __version__
from controller.adapters.console import Person
from controller.adapters.reader import Faces, no_faces
from controller.app import notes
from controller.app.bus import NOT_YET, Bus, BusStatus, Received
from controller.app.check import Usable
from controller.app.commands import answer_to, command_of
from controller.app.devices import Devices
from controller.app.engine import Engine, TableSetup
from controller.app.hub import CONTROLLER_FAILED, JOURNAL_FAILED, Hub
from controller.app.meta import Meta
from controller.app.patience import Patience, Silence
from controller.app.plugins import load_game
from controller.app.record import WARNING
from controller.app.rulesets import LoadedRules
from controller.app.sources import sources_of
from controller.app.tags import KnownTags
from controller.bus.commands import CommandRefusal, CommandRequest, ReadRequest
from controller.bus.payloads import Vitals
from controller.clock import clock_offset_ms, now_us
from controller.core.game import Game
from controller.journal.chain import StoredEvent
from controller.journal.errors import JournalError
from controller.journal.signing import load_or_make_key
from controller.journal.space import disk_space
from controller.journal.store import Journal
from drivers.api import Report
from drivers.messages import LineFault, LinkChanged, LinkState

QUEUE_SIZE: Final = 1024
"""Inputs that wait for the writer; a full queue makes the port readers wait, and the devices keep their events."""
VITALS_S: Final = 5.0
POLL_S: Final = 0.25
LAST_WORD_S: Final = 2 * POLL_S
"""What the sessions get for the last lock: one that waits for room in the queue is free after `POLL_S`."""
CLOCK_STEP_MS: Final = 500
"""The wall clock against the monotonic one: a jump beyond this between two looks is recorded."""


@dataclass(frozen=True, slots=True)
class FromDevice:
    """A report of a device, with the time it was read."""

    device: str
    report: Report
    at_us: int


@dataclass(frozen=True, slots=True)
class FromBus:
    """Something that came over MQTT."""

    received: Received
    detail: str


Item = FromDevice | FromBus


class Runner:
    """A running table. `run` blocks; `stop` may be called from any thread or a signal handler."""

    def __init__(
        self,
        checked: Usable,
        say: Callable[[str], None],
        show: Callable[[StoredEvent], None],
    ) -> None:
        """``checked`` is what `check.usable` found. ``say`` prints a line of the controller's own,
        ``show`` an event. Opens nothing yet."""
        self._config = config = checked.config
        self._say = say
        self.game: Game = load_game(config.table.game)
        self.rules: LoadedRules = checked.rules
        self._queue: queue.Queue[Item] = queue.Queue(QUEUE_SIZE)
        self._stopping = threading.Event()
        self._closed = threading.Event()
        self._hub = Hub(config, self.game, show)
        self._next_vitals_s = 0.0
        self._free_bytes = 0
        self._troubles: set[str] = set()
        self._clock_offset_ms = clock_offset_ms()

    def stop(self) -> None:
        """End the table cleanly."""
        self._stopping.set()

    def run(self) -> None:
        """Open journal, devices and bus, and follow rounds until stopped.

        Raises JournalError or RecordError when the table cannot run or the journal fails; then, as after every other
        exception, the shoe is locked. Raises RegisterError for a deck register that cannot be read, PortError for
        a port that another process keeps for itself.
        """
        config = self._config
        signer = load_or_make_key(config.journal.key or config.journal.path.with_suffix(".key"))
        place = (config.journal.path, config.table.site, config.table.id)
        with self._faces() as faces, Journal.open(*place, signer=signer) as journal:
            devices = Devices(config, self._from_device)
            devices.refuse_rivals()
            setup = self._setup(devices, faces)
            engine = Engine(setup, journal, signer, self._hub)
            devices.resume(engine.heard, engine.state.fusion)
            devices.expect(engine.state.wires.known)
            self._hub.devices = devices
            epoch = engine.start(now_us())
            bus = Bus(config, journal.journal_id, epoch, self._from_bus, self._vitals, self._say)
            self._hub.bus = bus
            self._hub.meta = Meta(config, self.rules, journal.journal_id, signer.public_key, epoch)
            self._hub.refresh(engine.state, journal.tip.sequence)
            bus.start()
            devices.start()
            try:
                self._follow(engine, bus)
                devices.stop()
                self._drain(engine, bus)
                engine.note(notes.SystemStopped("asked to stop"), now_us())
            finally:
                self._closed.set()
                failure = sys.exception()
                if failure is not None:
                    self._lock_up(failure)
                devices.stop()
                bus.stop()

    @contextmanager
    def _faces(self) -> Iterator[Faces]:
        """What knows the cards of tags while the table runs."""
        decks = self._config.decks
        if decks is None:
            yield no_faces
            return
        with KnownTags(decks.path, self._say) as tags:
            yield tags.card_of

    def _lock_up(self, failure: BaseException) -> None:
        """Nobody follows the table any more: lock the shoe, tell the dealer, and leave the sessions time to do it."""
        of_journal = isinstance(failure, JournalError)
        reason = str(failure) if of_journal else f"a fault of the controller: {type(failure).__name__}"
        self._hub.failed(reason, JOURNAL_FAILED if of_journal else CONTROLLER_FAILED)
        time.sleep(LAST_WORD_S)

    def _setup(self, devices: Devices, faces: Faces) -> TableSetup:
        staff = {s.card: Person(s.id, s.role) for s in self._config.staff if s.card}
        table = self._config.table
        sources = sources_of(self._config.sources, devices.wirings.values())
        return TableSetup(
            self.game,
            self.rules,
            devices.wirings,
            staff,
            __version__,
            table.simulation,
            faces,
            sources,
            table.currency,
        )

    def _follow(self, engine: Engine, bus: Bus) -> None:
        patience, silence = Patience(self.game), Silence(self.game)
        while not self._stopping.is_set():
            try:
                item = self._queue.get(timeout=POLL_S)
            except queue.Empty:
                item = None
            if item is not None:
                self._take(engine, bus, item)
            over = patience.look(engine.state, time.monotonic())
            if over is not None:
                engine.apply((over,), now_us())
            silent = silence.look(engine.state, time.monotonic())
            if silent is not None:
                engine.apply((silent,), now_us())
            self._tell_trouble(bus.health().trouble)
            self._look_for_dead(engine)
            if time.monotonic() >= self._next_vitals_s:
                self._look_after(engine, bus)

    def _look_for_dead(self, engine: Engine) -> None:
        """A device whose session a bug has ended is away, and what it said meanwhile may be lost."""
        if self._hub.devices is None:
            return
        for name, bug in self._hub.devices.died():
            reason = f"a fault of the controller ended the connection to {name} ({bug}); it is made anew"
            self._say(reason)
            for message in (LinkChanged(LinkState.DOWN, reason), LineFault("controller_fault", reason)):
                engine.report(name, Report(message), now_us())

    def _tell_trouble(self, trouble: str) -> None:
        """Say each trouble of the publication once until it is over: several brokers fail in turn."""
        if not trouble and self._troubles:
            self._troubles.clear()
            self._say("the table is published again")
        elif trouble and trouble not in NOT_YET and trouble not in self._troubles:
            self._troubles.add(trouble)
            self._say(trouble)

    def _drain(self, engine: Engine, bus: Bus) -> None:
        """What was read before the devices were stopped still counts."""
        self._closed.set()
        while True:
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return
            if isinstance(item, FromDevice) and not item.report.identity:
                continue  # the link ends because we close it: that is no news of the table
            self._take(engine, bus, item)

    def _take(self, engine: Engine, bus: Bus, item: Item) -> None:
        match item:
            case FromDevice():
                engine.report(item.device, item.report, item.at_us)
            case FromBus():
                self._take_bus(engine, bus, item)

    def _take_bus(self, engine: Engine, bus: Bus, item: FromBus) -> None:
        at_us = now_us()
        match item.received:
            case CommandRequest() as request:
                bus.respond(request.client, request.corr, **answer_to(engine.apply((command_of(request),), at_us)))
            case CommandRefusal() as no:
                note: Any = notes.CommandDenied(no.name, no.client, no.actor, no.status.value, no.reason, no.suppressed)
                engine.note(note, at_us, WARNING)
            case ReadRequest() as read:
                engine.note(notes.ReplayServed(read.client, item.detail), at_us)

    def _look_after(self, engine: Engine, bus: Bus) -> None:
        self._next_vitals_s = time.monotonic() + VITALS_S
        offset_ms = clock_offset_ms()
        step_ms, self._clock_offset_ms = offset_ms - self._clock_offset_ms, offset_ms
        if abs(step_ms) > CLOCK_STEP_MS:
            engine.note(notes.ClockStep(step_ms), now_us(), WARNING)
        limit = self._config.journal.low_space_mb * 1024 * 1024
        space = disk_space(self._config.journal.path, limit)
        self._free_bytes = space.free_bytes
        if space.low and not self._hub.low_space:
            self._say(f"journal {self._config.journal.path}: only {space.free_bytes // 2**20} MiB free")
            engine.note(notes.JournalLowSpace(space.free_bytes), now_us(), WARNING)
        self._hub.low_space = space.low
        bus.revive()
        if self._hub.devices is not None:
            self._hub.devices.revive(engine.heard)
            bus.telemetry(self._hub.devices.counters())

    def _from_device(self, device: str, report: Report) -> None:
        self._put(FromDevice(device, report, now_us()))

    def _from_bus(self, received: Received, detail: str) -> None:
        self._put(FromBus(received, detail))

    def _put(self, item: Item) -> None:
        while not self._closed.is_set():
            try:
                self._queue.put(item, timeout=POLL_S)
            except queue.Full:
                continue
            return

    def _vitals(self) -> Vitals:
        return Vitals(self._free_bytes, self._queue.qsize(), self._clock_offset_ms)

    def health(self) -> BusStatus | None:
        """How publication stands; None before the bus was made."""
        return self._hub.bus.health() if self._hub.bus is not None else None
