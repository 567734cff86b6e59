"""What the bus needs from the rest of the controller: the journal, its cursor, and somebody to take
commands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from controller.bus.commands import CommandRefusal, CommandRequest, ReadRequest


class StoredEvent(Protocol):
    """An event of the journal, as it is published."""

    @property
    def sequence(self) -> int:
        """Its number, from 1."""
        ...

    @property
    def envelope(self) -> bytes:
        """Its canonical JSON."""
        ...


class JournalReader(Protocol):
    """The journal, read from the publisher's thread. May raise the errors named to the publisher as
    ``read_errors``.
    """

    def read(self, after: int, limit: int) -> Sequence[StoredEvent]:
        """At most ``limit`` events after ``after``, in order, without a gap."""
        ...

    def head(self) -> int:
        """The sequence of the last event, 0 when there is none."""
        ...


class Cursor(Protocol):
    """How far publication is acknowledged, durably after `flush`."""

    @property
    def sequence(self) -> int:
        """Everything up to it is acknowledged."""
        ...

    def advance(self, sequence: int) -> None:
        """Everything up to ``sequence`` is acknowledged."""
        ...

    def rewind(self, sequence: int) -> None:
        """Everything after ``sequence`` must be sent again."""
        ...

    def flush(self) -> None:
        """Make it durable. Raises OSError when that fails; the next call tries again."""
        ...


class CommandSink(Protocol):
    """Who takes what came over MQTT. Called on the publisher's thread: put it into a queue and return."""

    def accepted(self, request: CommandRequest) -> None:
        """Carry it out (or find it illegal), journal it, and answer with `Publisher.respond`."""
        ...

    def refused(self, refusal: CommandRefusal) -> None:
        """It was refused and its sender told; journal it."""
        ...

    def served(self, request: ReadRequest, detail: str) -> None:
        """A replay was served; journal it. ``detail`` is one line."""
        ...
