"""The play of a demo: table, controller and subscriber started, rounds dealt, the controller killed once on the way."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.bus.broker import free_port
from controller.bus.endpoint import Endpoint
from controller.bus.nats import HOST
from controller.bus.topics import Topics
from controller.cli.demo.cast import CAMERA, cast_of
from controller.cli.demo.stage import SITE, TABLES, Actor, Staff, wait_for, write_config
from controller.cli.demo.summary import Played, archived
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader
from firmware_sim.entries import CardPut, Place
from firmware_sim.faults import Faults
from firmware_sim.script import Script
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import DEALER_CARD, SUPERVISOR_CARD, SimTable
from firmware_sim.world import World

if TYPE_CHECKING:
    from controller.cli.demo.camera import DemoCamera

STALLED_S: Final = 60.0
CATCH_UP_S: Final = 30.0
STAFF: Final = (Staff("4711", "dealer", DEALER_CARD), Staff("12", "supervisor", SUPERVISOR_CARD))


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person asked for. ``speed`` 1 is a dealer's own pace."""

    rounds: int
    speed: float
    faults: Faults
    deviations: bool
    seed: int
    kill: bool = True
    game: str = "blackjack"
    camera: bool = False


def turn_note(dealt: int, wanted: int) -> str:
    """What is being done after ``dealt`` of ``wanted`` rounds, for the line below the picture."""
    return f"round {dealt + 1} of {wanted}" if dealt < wanted else "the table closes"


class Play:
    """A demo under way. `run` blocks; ``note`` says how far it is; ``endpoint`` and ``topics`` are its address."""

    def __init__(self, wishes: Wishes, folder: Path) -> None:
        """``folder`` keeps journal, archive, logs and the configuration."""
        self.wishes = wishes
        self.folder = folder
        self.note = "starting"
        self.deaths = 0
        port = free_port()
        presence = not wishes.camera
        self.table = SimTable(folder, seed=wishes.seed, speed=wishes.speed, faults=wishes.faults, presence=presence)
        self.table.start()
        self.camera = _camera(self.table.world, folder, wishes.seed) if wishes.camera else None
        more = self.camera.config if self.camera is not None else ""
        urls, speed = dict(self.table.urls), wishes.speed
        config = write_config(folder, urls, STAFF, mqtt_port=port, game=wishes.game, more=more, speed=speed)
        self.controller = Actor(("run", str(config)), folder / "controller.log")
        self.archive = folder / "archive.sqlite"
        self.subscriber = Actor(("tail", str(config), "--store", str(self.archive)), folder / "subscriber.log")
        self.supervisor = Supervisor(self.table)
        self._cast = cast_of(CAMERA if wishes.camera else wishes.game)
        script = _script(wishes, self._cast.script)
        self.dealer = self._cast.dealer(self.table, self.supervisor, script, rounds=wishes.rounds, seed=wishes.seed)
        self.endpoint = Endpoint(HOST, port)
        self.topics = Topics(SITE, TABLES[wishes.game])

    @property
    def journal(self) -> Path:
        """The controller's journal."""
        return self.folder / "table.sqlite"

    def run(self, on_turn: Callable[[], None]) -> Played:
        """Play to the end; ``on_turn`` is called several times a second. Raises KeyboardInterrupt as it comes."""
        with ExitStack() as stack:
            stack.callback(self.table.stop)
            if self.camera is not None:
                stack.callback(self.camera.stop)
            self.controller.start()
            stack.callback(self.controller.kill)
            self.subscriber.start()
            stack.callback(self.subscriber.stop)
            self.supervisor.start()
            stack.callback(self.supervisor.stop)
            self.dealer.start()
            stack.callback(self.dealer.stop)
            self._follow(on_turn)
            self.note = "waiting for the subscriber"
            self.supervisor.stop()
            wait_for(lambda: self._caught_up(on_turn), CATCH_UP_S)
            status = self.controller.stop()
            return self._played(status)

    def _follow(self, on_turn: Callable[[], None]) -> None:
        moved_s, before = time.monotonic(), -1
        while not self.dealer.wait(0.1):
            on_turn()
            self._maybe_kill()
            entries = len(self.table.world.entries)
            if entries != before:
                moved_s, before = time.monotonic(), entries
            self.note = turn_note(self.dealer.report.rounds, self.wishes.rounds)
            if time.monotonic() - moved_s > STALLED_S or not self.controller.running:
                self.note = "the table stands still"
                return

    def _maybe_kill(self) -> None:
        """Once, while the round in the middle is dealt: the controller dies and comes back."""
        world = self.table.world
        if not self.wishes.kill or self.deaths or self.supervisor.busy:
            return
        if len(world.rounds) >= self.wishes.rounds // 2 and world.on_table in self._cast.deadly:
            self.deaths += 1
            self.controller.kill()
            self.controller.start()

    def _caught_up(self, on_turn: Callable[[], None]) -> bool:
        on_turn()
        try:
            with JournalReader(self.journal) as reader:
                head, journal_id = reader.head(), reader.journal_id
        except JournalError:
            return False
        return len(archived(self.archive, journal_id)[0]) == head

    def _played(self, status: int) -> Played:
        report = self.dealer.report
        in_hands = {
            (e.shoe, e.number) for e in self.table.world.entries if isinstance(e, CardPut) and e.place is Place.HAND
        }
        laid = len(in_hands) if self.camera is not None else 0
        self._after_stop()
        return Played(
            self.wishes.rounds,
            report.rounds,
            report.cards,
            tuple(p.kind for p in report.planted),
            Counter(code for p in report.planted for code in p.expected),
            self.deaths,
            status,
            report.remarks,
            laid,
            self.table.fault_counts,
        )

    def _after_stop(self) -> None:
        """The last events came after the controller was asked to stop: its farewell published them."""
        wait_for(lambda: self._caught_up(lambda: None), 5.0)


def _camera(world: World, folder: Path, seed: int) -> DemoCamera:
    """Here and not above: a demo without a camera loads no vision."""
    from controller.cli.demo.camera import DemoCamera

    return DemoCamera(world, folder, seed)


def _script(wishes: Wishes, whole: Script) -> Script:
    if not wishes.deviations:
        return Script()
    return Script(tuple(p for p in whole.planned if p.round <= wishes.rounds))


def new_folder() -> Path:
    """A folder of its own for one demo."""
    return Path(tempfile.mkdtemp(prefix="tablewatch-demo-"))
