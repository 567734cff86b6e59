"""What the dealer does at the table, each act done again when a hold or a dead controller swallowed it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from firmware_sim.display import Display
from firmware_sim.entries import CardLeft, CutCardLeft, DeviationPlanted, Place, Remark
from firmware_sim.script import Deviation, Script
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import SimTable
from firmware_sim.watch import Seen, Watch

CARD_MS = 400
KEY_MS = 300
CHIPS_MS = 300
DECISION_MS = 900
"""Pauses of people, in simulated time."""

ATTEMPTS = 6
"""An act that does not show after so many attempts is given up."""
SHOWN_S = 15.0
"""Real time in which a controller that has acknowledged an act shows what follows from it."""
HOLD_S = 20.0
"""Real time in which a deviation that must hold the table is expected to do so."""

Act = Callable[[int, Display], None]
"""Done with the number of the attempt, from 0, and the display just before."""


class RoundVoided(Exception):  # noqa: N818
    """The supervisor voided the round; leaves the round wherever it is."""


class NoCard(Exception):  # noqa: N818
    """The shoe gives no card; the dealer cannot go on."""


class Plan:
    """The deviations of a script that have not happened yet."""

    def __init__(self, script: Script, table: SimTable) -> None:
        self.round = 0
        """rounds begun, over all shoes"""
        self._left = list(script.planned)
        self._world = table.world

    @property
    def left(self) -> tuple[tuple[int, str], ...]:
        """Round and kind of what could not be planted so far."""
        return tuple((planned.round, planned.kind.value) for planned in self._left)

    def wants(self, *kinds: Deviation) -> bool:
        """Whether one of these is due in this round."""
        return any(planned.kind in kinds and planned.round <= max(self.round, 1) for planned in self._left)

    def take(self, kind: Deviation) -> bool:
        """Whether this one is due; then it is planted, now, and struck off."""
        for planned in self._left:
            if planned.kind is kind and planned.round <= max(self.round, 1):
                self._left.remove(planned)
                self._world.add(DeviationPlanted(kind.value, max(self.round, 1), planned.expected))
                return True
        return False


class Acts:
    """The dealer's acts. Every method may raise Stopped and RoundVoided."""

    def __init__(self, table: SimTable, supervisor: Supervisor, plan: Plan, stopping: threading.Event) -> None:
        self.table = table
        self.world = table.world
        self.plan = plan
        self.watch = Watch(table, stopping)
        self._supervisor = supervisor

    def remark(self, text: str) -> None:
        """Write something down."""
        self.world.add(Remark(text))

    def free(self) -> Display:
        """Wait until the dealer may go on."""
        display = self.watch.free()
        self.watch.until(lambda _: not self._supervisor.busy)
        if self._supervisor.voided.is_set():
            self._supervisor.voided.clear()
            raise RoundVoided
        return display

    def until_seen(self, what: str, act: Act, seen: Seen) -> bool:
        """Act, and again after an interruption, until the console shows that it was understood."""
        console = self.table.console
        for attempt in range(ATTEMPTS):
            display = self.free()
            before = console.interruptions
            act(attempt, display)
            self.watch.acknowledged()
            self.watch.until(lambda d: seen(d) or console.interruptions != before, SHOWN_S)  # noqa: B023 - used at once
            interrupted = console.interruptions != before
            if interrupted:
                self.free()
                self.watch.steady()
            if seen(self.free()):
                self.watch.pause(KEY_MS)
                return True
            if not interrupted:
                break
        self.remark(f"round {self.plan.round}: {what}: the console never showed what had to follow")
        return False

    def key(self, key: str, seen: Seen, *, box: int = 0, value: int = 0) -> bool:
        """Press a key until the console shows what follows from it."""
        return self.until_seen(key, lambda _, __: self.table.press(key, box=box, value=value), seen)

    def wrong_key(self, key: str, *, box: int = 0, value: int = 0) -> None:
        """Press a key that must be refused: nothing follows from it."""
        self.blind_key(key, box=box, value=value)

    def blind_key(self, key: str, *, box: int = 0, value: int = 0) -> None:
        """Press a key of which the console shows nothing; the console keeps it until the controller has it."""
        self.free()
        self.table.press(key, box=box, value=value)
        self.watch.acknowledged()
        self.watch.pause(KEY_MS)

    def chips(self, move: Callable[[int, int, str, int], None], box: int, seat: int, bet: str, minor: int) -> None:
        """Move chips by one of the table's methods; the sensor sees them whatever the controller does."""
        self.free()
        move(box, seat, bet, minor)
        self.watch.acknowledged()
        self.watch.pause(CHIPS_MS)

    def next_card(self, *, misread: bool = False) -> CardLeft:
        """The card that is due: one that was drawn in error before, or a fresh one, counted by the controller; with
        ``misread`` as another one."""
        waiting = self.world.lying(Place.NEXT)
        if waiting:
            self.free()
            return waiting[0]
        if misread:
            return self._draw(misread=True)
        if not self.table.cut_card_next:
            if self.plan.take(Deviation.UNREADABLE_CARD):
                card = self._draw(readable=False)
                self.held()
                self.table.shoe.clear_error()
                return card
            for kind in (Deviation.LOST_COPIES, Deviation.CORRUPT_COPY):
                if self.plan.take(kind):
                    with self.table.spoiled_copies(lost=kind is Deviation.LOST_COPIES):
                        return self._draw()
        return self._draw()

    def card_aside(self, *, exposed: bool) -> None:
        """Draw a card that is not due, and wait until the supervisor has decided about it."""
        card = self._pull(exposed=exposed)
        self.table.put(card, Place.ASIDE)
        self.held()

    def held(self) -> None:
        """Wait until the table was held and is free again; then until every card is counted."""
        if not self.watch.until(lambda d: d.held, HOLD_S):
            self.remark(f"round {self.plan.round}: the table was not held")
        self._counted()

    def _draw(self, *, readable: bool = True, misread: bool = False) -> CardLeft:
        card = self._pull(readable=readable, misread=misread)
        if readable:
            self._counted()
        return card

    def _pull(self, *, readable: bool = True, exposed: bool = True, misread: bool = False) -> CardLeft:
        for _ in range(ATTEMPTS):
            self.free()
            # A hand feels a locked shoe; the console shows that the table is free before the lock has opened.
            self.watch.until(lambda _: not self.table.shoe.locked)
            card = self.table.draw(readable=readable, exposed=exposed, misread=misread)
            if isinstance(card, CutCardLeft):
                self.watch.pause(CARD_MS)
                card = self.table.draw(readable=readable, exposed=exposed, misread=misread)
            if isinstance(card, CardLeft):
                return card
            self.watch.pause(CARD_MS)
        raise NoCard

    def _counted(self) -> None:
        """Wait until the console shows every card that left the shoe and nothing is held."""
        count = len(self.world.cards)
        if not self.watch.until(lambda d: d.free and d.drawn >= count):
            self.remark(f"round {self.plan.round}: card {count} of the shoe was never counted")
        self.free()
