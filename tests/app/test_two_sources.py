"""A running table on real ptys: an Angel Eye shoe and barcode readers at its places, of one opinion and not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from bench.trial_table import device, person, trial_table
from bench.waiting import until
from controller.app.check import Usable
from controller.app.config import load_config
from controller.app.plugins import load_game
from controller.app.rulesets import load_rules
from controller.app.runner import Runner
from controller.journal.chain import StoredEvent
from controller.journal.verify import verify
from firmware_sim.bets import SimBetSensor
from firmware_sim.clock import RealClock
from firmware_sim.console import SimConsole
from firmware_sim.reader_barcode import SimBarcodeReader
from firmware_sim.shoe import AngelEyeShoe, ShoeCard
from firmware_sim.wire import FirmwareRunner, PtyWire

DEVICES = {
    "shoe": ("shoe", "angel-eye", "{}"),
    "console": ("console", "native", "{}"),
    "bets": ("bets", "native", "{}"),
    "box-1": ("reader", "barcode", '{ position = "box-1" }'),
    "dealer": ("reader", "barcode", '{ position = "dealer" }'),
}
RANKS = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}


def shoe_card(face: str) -> ShoeCard:
    return ShoeCard(RANKS.get(face[0]) or int(face[0]), face[1])


class Floor:
    """The table, its devices and the people at it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.shoe, self.console, self.bets = AngelEyeShoe(), SimConsole("CON-1"), SimBetSensor("BET-1")
        self.readers = {1: SimBarcodeReader(), 0: SimBarcodeReader()}
        firmware: dict[str, Any] = dict(
            zip(DEVICES, (self.shoe, self.console, self.bets, self.readers[1], self.readers[0]), strict=True)
        )
        people = person("12", "supervisor", "S1") + person("4711", "dealer", "D1")
        text = trial_table("[sources]\nsilence_s = 2\n", people)
        for name, (kind, driver, options) in DEVICES.items():
            port = folder / name
            runner = FirmwareRunner(firmware[name], PtyWire(port), RealClock())
            stack.callback(runner.stop)
            text += device(name, driver, port, kind, options)
        (folder / "table.toml").write_text(text, encoding="utf-8")
        self.config = load_config(folder / "table.toml")
        rules = load_rules(load_game("blackjack"), "armenian", {})
        self.shown: list[StoredEvent] = []
        self.runner = Runner(Usable(self.config, rules, ()), lambda line: None, self.shown.append)
        self._thread = Thread(target=self.runner.run)
        self._thread.start()
        stack.callback(self.stop)

    def stop(self) -> None:
        self.runner.stop()
        self._thread.join(30)
        assert not self._thread.is_alive()

    def of(self, event_type: str) -> list[dict[str, Any]]:
        return [event.data() for event in tuple(self.shown) if event.type == event_type]

    def until(self, condition: Callable[[], object], what: str) -> None:
        until(condition, lambda: f"{what}; last events {[e.type for e in self.shown[-8:]]}")

    def after(self, event_type: str, act: Callable[[], object]) -> dict[str, Any]:
        """Do something, and wait for one more event of this type."""
        before = len(self.of(event_type))
        act()
        self.until(lambda: len(self.of(event_type)) > before, event_type)
        return self.of(event_type)[before]

    def key(self, event_type: str, key: str, **more: int) -> dict[str, Any]:
        """A key of the console, and what it brings."""
        return self.after(event_type, lambda: self.console.press_key(key, **more))

    def open(self) -> None:
        self.until(lambda: len(self.of("device.online")) == len(DEVICES), "every device is online")
        self.until(lambda: self.of("sources.in_force"), "the sources are known")
        self.after("staff.presented", lambda: self.console.present_staff_card("D1"))
        self.key("table.opened", "open_table")
        self.after("shoe.inspected", lambda: self.console.report_spread((6,) * 52))
        self.key("shoe.shuffled", "shuffled")
        self.key("shoe.cut", "player_cut", value=140)
        self.key("dealer.signal", "second_cut", value=208)
        self.key("shoe.loaded", "shoe_loaded")
        self.draw("2C", "card.burned")
        self.after("box.bet", lambda: self.bets.place(1, 1, "main", 2500))

    def draw(self, face: str, fact: str = "card.dealt", read_as: str = "") -> None:
        self.shoe.load((shoe_card(face),))
        act = (lambda: self.shoe.draw_misread(shoe_card(read_as))) if read_as else self.shoe.draw
        self.after(fact, act)

    def lay(self, box: int, face: str) -> None:
        """The card passes the reader of its place."""
        card = shoe_card(face)
        self.after("card.shown", lambda: self.readers[box].swipe(card.rank, card.suit))

    def deal(self, box: int, face: str) -> None:
        self.draw(face)
        self.lay(box, face)

    def verdicts(self) -> list[str]:
        return [data["code"] for data in self.of("violation.raised")]


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    with ExitStack() as stack:
        yield Floor(tmp_path, stack)


def test_the_shoe_and_the_readers_agree_then_the_shoe_misreads_then_a_reader_is_silent(floor: Floor) -> None:
    floor.open()
    assert floor.of("sources.in_force")[-1]["sources"] == ["shoe", "box-1", "dealer"]
    floor.deal(1, "KH")
    floor.deal(0, "7D")
    assert floor.verdicts() == []

    floor.draw("9S", read_as="8S")
    disagreed = floor.after("violation.raised", lambda: floor.readers[1].swipe(9, "S"))
    assert (disagreed["code"], disagreed["expected"]) == ("SOURCES_DISAGREE", "shoe: 8♠ at box 1")
    assert disagreed["actual"] == "box-1 sees 9♠ at box 1"
    floor.after("staff.presented", lambda: floor.console.present_staff_card("S1"))
    floor.key("command.signed", "choose", value=2)
    floor.after("staff.presented", lambda: floor.console.present_staff_card("D1"))
    corrected = floor.key("hand.corrected", "approve")
    assert (corrected["cards"], corrected["total"]) == (["KH", "9S"], "19")
    floor.until(lambda: floor.of("table.resumed"), "the table goes on")

    floor.key("hand.decision", "stand", box=1)
    floor.draw("TD")
    floor.until(lambda: "SOURCE_SILENT" in floor.verdicts(), "the silence is told")
    silent = floor.of("violation.raised")[-1]
    assert (silent["expected"], silent["severity"]) == ("dealer sees T♦ at the dealer", "note")
    floor.after("round.settled", lambda: floor.bets.pay(1, 1, "main", 2500))
    floor.key("card.discarded", "collect", value=4)
    floor.stop()
    assert verify(floor.config.journal.path).lines()[1:] == []
