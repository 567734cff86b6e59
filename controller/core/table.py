"""The table's ``step``: one input in, the next state and the facts out. Total and pure.

Whatever comes in whatever state, the answer is a state and facts (a violation among them where something is off);
``step`` never raises for an input. A refused input leaves the state as it was, the very same object.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, assert_never

from controller.core import supervision
from controller.core.bookkeeping import absorb, holds, raise_finding
from controller.core.facts import RulesInForce
from controller.core.game import Game, RulesError
from controller.core.inputs import (
    CardDrawn,
    CardLaid,
    CardUnreadable,
    ChipsCollected,
    ChipsPaid,
    CommandReceived,
    CutCardDrawn,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    DeviceFault,
    DeviceGap,
    DeviceOffline,
    DeviceOnline,
    DeviceReported,
    GameInput,
    Input,
    RulesChosen,
    StaffPresented,
    SystemStarted,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.state import Service, StaffOn, TableState
from controller.core.verdicts import Finding, Severity

PHYSICAL = (CardDrawn, CardUnreadable, CutCardDrawn, CardLaid, ChipsCollected, ChipsPaid)
"""Inputs that say what has already happened on the felt: they are kept even while the table is held."""

_GAME_INPUTS = frozenset(GameInput.__args__)


@dataclass(frozen=True, slots=True)
class Step:
    """The table's answer to one input."""

    state: TableState
    facts: tuple[Any, ...] = ()


def step(game: Game, state: TableState, event: Input, at_us: int) -> Step:
    """The state after ``event``, which happened at ``at_us`` (microseconds of UTC), and what the table concludes."""
    facts: list[Any] = []
    match event:
        case event if type(event) in _GAME_INPUTS:
            state = _judge(game, state, event, facts)  # type: ignore[arg-type]
        case SystemStarted():
            state = replace(state, epoch=event.epoch, offline=())
        case RulesChosen():
            state = _choose_rules(game, state, event, facts)
        case DeviceOnline():
            state = replace(state, offline=tuple(d for d in state.offline if d != event.device))
        case DeviceOffline():
            state = replace(state, offline=(*(d for d in state.offline if d != event.device), event.device))
        case DeviceGap():
            state = _gap(game, state, event, facts)
        case DeviceFault() | DeviceReported():
            pass
        case StaffPresented():
            others = tuple(s for s in state.staff if s.staff != event.staff)[-1:]
            state = replace(state, staff=(*others, StaffOn(event.staff, event.role, at_us)))
        case CommandReceived():
            state = supervision.command(game, state, event, at_us, facts)
        case (
            CardDrawn() | CardUnreadable() | CutCardDrawn() | CardLaid() | DeckSpread() | WagerPlaced()
            | WagerWithdrawn() | ChipsCollected() | ChipsPaid() | DecisionSignalled() | DealerSignalled()
        ):  # fmt: skip
            raise AssertionError("a game input is judged above")
        case _:
            assert_never(event)
    return Step(state, tuple(facts))


def phase(game: Game, state: TableState) -> str:
    """The table's phase as a word: held and out_of_service first, then closed, then the game's own phase."""
    if state.service is not Service.OPEN:
        return state.service.value
    return "held" if holds(state) else game.phase(state.game)


def _judge(game: Game, state: TableState, event: GameInput, facts: list[Any]) -> TableState:
    held = False
    if state.service is not Service.OPEN:
        finding = Finding("TABLE_CLOSED", Severity.REFUSED, "the table is opened first", describe(event))
        return raise_finding(state, finding, describe(event), facts)
    if state.verdicts and holds(state):
        held = True
        if not isinstance(event, PHYSICAL):
            first = holds(state)[0]
            waits = f"the table is held by {first.id} {first.code}: a supervisor frees it"
            return raise_finding(state, Finding("TABLE_HELD", Severity.REFUSED, waits, describe(event)), "", facts)
    outcome = game.handle(state.rules, state.game, event, held=held)
    if not outcome.findings:
        facts.extend(outcome.facts)
        return state if outcome.state is state.game else replace(state, game=outcome.state)
    return absorb(state, outcome, describe(event), facts)


def _choose_rules(game: Game, state: TableState, event: RulesChosen, facts: list[Any]) -> TableState:
    problem = ""
    rules: Any = None
    if event.game != game.name:
        problem = f"this table runs {game.name}, not {event.game}"
    elif state.game is not None and not game.can_close(state.game):
        problem = "rules change only between rounds, with no stake on the table"
    else:
        try:
            rules = game.parse_rules(event.rules)
        except RulesError as error:
            problem = str(error)
    if problem:
        finding = Finding("RULES_REFUSED", Severity.REFUSED, "a usable rule set between rounds", problem)
        return raise_finding(state, finding, describe(event), facts)
    facts.append(RulesInForce(event.game, event.name, event.sha256))
    return replace(
        state,
        game_name=event.game,
        rules_name=event.name,
        rules_sha256=event.sha256,
        rules_data=event.rules,
        rules=rules,
        game=state.game if state.service is Service.OPEN and state.game is not None else game.start(rules),
    )


def _gap(game: Game, state: TableState, event: DeviceGap, facts: list[Any]) -> TableState:
    if state.service is not Service.OPEN or state.game is None or not game.cards_expected(state.game):
        return state
    finding = Finding(
        supervision.UNALIGNED,
        Severity.HOLD,
        f"every card of {event.device} is seen",
        event.reason,
        supervision.ALIGNMENT,
        key=f"gap:{event.device}",
    )
    return raise_finding(state, finding, describe(event), facts)


def describe(event: Input) -> str:
    """An input as one line for people and for the evidence of a verdict."""
    parts = [
        f"{name}={getattr(event, name)}"
        for name in event.__dataclass_fields__
        if name not in {"TYPE", "rules", "counts"}
    ]
    return f"{event.TYPE} " + " ".join(p for p in parts if not p.endswith(("=", "=None")))
