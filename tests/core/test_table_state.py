"""The table's state with another state of its game is the same in everything else."""

from __future__ import annotations

from dataclasses import fields, replace

from controller.core.inputs import CommandReceived
from controller.core.sources import Source
from controller.core.sources.fusion import Fusion
from controller.core.state import Service, Signed, StaffOn, TableState
from controller.core.verdicts import OpenVerdict, Severity
from controller.core.wires import Known, Wires

FULL = TableState(
    Service.OPEN,
    2,
    "chess",
    "club",
    "00ff",
    {"a": 1},
    "rules",
    "before",
    (OpenVerdict("v1", "CODE", Severity.HOLD, "this", "that"),),
    1,
    (StaffOn("12", "supervisor", 5),),
    ("shoe",),
    (Signed(CommandReceived("void-round", "12", "supervisor"), "1-1", 5),),
    Fusion(sources=(Source("shoe", draws=True),)),
    Wires((Known("console", "CN-1"),)),
)


def test_every_field_of_the_sample_is_not_its_default() -> None:
    assert all(getattr(FULL, field.name) != getattr(TableState(), field.name) for field in fields(TableState))


def test_with_game_changes_the_game_and_nothing_else() -> None:
    assert FULL.with_game("after") == replace(FULL, game="after")
