"""The dealer and the supervisor at work, in front of the real judgement of the table: what they plant is what it finds,
and a host that dies and comes back never makes them do what cannot be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

from controller.games.blackjack import GAME
from firmware_sim.dealer import Dealer, DealerReport
from firmware_sim.entries import CardLeft
from firmware_sim.script import Script
from firmware_sim.supervisor import Supervisor
from firmware_sim.table import SimTable

DEATH_NOISE = frozenset({"SHOE_UNALIGNED", "TABLE_HELD", "NO_SUCH_STAKE", "EXTRA_CARD"})
"""What a host that died may find besides what was planted: the gap, and acts that came while it held the table for it
(a busy machine can let the dealer draw on what the console showed half a second ago)."""

Player = Callable[..., Any]


def planted(report: DealerReport) -> Counter[str]:
    return Counter(code for deviation in report.planted for code in deviation.expected)


def test_every_planted_deviation_is_found_and_nothing_else(table: SimTable, play_at: Player) -> None:
    host, report = play_at(GAME, partial(Dealer, script=Script.demo(), rounds=7, seed=2))
    assert (report.finished, report.rounds, report.remarks) == (True, 7, ())
    assert len(report.planted) + len(report.not_planted) == len(Script.demo().planned)
    assert len(report.planted) >= 12
    assert host.found == planted(report)
    assert set(table.world.identities) <= host.seen


def test_a_host_that_dies_again_and_again_costs_neither_card_nor_event(table: SimTable, play_at: Player) -> None:
    script = Script.of((1, "wrong_order"), (2, "wrong_payout"))
    host, report = play_at(GAME, partial(Dealer, script=script, rounds=4, seed=2), deaths=4)
    assert (report.finished, report.rounds, report.remarks) == (True, 4, ())
    assert not planted(report) - host.found
    assert set(host.found - planted(report)) <= DEATH_NOISE
    assert set(table.world.identities) <= host.seen
    counted = [fact for fact in host.facts if fact.TYPE in {"card.dealt", "card.burned"}]
    assert len(counted) == sum(isinstance(entry, CardLeft) for entry in table.world.entries)


def test_the_dealer_can_be_stopped_while_he_waits(table: SimTable) -> None:
    supervisor = Supervisor(table)
    dealer = Dealer(table, supervisor, rounds=1)
    supervisor.start()
    dealer.start()
    assert not dealer.wait(0.1)
    assert dealer.stop()
    assert supervisor.stop()
    assert not dealer.report.finished
    assert table.world.entries == ()
