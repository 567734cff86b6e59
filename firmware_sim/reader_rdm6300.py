"""A simulated 125 kHz reader (RDM6300 or ID-12): says the tag in its field again and again."""

from __future__ import annotations

import threading

from drivers.readers.rdm6300_frames import tag_frame

REPEAT_MS = 70
"""Between two reads of a tag in the field; a read takes some 50 ms of radio and 15 ms of wire."""


class SimRdm6300:
    """One tag can be read at a time: with two in the field, or a bad one, the reads are damaged or there are none. All
    methods are thread-safe."""

    def __init__(self, *, crlf: bool = False) -> None:
        """``crlf``: the frames of an ID-12, with CR LF before ETX."""
        self._lock = threading.RLock()
        self._crlf = crlf
        self._field: list[str] = []
        self._next_ms = 0
        self._out = b""
        self._turn = 0
        self._powered = True

    @property
    def field(self) -> tuple[str, ...]:
        """Tags that lie there, in the order in which they were laid."""
        with self._lock:
            return tuple(self._field)

    def lay(self, uid: str) -> None:
        """Lay a tag into the field; ten upper-case hex digits. Raises ValueError for anything else."""
        tag_frame(uid)
        with self._lock:
            self._field.append(uid)

    def lift(self, uid: str) -> None:
        """Take a tag away. Raises ValueError when it does not lie there."""
        with self._lock:
            self._field.remove(uid)

    def power_loss(self) -> None:
        """The power goes."""
        with self._lock:
            self._powered = False
            self._out = b""

    def power_on(self) -> None:
        """The power is back."""
        with self._lock:
            self._powered = True

    def connected(self, now_ms: int) -> None:
        """A host opened the port; this reader cannot notice."""

    def receive(self, data: bytes, now_ms: int) -> None:
        """Nothing that a host says is heard."""

    def tick(self, now_ms: int) -> None:
        """Time passed: the next read is due. Several tags are read in turn, as happens when none is much stronger."""
        with self._lock:
            if now_ms < self._next_ms or not self._powered:
                return
            self._next_ms = now_ms + REPEAT_MS
            if self._field:
                self._turn += 1
                self._out = tag_frame(self._field[self._turn % len(self._field)], crlf=self._crlf)

    def outgoing(self) -> bytes:
        """The read that is due; empty when none is."""
        with self._lock:
            read, self._out = self._out, b""
            return read
