"""What lies in a reader's field: samples become messages once they have come often enough in a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from drivers.messages import CardGone, Collision, DeviceMessage, ReadFailed, TagSeen


@dataclass(frozen=True, slots=True)
class Sample:
    """One look into the field: the UIDs that were read, or ``failed``: something is there and cannot be read."""

    uids: frozenset[str] = frozenset()
    failed: bool = False


@dataclass(slots=True)
class Field:
    """The field of one position. A sample counts when it came ``confirm`` times in a row; so a single stale or invented
    reply changes nothing."""

    position: str
    confirm: int
    _now: Sample = Sample()
    _next: Sample = Sample()
    _times: int = 0
    _seen: set[str] = field(default_factory=set)
    """told by TagSeen and not yet gone"""
    _lying: frozenset[str] = frozenset()
    """what was in the field when it could last be read"""

    def look(self, sample: Sample) -> list[DeviceMessage]:
        """Take a sample; answers what it changes."""
        if sample != self._next:
            self._next, self._times = sample, 0
        self._times += 1
        if self._times < self.confirm or sample == self._now:
            return []
        before, self._now = self._now, sample
        return list(self._changes(before, sample))

    def forget(self) -> None:
        """The reader was away: whatever lies there is looked at anew, but what was told before is not told again."""
        self._next, self._times = Sample(), 0

    def _changes(self, before: Sample, after: Sample) -> Iterator[DeviceMessage]:
        if after.failed:
            yield ReadFailed(self.position, "something lies at the reader and cannot be read; are two cards stacked?")
            return
        gone = self._lying - after.uids
        for uid in sorted(gone):
            yield CardGone(self.position, uid)
        self._seen -= gone
        if before.failed and not self._lying and not after.uids:
            yield CardGone(self.position)
        self._lying = after.uids
        if len(after.uids) > 1:
            yield Collision(self.position, tuple(sorted(after.uids)))
        elif after.uids - self._seen:
            self._seen |= after.uids
            yield from (TagSeen(self.position, uid) for uid in after.uids)
