"""The table's ``step``: one input in, the next state and the facts out. Total and pure.

Whatever comes in whatever state, the answer is a state and facts (a violation among them where something is off);
``step`` never raises for an input. A refused input leaves the state as it was, the very same object, but for chips that
lie on the felt and must go back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

from controller.core import handover, pairing, supervision
from controller.core.approval import aged
from controller.core.bookkeeping import absorb, holds, raise_finding, say_held
from controller.core.evidence import describe, said
from controller.core.expectation import Expected, Kind
from controller.core.facts import RulesInForce, SourcesInForce
from controller.core.game import Game, RulesError
from controller.core.inputs import (
    CardDrawn,
    CardLaid,
    CardRacked,
    CardShown,
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
    DeviceStranger,
    GameInput,
    Input,
    RulesChosen,
    ShoesChosen,
    SourcesChosen,
    SourcesWaited,
    StaffPresented,
    SystemStarted,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.limits import clean_text, recordable
from controller.core.records import quick, replace
from controller.core.sources import watch
from controller.core.sources.fusion import NOTHING
from controller.core.state import Service, StaffOn, TableState
from controller.core.verdicts import Finding, Severity

PHYSICAL = frozenset(
    {
        CardDrawn,
        CardUnreadable,
        CutCardDrawn,
        CardLaid,
        CardRacked,
        CardShown,
        ChipsCollected,
        ChipsPaid,
        WagerPlaced,
        WagerWithdrawn,
    }
)
"""Inputs that say what has already happened on the felt: they are kept even while the table is held."""

MOST_OFFLINE = 64
"""Names of devices remembered as offline; a table has a dozen devices."""

MOST_STAFF = 8
"""Staff cards remembered; a table has one console and a few people."""

_GAME_INPUTS = frozenset(GameInput.__args__)


@quick
@dataclass(frozen=True, slots=True)
class Step:
    """The table's answer to one input."""

    state: TableState
    facts: tuple[Any, ...] = ()


def step(game: Game, state: TableState, event: Input, at_us: int) -> Step:
    """The state after ``event``, which happened at ``at_us`` (microseconds of UTC), and what the table concludes.

    ``event`` is judged as `limits.recordable` has it on record.
    """
    facts: list[Any] = []
    event = recordable(event)
    if state.staff or state.signed:
        state = aged(state, at_us)
    if type(event) in _GAME_INPUTS:
        after = _judge(game, state, event, facts)  # type: ignore[arg-type]
    else:
        after = _other(game, state, event, at_us, facts)
    if after.fusion.sources:
        after = watch.after(game, state, after, event, facts)
    if after.verdicts is not state.verdicts:
        say_held(state, after, facts)
    return Step(after, tuple(facts))


def _other(game: Game, state: TableState, event: Input, at_us: int, facts: list[Any]) -> TableState:
    match event:
        case SystemStarted():
            return replace(state, epoch=event.epoch, offline=(), signed=())
        case RulesChosen():
            return _choose_rules(game, state, event, facts)
        case DeviceOnline():
            return _online(game, state, event, facts)
        case ShoesChosen():
            return handover.chosen(state, event, facts)
        case DeviceStranger():
            return pairing.stranger(state, event, facts)
        case DeviceOffline():
            others = tuple(d for d in state.offline if d != event.device)
            return replace(state, offline=(*others, event.device)[-MOST_OFFLINE:])
        case DeviceGap():
            return _gap(game, state, event, facts)
        case SourcesChosen():
            return _choose_sources(state, event, facts)
        case DeviceFault() | DeviceReported() | SourcesWaited():
            return state
        case StaffPresented():
            others_on = tuple(s for s in state.staff if (s.staff, s.device) != (event.staff, event.device))
            shown = StaffOn(event.staff, event.role, at_us, event.device)
            return replace(state, staff=(*others_on[1 - MOST_STAFF :], shown))
        case CommandReceived():
            return supervision.command(game, state, event, at_us, facts)
        case (
            CardDrawn() | CardUnreadable() | CutCardDrawn() | CardLaid() | CardShown() | CardRacked() | DeckSpread()
            | WagerPlaced() | WagerWithdrawn() | ChipsCollected() | ChipsPaid() | DecisionSignalled()
            | DealerSignalled()
        ):  # fmt: skip
            raise AssertionError("a game input is judged by the game")
        case _:
            assert_never(event)


def phase(game: Game, state: TableState) -> str:
    """The table's phase as a word: held and out_of_service first, then closed, then the game's own phase."""
    if state.service is not Service.OPEN:
        return state.service.value
    return "held" if holds(state) else game.phase(state.game)


def expected(game: Game, state: TableState) -> tuple[Expected, ...]:
    """What must or may come next at the table: opening it, freeing it, or what the game says."""
    match state.service:
        case Service.CLOSED:
            return (Expected(Kind.COMMAND, "open the table", options=("open-table",)),)
        case Service.OUT_OF_SERVICE:
            return (Expected(Kind.COMMAND, "put the table back in service", options=("back-in-service",)),)
        case Service.OPEN:
            waiting = [
                Expected(Kind.COMMAND, f"{v.id} {v.code}: {c.text}", options=(c.kind,))
                for v in holds(state)
                for c in v.corrections
            ]
            return tuple(waiting) or game.expectation(state.rules, state.game)
        case _:
            assert_never(state.service)


def _judge(game: Game, state: TableState, event: GameInput, facts: list[Any]) -> TableState:
    if state.service is not Service.OPEN:
        if isinstance(event, CardRacked | CardShown):
            return state  # whoever looks on says what lies there, and when is not the dealer's doing
        finding = Finding("TABLE_CLOSED", Severity.REFUSED, "the table is opened first", said(event))
        return raise_finding(state, finding, describe(event), facts)
    if state.fusion.sources:
        state = watch.before(game, state, event, facts)
    waiting = holds(state) if state.verdicts else ()
    if waiting and type(event) not in PHYSICAL:
        free = f"the table is held by {waiting[0].id} {waiting[0].code}: a supervisor frees it"
        finding = Finding("TABLE_HELD", Severity.REFUSED, free, said(event))
        return raise_finding(state, finding, describe(event), facts)
    if type(event) in handover.LEAVES_A_SHOE and state.wires.idle(event.device):
        return handover.stray(state, event, facts)
    outcome = game.handle(state.rules, state.game, event, held=bool(waiting))
    if not outcome.findings:
        facts.extend(outcome.facts)
        return state if outcome.state is state.game else state.with_game(outcome.state)
    hidden = bool(game.hidden(state.rules, state.game, event, held=bool(waiting)))
    return absorb(state, outcome, describe(event, hidden=hidden), facts)


def _choose_rules(game: Game, state: TableState, event: RulesChosen, facts: list[Any]) -> TableState:
    problem = ""
    rules: Any = None
    in_use = state.service is Service.OPEN
    if event.game != game.name:
        problem = f"this table runs {game.name}, not {event.game}"
    elif in_use and not (game.can_close(state.game) and not state.verdicts):
        problem = "rules change only between rounds, with no stake on the table and no verdict open"
    else:
        try:
            rules = game.parse_rules(event.rules)
        except RulesError as error:
            problem = clean_text(str(error))
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
        game=game.adopt(state.rules, rules, state.game) if in_use else game.start(rules, state.game),
    )


def _choose_sources(state: TableState, event: SourcesChosen, facts: list[Any]) -> TableState:
    facts.append(SourcesInForce(event.settle_on, tuple(source.name for source in event.sources)))
    if not event.sources:
        return replace(state, fusion=NOTHING)
    fusion = replace(
        state.fusion,
        settle_on=event.settle_on,
        silence_s=event.silence_s,
        silence_cards=event.silence_cards,
        sources=event.sources,
    )
    return replace(state, fusion=fusion)


def _online(game: Game, state: TableState, event: DeviceOnline, facts: list[Any]) -> TableState:
    """A device is there. A shoe that keeps nothing may have lost cards since it was loaded while it was away."""
    there = replace(state, offline=tuple(d for d in state.offline if d != event.device))
    there = pairing.online(there, event, facts)
    if not event.forgets or event.device not in state.offline or state.wires.idle(event.device):
        return there
    reason = f"{event.device} was offline: cards may have left unseen"
    return supervision.unaligned(game, there, event.device, reason, describe(event), facts)


def _gap(game: Game, state: TableState, event: DeviceGap, facts: list[Any]) -> TableState:
    if event.chips:
        return supervision.chips_unseen(game, state, event.device, event.reason, describe(event), facts)
    if state.wires.idle(event.device):
        return state
    return supervision.unaligned(game, state, event.device, event.reason, describe(event), facts)
