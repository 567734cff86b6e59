"""The scripted dealer: opens the table, shuffles, loads, burns, plays rounds, and makes the mistakes of his script.

He knows the table through its devices only, and looks at the console like a person: nothing is done before the
controller has shown that it took what was done before. docs/simulator.md says what he expects there.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from random import Random

from firmware_sim.acts import CARD_MS, KEY_MS, Acts, NoCard, Plan
from firmware_sim.entries import CardLeft, DeviationPlanted, Place, Remark
from firmware_sim.round import Round
from firmware_sim.script import Deviation, Script
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import DEALER_CARD, DECKS, SECOND_CUT_AT, SimTable
from firmware_sim.watch import Seen, Stopped

FULL_SPREAD = (DECKS,) * 52
CUT_RANGE = (40, 270)
"""Where players cut, in cards from the front."""
BURN_RANGE = (1, 6)


@dataclass(frozen=True, slots=True)
class DealerReport:
    """What the dealer has done. ``cards`` left the shoes, cut cards not counted; ``not_planted`` are round and kind of
    deviations for which no occasion came; ``finished``: every round wanted was played."""

    rounds: int
    cards: int
    planted: tuple[DeviationPlanted, ...]
    not_planted: tuple[tuple[int, str], ...]
    remarks: tuple[str, ...]
    finished: bool


class Dealer:
    """A person with a thread; `start`, then `wait` or `stop`."""

    def __init__(
        self, table: SimTable, supervisor: Supervisor, script: Script | None = None, *, rounds: int, seed: int = 0
    ) -> None:
        """``rounds`` to play before the table is closed; ``seed`` decides what players and dealer do."""
        self._table = table
        self._rounds = rounds
        self._rng = Random(seed)
        self._stopping = threading.Event()
        self._plan = Plan(script or Script(), table)
        self._acts = Acts(table, supervisor, self._plan, self._stopping)
        self._finished = False
        self._thread = threading.Thread(target=self._run, name="dealer", daemon=True)

    def start(self) -> None:
        """Begin the work."""
        self._thread.start()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait for the end of the work; whether it came in time."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def stop(self, timeout_s: float = 5.0) -> bool:
        """Leave in the middle of whatever it is; whether the thread ended in time."""
        self._stopping.set()
        return self.wait(timeout_s)

    @property
    def report(self) -> DealerReport:
        """What was done so far."""
        entries = self._table.world.entries
        return DealerReport(
            rounds=len(self._table.world.rounds),
            cards=sum(isinstance(entry, CardLeft) for entry in entries),
            planted=tuple(entry for entry in entries if isinstance(entry, DeviationPlanted)),
            not_planted=self._plan.left,
            remarks=tuple(entry.text for entry in entries if isinstance(entry, Remark)),
            finished=self._finished,
        )

    def _run(self) -> None:
        try:
            self._work()
            self._finished = True
        except Stopped:
            return
        except NoCard:
            self._acts.remark(f"round {self._plan.round}: the shoe gives no card, the dealer cannot go on")

    def _work(self) -> None:
        """From the closed table to the closed table."""
        self._open()
        if self._acts.free().phase == "inspection":
            self._acts.until_seen("spread", lambda _, __: self._table.spread(FULL_SPREAD), left("inspection"))
        self._change_shoe()
        while self._plan.round < self._rounds:
            self._plan.round += 1
            Round(self._acts, self._rng).play()
            if self._plan.round < self._rounds and self._shoe_is_over():
                self._change_shoe()
        self._close()

    def _open(self) -> None:
        """Show the staff card and open the table."""
        if self._acts.free().phase == "closed":
            self._acts.until_seen("open_table", lambda _, __: self._with_staff_card("open_table"), left("closed"))

    def _with_staff_card(self, key: str) -> None:
        self._table.show_staff_card(DEALER_CARD)
        self._acts.watch.pause(KEY_MS)
        self._table.press(key)

    def _change_shoe(self) -> None:
        """Shuffle, let a player cut, put the second cut card in, load, burn."""
        cut_at = self._rng.randint(*CUT_RANGE)
        self._acts.key("shuffled", at("cut"))
        self._acts.key("player_cut", at("load"), value=cut_at)
        self._acts.key("second_cut", lambda d: not d.expected.startswith("second cut"), value=SECOND_CUT_AT)
        self._table.load_shoe(cut_at)
        self._acts.key("shoe_loaded", left("load"))
        if self._plan.take(Deviation.MISSING_BURN):
            self._acts.wrong_key("no_more_bets")
        for _ in range(self._rng.randint(*BURN_RANGE)):
            self._table.put(self._acts.next_card(), Place.BURNED)
            self._acts.watch.pause(CARD_MS)
        self._acts.key("next_round", left("burn"))

    def _shoe_is_over(self) -> bool:
        """Whether the next round needs a new shoe. When the cut card came and nobody was listening, it is put back
        and drawn again: nothing else tells the controller."""
        for _ in range(3):
            display = self._acts.free()
            if display.phase == "shuffle" or not self._table.world.cut_card_out:
                break
            self._acts.remark(f"round {self._plan.round}: the cut card came unseen and is drawn again")
            self._table.put_cut_card_back()
            self._table.draw()
            self._acts.watch.until(at("shuffle"), patience_s=5.0)
        return self._acts.free().phase == "shuffle"

    def _close(self) -> None:
        self._acts.until_seen("close_table", lambda _, __: self._with_staff_card("close_table"), at("closed"))


def at(phase: str) -> Seen:
    """The console shows this phase."""
    return lambda display: display.phase == phase


def left(phase: str) -> Seen:
    """The controller is free and in another phase."""
    return lambda display: display.free and display.phase != phase
