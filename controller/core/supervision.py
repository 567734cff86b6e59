"""Commands of people: carried out alone or with a second person, and how a hold is freed."""

from __future__ import annotations

from typing import Any, Final

from controller.core import approval, handover, pairing
from controller.core.authority import APPROVE, AUTHORITY, Refused, at_console, authorise, second_person
from controller.core.bookkeeping import absorb, close, close_all, holds, raise_finding
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
from controller.core.sources import ways
from controller.core.state import Service, TableState
from controller.core.verdicts import NEW_SHOE, START_ANEW, VOID_ROUND, Correction, Finding, OpenVerdict, Severity

UNALIGNED: Final = "SHOE_UNALIGNED"
ALIGNMENT: Final = (
    Correction("aligned", "the cards on the table and the record agree: go on"),
    Correction("name_card", "name the next card that left the shoe unseen, in order", needs_card=True),
    NEW_SHOE,
)
CHIPS_ALIGNED: Final = Correction("aligned", "the chips on the table and the record agree: go on")
VOID: Final = VOID_ROUND.kind

Choice = tuple[OpenVerdict, Correction]
"""A verdict, and one of the corrections that it offers."""
_CORRECTING: Final = {"resume": "", "confirm-card": "name_card", "assign-card": "name_card"}
"""Commands that choose a correction, with the one that is meant always (empty: the command says which)."""
_TWO_PEOPLE: Final = frozenset({VOID_ROUND.kind, NEW_SHOE.kind}) | ways.TWO_PEOPLE
"""Corrections that a second person must approve, beside those that name a card."""


def command(game: Game, state: TableState, event: CommandReceived, at_us: int, facts: list[Any]) -> TableState:
    """Carry out a command, keep it for a second person to approve, or reject it with the reason; a rejected one changes
    nothing."""
    event = at_console(state, event, at_us)
    new_facts: list[Any] = []
    try:
        authorise(event)
        after = _answer(game, state, event, at_us, new_facts)
    except Refused as refusal:
        facts.append(CommandRejected(event.name, event.actor, event.request, str(refusal)))
        return state
    after = pairing.quarantined(after, new_facts)
    facts.extend(new_facts)
    return after


def _answer(game: Game, state: TableState, event: CommandReceived, at_us: int, facts: list[Any]) -> TableState:
    round_id = "" if state.game is None else game.round_id(state.game)
    if event.name == APPROVE:
        event = approval.approved(state, event, round_id)
    chosen = _chosen(state, event)
    if chosen is not None:
        event = replace(event, verdict=chosen[0].id, correction=chosen[1].kind)
    if _needs_two(event, chosen):
        if not event.approver:
            # Tried first, so that what cannot be carried out now is refused to the first person already.
            _perform(game, state, event, chosen, [])
            return approval.sign(state, event, round_id, at_us, facts)
        second_person(event)
    after = _perform(game, state, event, chosen, facts)
    facts.append(CommandExecuted(event.name, event.actor, event.request))
    return approval.settled(after, event)


def _needs_two(event: CommandReceived, chosen: Choice | None) -> bool:
    if AUTHORITY[event.name].two_people:
        return True
    return chosen is not None and (chosen[1].kind in _TWO_PEOPLE or chosen[1].needs_card)


def _perform(
    game: Game, state: TableState, event: CommandReceived, chosen: Choice | None, facts: list[Any]
) -> TableState:
    if chosen is not None:
        return _correct(game, state, chosen, event, facts)
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
        case "hand-over":
            return handover.hand_over(game, state, event, facts)
        case "pair-device":
            return _pair(game, state, event, event.target, facts)
        case _:
            raise AssertionError(f"{event.name} has an authority and nobody carries it out")


def _open(game: Game, state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    if state.rules is None:
        raise Refused("no rule set is in force")
    if state.service is not Service.CLOSED:
        raise Refused(f"the table is {state.service.value} already")
    facts.append(TableOpened(event.actor))
    return replace(state, service=Service.OPEN, game=game.start(state.rules, state.game))


def _close(game: Game, state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    if state.service is not Service.OPEN:
        raise Refused(f"the table is {state.service.value}")
    if state.verdicts:
        waiting = ", ".join(f"{v.id} {v.code}" for v in state.verdicts)
        raise Refused(f"verdicts are open: {waiting}")
    if not game.can_close(state.game):
        raise Refused("a round is open or stakes are on the table: finish or void it first")
    facts.append(TableClosed(event.actor))
    state = _leave(game, state, event, facts)
    return replace(state, service=Service.CLOSED, staff=())


def _leave(game: Game, state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    """The table as nobody plays at it: what is owed stays open until it is put right, before the next round."""
    return absorb(state, game.leave(state.rules, state.game), describe(event), facts)


def _service(game: Game, state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    """Out of service closes what holds the table, for all cards are counted before they are dealt again; open verdicts
    are about chips and stay."""
    back = event.name == "back-in-service"
    if back != (state.service is Service.OUT_OF_SERVICE):
        raise Refused(f"the table is {state.service.value}")
    if back:
        facts.append(TableOutOfService(event.actor, back))
        return replace(state, service=Service.CLOSED)
    opened = state.service is Service.OPEN
    if opened and not game.can_close(state.game):
        raise Refused("a round is open or stakes are on the table: finish or void it first")
    facts.append(TableOutOfService(event.actor, back))
    for verdict in holds(state):
        state = close(state, verdict, "out_of_service", facts)
    return replace(_leave(game, state, event, facts) if opened else state, service=Service.OUT_OF_SERVICE)


def _void(game: Game, state: TableState, event: CommandReceived, facts: list[Any], verdict: str = "") -> TableState:
    if state.service is not Service.OPEN or not game.can_void(state.game):
        raise Refused("no round is open")
    doubtful = any(v.code == UNALIGNED for v in state.verdicts)
    code = next((v.code for v in state.verdicts if v.id == verdict), "")
    facts.append(SupervisorOverride(verdict, code, VOID, event.actor, event.approver, event.reason))
    state = close_all(state, VOID, facts)
    return absorb(state, game.void(state.rules, state.game, event.reason, doubtful=doubtful), describe(event), facts)


def _pair(game: Game, state: TableState, event: CommandReceived, device: str, facts: list[Any]) -> TableState:
    """A device from which cards leave has other cards, or lost some; one that tells of chips has not seen those that
    lie: the table is aligned after it was let in."""
    try:
        state, found = pairing.pair(state, device, event.serial, event.actor, facts)
    except LookupError as problem:
        raise Refused(str(problem)) from None
    exchanged = f"{device} was exchanged for {found.serial}"
    if found.sees_chips:
        reason = f"{exchanged}, which has not seen the chips that lie"
        return chips_unseen(game, state, device, reason, describe(event), facts)
    if not found.sees_cards:
        return state
    return unaligned(game, state, device, f"{exchanged}: cards may have left unseen", describe(event), facts)


def unaligned(game: Game, state: TableState, device: str, reason: str, evidence: str, facts: list[Any]) -> TableState:
    """Hold an open table whose cards may have left a source unseen."""
    if state.service is not Service.OPEN or state.game is None or not game.cards_expected(state.game):
        return state
    key = f"gap:{device}"
    if any(verdict.key == key for verdict in state.verdicts):
        return state  # whoever aligns the shoe looks for all cards that it lost
    finding = Finding(
        UNALIGNED,
        Severity.HOLD,
        f"every card of {device} is seen",
        reason,
        (*ALIGNMENT, *((VOID_ROUND,) if game.can_void(state.game) else ())),
        key=key,
    )
    return raise_finding(state, finding, evidence, facts)


def chips_unseen(
    game: Game, state: TableState, device: str, reason: str, evidence: str, facts: list[Any]
) -> TableState:
    """Hold an open table at which chips may have moved unseen: a person compares them with the record."""
    if state.service is not Service.OPEN:
        return state
    finding = Finding(
        "CHIPS_UNSEEN",
        Severity.HOLD,
        f"every chip that {device} tells of is on record",
        reason,
        (CHIPS_ALIGNED, *((VOID_ROUND,) if game.can_void(state.game) else ())),
        key=f"chips:{device}",
    )
    return raise_finding(state, finding, evidence, facts)


def _acknowledge(state: TableState, event: CommandReceived, facts: list[Any]) -> TableState:
    if all(v.id != event.verdict for v in state.verdicts):
        raise Refused(f"no open verdict {event.verdict or '(none named)'}")
    facts.append(ViolationAcknowledged(event.verdict, event.actor))
    return state


def _chosen(state: TableState, event: CommandReceived) -> Choice | None:
    """The verdict meant and the correction chosen: by its kind, by ``#n`` (from 1), or the only one. Verdicts that hold
    the table come first; one that does not is meant when it is named, or when nothing holds the table. None for a
    command that corrects nothing."""
    if event.name not in _CORRECTING:
        return None
    kind = _CORRECTING[event.name] or event.correction
    open_ones = [v for v in state.verdicts if v.corrections and event.verdict in {"", v.id}]
    waiting = [v for v in open_ones if v in holds(state)] or open_ones
    if not waiting:
        raise Refused(f"nothing waits for a correction{' by the name ' + event.verdict if event.verdict else ''}")
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
        raise Refused(f"correction {kind or '(none chosen)'} is not offered; offered: {words}")
    return picked[0]


def _correct(
    game: Game,
    state: TableState,
    chosen: Choice,
    event: CommandReceived,
    facts: list[Any],
) -> TableState:
    verdict, correction = chosen
    kind = correction.kind
    if kind == VOID:
        return _void(game, state, event, facts, verdict.id)
    if correction.needs_card and event.card is None:
        raise Refused(f"{kind} needs a card")
    named = event.card if correction.needs_card else None
    override = SupervisorOverride(verdict.id, verdict.code, kind, event.actor, event.approver, event.reason, named)
    if verdict.code == UNALIGNED and kind == "name_card":
        assert named is not None
        facts.append(override)
        return absorb(state, game.name_card(state.rules, state.game, named), describe(event), facts)
    if verdict.code == UNALIGNED and kind == "aligned":
        device = verdict.key.partition(":")[2]
        if device in state.offline:
            raise Refused(f"{device} is still offline: plug it in first")
    mine = ways.is_mine(verdict, correction)
    if mine and (why := ways.refusal(game, state, verdict, correction, event)):
        raise Refused(why)
    facts.append(override)
    if kind == pairing.PAIR.kind:
        return _pair(game, state, event, pairing.device_of(verdict.key), facts)
    if kind == handover.OTHER_PACKS.kind:
        return close(state, verdict, kind, facts)
    state = close_all(state, kind, facts) if kind in START_ANEW else close(state, verdict, kind, facts)
    if mine:
        return ways.correct(game, state, verdict, kind, event, facts)
    outcome = game.correct(state.rules, state.game, verdict, kind, named, held=bool(holds(state)))
    return absorb(state, outcome, describe(event), facts)
