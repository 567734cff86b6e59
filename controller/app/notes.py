"""Notes: events on record that are neither inputs nor facts, so the fold passes over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signature over everything so far; see docs/journal.md."""

    TYPE: ClassVar[str] = "system.checkpoint"
    through: int
    hash: str
    state_sha256: str
    public_key: str
    signature: str


@dataclass(frozen=True, slots=True)
class SystemStopped:
    """The controller ended on purpose."""

    TYPE: ClassVar[str] = "system.stopped"
    reason: str


@dataclass(frozen=True, slots=True)
class JournalLowSpace:
    """Little room is left on the journal's disk."""

    TYPE: ClassVar[str] = "system.journal_low_space"
    free_bytes: int


@dataclass(frozen=True, slots=True)
class ClockStep:
    """The wall clock was set, by ``step_ms``. Order on record is by sequence, never by time."""

    TYPE: ClassVar[str] = "system.clock_step"
    step_ms: int


@dataclass(frozen=True, slots=True)
class ReplayServed:
    """A range of the journal was sent again on request."""

    TYPE: ClassVar[str] = "system.replay_served"
    client: str
    detail: str


@dataclass(frozen=True, slots=True)
class CommandDenied:
    """A payload on ``cmd`` was not followed; the names are as claimed. ``suppressed`` counts refusals not recorded."""

    TYPE: ClassVar[str] = "command.denied"
    name: str
    client: str
    actor: str
    status: str
    reason: str
    suppressed: int


Note = Checkpoint | SystemStopped | JournalLowSpace | ClockStep | ReplayServed | CommandDenied
NOTES: tuple[type[Note], ...] = (
    Checkpoint,
    SystemStopped,
    JournalLowSpace,
    ClockStep,
    ReplayServed,
    CommandDenied,
)
