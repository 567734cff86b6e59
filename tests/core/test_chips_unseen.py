"""A bet sensor that has lost events: nobody knows what lies on the table until a person has looked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.adapters.link import Wiring
from controller.adapters.translate import translate
from controller.core.inputs import CommandReceived, DealerSignalled, DeviceGap
from controller.core.state import EMPTY
from controller.core.table import phase, step
from controller.games.blackjack import GAME
from drivers import messages as m
from drivers.bets import BetsCodec

if TYPE_CHECKING:
    from tests.core.conftest import Table

BETS = Wiring("bets", "bets", BetsCodec.capabilities)
LOST = m.DeviceGap(12, "its memory was full")


def test_lost_events_of_the_bet_sensor_hold_the_table_until_the_stakes_are_compared(table: Table) -> None:
    (gap,) = translate(BETS, LOST, {})
    assert gap == DeviceGap("bets", "its memory was full", 12, chips=True)
    table.put(gap)
    (verdict,) = table.state.verdicts
    assert (verdict.code, [c.kind for c in verdict.corrections]) == ("CHIPS_UNSEEN", ["aligned", "void_round"])
    assert phase(GAME, table.state) == "held"
    assert [f.code for f in table.put(DealerSignalled("console", "no_more_bets"))] == ["TABLE_HELD"]
    table.command("resume", correction="aligned")
    assert (phase(GAME, table.state), table.state.game.round_open) == ("betting", True)


def test_a_round_whose_stakes_are_not_known_is_voided(table: Table) -> None:
    table.put(*translate(BETS, LOST, {}))
    table.command("resume", correction="void_round", request="1-a")
    table.approve("1-a")
    assert [v.code for v in table.state.verdicts] == ["CHIPS_NOT_RETURNED"]


def test_without_a_stake_only_the_comparison_is_offered_and_nothing_at_a_closed_table(table: Table) -> None:
    table.put(*translate(BETS, LOST, {}))
    gap = DeviceGap("bets", "its memory was full", chips=True)
    assert step(GAME, EMPTY, gap, 1).state == EMPTY
    table.command("void-round", approver="4711", approver_role="dealer")
    table.put(gap)
    assert [c.kind for c in table.state.verdicts[-1].corrections] == ["aligned"]


def test_lost_events_of_a_console_hold_nothing(table: Table) -> None:
    (fault,) = translate(Wiring("console", "console", BetsCodec.capabilities), LOST, {})
    before = table.state
    table.put(fault, CommandReceived("ack-alert", "12", "supervisor", verdict="v9"))
    assert table.state is before
