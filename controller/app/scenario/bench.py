"""A bench: a table on which a scenario is played. The core alone is one, drivers with simulated devices another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, assert_never

from controller.adapters.link import Wiring
from controller.app.scenario.acts import SHOE, SPARE, Commanded, Drawn, Manner, Primitive, Seen, ShoeTrouble
from controller.app.scenario.load import Scenario
from controller.core.inputs import CommandReceived
from controller.core.state import TableState
from drivers import messages as m
from drivers.api import Capabilities
from drivers.bets import BetsCodec
from drivers.console import ConsoleCodec
from drivers.readers.options import spot_of

START_US: Final = 1_767_268_800_000_000
"""2026-01-01 12:00 UTC: when every scenario begins."""
_DEVICES: Final = (
    Wiring("console", "console", ConsoleCodec.capabilities),
    Wiring("bets", "bets", BetsCodec.capabilities),
)
ERROR_CODES: Final[Mapping[str, int]] = {
    "overdraw": 2,
    "button_misuse": 3,
    "reverse_exit": 4,
    "reverse_midway": 5,
    "deck_code": 6,
    "draw_timeout": 7,
}
"""Number of each error that a scenario's shoe may report (Angel Eye II-EX, letter E)."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it is on record: its type and its data, JSON-ready."""

    type: str
    data: Mapping[str, Any]


class Bench(Protocol):
    """A table that carries out acts one after the other."""

    @property
    def state(self) -> TableState:
        """The table as it stands."""
        ...

    def perform(self, act: Primitive) -> Sequence[Recorded]:
        """Carry out one act to its end and return what went on record, in order."""
        ...

    def faults(self) -> Sequence[str]:
        """What does not hold of the whole record, one line each (empty: all is well)."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...


def wirings_of(scenario: Scenario) -> Mapping[str, Wiring]:
    """The devices of the scenario's table, by name."""
    shoes = (SHOE, SPARE) if scenario.file.spare else (SHOE,)
    found = (
        *(Wiring(name, "shoe", Capabilities(lock=True)) for name in shoes),
        *_DEVICES,
        *(_reader(position) for position in scenario.file.readers),
    )
    return {wiring.name: wiring for wiring in found}


def _reader(position: str) -> Wiring:
    spot = spot_of(position)
    return Wiring(position, "reader", Capabilities(position=True), () if spot is None else (spot,))


def shoe_of(act: Drawn | ShoeTrouble, state: TableState) -> str:
    """The shoe that an act is about: the one it names, else the one in use."""
    named = act.shoe if isinstance(act, Drawn) else ""
    return named or state.wires.active or SHOE


def command_of(act: Commanded, scenario: Scenario) -> CommandReceived:
    """The command as the bus hands it over: actor and approver are certain."""
    by, approver = scenario.staff[act.by], scenario.staff.get(act.approved)
    return CommandReceived(
        act.name,
        by.staff,
        by.role,
        approver.staff if approver else "",
        approver.role if approver else "",
        act.reason,
        act.verdict,
        act.correction,
        act.card,
        target=act.target,
    )


Telegram = tuple[m.DeviceMessage, ...]
"""What one telegram of a shoe stands for."""


def shoe_telegrams(act: Drawn | ShoeTrouble) -> tuple[Telegram, ...]:
    """What a shoe says of it, by docs/devices.md, whether or not it arrives."""
    if isinstance(act, ShoeTrouble):
        return ((m.ShoeError(ERROR_CODES[act.word], act.word, not act.cleared, in_error_mode=False),),)
    if act.manner is Manner.CUT_CARD:
        return ((m.CutCardDrawn(),),)
    if act.manner is Manner.UNREADABLE:
        error = m.ShoeError(1, "unreadable", active=True, in_error_mode=False)
        return ((error, m.CardUnreadable("the shoe could not read the card it let out")),)
    assert act.card is not None
    face = (int(act.card.rank), act.card.suit.value)
    match act.manner:
        case Manner.USUAL | Manner.LOST:
            return ((m.CardDrawn(*face),),)
        case Manner.LOCKED:
            locked = m.CardDrawn(*face, out_of_game=m.OutOfGame.LOCKED)
            return (m.KeyLockChanged(locked=True),), (locked,), (m.KeyLockChanged(locked=False),)
        case Manner.OVERDRAWN:
            code = ERROR_CODES["overdraw"]
            return (
                (m.ShoeError(code, "overdraw", active=True, in_error_mode=True),),
                (m.CardDrawn(*face, out_of_game=m.OutOfGame.IN_ERROR),),
                (m.ShoeError(code, "overdraw", active=False, in_error_mode=False),),
                (m.CardDrawn(*face, read_again=True),),
            )
        case _:
            assert_never(act.manner)


def reading(act: Seen) -> m.DeviceMessage:
    """What a reader says of it, by docs/devices.md."""
    if act.card is None:
        return m.ReadFailed(act.device, "the reader saw a card and could not read it")
    return m.CardPresent(act.device, int(act.card.rank), act.card.suit.value)
