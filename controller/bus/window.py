"""How far the event stream is sent and acknowledged: the publisher's window over the journal, without I/O."""

from __future__ import annotations

SIZE = 64
"""Messages under way at once: a broker on a slow disk still takes thousands of events a second, and a
restart repeats
at most this many."""


class Window:
    """Events under way, and the other QoS 1 messages that share the connection."""

    def __init__(self, cursor: int, size: int = SIZE) -> None:
        """``cursor``: everything up to it is acknowledged."""
        self._size = size
        self._cursor = cursor
        self.sent_through = cursor
        self._events: dict[int, int] = {}
        self._acknowledged: set[int] = set()
        self._others: set[int] = set()

    def reconnected(self, cursor: int) -> None:
        """A fresh connection: nothing is under way, sending goes on after ``cursor``."""
        self._others.clear()
        self._events.clear()
        self.rewind(cursor)

    def rewind(self, cursor: int) -> None:
        """Send again from the event after ``cursor``; what is under way counts as something else from now
        on.
        """
        self._others.update(self._events)
        self._events.clear()
        self._acknowledged.clear()
        self._cursor = self.sent_through = cursor

    def room(self) -> int:
        """How many more messages may be sent now."""
        return max(0, self._size - len(self._events) - len(self._others))

    def idle(self) -> bool:
        """True when nothing is under way."""
        return not self._events and not self._others

    def sent(self, sequence: int, mid: int) -> None:
        """Event ``sequence`` went out as message ``mid``. Events are sent in order, without a gap."""
        self._events[mid] = sequence
        self.sent_through = sequence

    def sent_other(self, mid: int) -> None:
        """Something else went out as message ``mid``."""
        self._others.add(mid)

    def acknowledged(self, mid: int) -> None:
        """The broker has message ``mid``."""
        self._others.discard(mid)
        sequence = self._events.pop(mid, None)
        if sequence is not None:
            self._acknowledged.add(sequence)

    def safe_cursor(self) -> int:
        """The highest event such that it and all before it are acknowledged: what may be kept as the
        cursor.
        """
        while self._cursor + 1 in self._acknowledged:
            self._cursor += 1
            self._acknowledged.discard(self._cursor)
        return self._cursor
