"""A croupier and two players of Blot in front of the real judgement of the table: both know the same game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from controller.games.blot import GAME
from firmware_sim.blot_dealer import BlotCroupier
from firmware_sim.script import Script
from firmware_sim.table import SimTable

Player = Callable[..., Any]


def facts(host: Any, kind: str) -> list[Any]:
    return [fact for fact in host.facts if kind == fact.TYPE]


def test_every_planted_mistake_is_found_and_nothing_else(table: SimTable, play_at: Player) -> None:
    host, report = play_at(GAME, partial(BlotCroupier, script=Script.blot(), rounds=4, seed=2))
    assert (report.finished, report.rounds, report.remarks) == (True, 4, ())
    assert report.not_planted == ()
    assert host.found == Counter(code for deviation in report.planted for code in deviation.expected)
    assert set(table.world.identities) <= host.seen
    assert len(facts(host, "deal.score_recorded")) == 4
    assert {fact.played for fact in facts(host, "deal.reconciled")} == {18}
