"""Kills: a simulated table is dealt while its controller and its broker are killed at random moments, again and again.

The devices, the dealer and the supervisor live in this process and in the world's record; the controller, the archive
and the broker are processes of their own. Afterwards the world, the journal and the archive are compared.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bench.archive import stored
from bench.brokers import ControllersOwn, Mosquitto
from bench.finish import archive_differences, audit_differences, state_differences
from bench.record import Recorded, differences
from controller.cli.demo.stage import SITE, Actor, Staff, wait_for, write_config
from controller.journal.errors import JournalError
from firmware_sim.dealer import Dealer
from firmware_sim.entries import Remark
from firmware_sim.native import NativeFirmware
from firmware_sim.script import Script
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import DEALER_CARD, SUPERVISOR_CARD, SimTable
from firmware_sim.watch import CALM_S
from firmware_sim.world import World

STAFF = (Staff("4711", "dealer", DEALER_CARD), Staff("12", "supervisor", SUPERVISOR_CARD))
AT_ONCE = 0.2
"""Share of the kills that come while the controller still starts."""
LIFE_S = 1.5
"""A life ends within so long after its beginning, or after the table was free to play on."""
AWAY_S = 0.4
"""The longest a killed controller or broker stays away."""
FREE_S = 60.0
"""Longer than that no restarted table may need until the dealer may go on."""
REST_S = 60.0
STALLED_S = 20.0
"""An archive that is helped and has not got on for so long has lost something; one that is not, after `SILENT_S`."""
SILENT_S = 4.0
SETTLE_S = 0.15
"""What was on its way to a device when the controller died has arrived after so long."""
MANY_ROUNDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do. ``speed`` is that of the people. ``launcher`` are the arguments of the interpreter that replace the
    controller's usual start. ``silent``: the archive asks for nothing and is not heard, so that only the publisher's
    cursor stands between a kill and a loss."""

    kills: int
    broker_kills: int
    seed: int
    speed: float = 8.0
    deviations: bool = True
    launcher: Sequence[str] = ()
    silent: bool = False
    embedded: bool = False
    """the broker is the controller's own nats-server instead of a mosquitto"""
    until_found: bool = False
    """stop at the first finding: what follows from it would take minutes to see and tell nothing new"""


@dataclass(slots=True)
class Outcome:
    """What happened. ``findings`` is empty when nothing was lost, doubled or changed; ``free_s`` are the times from a
    start of the controller until the dealer could go on, where he could before the next kill."""

    plan: Plan
    kills: int = 0
    broker_kills: int = 0
    rounds: int = 0
    cards: int = 0
    native_events: int = 0
    journal_events: int = 0
    gaps: int = 0
    checkpoints: int = 0
    wall_s: float = 0.0
    free_s: list[float] = field(default_factory=list)
    remarks: tuple[str, ...] = ()
    findings: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every promise was kept."""
        return not self.findings


class Campaign:
    """One campaign in one folder; `run` it once."""

    def __init__(self, folder: Path, plan: Plan, progress: Callable[[Outcome], None] | None = None) -> None:
        """``folder`` must exist and be empty. ``progress`` hears the outcome so far after every kill."""
        self.outcome = Outcome(plan)
        self._plan = plan
        self._folder = folder
        self._progress = progress or (lambda _outcome: None)
        self._rng = Random(plan.seed)
        self._recorded = Recorded()
        self._world = World(folder / "world.jsonl")
        self._table = SimTable(folder, seed=plan.seed, speed=plan.speed, world=self._world)
        self._supervisor = Supervisor(self._table)
        script = Script.random(plan.seed, 10_000) if plan.deviations else Script()
        self._dealer = Dealer(self._table, self._supervisor, script, rounds=MANY_ROUNDS, seed=plan.seed)
        self._broker: Mosquitto | ControllersOwn = ControllersOwn(self.journal) if plan.embedded else Mosquitto(folder)
        usual = Actor(("run", str(folder / "table.toml")), folder / "controller.log")
        self._controller = usual
        if plan.launcher:
            self._controller = Actor(usual.command, usual.log, tuple(plan.launcher))
        archive = (str(self._broker.port), SITE, str(folder / "archive.sqlite"), *(["--silent"] if plan.silent else []))
        self._archive = Actor(archive, folder / "archive.log", ("-m", "bench.archive"))
        self._started_s = 0.0
        self._interruptions = 0

    @property
    def journal(self) -> Path:
        """The controller's journal."""
        return self._folder / "table.sqlite"

    def run(self) -> Outcome:
        """Play, kill, let everything catch up, and compare. Raises BrokerMissingError."""
        began_s = time.monotonic()
        with contextlib.ExitStack() as stack:
            stack.enter_context(self._world)
            stack.enter_context(self._broker)
            stack.callback(self._table.stop)
            self._table.start()
            self._configure()
            stack.callback(self._archive.stop)
            self._archive.start()
            stack.callback(self._controller.kill)
            self._start_controller()
            stack.callback(self._supervisor.stop)
            self._supervisor.start()
            stack.callback(self._dealer.stop)
            self._dealer.start()
            self._kills()
            if not self._found_enough():
                self._finish()
            self._count()
        self.outcome.wall_s = time.monotonic() - began_s
        return self.outcome

    def _configure(self) -> None:
        broker = self._broker
        path = write_config(self._folder, dict(self._table.urls), STAFF, mqtt_port=broker.port, broker_url=broker.url)
        if self._plan.silent:
            text = path.read_text(encoding="utf-8").replace("[broker]\n", "[broker]\narchives = []\n")
            path.write_text(text, encoding="utf-8")

    def _start_controller(self) -> None:
        self._started_s = time.monotonic()
        self._interruptions = self._table.console.interruptions
        self._controller.start()

    # Killing

    def _kills(self) -> None:
        plan = self._plan
        with_broker = set(self._rng.sample(range(plan.kills), min(plan.broker_kills, plan.kills)))
        for number in range(plan.kills):
            self._live_for_a_while()
            if number in with_broker:
                self._broker.kill()
                self.outcome.broker_kills += 1
            if not self._controller.running:
                self._find(f"the controller ended by itself before kill {number + 1}: {self._controller.last_lines(3)}")
            self._controller.kill()
            self.outcome.kills += 1
            time.sleep(SETTLE_S)
            self._check_acknowledged()
            time.sleep(self._rng.uniform(0, AWAY_S))
            if number in with_broker:
                self._broker.start()
            self._start_controller()
            self._progress(self.outcome)
            if self._found_enough():
                return

    def _found_enough(self) -> bool:
        return self._plan.until_found and not self.outcome.ok

    def _live_for_a_while(self) -> None:
        if self._rng.random() >= AT_ONCE:
            if not wait_for(lambda: self._free() or not self._controller.running, FREE_S, 0.01):
                self._find(
                    f"not free {FREE_S:.0f} s after start {self._controller.starts}: {self._table.console.texts}"
                )
            self.outcome.free_s.append(time.monotonic() - self._started_s)
        time.sleep(self._rng.uniform(0, LIFE_S))

    def _free(self) -> bool:
        """Whether this life of the controller has come so far that the dealer goes on."""
        console = self._table.console
        calm = console.interruptions != self._interruptions and time.monotonic() - console.interrupted_s >= CALM_S
        return calm and self._table.look().free

    def _check_acknowledged(self) -> None:
        """What a device was told is durable is on the disk, now that nobody can add anything."""
        try:
            if self.journal.exists():
                self._recorded.read_on(self.journal)
        except JournalError as error:
            self._find(f"after kill {self.outcome.kills}: {error}")
        if self._recorded.repeated:
            self._find(f"after kill {self.outcome.kills}: recorded twice: {self._recorded.repeated.pop()}")
        for device in self._devices():
            on_disk = self._recorded.through(device.profile.serial)
            if device.acked > on_disk:
                lost = f"event {on_disk + 1} of {device.profile.serial} was acknowledged and is not on the disk"
                self._find(f"after kill {self.outcome.kills}: {lost}")

    def _devices(self) -> tuple[NativeFirmware, ...]:
        return self._table.console, self._table.bets

    def _find(self, what: str) -> None:
        self.outcome.findings.append(what)

    # The end

    def _finish(self) -> None:
        """Stop dealing, let supervisor and archive catch up, stop the controller, compare."""
        self._dealer.stop()
        if not wait_for(self._aligned, REST_S):
            shown = " | ".join(self._table.console.texts)
            self._find(f"the table did not come to rest in {REST_S:.0f} s: {shown}")
        self._supervisor.stop()
        wait_for(lambda: self._table.acknowledged, REST_S)
        self._compare_archive()
        self.outcome.findings += state_differences(self.journal, self._broker.endpoint)
        status = self._controller.stop()
        if status:
            self._find(f"the controller's exit status is {status}: {self._controller.last_lines(3)}")
        self._recorded.read_on(self.journal)
        self.outcome.findings += differences(self._world, self._recorded)
        if not self._plan.embedded:  # the controller's own broker has ended with it
            self._compare_archive()
        found, self.outcome.checkpoints = audit_differences(self.journal, starts=self._controller.starts)
        self.outcome.findings += found

    def _aligned(self) -> bool:
        display = self._table.look()
        counted = max(display.drawn, 0) == len(self._world.cards)
        return self._free() and counted and self._table.acknowledged and self._table.shoe.quiet

    def _compare_archive(self) -> None:
        if not self._catch_up():
            self.outcome.findings += archive_differences(self._folder / "archive.sqlite", self._recorded.hashes)

    def _catch_up(self) -> bool:
        """Wait until the archive has the whole journal, or has not got on for too long; whether it has."""
        patience_s = SILENT_S if self._plan.silent else STALLED_S
        count, since_s = -1, time.monotonic()
        while time.monotonic() - since_s < patience_s:
            self._recorded.read_on(self.journal)
            archived = stored(self._folder / "archive.sqlite")
            if archived == self._recorded.hashes:
                return True
            if len(archived) != count:
                count, since_s = len(archived), time.monotonic()
            time.sleep(0.1)
        return False

    def _count(self) -> None:
        outcome, report = self.outcome, self._dealer.report
        outcome.rounds, outcome.cards = report.rounds, report.cards
        outcome.native_events = len(self._world.identities)
        outcome.journal_events = self._recorded.sequence
        outcome.gaps = self._recorded.types["device.gap"]
        outcome.remarks = tuple(entry.text for entry in self._world.entries if isinstance(entry, Remark))
