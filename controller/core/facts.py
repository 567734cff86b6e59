"""Facts: what the table concluded from an input. They go on record behind it and are computed again by an audit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.core.cards import Card
from controller.core.records import quick
from controller.core.sources import SettleOn
from controller.core.verdicts import Correction, Severity


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The table was opened for play."""

    TYPE: ClassVar[str] = "table.opened"
    actor: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table was closed."""

    TYPE: ClassVar[str] = "table.closed"
    actor: str


@dataclass(frozen=True, slots=True)
class TableOutOfService:
    """The table was taken out of service (``back`` False) or put back."""

    TYPE: ClassVar[str] = "table.out_of_service"
    actor: str
    back: bool = False


@dataclass(frozen=True, slots=True)
class TableHeld:
    """Play stopped; ``code`` and ``reason`` of the first verdict that holds it, ``verdict`` its number."""

    TYPE: ClassVar[str] = "table.held"
    verdict: str
    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class TableResumed:
    """Nothing holds the table any more."""

    TYPE: ClassVar[str] = "table.resumed"
    actor: str


@dataclass(frozen=True, slots=True)
class SupervisorOverride:
    """A supervisor chose ``correction`` for ``verdict``, with the reason given and who approved it."""

    TYPE: ClassVar[str] = "supervisor.override"
    verdict: str
    code: str
    correction: str
    actor: str
    approver: str
    reason: str
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class DevicePaired:
    """A supervisor let a device in: ``serial`` belongs to ``device`` from now on, ``before`` did until then (empty:
    none)."""

    TYPE: ClassVar[str] = "device.paired"
    device: str
    serial: str
    before: str
    actor: str


@dataclass(frozen=True, slots=True)
class ShoeInUse:
    """Cards come from the shoe ``device`` from now on; ``before`` is locked and its cards are kept apart. The actor and
    the approver are empty where the configuration says so."""

    TYPE: ClassVar[str] = "shoe.in_use"
    device: str
    before: str
    actor: str = ""
    approver: str = ""


@dataclass(frozen=True, slots=True)
class RulesInForce:
    """The rule set was accepted and is in force."""

    TYPE: ClassVar[str] = "rules.in_force"
    game: str
    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SourcesInForce:
    """The table has these sources of cards, by name, and settles a round on so many of them."""

    TYPE: ClassVar[str] = "sources.in_force"
    settle_on: SettleOn
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ViolationRaised:
    """A deviation, with what was expected and what came; ``evidence`` describes the input it was found in."""

    TYPE: ClassVar[str] = "violation.raised"
    verdict: str
    code: str
    severity: Severity
    expected: str
    actual: str
    evidence: str
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class ViolationResolved:
    """A held or open verdict is settled; ``how`` is the correction chosen, or ``put_right``."""

    TYPE: ClassVar[str] = "violation.resolved"
    verdict: str
    code: str
    how: str


@dataclass(frozen=True, slots=True)
class ViolationAcknowledged:
    """Somebody has seen a verdict."""

    TYPE: ClassVar[str] = "violation.acknowledged"
    verdict: str
    actor: str


@dataclass(frozen=True, slots=True)
class CommandExecuted:
    """A command was carried out."""

    TYPE: ClassVar[str] = "command.executed"
    name: str
    actor: str
    request: str


@dataclass(frozen=True, slots=True)
class CommandSigned:
    """The first of two people has given a command. What the second one approves is what stands here: ``verdict``,
    ``correction`` and ``card`` as they will be carried out (empty where the command has none), in this ``round``."""

    TYPE: ClassVar[str] = "command.signed"
    name: str
    actor: str
    request: str
    verdict: str
    correction: str
    card: Card | None
    round: str
    reason: str


@dataclass(frozen=True, slots=True)
class CommandRejected:
    """A command was not carried out; ``reason`` says why and what would do."""

    TYPE: ClassVar[str] = "command.rejected"
    name: str
    actor: str
    request: str
    reason: str


@quick
@dataclass(frozen=True, slots=True)
class CardRevealed:
    """A card that was hidden is seen by everybody. ``hidden`` is the game's name of it, under which its seal is kept;
    ``box`` (0 the dealer) and ``hand`` are where it lies."""

    TYPE: ClassVar[str] = "card.revealed"
    hidden: str
    card: Card
    box: int
    hand: int = 1


CoreFact = (
    TableOpened
    | TableClosed
    | TableOutOfService
    | TableHeld
    | TableResumed
    | SupervisorOverride
    | DevicePaired
    | ShoeInUse
    | RulesInForce
    | SourcesInForce
    | ViolationRaised
    | ViolationResolved
    | ViolationAcknowledged
    | CommandExecuted
    | CommandSigned
    | CommandRejected
    | CardRevealed
)
CORE_FACTS: tuple[type[CoreFact], ...] = (
    TableOpened,
    TableClosed,
    TableOutOfService,
    TableHeld,
    TableResumed,
    SupervisorOverride,
    DevicePaired,
    ShoeInUse,
    RulesInForce,
    SourcesInForce,
    ViolationRaised,
    ViolationResolved,
    ViolationAcknowledged,
    CommandExecuted,
    CommandSigned,
    CommandRejected,
    CardRevealed,
)
