"""A match of Blot over real ptys, with the controller killed on the way: the score sheet of the same match without."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from bench.stage import STAFF
from controller.bus.broker import free_port
from controller.cli.demo.stage import Actor, write_config
from controller.journal.reader import JournalReader
from firmware_sim.blot_dealer import BlotCroupier
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import SimTable

pytestmark = pytest.mark.slow

SEED = 4
SPEED = 60.0
MATCH_S, ROUNDS_S = 400.0, 180.0
"""The longest a play may take on a busy machine."""
AWAY_S = 0.2
SHEET = frozenset({"deal.bid", "deal.contract", "deal.trick", "deal.given_up", "deal.round_scored", "deal.match_ended"})


def played(folder: Path, limit_s: float, *, rounds: int, kills_at: list[int] | None = None) -> tuple[list[Any], int]:
    """Play from the closed to the closed table, killing the controller when so many things have happened there. The
    bids, tricks and scores on record, and how many things happened."""
    folder.mkdir()
    left = list(kills_at or [])
    table = SimTable(folder, seed=SEED, speed=SPEED)
    with ExitStack() as stack:
        table.start()
        stack.callback(table.stop)
        config = write_config(folder, dict(table.urls), STAFF, mqtt_port=free_port(), game="blot")
        controller = Actor(("run", str(config)), folder / "controller.log")
        supervisor = Supervisor(table)
        croupier = BlotCroupier(table, supervisor, rounds=rounds, seed=SEED, one_match=True)
        controller.start()
        stack.callback(controller.kill)
        supervisor.start()
        stack.callback(supervisor.stop)
        croupier.start()
        stack.callback(croupier.stop)
        ends_s = time.monotonic() + limit_s
        while not croupier.wait(0.02):
            assert time.monotonic() < ends_s, f"the table stands still: {table.look()} {controller.last_lines(3)}"
            if left and len(table.world.entries) >= left[0]:
                left.pop(0)
                controller.kill()
                time.sleep(AWAY_S)
                controller.start()
        assert (croupier.report.finished, left) == (True, []), croupier.report.remarks
        assert controller.stop() == 0
    with JournalReader(folder / "table.sqlite") as reader:
        sheet = [(event.type, event.data()) for event in reader.events() if event.type in SHEET]
    return sheet, len(table.world.entries)


def spread(things: int, kills: int) -> list[int]:
    """When to kill, evenly over what happens between the opened and the closed table."""
    return [20 + number * (things - 40) // kills for number in range(kills)]


@pytest.mark.timeout(420)
def test_rounds_with_kills_are_the_rounds_without(tmp_path: Path) -> None:
    sheet, things = played(tmp_path / "calm", ROUNDS_S, rounds=2)
    assert sum(kind == "deal.round_scored" for kind, _ in sheet) == 2
    again, _ = played(tmp_path / "killed", ROUNDS_S, rounds=2, kills_at=spread(things, 3))
    assert again == sheet


@pytest.mark.timeout(840)
@pytest.mark.campaign
def test_a_match_with_ten_kills_has_the_score_sheet_of_the_match_without(tmp_path: Path) -> None:
    sheet, things = played(tmp_path / "calm", MATCH_S, rounds=30)
    assert sheet[-1][0] == "deal.match_ended"
    assert max(sheet[-1][1]["totals"]) >= 101
    again, _ = played(tmp_path / "killed", MATCH_S, rounds=30, kills_at=spread(things, 10))
    assert again == sheet
