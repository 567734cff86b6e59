"""One line for a person for every event of a table: inputs, facts and notes, from their data on record or on the bus.

The data may come from strangers: it is decoded first, and no text of a device or a person reaches a screen with control
characters in it. What an input says and its fact says again is told once, by the fact.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

from pydantic import ValidationError

from controller.app import notes
from controller.app.plugins import GAMES, load_game, names
from controller.core import facts, inputs
from controller.core.codec import INPUT_TYPES, adapter
from controller.core.verdicts import Severity
from controller.core.words import Line, Tone, line, people

_PLAYED: Final = {game.name: game for game in map(load_game, names(GAMES))}
_GAME_OF: Final = {cls: game for game in _PLAYED.values() for cls in game.fact_types}
_ALL: Final[tuple[type[Any], ...]] = (*INPUT_TYPES, *facts.CORE_FACTS, *notes.NOTES, *_GAME_OF)
CLASSES: Final = {str(cls.TYPE): cls for cls in _ALL}
"""Every event class that has words, by event type."""

SILENT: Final = frozenset(
    {
        "rules.changed",
        "shoes.chosen",
        "sources.changed",
        "card.laid",
        "card.racked",
        "card.shown",
        "dealer.spread",
        "chips.placed",
        "chips.withdrawn",
        "chips.collected",
        "chips.paid",
        "player.decision",
        "command.received",
    }
)
"""Types that never have a line: another event of the same moment says it better."""

SIGNALS: Final = {
    "second_cut": "second cut card put at {value}",
    "next_round": "the dealer asks for the next round",
    "dealer_stand": "the dealer stands",
    "time_over": "{value} s without a decision",
}
"""Signals of the dealer that no fact repeats."""

_SEVERITY: Final = {
    Severity.NOTE: Tone.QUIET,
    Severity.REFUSED: Tone.WARN,
    Severity.OPEN: Tone.WARN,
    Severity.HOLD: Tone.ALARM,
}


def narrate(event_type: str, data: Mapping[str, Any], currency: str = "", game: str = "") -> Line | None:
    """The line for an event of this short type (``card.dealt``), None for one that is silent. ``currency`` stands
    behind amounts; ``game`` is the name of the one played, for its words for places, empty where it is not known.

    Never raises: a type or data of another version gets a quiet line with its words as they are.
    """
    cls = CLASSES.get(event_type)
    if cls is None:
        return line(f"{event_type} {_plain(data)}", Tone.QUIET)
    if "sealed" in data and data.get("card", "") is None:
        return _face_down(data) if cls is inputs.CardDrawn else None
    try:
        event = adapter(cls).validate_python(dict(data))
    except (ValidationError, TypeError, ValueError):
        return line(f"{event_type} cannot be read by this version: {_plain(data)}", Tone.WARN)
    if isinstance(event, INPUT_TYPES):
        return _input(event)
    if isinstance(event, facts.CORE_FACTS):
        return _fact(event, game)
    if isinstance(event, notes.NOTES):
        return _note(event)
    return _GAME_OF[type(event)].tell(event, currency)


def _face_down(data: Mapping[str, Any]) -> Line | None:
    """A card whose face is sealed (docs/events.md): facts tell where it went, unless it should not have come."""
    outside = data.get("outside")
    said = f"a face-down card left {data.get('device')}, counted out of the game ({outside})"
    return line(said, Tone.WARN) if outside else None


def _plain(data: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in data.items())


def _input(event: inputs.Input) -> Line | None:
    match event:
        case inputs.SystemStarted():
            simulated = ", simulated devices" if event.simulated else ""
            return line(f"controller started: start {event.epoch}, version {event.version}{simulated}", Tone.STEP)
        case inputs.StaffPresented():
            return line(f"staff card: {event.role} {event.staff}", Tone.QUIET)
        case inputs.CardDrawn():
            said = [f"counted out of the game ({event.outside})"] * bool(event.outside) + ["again"] * event.again
            return line(f"{event.card} left {event.device}, {', '.join(said)}", Tone.WARN) if said else None
        case inputs.CardUnreadable():
            return line(f"a card left {event.device} unread" + f": {event.detail}" * bool(event.detail), Tone.WARN)
        case inputs.SourcesWaited():
            return line(f"{event.waited_s} s without a word of a source that should have one", Tone.WARN)
        case inputs.CutCardDrawn():
            return line("the cut card came", Tone.STEP)
        case inputs.DealerSignalled():
            words = SIGNALS.get(event.signal)
            return line(words.format(value=event.value), Tone.STEP) if words else None
        case (
            inputs.DeviceOnline()
            | inputs.DeviceStranger()
            | inputs.DeviceOffline()
            | inputs.DeviceFault()
            | inputs.DeviceGap()
            | inputs.DeviceReported()
        ):
            return _device(event)
        case (
            inputs.RulesChosen()
            | inputs.ShoesChosen()
            | inputs.SourcesChosen()
            | inputs.CardLaid()
            | inputs.CardShown()
            | inputs.CardRacked()
            | inputs.DeckSpread()
            | inputs.WagerPlaced()
            | inputs.WagerWithdrawn()
            | inputs.ChipsCollected()
            | inputs.ChipsPaid()
            | inputs.DecisionSignalled()
            | inputs.CommandReceived()
        ):
            return None
        case _:
            assert_never(event)


_Device = (
    inputs.DeviceOnline
    | inputs.DeviceStranger
    | inputs.DeviceOffline
    | inputs.DeviceFault
    | inputs.DeviceGap
    | inputs.DeviceReported
)


def _device(event: _Device) -> Line:
    match event:
        case inputs.DeviceOnline():
            what = " ".join(filter(None, (event.model, event.serial, event.firmware)))
            simulated = " (simulated)" if event.simulated else ""
            return line(f"{event.device} is online{simulated} {what}".rstrip(), Tone.QUIET)
        case inputs.DeviceStranger():
            return line(f"{event.device}: stranger: {event.reason}", Tone.WARN)
        case inputs.DeviceOffline():
            return line(f"{event.device} is offline: {event.reason}", Tone.WARN)
        case inputs.DeviceFault():
            over = "over: " if event.cleared else ""
            tone = Tone.QUIET if event.cleared else Tone.WARN
            return line(f"{event.device}: {over}{event.code}: {event.reason}", tone)
        case inputs.DeviceGap():
            count = f"{event.missing} events" if event.missing else "events"
            return line(f"{event.device}: {count} may be missing: {event.reason}", Tone.WARN)
        case inputs.DeviceReported():
            return line(f"{event.device}: {event.what} {event.detail}".rstrip(), Tone.QUIET)
        case _:
            assert_never(event)


def _fact(fact: facts.CoreFact, game: str) -> Line:
    match fact:
        case facts.TableOpened():
            return line(f"table opened by {fact.actor}", Tone.STEP)
        case facts.TableClosed():
            return line(f"table closed by {fact.actor}", Tone.STEP)
        case facts.TableOutOfService():
            return line(f"table {'back in' if fact.back else 'out of'} service, by {fact.actor}", Tone.STEP)
        case facts.TableHeld():
            return line(f"TABLE HELD by {fact.verdict} {fact.code}: {fact.reason}", Tone.ALARM)
        case facts.TableResumed():
            return line(f"table resumed {_by(fact.actor)}".rstrip(), Tone.GOOD)
        case facts.SupervisorOverride():
            return _override(fact)
        case facts.DevicePaired() | facts.ShoeInUse():
            return line(_in_place(fact), Tone.STEP)
        case facts.RulesInForce() | facts.SourcesInForce():
            return line(_in_force(fact), Tone.STEP)
        case facts.ViolationRaised() | facts.ViolationResolved() | facts.ViolationAcknowledged():
            return _violation(fact)
        case facts.CommandExecuted() | facts.CommandSigned() | facts.CommandRejected():
            return _command(fact)
        case facts.CardRevealed():
            where = f" at {_PLAYED[game].place(fact.box)}" if game in _PLAYED else ""
            return line(f"{fact.card} shown{where}", Tone.CARD)
        case _:
            assert_never(fact)


def _in_place(fact: facts.DevicePaired | facts.ShoeInUse) -> str:
    if isinstance(fact, facts.ShoeInUse):
        locked = f"; {fact.before} is locked, its cards are kept apart" if fact.before else ""
        by = f", by {people(fact.actor, fact.approver)}" if fact.actor else ""
        return f"cards come from {fact.device or 'the only shoe'}{by}{locked}"
    instead = f" instead of {fact.before}" if fact.before else ""
    return f"{fact.device}: device {fact.serial} belongs here{instead}, paired {_by(fact.actor)}".rstrip()


def _in_force(fact: facts.RulesInForce | facts.SourcesInForce) -> str:
    if isinstance(fact, facts.RulesInForce):
        return f"rules in force: {fact.game}, {fact.name} ({fact.sha256[:12]})"
    names = ", ".join(fact.sources) or "none is compared"
    return f"sources of cards: {names}; a round is settled on {fact.settle_on.replace('_', ' ')}"


def _by(actor: str) -> str:
    """``by 4711``, or nothing when nobody is named."""
    return f"by {actor}" if actor else ""


def _command(fact: facts.CommandExecuted | facts.CommandSigned | facts.CommandRejected) -> Line:
    match fact:
        case facts.CommandExecuted():
            return line(f"command {fact.name} {_by(fact.actor)}: done", Tone.QUIET)
        case facts.CommandRejected():
            return line(f"command {fact.name} {_by(fact.actor)}: refused: {fact.reason}", Tone.WARN)
        case facts.CommandSigned():
            what = " ".join(filter(None, (fact.verdict, fact.correction, str(fact.card or ""))))
            about = f" ({what})" if what else f" of round {fact.round}" if fact.round else ""
            where = f": {fact.request}" if fact.request else ""
            return line(f"command {fact.name}{about} by {fact.actor} waits for a second person{where}", Tone.STEP)
        case _:
            assert_never(fact)


def _override(fact: facts.SupervisorOverride) -> Line:
    who = people(fact.actor, fact.approver)
    what = " ".join(filter(None, (fact.verdict, fact.code)))
    card = f" {fact.card}" if fact.card else ""
    reason = f": {fact.reason}" if fact.reason else ""
    return line(f"override {what or 'of the round'} → {fact.correction}{card} by {who}{reason}", Tone.STEP)


def _violation(fact: facts.ViolationRaised | facts.ViolationResolved | facts.ViolationAcknowledged) -> Line:
    match fact:
        case facts.ViolationResolved():
            return line(f"{fact.verdict} {fact.code} settled: {fact.how.replace('_', ' ')}", Tone.GOOD)
        case facts.ViolationAcknowledged():
            return line(f"{fact.verdict} seen {_by(fact.actor)}", Tone.QUIET)
        case facts.ViolationRaised():
            ways = f"; ways out: {', '.join(c.kind for c in fact.corrections)}" if fact.corrections else ""
            head = " ".join(filter(None, (fact.verdict, fact.code)))
            said = f"{head} ({fact.severity}): expected {fact.expected}; came: {fact.actual}{ways}"
            return line(said, _SEVERITY[fact.severity])
        case _:
            assert_never(fact)


def _note(note: notes.Note) -> Line:
    match note:
        case notes.Checkpoint():
            return line(f"signed checkpoint through event {note.through}", Tone.QUIET)
        case notes.SystemStopped():
            return line(f"controller stopped: {note.reason}", Tone.STEP)
        case notes.JournalLowSpace():
            return line(f"only {note.free_bytes // 2**20} MiB are left on the journal's disk", Tone.WARN)
        case notes.ReplayServed():
            return line(f"replay for {note.client}: {note.detail}", Tone.QUIET)
        case notes.CommandDenied():
            who = note.actor or note.client or "somebody"
            more = f" (and {note.suppressed} more)" if note.suppressed else ""
            return line(f"command {note.name or '?'} of {who} {note.status}: {note.reason}{more}", Tone.WARN)
        case notes.ClockStep():
            return line(f"the clock was set: a step of {note.step_ms:+d} ms", Tone.WARN)
        case _:
            assert_never(note)
