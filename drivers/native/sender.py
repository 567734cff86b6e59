"""Frames on their way out: numbered, counted, kept until the port takes them."""

from __future__ import annotations

from collections import deque

from drivers.api import LinkCounters
from drivers.native.frames import SEQUENCE_MODULO, Flag, Frame
from drivers.native.hello import Hello, HelloRequest
from drivers.native.payloads import Payload


class Sender:
    """The outgoing side of one link, host's or device's. Not thread-safe."""

    __slots__ = ("_counters", "_out", "_sequence")

    def __init__(self, counters: LinkCounters) -> None:
        self._counters = counters
        self._out: deque[bytes] = deque()
        self._sequence = 0

    def send(self, payload: Payload | Hello | HelloRequest, flags: Flag = Flag.NONE) -> None:
        """Queue one frame."""
        self._out.append(Frame(payload.kind, self._sequence, payload.to_payload(), flags).to_bytes())
        self._sequence = (self._sequence + 1) % SEQUENCE_MODULO
        self._counters.frames_out += 1
        if flags & Flag.RETRANSMITTED:
            self._counters.retransmissions += 1

    def end_stale_frame(self) -> None:
        """Queue a lone zero: it ends what an earlier sender may have left unfinished on the wire."""
        self._out.append(b"\x00")

    def take(self) -> bytes:
        """What must be written now; it is then forgotten."""
        data = b"".join(self._out)
        self._out.clear()
        self._counters.bytes_out += len(data)
        return data

    def take_frame(self) -> bytes:
        """The next frame alone; empty when there is none."""
        data = self._out.popleft() if self._out else b""
        self._counters.bytes_out += len(data)
        return data

    def clear(self) -> None:
        """Forget what was not taken: the port is gone."""
        self._out.clear()
