"""The record of a table: inputs and facts as drafts for the journal, and the fold back into the state.

A journaled input carries ``identity``, the device's own identity of the event, so that a restarted controller knows
what it has heard. Facts follow their input and name it as their cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from controller.core.codec import Codec, UnknownEventError, encode
from controller.core.facts import ViolationRaised
from controller.core.game import Game
from controller.core.inputs import CommandReceived, Input
from controller.core.state import EMPTY, TableState
from controller.core.table import step
from controller.core.verdicts import Severity
from controller.journal.chain import EventDraft, StoredEvent

INFO: Final = 9
WARNING: Final = 13
ERROR: Final = 17
_SEVERITY: Final = {Severity.NOTE: 10, Severity.REFUSED: WARNING, Severity.OPEN: 14, Severity.HOLD: ERROR}


class RecordError(Exception):
    """The journal cannot be folded by this version. The text is one line: which event, what differs, what to do."""


@dataclass(slots=True)
class Standing:
    """What the fold has reached: the state, the last identity heard of each device, and how far it read."""

    state: TableState = EMPTY
    heard: dict[str, str] = field(default_factory=dict)
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class Taken:
    """One input after its step: what to journal, and the state once it is durable."""

    state: TableState
    facts: tuple[Any, ...]
    drafts: tuple[EventDraft, ...]


def take(game: Game, state: TableState, event: Input, at_us: int, cause: str, identity: str = "") -> Taken:
    """Step over one input. ``cause`` is the id that the input will have in the journal."""
    done = step(game, state, event, at_us)
    round_id = _round_of(game, done.state) or _round_of(game, state)
    subject = f"round/{round_id}" if round_id else ""
    data = encode(event)
    if identity:
        data["identity"] = identity
    actor = f"{event.role}:{event.actor}" if isinstance(event, CommandReceived) and event.actor else ""
    drafts = [EventDraft(event.TYPE, data, at_us, subject, actor, round_id)]
    drafts += [
        EventDraft(fact.TYPE, encode(fact), at_us, subject, "", round_id, cause, severity_of(fact))
        for fact in done.facts
    ]
    return Taken(done.state, done.facts, tuple(drafts))


def severity_of(fact: Any) -> int:
    """The severity number of a fact (OpenTelemetry's scale)."""
    return _SEVERITY[fact.severity] if isinstance(fact, ViolationRaised) else INFO


def _round_of(game: Game, state: TableState) -> str:
    return game.round_id(state.game) if state.game is not None else ""


def fold_events(game: Game, codec: Codec, events: Iterable[StoredEvent], standing: Standing) -> Standing:
    """Fold journal events into ``standing``, computing every fact again and comparing it with the one on record.

    Raises RecordError naming the first event that differs or cannot be read.
    """
    due: list[Any] = []
    source: StoredEvent | None = None
    for event in events:
        data = event.data()
        if codec.is_input(event.type):
            _all_seen(due, source)
            source = event
            due = _step_over(game, codec, event, data, standing)
        elif event.type in codec.facts:
            _compare(event, data, due)
        standing.sequence = event.sequence
    _all_seen(due, source)
    return standing


def _step_over(game: Game, codec: Codec, event: StoredEvent, data: Mapping[str, Any], standing: Standing) -> list[Any]:
    try:
        decoded = codec.decode(event.type, data)
    except UnknownEventError as error:
        raise RecordError(f"event {event.sequence}: {error}; use the version that wrote it") from None
    done = step(game, standing.state, decoded, event.time_us)
    standing.state = done.state
    identity = str(data.get("identity", ""))
    if identity:
        standing.heard[str(data.get("device", ""))] = identity
    return list(done.facts)


def _compare(event: StoredEvent, data: Mapping[str, Any], due: list[Any]) -> None:
    found = due.pop(0) if due else None
    if found is None or event.type != found.TYPE or encode(found) != dict(data):
        wanted = "nothing" if found is None else f"{found.TYPE} {encode(found)}"
        raise RecordError(
            f"event {event.sequence}: the record says {event.type} {dict(data)}, this version concludes {wanted}; "
            "use the version that wrote it, or have the record examined"
        )


def _all_seen(due: list[Any], source: StoredEvent | None) -> None:
    if due and source is not None:
        raise RecordError(
            f"event {source.sequence}: this version concludes {due[0].TYPE} from it, the record does not; "
            "use the version that wrote it, or have the record examined"
        )
