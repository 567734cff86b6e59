"""The record of a table: inputs and facts as drafts for the journal, and the fold back into the state.

A journaled input carries ``identity``, the device's own identity of the event, so that a restarted controller knows
what it has heard. Facts follow their input and name it as their cause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from controller import __version__
from controller.core.bookkeeping import holds
from controller.core.codec import Codec, UnknownEventError, encode
from controller.core.facts import ViolationRaised
from controller.core.fold import FOLD
from controller.core.game import Game
from controller.core.inputs import CardDrawn, CardRacked, CardShown, CommandReceived, Input, SystemStarted
from controller.core.limits import recordable
from controller.core.records import replace
from controller.core.state import EMPTY, Service, TableState
from controller.core.table import step
from controller.core.verdicts import Severity
from controller.journal.chain import EventDraft, StoredEvent
from controller.journal.sealing import Secret, new_secret

INFO: Final = 9
WARNING: Final = 13
ERROR: Final = 17
_SEVERITY: Final = {Severity.NOTE: 10, Severity.REFUSED: WARNING, Severity.OPEN: 14, Severity.HOLD: ERROR}


class RecordError(Exception):
    """The journal cannot be folded by this version. The text is one line: which event, what differs, what to do."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The program that wrote a stretch of the record: its version, and the revision of its fold."""

    version: str = __version__
    fold: int = FOLD

    @property
    def advice(self) -> str:
        """What to do where this program concludes something else than that one did."""
        if self.fold == FOLD:
            return "have the record examined"
        return (
            f"version {self.version or 'unknown'} wrote it with rules engine {self.fold}, this one has {FOLD}: "
            "finish the shift and verify with the version that wrote it, close the table, "
            "then give this one a new journal (journal.path; docs/operations.md, Upgrading)"
        )

    @property
    def reading(self) -> str:
        """What to do where this program cannot read what that one wrote."""
        return "use the version that wrote it" if self.fold == FOLD else self.advice


@dataclass(slots=True)
class Standing:
    """What the fold has reached: the state, the last identity heard of each device, and how far it read."""

    state: TableState = EMPTY
    heard: dict[str, str] = field(default_factory=dict)
    sequence: int = 0
    seals: dict[str, str] = field(default_factory=dict)
    """seal of every card that is hidden now, by the game's name of it"""
    writer: Writer = field(default_factory=Writer)
    """who wrote the record here; not part of what a checkpoint signs"""


Opener = Callable[[str], Secret | None]
"""What opens a seal: the journal's `secret`."""

SEALABLE: Final = (CardDrawn, CardShown, CardRacked)
"""Inputs that may bring a card whose face is secret."""
REVEALED: Final = "card.revealed"
"""The fact that shows a hidden card; the record adds seal and salt, so that anyone can check it."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One input after its step: what to journal, and the state and seals once it is durable."""

    state: TableState
    facts: tuple[Any, ...]
    drafts: tuple[EventDraft, ...]
    secrets: tuple[Secret, ...]
    seals: dict[str, str]


def take(
    game: Game,
    state: TableState,
    event: Input,
    at_us: int,
    cause: str,
    identity: str,
    seals: dict[str, str],
    opener: Opener,
) -> Taken:
    """Step over one input. ``cause`` is the id that the input will have in the journal; ``seals`` are of the cards
    hidden before it, and ``opener`` opens them."""
    event = recordable(event)
    name = hidden_name(game, state, event)
    if name and isinstance(event, CardShown | CardRacked):
        event = replace(event, tag="")  # whoever has seen that tag before would know the card
    done = step(game, state, event, at_us)
    round_id = _round_of(game, done.state) or _round_of(game, state)
    subject = f"round/{round_id}" if round_id else ""
    data = encode(event)
    if identity:
        data["identity"] = identity
    secrets: tuple[Secret, ...] = ()
    if name:
        secret = new_secret(str(data["card"]))
        data |= {"card": None, "sealed": secret.sealed}
        secrets, seals = (secret,), {**seals, name: secret.sealed}
    actor = f"{event.role}:{event.actor}" if isinstance(event, CommandReceived) and event.actor else ""
    drafts = [EventDraft(event.TYPE, data, at_us, subject, actor, round_id)]
    drafts += [
        EventDraft(
            fact.TYPE, _fact_data(fact, seals, secrets, opener), at_us, subject, "", round_id, cause, severity_of(fact)
        )
        for fact in done.facts
    ]
    seals = _after_round(game, state, done.state, _still_hidden(seals, done.facts))
    return Taken(done.state, done.facts, tuple(drafts), secrets, seals)


def hidden_name(game: Game, state: TableState, event: Input) -> str:
    """The game's name of the hidden card that an input brings; empty when its face may be public. A card in the burn or
    discard place is always hidden: it may be one that was burned, or voided, face down."""
    if isinstance(event, CardRacked):
        return f"racked:{event.device}"
    if state.game is None or state.service is not Service.OPEN or not isinstance(event, SEALABLE):
        return ""
    return game.hidden(state.rules, state.game, event, held=bool(holds(state)))


def _fact_data(fact: Any, seals: Mapping[str, str], fresh: tuple[Secret, ...], opener: Opener) -> dict[str, Any]:
    data = encode(fact)
    if fact.TYPE == REVEALED and fact.hidden in seals:
        sealed = seals[fact.hidden]
        secret = next((s for s in fresh if s.sealed == sealed), None) or opener(sealed)
        data |= {"sealed": sealed, "salt": secret.salt if secret else ""}
    return data


def _still_hidden(seals: dict[str, str], facts: Iterable[Any]) -> dict[str, str]:
    shown = {fact.hidden for fact in facts if fact.TYPE == REVEALED}
    return {name: sealed for name, sealed in seals.items() if name not in shown} if shown else seals


def _after_round(game: Game, before: TableState, after: TableState, seals: dict[str, str]) -> dict[str, str]:
    """Seals of a round's cards (named ``round:…``) that were never shown are not kept beyond the round; the journal
    still has what they hide."""
    closed = _round_of(game, before)
    if not seals or not closed or closed == _round_of(game, after):
        return seals
    return {name: sealed for name, sealed in seals.items() if not name.startswith(f"{closed}:")}


def severity_of(fact: Any) -> int:
    """The severity number of a fact (OpenTelemetry's scale)."""
    return _SEVERITY[fact.severity] if isinstance(fact, ViolationRaised) else INFO


def _round_of(game: Game, state: TableState) -> str:
    return game.round_id(state.game) if state.game is not None else ""


def fold_events(
    game: Game, codec: Codec, events: Iterable[StoredEvent], standing: Standing, opener: Opener
) -> Standing:
    """Fold journal events into ``standing``, computing every fact again and comparing it with the one on record.
    ``opener`` opens the seals of hidden cards.

    Raises RecordError naming the first event that differs or cannot be read.
    """
    due: list[Any] = []
    source: StoredEvent | None = None
    for event in events:
        data = event.data()
        if codec.is_input(event.type):
            _all_seen(due, source, standing.writer)
            source = event
            if event.type == SystemStarted.TYPE:
                standing.writer = writer_of(data)
            due = _step_over(game, codec, event, data, standing, opener)
        elif event.type in codec.facts:
            _compare(event, data, due, standing.writer)
        standing.sequence = event.sequence
    _all_seen(due, source, standing.writer)
    return standing


def writer_of(data: Mapping[str, Any]) -> Writer:
    """Who wrote what follows a ``system.started`` with this data."""
    fold = data.get("fold", 0)
    return Writer(str(data.get("version", "")), fold if isinstance(fold, int) else 0)


def _step_over(
    game: Game, codec: Codec, event: StoredEvent, data: Mapping[str, Any], standing: Standing, opener: Opener
) -> list[Any]:
    sealed = str(data.get("sealed", ""))
    if sealed:
        secret = opener(sealed)
        if secret is None:
            raise RecordError(f"event {event.sequence}: the journal has lost what its seal hides; restore a backup")
        data = {**data, "card": secret.content}
    try:
        decoded = codec.decode(event.type, data)
    except UnknownEventError as error:
        raise RecordError(f"event {event.sequence}: {error}; {standing.writer.reading}") from None
    name = hidden_name(game, standing.state, decoded)
    if bool(name) != bool(sealed):
        wanted = "sealed" if name else "open"
        raise RecordError(f"event {event.sequence}: its card should be {wanted}; {standing.writer.reading}")
    before = standing.state
    done = step(game, before, decoded, event.time_us)
    standing.state = done.state
    if name:
        standing.seals = {**standing.seals, name: sealed}
    standing.seals = _after_round(game, before, done.state, _still_hidden(standing.seals, done.facts))
    identity = str(data.get("identity", ""))
    if identity:
        standing.heard[str(data.get("device", ""))] = identity
    return list(done.facts)


def _compare(event: StoredEvent, data: Mapping[str, Any], due: list[Any], writer: Writer) -> None:
    data = {key: value for key, value in data.items() if event.type != REVEALED or key not in {"sealed", "salt"}}
    found = due.pop(0) if due else None
    if found is None or event.type != found.TYPE or encode(found) != data:
        wanted = "nothing" if found is None else f"{found.TYPE} {encode(found)}"
        raise RecordError(
            f"event {event.sequence}: the record says {event.type} {data}, this version concludes {wanted}; "
            f"{writer.advice}"
        )


def _all_seen(due: list[Any], source: StoredEvent | None, writer: Writer) -> None:
    if due and source is not None:
        raise RecordError(
            f"event {source.sequence}: this version concludes {due[0].TYPE} from it, the record does not; "
            f"{writer.advice}"
        )
