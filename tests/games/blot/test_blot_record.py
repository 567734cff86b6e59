"""Blot on a real journal: hidden cards are sealed on disk, every reveal opens its seal, any end is survived."""

from __future__ import annotations

import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from bench.blot_rounds import SPREAD, Dealer, game_input
from controller.adapters.link import Wiring
from controller.app.engine import Engine, TableSetup
from controller.app.plugins import load_game
from controller.app.record import Standing, fold_events
from controller.app.rulesets import load_rules
from controller.app.snapshot import standing_bytes
from controller.core.codec import Codec
from controller.core.inputs import CommandReceived, DealerSignalled, DecisionSignalled, Input
from controller.core.state import TableState
from controller.journal.chain import StoredEvent
from controller.journal.sealing import opens
from controller.journal.signing import load_or_make_key
from controller.journal.store import Journal
from drivers.api import Capabilities

WIRINGS = {"shoe": Wiring("shoe", "shoe", Capabilities(lock=True))}


class Nobody:
    """Nobody is told."""

    def acknowledged(self, device: str, identity: str) -> None: ...

    def committed(self, events: tuple[StoredEvent, ...], state: TableState) -> None: ...


class Recorded:
    """A Blot table on a journal that can be closed and opened again at any moment."""

    def __init__(self, folder: Path) -> None:
        self.path, self._folder, self._ticks = folder / "table.sqlite", folder, 1_767_268_800_000_000
        self.game = load_game("blot")
        self.open()
        self.engine.start(self.now_us())
        self.put(CommandReceived("open-table", "12", "supervisor"), SPREAD)
        self.put(DealerSignalled("console", "first_dealer", 2))

    def open(self) -> None:
        signer = load_or_make_key(self._folder / "table.key")
        self.journal = Journal.open(self.path, "lv1", "blot-1", signer=signer)
        setup = TableSetup(self.game, load_rules(self.game, "armenian", {}), WIRINGS, {}, "0.0.0")
        self.engine = Engine(setup, self.journal, signer, Nobody())

    def again(self) -> None:
        self.journal.close()
        self.open()

    def put(self, *events: Input) -> None:
        for event in events:
            self.engine.apply([event], self.now_us())

    def now_us(self) -> int:
        self._ticks += 1000
        return self._ticks

    def on_disk(self) -> list[dict[str, Any]]:
        connection = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)
        try:
            rows = connection.execute("SELECT envelope FROM events ORDER BY sequence").fetchall()
        finally:
            connection.close()
        return [json.loads(row[0]) for row in rows]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_round_on_a_journal_with_ends_in_between(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    played = Dealer({}, rng, first_dealer=2).round(rich=True, gives_up=0.02)
    table = Recorded(tmp_path)
    try:
        for line in played.steps:
            if rng.random() < 0.15:
                before = table.engine.standing_bytes()
                table.again()
                assert table.engine.standing_bytes() == before
                table.engine.start(table.now_us())
                aligned = CommandReceived("resume", "12", "supervisor", correction="aligned")
                both: list[Input] = [game_input(line), aligned]
                table.put(*(both if line[0] == "card" else reversed(both)))
            else:
                table.put(game_input(line))
        assert played.scored is not None
        for seat in (1, 2):
            points = played.scored.points[seat - 1]
            table.put(DecisionSignalled("console", seat, "score", amount_minor=points))
        table.put(DealerSignalled("console", "collect", 24))
        codec = Codec.of(table.game)
        folded = fold_events(table.game, codec, table.journal.events(), Standing(), table.journal.secret)
        assert standing_bytes(table.game, folded) == table.engine.standing_bytes()
        _seals_are_kept(table.on_disk(), played)
    finally:
        table.journal.close()


def _seals_are_kept(events: list[dict[str, Any]], played: Any) -> None:
    sealed, opened = [], []
    for event in events:
        data = event["data"]
        match event["type"].removeprefix("tablewatch."):
            case "card.drawn" if data["card"] is None:
                sealed.append(data["sealed"])
            case "card.revealed":
                assert opens(data["sealed"], data["salt"], data["card"])
                opened.append(data["sealed"])
            case "deal.round_scored":
                assert data["points"] == list(played.scored.points)
    drawn = sum(line[0] == "card" for line in played.steps)
    assert len(sealed) >= drawn - 1
    assert len(set(sealed)) == len(sealed)
    assert set(opened) <= set(sealed)
    played_cards = {line[2] for line in played.steps if line[0] == "play"}
    assert len(opened) >= len(played_cards) - 1
