"""The floor supervisor of the simulated table: when the table is held, he looks at what really lies there and chooses.

Everything goes over the console, for the broker may be dead.
"""

from __future__ import annotations

import threading
import time

from firmware_sim.display import Display
from firmware_sim.entries import CardLeft, Place, Remark
from firmware_sim.table import DEALER_CARD, SUPERVISOR_CARD, SimTable
from firmware_sim.watch import PATIENCE_S, Stopped, Watch

SETTLED_S = 0.5
"""Cards are counted only when none has left the shoe for so long: one on its way would be named twice."""
ANSWER_S = 5.0
"""Real time for the controller to show what came of a choice."""
TRIES = 5
"""After so many attempts on one verdict the round is voided, where that is offered."""
NAMED_CODES = frozenset({"CARD_UNREADABLE", "CARD_DISPUTED", "CARD_UNSEEN"})
FIXED_CHOICES = {
    "WRONG_BOX": "move",
    "WRONG_DESTINATION": "move",
    "BURN_MISSING": "move",
    "DEALER_OVERDRAW": "burn",
    "BURN_TOO_MANY": "burn",
    "DECK_INCOMPLETE": "respread",
    "CARD_MISSING": "recount",
    "CUT_CARD_EARLY": "shuffle_again",
}
"""What is chosen without a closer look, by the code of the verdict."""
VOID = "void_round"


class Supervisor:
    """A person with a thread. ``busy`` while he frees the table; ``voided`` is set when he voided the round, and the
    dealer clears it."""

    def __init__(self, table: SimTable, patience_s: float = PATIENCE_S) -> None:
        """``patience_s`` is real time."""
        self.busy = False
        self.voided = threading.Event()
        self._table = table
        self._world = table.world
        self._stopping = threading.Event()
        self._watch = Watch(table, self._stopping, patience_s)
        self._tries: dict[str, int] = {}
        self._thread = threading.Thread(target=self._run, name="supervisor", daemon=True)

    def start(self) -> None:
        """Come to the table."""
        self._thread.start()

    def stop(self, timeout_s: float = 5.0) -> bool:
        """Leave; whether the thread ended in time."""
        self._stopping.set()
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            while True:
                if self._watch.until(lambda d: d.following and d.held, patience_s=1.0):
                    self.busy = True
                    self._attend()
                    self.busy = False
        except Stopped:
            return

    def _attend(self) -> None:
        """One step towards freeing the table."""
        display = self._watch.steady()
        if not (display.following and display.held) or time.monotonic() - self._table.drawn_s < SETTLED_S:
            return
        self._watch.pause(300)
        self._table.show_staff_card(SUPERVISOR_CARD)
        tries = self._tries[display.verdict] = self._tries.get(display.verdict, 0) + 1
        if tries > TRIES and VOID in display.corrections:
            self._world.add(Remark(f"{display.code}: no choice has freed the table, the round is voided"))
            self._choose(display, VOID)
        elif display.code == "SHOE_UNALIGNED":
            self._align(display)
        elif display.code in NAMED_CODES:
            self._name(display)
        else:
            self._choose(display, self._choice(display))

    def _align(self, display: Display) -> None:
        """Name the next card that left the shoe uncounted, or say that record and table agree. Cards that were taken
        together are of a round that is over."""
        gathered = set(self._world.lying(Place.RACK))
        uncounted = self._world.cards[display.drawn :] if display.drawn >= 0 else ()
        missing = [card for card in uncounted if card not in gathered]
        if missing:
            self._tries[display.verdict] = 0
            self._table.name_card(missing[0])
            self._answer(display)
        else:
            self._choose(display, "aligned")

    def _name(self, display: Display) -> None:
        """Name the card that the verdict is about: the last one counted, or the first one not counted."""
        cards = self._world.cards
        index = display.drawn if display.code == "CARD_UNSEEN" else display.drawn - 1
        if 0 <= index < len(cards):
            self._table.name_card(cards[index])
            self._answer(display)

    def _choice(self, display: Display) -> str:
        if display.code == "EXTRA_CARD":
            aside = self._aside()
            return "burn" if aside is not None and aside.exposed else "next_card"
        if display.code == "SOURCES_DISAGREE":
            misread = any(card.misread for card in self._world.lying(Place.HAND))
            return "believe_source" if misread else "believe_record"
        return FIXED_CHOICES.get(display.code, "")

    def _choose(self, display: Display, wanted: str) -> None:
        """Key the number of this correction; where it is not offered, void the round or take the first."""
        offered = display.corrections
        if wanted not in offered:
            wanted = VOID if VOID in offered else (offered or ("",))[0]
        if not wanted:
            return
        self._table.press("choose", value=offered.index(wanted) + 1)
        if self._answer(display):
            self._carry_out(wanted)

    def _carry_out(self, correction: str) -> None:
        """Move the card that lies aside where the correction sends it."""
        aside = self._aside()
        if correction == VOID:
            self.voided.set()
        elif aside is not None and correction in {"burn", "next_card"}:
            self._table.put(aside, Place.RACK if correction == "burn" else Place.NEXT)

    def _aside(self) -> CardLeft | None:
        return next(iter(self._world.lying(Place.ASIDE)), None)

    def _answer(self, before: Display) -> bool:
        """Wait until the display has changed, with the dealer's approval where the console asks for a second person;
        whether the verdict is gone."""

        def changed(d: Display) -> bool:
            return d.following and (d.verdict, d.drawn) != (before.verdict, before.drawn)

        self._watch.acknowledged()
        if self._watch.until(lambda d: d.asks_second or changed(d), ANSWER_S) and self._watch.look().asks_second:
            self._table.show_staff_card(DEALER_CARD)
            self._table.press("approve")
            self._watch.acknowledged()
        return self._watch.until(changed, ANSWER_S) and self._watch.look().verdict != before.verdict
