"""The events of a journal in stretches that end before a checkpoint, where the state is signed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from controller.journal.chain import StoredEvent
from controller.journal.checkpoint import CHECKPOINT


def nobody(_sequence: int) -> None:
    """Hear of progress and do nothing."""


@dataclass(slots=True)
class Walk:
    """One way through events. After each `to_checkpoint` that was read to its end, ``checkpoint`` is the one it came
    to, None at the end of the events; ``reached`` is the last event read; ``malformed`` is an event whose data is no
    object, 0 if none; ``more`` is False when nothing follows."""

    events: Iterator[StoredEvent]
    progress: Callable[[int], None] = nobody
    checkpoint: StoredEvent | None = None
    reached: int = 0
    malformed: int = 0
    more: bool = True

    def to_checkpoint(self) -> Iterator[StoredEvent]:
        """The events before the next checkpoint."""
        self.checkpoint = None
        for event in self.events:
            self.reached = event.sequence
            self.progress(event.sequence)
            if not isinstance(event.parsed().get("data"), dict):
                self.malformed = event.sequence
                return
            if event.type == CHECKPOINT:
                self.checkpoint = event
                return
            yield event
        self.more = False
