"""Commands of people: who may do what, alone or with a second person, and how a hold is freed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from controller.core.bookkeeping import absorb, close, close_all, holds
from controller.core.evidence import describe
from controller.core.facts import (
    CommandExecuted,
    CommandRejected,
    SupervisorOverride,
    TableClosed,
    TableOpened,
    TableOutOfService,
    ViolationAcknowledged,
)
from controller.core.game import Game
from controller.core.inputs import CommandReceived
from controller.core.records import replace
from controller.core.state import Service, TableState
from controller.core.verdicts import NEW_SHOE, START_ANEW, VOID_ROUND, Correction, OpenVerdict

STAFF_PRESENT_US: Final = 120 * 1_000_000
"""How long a staff card shown at the console speaks for its owner."""

UNALIGNED: Final = "SHOE_UNALIGNED"
ALIGNMENT: Final = (
    Correction("aligned", "the cards on the table and the record agree: go on"),
    Correction("name_card", "name the next card that left the shoe unseen, in order", needs_card=True),
    NEW_SHOE,
)
VOID: Final = VOID_ROUND.kind

_TWO_PEOPLE: Final = frozenset({VOID_ROUND.kind, NEW_SHOE.kind})
"""Corrections that a second person must approve, beside those that name a card."""


@dataclass(frozen=True, slots=True)
class Authority:
    """Who may give a command: the roles, and whether a second, different person must approve."""

    roles: frozenset[str]
    two_people: bool = False


_FLOOR: Final = frozenset({"supervisor", "pit"})
_TABLE: Final = _FLOOR | {"dealer"}
APPROVERS: Final = frozenset({"dealer", "supervisor", "pit", "surveillance"})
AUTHORITY: Final = {
    "open-table": Authority(_TABLE),
    "close-table": Authority(_TABLE),
    "out-of-service": Authority(frozenset({"supervisor", "technician"})),
    "back-in-service": Authority(frozenset({"supervisor", "technician"})),
    "resume": Authority(_FLOOR),
    "confirm-card": Authority(_FLOOR, two_people=True),
    "assign-card": Authority(_FLOOR, two_people=True),
    "void-round": Authority(_FLOOR, two_people=True),
    "ack-alert": Authority(frozenset({"dealer", "supervisor", "surveillance"})),
}
"""Every command a table takes, with who may give it."""


class _Refused(Exception):  # noqa: N818
    """A command that cannot be carried out now; the text is the reason for the person."""


def command(game: Game, state: TableState, event: CommandReceived, at_us: int, facts: list[Any]) -> TableState:
    """Carry out a command or reject it with the reason; a rejected one changes nothing."""
    event = _with_console_staff(state, event, at_us)
    new_facts: list[Any] = []
    try:
        _authorise(event)
        after = _perform(game, state, event, new_facts)
    except _Refused as refusal:
        facts.append(CommandRejected(event.name, event.actor, event.request, str(refusal)))
        return state
    facts.extend(new_facts)
    facts.append(CommandExecuted(event.name, event.actor, event.request))
    return after


def _with_console_staff(state: TableState, event: CommandReceived, at_us: int) -> CommandReceived:
    """A command keyed at the console is given by those whose staff cards were shown there shortly before."""
    if event.actor:
        return event
    present = [s for s in state.staff if 0 <= at_us - s.at_us <= STAFF_PRESENT_US]
    wanted = AUTHORITY[event.name].roles if event.name in AUTHORITY else frozenset()
    actors = [s for s in reversed(present) if s.role in wanted]
    if not actors:
        return event
    others = [s for s in present if s.staff != actors[0].staff]
    second = others[-1] if others else None
    return replace(
        event,
        actor=actors[0].staff,
        role=actors[0].role,
        approver=second.staff if second else "",
        approver_role=second.role if second else "",
    )


def _authorise(event: CommandReceived) -> None:
    authority = AUTHORITY.get(event.name)
    if authority is None:
        raise _Refused(f"no such command; commands are {', '.join(sorted(AUTHORITY))}")
    if not event.actor:
        raise _Refused(f"show a staff card first: {' or '.join(sorted(authority.roles))}")
    if event.role not in authority.roles:
        raise _Refused(f"role {event.role or 'none'} may not; it needs {' or '.join(sorted(authority.roles))}")
    if authority.two_people:
        _second_person(event)


def _second_person(event: CommandReceived) -> None:
    if not event.approver or event.approver == event.actor:
        raise _Refused("a second, different person must approve it")
    if event.approver_role not in APPROVERS:
        raise _Refused(f"role {event.approver_role or 'none'} may not approve; {', '.join(sorted(APPROVERS))} may")


def _perform(game: Game, state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    match event.name:
        case "open-table":
            return _open(game, state, event, facts)
        case "close-table":
            return _close(game, state, event, facts)
        case "out-of-service" | "back-in-service":
            return _service(game, state, event, facts)
        case "void-round":
            return _void(game, state, event, facts)
        case "ack-alert":
            return _acknowledge(state, event, facts)
        case "confirm-card" | "assign-card":
            return _correct(game, state, _chosen(state, event, "name_card"), event, facts)
        case _:
            return _correct(game, state, _chosen(state, event, event.correction), event, facts)


def _open(game: Game, state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    if state.rules is None:
        raise _Refused("no rule set is in force")
    if state.service is not Service.CLOSED:
        raise _Refused(f"the table is {state.service.value} already")
    facts.append(TableOpened(event.actor))
    return replace(state, service=Service.OPEN, game=game.start(state.rules, state.game))


def _close(game: Game, state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    if state.service is not Service.OPEN:
        raise _Refused(f"the table is {state.service.value}")
    if state.verdicts:
        waiting = ", ".join(f"{v.id} {v.code}" for v in state.verdicts)
        raise _Refused(f"verdicts are open: {waiting}")
    if not game.can_close(state.game):
        raise _Refused("a round is open or stakes are on the table: finish or void it first")
    facts.append(TableClosed(event.actor))
    return replace(state, service=Service.CLOSED, staff=())


def _service(game: Game, state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    back = event.name == "back-in-service"
    if back != (state.service is Service.OUT_OF_SERVICE):
        raise _Refused(f"the table is {state.service.value}")
    if not back and state.service is Service.OPEN and not game.can_close(state.game):
        raise _Refused("a round is open or stakes are on the table: finish or void it first")
    facts.append(TableOutOfService(event.actor, back))
    state = close_all(state, "out_of_service", facts)
    return replace(state, service=Service.CLOSED if back else Service.OUT_OF_SERVICE)


def _void(game: Game, state: TableState, event: CommandReceived, facts: list[Any], verdict: str = "") -> TableState:
    if state.service is not Service.OPEN or not game.can_void(state.game):
        raise _Refused("no round is open")
    doubtful = any(v.code == UNALIGNED for v in state.verdicts)
    code = next((v.code for v in state.verdicts if v.id == verdict), "")
    facts.append(SupervisorOverride(verdict, code, VOID, event.actor, event.approver, event.reason))
    state = close_all(state, VOID, facts)
    return absorb(state, game.void(state.rules, state.game, event.reason, doubtful=doubtful), describe(event), facts)


def _acknowledge(state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    if all(v.id != event.verdict for v in state.verdicts):
        raise _Refused(f"no open verdict {event.verdict or '(none named)'}")
    facts.append(ViolationAcknowledged(event.verdict, event.actor))
    return state


def _chosen(state: TableState, event: CommandReceived, kind: str) -> tuple[OpenVerdict, Correction]:
    """The verdict meant and the correction chosen: by its kind, by ``#n`` (from 1), or the only one. Verdicts that hold
    the table come first; one that does not is meant when it is named, or when nothing holds the table."""
    open_ones = [v for v in state.verdicts if v.corrections and event.verdict in {"", v.id}]
    waiting = [v for v in open_ones if v in holds(state)] or open_ones
    if not waiting:
        raise _Refused(f"nothing waits for a correction{' by the name ' + event.verdict if event.verdict else ''}")
    offered = [(v, c) for v in waiting for c in v.corrections]
    if kind.startswith("#"):
        first = waiting[0]
        picked = [(first, c) for n, c in enumerate(first.corrections, 1) if kind == f"#{n}"]
    elif kind:
        picked = [(v, c) for v, c in offered if c.kind == kind]
    else:
        picked = offered if len(offered) == 1 else []
    if not picked:
        words = ", ".join(dict.fromkeys(c.kind for _, c in offered))
        raise _Refused(f"correction {kind or '(none chosen)'} is not offered; offered: {words}")
    return picked[0]


def _correct(
    game: Game,
    state: TableState,
    chosen: tuple[OpenVerdict, Correction],
    event: CommandReceived,
    facts: list[Any],
) -> TableState:
    verdict, correction = chosen
    kind = correction.kind
    if kind in _TWO_PEOPLE or correction.needs_card:
        _second_person(event)
    if kind == VOID:
        return _void(game, state, event, facts, verdict.id)
    if correction.needs_card and event.card is None:
        raise _Refused(f"{kind} needs a card")
    named = event.card if correction.needs_card else None
    override = SupervisorOverride(verdict.id, verdict.code, kind, event.actor, event.approver, event.reason, named)
    if verdict.code == UNALIGNED and kind == "name_card":
        assert named is not None
        facts.append(override)
        return absorb(state, game.name_card(state.rules, state.game, named), describe(event), facts)
    if verdict.code == UNALIGNED and kind == "aligned":
        device = verdict.key.partition(":")[2]
        if device in state.offline:
            raise _Refused(f"{device} is still offline: plug it in first")
    facts.append(override)
    state = close_all(state, kind, facts) if kind in START_ANEW else close(state, verdict, kind, facts)
    outcome = game.correct(state.rules, state.game, verdict, kind, named, held=bool(holds(state)))
    return absorb(state, outcome, describe(event), facts)
