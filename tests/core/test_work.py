"""What a game concludes about one input."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from controller.core.verdicts import NEW_SHOE, VOID_ROUND, Correction, Settled, Severity
from controller.core.work import Work

WAY = Correction("put_right", "it is put right")


@dataclass(frozen=True)
class State:
    voidable: bool = False


def work(*, voidable: bool = False, held: bool = False) -> Work[str, State]:
    return Work("rules", State(voidable), held)


@pytest.mark.parametrize(
    ("voidable", "offered", "ways"),
    [(False, (), (NEW_SHOE,)), (False, (WAY,), (WAY,)), (True, (), (VOID_ROUND,)), (True, (WAY,), (WAY, VOID_ROUND))],
)
def test_a_hold_always_has_a_way_out(
    voidable: bool, offered: tuple[Correction, ...], ways: tuple[Correction, ...]
) -> None:
    w = work(voidable=voidable)
    w.hold("CODE", "this", "that", *offered, key="card:1")
    (finding,) = w.outcome().findings
    assert not isinstance(finding, Settled)
    assert (finding.severity, finding.corrections, finding.key) == (Severity.HOLD, ways, "card:1")


def test_the_table_stops_for_a_hold_and_for_nothing_less() -> None:
    w = work()
    w.note("CODE", "this", "that")
    w.refuse("CODE", "this", "that")
    w.keep_open("CODE", "this", "that", key="bet")
    before = w.stopped
    w.hold("CODE", "this", "that", key="card:1")
    assert (before, w.stopped) == (False, True)
    assert work(held=True).stopped


def test_refused_alone_is_told_from_refused_among_others() -> None:
    w = work()
    assert (w.refused, w.only_refused) == (False, False)
    w.refuse("CODE", "this", "that")
    assert (w.refused, w.only_refused) == (True, True)
    w.findings.append(Settled("bet"))
    assert (w.refused, w.only_refused) == (True, False)
