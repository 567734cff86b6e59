"""A controller in little for the people of a simulated table, and a table for them to play at."""

from __future__ import annotations

import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.console import Person
from controller.adapters.link import Wiring, gap_after_start
from controller.adapters.translate import translate
from controller.app.picture import display
from controller.app.rulesets import load_rules
from controller.core.facts import ViolationRaised
from controller.core.inputs import Input, RulesChosen, SystemStarted
from controller.core.state import EMPTY
from controller.core.table import step
from drivers.api import Driver, LineSettings, Report
from drivers.bets import DRIVER as BETS
from drivers.console import DRIVER as CONSOLE
from drivers.messages import DeviceIdentified, SetLamp, ShowText
from drivers.session import DeviceSession
from drivers.shoes.angel_eye import DRIVER as SHOE
from firmware_sim.dealer import Dealer
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import DEALER_CARD, SUPERVISOR_CARD, SimTable

DEADLINE_S = 100.0
STAFF = {DEALER_CARD: Person("ann", "dealer"), SUPERVISOR_CARD: Person("sam", "supervisor")}
DEAD_S = 0.5
FIRST_DEATH, BETWEEN_DEATHS = 40, 23
"""Entries of the world before a host dies, and from then on between two deaths."""


class Host:
    """A controller in little: sessions, the real step, a display; `die` forgets all that was not stepped over."""

    def __init__(self, table: SimTable, game: Any) -> None:
        self.facts: list[Any] = []
        self.heard: dict[str, str] = {}
        self.seen: set[str] = set()
        self._table = table
        self._game = game
        self._rules = load_rules(game, "armenian", {})
        self._state = EMPTY
        self._lives = 0

    def live(self) -> None:
        """Start, from what is remembered."""
        self._lives += 1
        self._reports: queue.SimpleQueue[tuple[str, Report] | None] = queue.SimpleQueue()
        self._shown: dict[tuple[str, int], str] = {}
        self._wirings: dict[str, Wiring] = {}
        self._sessions: dict[str, DeviceSession] = {}
        for name in ("shoe", "console", "bets"):
            driver, line = self._driver(name)
            self._wirings[name] = Wiring(name, name, driver.capabilities)
            self._sessions[name] = DeviceSession(name, self._table.urls[name], driver, self._put, line=line)
        chosen = self._rules
        rules = RulesChosen(self._game.name, chosen.name, chosen.data, chosen.sha256)
        first = (rules,) if self._lives == 1 else ()
        self._apply((SystemStarted(self._lives, "test"), *first, *gap_after_start(self._wirings["shoe"])))
        for session in self._sessions.values():
            session.start()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def die(self) -> None:
        """Stop in the middle; what waits is lost."""
        self._reports.put(None)
        self._thread.join()
        stopped = [session.stop() for session in self._sessions.values()]
        assert all(stopped)

    def _driver(self, name: str) -> tuple[Driver, LineSettings]:
        if name == "shoe":
            return SHOE({}), SHOE.line
        factory = CONSOLE if name == "console" else BETS
        options: dict[str, object] = {"allow_simulated": True}
        if name in self.heard:
            options["resume"] = self.heard[name]
        return factory(options), factory.line

    def _put(self, device: str, report: Report) -> None:
        self._reports.put((device, report))

    def _run(self) -> None:
        while (item := self._reports.get()) is not None:
            device, report = item
            if not report.identity or report.identity not in self.seen:
                self._apply(translate(self._wirings[device], report.message, STAFF))
            if report.identity:
                self.seen.add(report.identity)
                self.heard[device] = report.identity
                self._sessions[device].committed(report.identity)
            if device == "console" and isinstance(report.message, DeviceIdentified):
                self._shown.clear()
            self._paint()

    def _apply(self, inputs: tuple[Input, ...]) -> None:
        for event in inputs:
            taken = step(self._game, self._state, event, time.time_ns() // 1000)
            self._state = taken.state
            self.facts.extend(taken.facts)

    def _paint(self) -> None:
        picture = display(self._game, self._state, "")
        wanted = {("line", n): text for n, text in enumerate(picture.lines)}
        wanted |= {("lamp", n): mode for n, mode in enumerate(picture.lamps)}
        for (what, number), value in wanted.items():
            if self._shown.get((what, number)) != value:
                self._shown[what, number] = value
                command = ShowText(number, value) if what == "line" else SetLamp(number, value)
                self._sessions["console"].command(command)

    @property
    def found(self) -> Counter[str]:
        """Codes of the verdicts raised."""
        return Counter(fact.code for fact in self.facts if isinstance(fact, ViolationRaised))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimTable]:
    """A fast table, plugged in."""
    made = SimTable(tmp_path, seed=2, speed=60.0)
    made.start()
    yield made
    assert made.stop()


@pytest.fixture
def play_at(table: SimTable) -> Callable[..., Any]:
    """Play a game to the end; the host dies so many times, each time some entries of the world later than before."""

    def play(game: Any, person: Callable[[SimTable, Supervisor], Dealer], deaths: int = 0) -> tuple[Host, Any]:
        host, supervisor = Host(table, game), Supervisor(table)
        dealer = person(table, supervisor)
        host.live()
        try:
            supervisor.start()
            dealer.start()
            ends_s, next_death = time.monotonic() + DEADLINE_S, FIRST_DEATH
            while not dealer.wait(0.01):
                assert time.monotonic() < ends_s, f"the table stands still: {table.look()}"
                if deaths and len(table.world.entries) >= next_death:
                    deaths -= 1
                    next_death = len(table.world.entries) + BETWEEN_DEATHS
                    host.die()
                    time.sleep(DEAD_S)
                    host.live()
        finally:
            assert dealer.stop()
            assert supervisor.stop()
            host.die()
        return host, dealer.report

    return play
