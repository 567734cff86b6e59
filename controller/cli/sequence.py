"""A table's events in order, whatever order they come in: doubles dropped, gaps named, hashes believed, not senders."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.bus.history import ArchivedEvent

MAX_WAITING: Final = 10_000
"""Events kept beyond a gap; more are dropped and asked for again."""


@dataclass(frozen=True, slots=True)
class InOrder:
    """The next event."""

    event: ArchivedEvent


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that should not be; ``text`` is one line for a person."""

    text: str


@dataclass(slots=True)
class Sequencer:
    """The order of one table's events. ``first`` is the event to begin with, None for the first that comes."""

    first: int | None = None
    journal_id: str = ""
    last: int = 0
    head: int = 0
    """the highest event known to exist"""
    _hash: str = ""
    _waiting: dict[int, ArchivedEvent] = field(default_factory=dict)

    def announced(self, journal_id: str, head: int) -> list[Broken]:
        """The table says how far its journal reaches."""
        said = self._journal(journal_id, (self.first or head + 1) - 1, "")
        self.head = max(self.head, head)
        return said

    def take(self, event: ArchivedEvent) -> list[InOrder | Broken]:
        """An event came; returns what may be told now, in order."""
        before = (event.sequence - 1, event.prevhash) if self.first is None else (self.first - 1, "")
        said: list[InOrder | Broken] = [*self._journal(event.journal_id, *before)]
        self.head = max(self.head, event.sequence)
        if event.sequence > self.last and (event.sequence == self.last + 1 or len(self._waiting) < MAX_WAITING):
            self._waiting[event.sequence] = event
        return said + self._drain()

    def gap(self) -> tuple[int, int] | None:
        """The first missing events, first and last; None when nothing is known to be missing."""
        if not self.journal_id or self.head <= self.last:
            return None
        return self.last + 1, min(self._waiting, default=self.head + 1) - 1

    def give_up(self) -> list[InOrder | Broken]:
        """Go on behind the first gap; it stays missing."""
        gap = self.gap()
        if gap is None:
            return []
        self.last, self._hash = gap[1], ""
        return [Broken(f"events {gap[0]} to {gap[1]} could not be had"), *self._drain()]

    def _drain(self) -> list[InOrder | Broken]:
        said: list[InOrder | Broken] = []
        while (event := self._waiting.pop(self.last + 1, None)) is not None:
            if self._hash and event.prevhash != self._hash:
                said.append(Broken(f"event {event.sequence} does not follow event {self.last}: the chain is broken"))
            said.append(InOrder(event))
            self.last, self._hash = event.sequence, event.hash
        return said

    def _journal(self, journal_id: str, last: int, digest: str) -> list[Broken]:
        """Begin with a journal, or with another one than before."""
        if journal_id == self.journal_id:
            return []
        other = bool(self.journal_id)
        if other:
            last, digest = 0, ""
        self.journal_id, self.last, self.head, self._hash = journal_id, last, last, digest
        self._waiting.clear()
        return [Broken(f"the table writes another journal now: {journal_id[:32]}")] if other else []
