"""The engine: one table's single writer. Inputs in order, step, commit, and only then effects.

Synchronous and without threads: `controller.app.runner` feeds it from the queue; tests and scenarios feed it directly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from controller.adapters.console import Person
from controller.adapters.link import Wiring, gap_after_start
from controller.adapters.reader import Faces, no_faces
from controller.adapters.translate import translate
from controller.app.record import INFO, Standing, take
from controller.app.rulesets import LoadedRules
from controller.app.snapshot import restore, standing_bytes
from controller.app.sources import NONE, chosen
from controller.core.codec import Codec, encode
from controller.core.fold import FOLD
from controller.core.game import Game
from controller.core.inputs import Input, RulesChosen, ShoesChosen, SourcesChosen, SystemStarted
from controller.core.state import TableState
from controller.journal.chain import EventDraft, StoredEvent, event_id
from controller.journal.checkpoint import write_checkpoint
from controller.journal.sealing import Secret
from controller.journal.signing import Signer
from controller.journal.store import Journal
from drivers.api import Report

REMEMBERED: Final = 2048
"""Identities of recent device events kept to recognise one that comes twice."""


class Outlet(Protocol):
    """Who is told after a commit: device sessions, the bus, screens. Must not raise and must not wait."""

    def acknowledged(self, device: str, identity: str) -> None:
        """The event of this identity is durable: the device may be told."""
        ...

    def committed(self, events: tuple[StoredEvent, ...], state: TableState) -> None:
        """These events are durable and the table stands so."""
        ...


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What an engine runs: the game, the rules wanted, the devices by name, staff by card number, cards by their
    tags, the sources that are compared, and the currency of all amounts."""

    game: Game
    rules: LoadedRules
    devices: Mapping[str, Wiring]
    staff: Mapping[str, Person]
    version: str
    simulated: bool = False
    faces: Faces = no_faces
    sources: SourcesChosen = NONE
    currency: str = ""


class Engine:
    """One table. Every method belongs to one thread."""

    def __init__(self, setup: TableSetup, journal: Journal, signer: Signer, outlet: Outlet) -> None:
        """Restores the table from its journal. Raises RecordError and JournalError."""
        self._setup = setup
        self._journal = journal
        self._signer = signer
        self._outlet = outlet
        self._codec = Codec.of(setup.game)
        self._standing: Standing = restore(setup.game, self._codec, journal, signer.public_key)
        self._recent: deque[str] = deque(maxlen=REMEMBERED)
        self._recent.extend(self._standing.heard.values())
        self.duplicates = 0

    @property
    def state(self) -> TableState:
        """The state that is durable."""
        return self._standing.state

    @property
    def heard(self) -> Mapping[str, str]:
        """The identity of the last durable event of each device."""
        return self._standing.heard

    @property
    def game(self) -> Game:
        """The game of this table."""
        return self._setup.game

    def standing_bytes(self) -> bytes:
        """The standing as a checkpoint would sign it."""
        return standing_bytes(self.game, self._standing)

    def start(self, at_us: int) -> int:
        """Count this start, put the rules in force, and note the gaps it left; returns the epoch."""
        epoch = self._journal.start(at_us)
        setup, rules = self._setup, self._setup.rules
        inputs: list[Input] = [SystemStarted(epoch, setup.version, setup.simulated, FOLD, setup.currency)]
        if rules.sha256 != self.state.rules_sha256:
            inputs.append(RulesChosen(setup.game.name, rules.name, rules.data, rules.sha256))
        if setup.sources != chosen(self.state.fusion):
            inputs.append(setup.sources)
        shoes = tuple(device.name for device in setup.devices.values() if device.kind == "shoe")
        if (several := shoes if len(shoes) > 1 else ()) != self.state.wires.shoes:
            inputs.append(ShoesChosen(several))
        for device in setup.devices.values():
            inputs.extend(gap_after_start(device))
        self.apply(inputs, at_us)
        return epoch

    def report(self, device: str, report: Report, at_us: int) -> None:
        """A device's message: journaled, then acknowledged. One heard before is only acknowledged again."""
        if report.identity and self._heard_before(report.identity):
            self.duplicates += 1
            self._outlet.acknowledged(device, report.identity)
            return
        setup = self._setup
        inputs = translate(setup.devices[device], report.message, setup.staff, setup.faces)
        self.apply(inputs, at_us, device, report.identity)
        if report.identity:
            self._recent.append(report.identity)
            self._outlet.acknowledged(device, report.identity)

    def _heard_before(self, identity: str) -> bool:
        return identity in self._recent

    def apply(self, inputs: Iterable[Input], at_us: int, device: str = "", identity: str = "") -> tuple[Any, ...]:
        """Step over inputs and commit them with their facts in one transaction; returns the facts.

        Raises JournalError when the commit failed; then nothing of it counts.
        """
        state, sequence = self.state, self._journal.tip.sequence
        drafts: list[EventDraft] = []
        facts: list[Any] = []
        secrets: list[Secret] = []
        seals = self._standing.seals
        for event in inputs:
            cause = event_id(self._journal.journal_id, sequence + len(drafts) + 1)
            told = identity if not drafts else ""
            taken = take(self.game, state, event, at_us, cause, told, seals, self._journal.secret)
            state, seals = taken.state, taken.seals
            secrets.extend(taken.secrets)
            drafts.extend(taken.drafts)
            facts.extend(taken.facts)
        if not drafts:
            return ()
        events = self._journal.append(drafts, secrets=secrets)
        before = self._standing
        heard = {**before.heard, device: identity} if identity else before.heard
        self._standing = Standing(state, heard, self._journal.tip.sequence, seals)
        self._outlet.committed(events, state)
        if self._round_closed(before.state, state):
            self.checkpoint(at_us)
        return tuple(facts)

    def note(self, note: Any, at_us: int, severity: int = INFO) -> None:
        """Put something on record that changes nothing on the table."""
        events = self._journal.append((EventDraft(note.TYPE, encode(note), at_us, severity=severity),))
        self._standing = replace(self._standing, sequence=self._journal.tip.sequence)
        self._outlet.committed(events, self.state)

    def checkpoint(self, at_us: int) -> None:
        """Sign everything so far."""
        event = write_checkpoint(self._journal, self._signer, self.standing_bytes(), at_us)
        self._standing = replace(self._standing, sequence=event.sequence)
        self._outlet.committed((event,), self.state)

    def _round_closed(self, before: TableState, after: TableState) -> bool:
        if before.game is None or after.game is None:
            return False
        return bool(self.game.round_id(before.game)) and not self.game.round_id(after.game)
