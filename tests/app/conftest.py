"""A blackjack table on a real journal, fed with device reports; its outlet looks at the disk whenever it is told."""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.adapters.console import Person
from controller.adapters.link import Wiring
from controller.app.engine import Engine, TableSetup
from controller.app.plugins import load_game
from controller.app.record import Standing, fold_events
from controller.app.rulesets import LoadedRules, load_rules
from controller.app.snapshot import standing_bytes
from controller.core.cards import Card
from controller.core.codec import Codec
from controller.core.game import Game
from controller.core.state import TableState
from controller.journal.chain import StoredEvent
from controller.journal.signing import Signer, load_or_make_key
from controller.journal.store import Journal
from drivers import messages as m
from drivers.api import Capabilities, Report

SITE, TABLE = "lv1", "bj-012"
START_US = 1_767_268_800_000_000
WIRINGS = {
    "shoe": Wiring("shoe", "shoe", Capabilities(lock=True)),
    "console": Wiring("console", "console", Capabilities(identity=True, replay=True, heartbeat=True)),
    "bets": Wiring("bets", "bets", Capabilities(identity=True, replay=True, heartbeat=True, position=True)),
}
STAFF = {"D1": Person("4711", "dealer"), "S1": Person("12", "supervisor")}


def on_disk(path: Path) -> list[dict[str, Any]]:
    """The envelopes that a stranger finds in the file now, read through a connection of its own."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        return [json.loads(row[0]) for row in connection.execute("SELECT envelope FROM events ORDER BY sequence")]
    finally:
        connection.close()


@dataclass
class Outlet:
    """Notes what it is told and what the file held at that moment. ``path`` is the journal's."""

    path: Path
    acknowledged_: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    committed_: list[StoredEvent] = field(default_factory=list)
    states: list[TableState] = field(default_factory=list)

    def acknowledged(self, device: str, identity: str) -> None:
        self.acknowledged_.append(identity)
        if identity not in {envelope["data"].get("identity") for envelope in on_disk(self.path)}:
            self.missing.append(f"{device} {identity}")

    def committed(self, events: tuple[StoredEvent, ...], state: TableState) -> None:
        self.committed_.extend(events)
        self.states.append(state)
        hashes = {envelope["hash"] for envelope in on_disk(self.path)}
        self.missing += [f"event {event.sequence}" for event in events if event.hash not in hashes]


class Table:
    """A table that can die and come back. Identities are made as the devices make them."""

    def __init__(self, folder: Path, rules: LoadedRules, game: Game, signer: Signer, max_bytes: int | None) -> None:
        self.path = folder / "table.sqlite"
        self.game = game
        self.signer = signer
        self.outlet = Outlet(self.path)
        self._rules = rules
        self._ticks = itertools.count()
        self._numbers: dict[str, Iterator[int]] = defaultdict(lambda: itertools.count(1))
        self._wirings = dict(WIRINGS)
        self._tags: dict[str, Card] = {}
        self.open(max_bytes)

    def open(self, max_bytes: int | None = None, rules: LoadedRules | None = None) -> None:
        self.journal = Journal.open(self.path, SITE, TABLE, signer=self.signer, max_bytes=max_bytes)
        setup = TableSetup(
            self.game, rules or self._rules, self._wirings, STAFF, "0.0.0", simulated=True, faces=self._tags.get
        )
        self.engine = Engine(setup, self.journal, self.signer, self.outlet)

    def wire(self, name: str, wiring: Wiring, tags: Mapping[str, Card]) -> None:
        """One more device, and the cards of the tags it reads. Before `open_shoe`."""
        self._wirings[name] = wiring
        self._tags.update(tags)

    def again(self, rules: LoadedRules | None = None) -> None:
        """Die and come back; nothing is said to the engine about it."""
        self.journal.close()
        self.open(rules=rules)

    def now_us(self) -> int:
        return START_US + next(self._ticks) * 1000

    def identity(self, device: str) -> str:
        number = next(self._numbers[device])
        return f"angel-eye:c1:{number}" if device == "shoe" else f"native:{device.upper()}-1:65537:{number}"

    def says(self, device: str, message: m.DeviceMessage, identity: str | None = None) -> str:
        identity = self.identity(device) if identity is None else identity
        self.engine.report(device, Report(message, identity, reliable=device != "shoe"), self.now_us())
        return identity

    def key(self, key: str, **more: int) -> str:
        return self.says("console", m.KeyPressed(key, **more))

    def card(self, face: str) -> str:
        """``face`` as in ``10H``, ``AS``."""
        rank = {"A": 1, "J": 11, "Q": 12, "K": 13}.get(face[:-1]) or int(face[:-1])
        return self.says("shoe", m.CardDrawn(rank, face[-1]))

    def open_shoe(self) -> None:
        """From the closed table to the first bets: one card is burned."""
        self.engine.start(self.now_us())
        self.says("console", m.StaffCardPresented("D1"))
        self.key("open_table")
        self.says("console", m.DeckSpread((6,) * 52))
        self.key("shuffled")
        self.key("player_cut", value=140)
        self.key("second_cut", value=208)
        self.key("shoe_loaded")
        self.card("9C")

    def play_to_the_dealer(self) -> None:
        """Box 1 with 20 stands; the dealer shows 7."""
        self.says("bets", m.WagerPlaced(1, 1, "main", 2500))
        self.key("no_more_bets")
        for box, face in ((1, "KH"), (0, "7D"), (1, "QS")):
            self.card(face)
            self.says("bets", m.CardLaid(box))
        self.key("stand", box=1)

    def finish_round(self) -> None:
        """The dealer has 17, box 1 is paid, the cards are collected."""
        self.card("10D")
        self.says("bets", m.CardLaid(0))
        self.says("bets", m.PayoutMade(1, 1, "main", 2500))
        self.key("collect", value=4)

    def events(self) -> list[dict[str, Any]]:
        return on_disk(self.path)

    def of_type(self, event_type: str) -> list[dict[str, Any]]:
        return [e["data"] for e in self.events() if e["type"] == f"tablewatch.{event_type}"]

    def folded(self) -> bytes:
        """The standing as a fold from the very first event gives it."""
        codec = Codec.of(self.game)
        return standing_bytes(
            self.game, fold_events(self.game, codec, self.journal.events(), Standing(), self.journal.secret)
        )


@pytest.fixture
def game() -> Game:
    return load_game("blackjack")


@pytest.fixture
def rules(game: Game) -> LoadedRules:
    return load_rules(game, "armenian", {})


@pytest.fixture
def make_table(tmp_path: Path, game: Game, rules: LoadedRules) -> Iterator[Callable[..., Table]]:
    made: list[Table] = []

    def make(max_bytes: int | None = None) -> Table:
        made.append(Table(tmp_path, rules, game, load_or_make_key(tmp_path / "table.key"), max_bytes))
        return made[-1]

    yield make
    for table in made:
        table.journal.close()


@pytest.fixture
def table(make_table: Callable[..., Table]) -> Table:
    return make_table()
