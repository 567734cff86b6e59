"""`tablewatch run` as a process, on ptys: an Angel Eye shoe and readers at places settle a round on two sources."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, Final

import pytest

from bench.trial_table import device
from controller.app.deckregister import DeckRegister
from controller.core.cards import DECK, Card
from controller.journal.verify import verify
from firmware_sim.clock import RealClock
from firmware_sim.reader_barcode import SimBarcodeReader
from firmware_sim.reader_pn532 import SimPn532
from firmware_sim.shoe import ShoeCard
from firmware_sim.table import DEALER_CARD, SUPERVISOR_CARD
from firmware_sim.wire import FirmwareRunner, PtyWire

PLACES: Final = {0: "dealer", 1: "box-1"}
SOURCES: Final = '[sources]\nsettle_on = "two_sources"\nsilence_s = 120\nsilence_cards = 20\n'
KINDS: Final = {"barcode": (SimBarcodeReader, ""), "pn532": (SimPn532, ", poll_ms = 20, confirm = 1")}


def tag_of(card: Card) -> str:
    """The tag that the register has for a card."""
    return f"04{card.index:06X}"


def shoe_card(face: str) -> ShoeCard:
    card = Card(face)
    return ShoeCard(int(card.rank), card.suit.value)


class Sighted:
    """The table with its process, and readers of one kind where the cards of box 1 and the dealer lie."""

    def __init__(self, house: Any, kind: str, stack: ExitStack, until: Callable[..., None]) -> None:
        make, options = KINDS[kind]
        self.house, self.until, self.readers = house, until, {box: make() for box in PLACES}
        extra = SOURCES
        for box, place in PLACES.items():
            runner = FirmwareRunner(self.readers[box], PtyWire(house.folder / place), RealClock())
            stack.callback(runner.stop)
            position = f'{{ position = "{place}"{options} }}'
            extra += device(place, kind, house.folder / place, "reader", position)
        if kind == "pn532":
            register(house)
            extra += '[decks]\npath = "decks.sqlite"\n'
        house.configure(extra=extra)
        self.process = house.run()
        self.process.says("box-1 is online")
        until(lambda: len(self.of("device.online")) == 5, lambda: f"five devices online; it said {self.process.text}")

    def of(self, kind: str) -> list[Any]:
        """The data of every event of this type on record."""
        return [event["data"] for event in self.house.events() if event["type"] == f"tablewatch.{kind}"]

    def after(self, kind: str, act: Callable[..., object], *args: Any, **kwargs: Any) -> Any:
        """Do something, and wait for one more event of this type."""
        before = len(self.of(kind))
        act(*args, **kwargs)
        self.until(lambda: len(self.of(kind)) > before, lambda: f"{kind}; last {self.house.events()[-6:]}")
        return self.of(kind)[-1]

    def open(self) -> None:
        """To the first bet, one card burned."""
        table = self.house.table
        self.after("staff.presented", table.show_staff_card, DEALER_CARD)
        self.after("table.opened", table.press, "open_table")
        self.after("shoe.inspected", table.spread, (6,) * 52)
        self.after("shoe.shuffled", table.press, "shuffled")
        self.after("shoe.cut", table.press, "player_cut", value=156)
        self.after("dealer.signal", table.press, "second_cut", value=208)
        self.after("shoe.loaded", table.press, "shoe_loaded")
        self.draw("2C", "card.burned")
        self.after("box.bet", table.place, 1, 1, "main", 2500)

    def draw(self, face: str, fact: str = "card.dealt", read_as: str = "") -> None:
        shoe = self.house.table.shoe
        shoe.load((shoe_card(face),))
        act = (lambda: shoe.draw_misread(shoe_card(read_as))) if read_as else shoe.draw
        self.after(fact, act)

    def lay(self, box: int, face: str) -> None:
        """The card comes to lie on the reader of its place."""
        reader = self.readers[box]
        if isinstance(reader, SimPn532):
            reader.lay(tag_of(Card(face)))
        else:
            reader.swipe(int(Card(face).rank), Card(face).suit.value)

    def deal(self, box: int, face: str) -> None:
        self.draw(face)
        self.after("card.shown", self.lay, box, face)

    def verdicts(self) -> list[str]:
        return [data["code"] for data in self.of("violation.raised")]


def register(house: Any) -> None:
    with DeckRegister(house.folder / "decks.sqlite", lambda: 1, create=True) as decks:
        decks.begin("RED-1")
        for card in DECK:
            decks.enrol("RED-1", tag_of(card))


@pytest.fixture
def sighted(house: Any, until: Callable[..., None]) -> Iterator[Callable[[str], Sighted]]:
    with ExitStack() as stack:
        yield lambda kind: Sighted(house, kind, stack, until)


@pytest.mark.parametrize("kind", KINDS)
def test_a_round_is_settled_on_the_word_of_shoe_and_readers(sighted: Callable[[str], Sighted], kind: str) -> None:
    floor = sighted(kind)
    table = floor.house.table
    floor.open()
    assert floor.of("sources.in_force")[-1] == {"settle_on": "two_sources", "sources": ["shoe", "dealer", "box-1"]}
    floor.deal(1, "KH")
    floor.deal(0, "7D")
    assert floor.verdicts() == []

    floor.draw("9S", read_as="8S")
    disagreed = floor.after("violation.raised", floor.lay, 1, "9S")
    assert (disagreed["code"], disagreed["actual"]) == ("SOURCES_DISAGREE", "box-1 sees 9♠ at box 1")
    floor.after("staff.presented", table.show_staff_card, SUPERVISOR_CARD)
    floor.after("command.signed", table.press, "choose", value=2)
    floor.after("staff.presented", table.show_staff_card, DEALER_CARD)
    assert floor.after("hand.corrected", table.press, "approve")["cards"] == ["KH", "9S"]
    floor.until(lambda: floor.of("table.resumed"), "the table goes on")

    floor.after("hand.decision", table.press, "stand", box=1)
    floor.draw("TD")
    waits = floor.after("violation.raised", table.bets.pay, 1, 1, "main", 2500)
    assert (waits["code"], waits["actual"]) == ("CARDS_UNCONFIRMED", "seen by one: T♦ at the dealer")
    floor.after("table.resumed", floor.lay, 0, "TD")
    floor.after("card.discarded", table.press, "collect", value=4)
    assert floor.of("round.settled")[-1]["house_minor"] == -2500
    assert floor.verdicts() == ["SOURCES_DISAGREE", "CARDS_UNCONFIRMED"]
    assert [bool(data["tag"]) for data in floor.of("card.shown")] == [kind == "pn532"] * len(floor.of("card.shown"))
    assert floor.process.stop() == 0
    assert "Traceback" not in floor.process.text
    assert verify(floor.house.journal).lines()[1:] == []
