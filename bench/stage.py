"""A simulated table with its controller, archive and broker as processes of their own, for campaigns that disturb them.

The devices, the dealer and the supervisor live in this process and in the world's record. Afterwards the world, the
journal and the archive are compared.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

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
FREE_S = 60.0
"""Longer than that no table may need until the dealer may go on."""
REST_S = 60.0
STALLED_S = 20.0
"""An archive that is helped and has not got on for so long has lost something; one that is not, after `SILENT_S`."""
SILENT_S = 4.0
MANY_ROUNDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a stage is set. ``speed`` is that of the people. ``launcher`` are the arguments of the interpreter that
    replace the controller's usual start. ``silent``: the archive asks for nothing and is not heard, so that only the
    publisher's cursor stands between a disturbance and a loss."""

    seed: int
    speed: float = 8.0
    deviations: bool = True
    launcher: Sequence[str] = ()
    silent: bool = False
    embedded: bool = False
    """the broker is the controller's own nats-server instead of a mosquitto"""
    transport: Literal["pty", "tcp"] = "pty"
    shoe_options: str = ""
    """of the shoe's driver, as the inside of a TOML inline table"""
    until_found: bool = False
    """stop at the first finding: what follows from it would take minutes to see and tell nothing new"""


@dataclass(slots=True, kw_only=True)
class Figures:
    """What happened on a stage. ``findings`` is empty when nothing was lost, doubled or changed."""

    rounds: int = 0
    cards: int = 0
    native_events: int = 0
    chips: int = 0
    journal_events: int = 0
    gaps: int = 0
    checkpoints: int = 0
    wall_s: float = 0.0
    remarks: tuple[str, ...] = ()
    findings: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every promise was kept."""
        return not self.findings


class Stage:
    """A context in which people play at a followed table; ``figures`` are filled by `finish` and `count`."""

    def __init__(self, folder: Path, setting: Setting, figures: Figures) -> None:
        """``folder`` must exist and be empty."""
        self.setting = setting
        self.folder = folder
        self.figures = figures
        self.recorded = Recorded()
        self.world = World(folder / "world.jsonl")
        self.table = SimTable(
            folder, seed=setting.seed, speed=setting.speed, world=self.world, transport=setting.transport
        )
        self._supervisor = Supervisor(self.table)
        script = Script.random(setting.seed, 10_000) if setting.deviations else Script()
        self._dealer = Dealer(self.table, self._supervisor, script, rounds=MANY_ROUNDS, seed=setting.seed)
        self.broker: Mosquitto | ControllersOwn = (
            ControllersOwn(self.journal) if setting.embedded else Mosquitto(folder)
        )
        usual = Actor(("run", str(folder / "table.toml")), folder / "controller.log")
        self.controller = usual
        if setting.launcher:
            self.controller = Actor(usual.command, usual.log, tuple(setting.launcher))
        archive = (
            str(self.broker.port),
            SITE,
            str(folder / "archive.sqlite"),
            *(["--silent"] if setting.silent else []),
        )
        self._archive = Actor(archive, folder / "archive.log", ("-m", "bench.archive"))
        self.started_s = 0.0
        """when the controller was started last, on `time.monotonic`"""
        self._began_s = 0.0
        self._interruptions = 0
        self._stack = contextlib.ExitStack()

    @property
    def journal(self) -> Path:
        """The controller's journal."""
        return self.folder / "table.sqlite"

    def __enter__(self) -> Self:
        """Begin to play. Raises BrokerMissingError."""
        self._began_s = time.monotonic()
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.world)
            stack.enter_context(self.broker)
            stack.callback(self.table.stop)
            self.table.start()
            self._configure()
            stack.callback(self._archive.stop)
            self._archive.start()
            stack.callback(self.controller.kill)
            self.start_controller()
            stack.callback(self._supervisor.stop)
            self._supervisor.start()
            stack.callback(self._dealer.stop)
            self._dealer.start()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
        self.figures.wall_s = time.monotonic() - self._began_s

    def _configure(self) -> None:
        broker = self.broker
        path = write_config(
            self.folder,
            dict(self.table.urls),
            STAFF,
            mqtt_port=broker.port,
            broker_url=broker.url,
            shoe_options=self.setting.shoe_options,
            speed=self.setting.speed,
        )
        if self.setting.silent:
            text = path.read_text(encoding="utf-8").replace("[broker]\n", "[broker]\narchives = []\n")
            path.write_text(text, encoding="utf-8")

    def start_controller(self) -> None:
        """Start the controller, the first time or again."""
        self.started_s = time.monotonic()
        self._interruptions = self.table.console.interruptions
        self.controller.start()

    def free(self) -> bool:
        """Whether this life of the controller has come so far that the dealer goes on."""
        console = self.table.console
        calm = console.interruptions != self._interruptions and time.monotonic() - console.interrupted_s >= CALM_S
        return calm and self.table.look().free

    def wait_free(self) -> None:
        """Wait until the dealer may go on or the controller has ended; one that takes too long is a finding."""
        if not wait_for(lambda: self.free() or not self.controller.running, FREE_S, 0.01):
            shown = self.table.console.texts
            self.find(f"not free after {FREE_S:.0f} s in life {self.controller.starts} of the controller: {shown}")

    def find(self, what: str) -> None:
        """A promise was broken."""
        self.figures.findings.append(what)

    @property
    def found_enough(self) -> bool:
        """Whether there is no use in going on."""
        return self.setting.until_found and not self.figures.ok

    def check_running(self, when: str) -> None:
        """The controller must not have ended by itself; ``when`` completes the sentence."""
        if not self.controller.running:
            self.find(f"the controller ended by itself {when}: {self.controller.last_lines(3)}")

    def check_acknowledged(self, when: str) -> None:
        """What a device was told is durable is on the disk, once, whether the controller lives or not."""
        acknowledged = {device.profile.serial: device.acked for device in self._devices()}
        try:
            if self.journal.exists():
                self.recorded.read_on(self.journal)
        except JournalError as error:
            self.find(f"{when}: {error}")
        if self.recorded.repeated:
            self.find(f"{when}: recorded twice: {self.recorded.repeated.pop()}")
        for serial, through in acknowledged.items():
            on_disk = self.recorded.through(serial)
            if through > on_disk:
                self.find(f"{when}: event {on_disk + 1} of {serial} was acknowledged and is not on the disk")

    def _devices(self) -> tuple[NativeFirmware, ...]:
        return self.table.console, self.table.bets

    # The end

    def finish(self) -> None:
        """Stop dealing, let supervisor and archive catch up, stop the controller, compare."""
        self._dealer.stop()
        if not wait_for(self._aligned, REST_S):
            shown = " | ".join(self.table.console.texts)
            self.find(f"the table did not come to rest in {REST_S:.0f} s: {shown}")
        self._supervisor.stop()
        wait_for(lambda: self.table.acknowledged, REST_S)
        self._compare_archive()
        self.figures.findings += state_differences(self.journal, self.broker.endpoint)
        status = self.controller.stop()
        if status:
            self.find(f"the controller's exit status is {status}: {self.controller.last_lines(3)}")
        self.recorded.read_on(self.journal)
        self.figures.findings += differences(self.world, self.recorded)
        if not self.setting.embedded:  # the controller's own broker has ended with it
            self._compare_archive()
        found, self.figures.checkpoints = audit_differences(self.journal, starts=self.controller.starts)
        self.figures.findings += found

    def _aligned(self) -> bool:
        display = self.table.look()
        counted = max(display.drawn, 0) == len(self.world.cards)
        return self.free() and counted and self.table.acknowledged and self.table.shoe.quiet

    def _compare_archive(self) -> None:
        if not self._catch_up():
            self.figures.findings += archive_differences(self.folder / "archive.sqlite", self.recorded.hashes)

    def _catch_up(self) -> bool:
        """Wait until the archive has the whole journal, or has not got on for too long; whether it has."""
        patience_s = SILENT_S if self.setting.silent else STALLED_S
        count, since_s = -1, time.monotonic()
        while time.monotonic() - since_s < patience_s:
            self.recorded.read_on(self.journal)
            archived = stored(self.folder / "archive.sqlite")
            if archived == self.recorded.hashes:
                return True
            if len(archived) != count:
                count, since_s = len(archived), time.monotonic()
            time.sleep(0.1)
        return False

    def count(self) -> None:
        """Fill in what was dealt and written so far."""
        figures, report = self.figures, self._dealer.report
        figures.rounds, figures.cards = report.rounds, report.cards
        figures.native_events = len(self.world.identities)
        figures.chips = sum(self.recorded.chips.values())
        figures.journal_events = self.recorded.sequence
        figures.gaps = sum(self.recorded.gaps.values())
        figures.remarks = tuple(entry.text for entry in self.world.entries if isinstance(entry, Remark))
