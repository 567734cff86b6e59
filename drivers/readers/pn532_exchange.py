"""One question at a time to a PN532: asked, acknowledged, answered; repeated when a part of that is lost."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.api import LinkCounters
from drivers.readers.pn532_frames import (
    FROM_MODULE,
    NACK,
    TO_MODULE,
    WAKE,
    Code,
    Damaged,
    FrameReader,
    Message,
    Signal,
)

ACK_TIMEOUT_MS = 100
"""The chip acknowledges within 15 ms and looks for tags some 50 ms; the rest is for a network between."""
ANSWER_TIMEOUT_MS = 250
COPIES = 3
_LEAD = b"\x00" * 16
"""After WAKE: a sleeping module takes some milliseconds, and zeros between frames mean nothing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply. ``asked`` is the question it answers, None when nobody asked; ``failed``: it is an error frame."""

    asked: Code | None
    data: bytes = b""
    failed: bool = False


class Exchange:
    """The wire of one module. Not thread-safe."""

    __slots__ = ("_acked", "_asked", "_at_ms", "_copies", "_counters", "_frame", "_out", "_reader")

    def __init__(self, counters: LinkCounters) -> None:
        self._counters = counters
        self._reader = FrameReader()
        self._out = bytearray()
        self._asked: Code | None = None
        self._frame = b""
        self._acked = False
        self._copies = 0
        self._at_ms = 0

    @property
    def busy(self) -> bool:
        """Whether a question waits for its answer."""
        return self._asked is not None

    def restart(self) -> None:
        """A fresh connection, or none: nothing is asked."""
        self._reader.clear()
        self._out.clear()
        self._asked = None

    def ask(self, code: Code, data: bytes, now_ms: int, *, wake: bool = False) -> None:
        """Ask; only when not `busy`."""
        self._frame = Message(TO_MODULE, code, data).to_bytes()
        if wake:
            self._frame = WAKE + _LEAD + self._frame
        self._asked, self._copies = code, 0
        self._send(now_ms)

    def tick(self, now_ms: int) -> bool:
        """Time passed; True when the question is given up now."""
        limit_ms = ANSWER_TIMEOUT_MS if self._acked else ACK_TIMEOUT_MS
        if self._asked is None or now_ms - self._at_ms < limit_ms:
            return False
        if self._copies >= COPIES:
            self._asked = None
            return True
        self._counters.retransmissions += 1
        self._send(now_ms)
        return False

    def receive(self, data: bytes, now_ms: int) -> list[Answer]:
        """Bytes from the module; answers what they complete."""
        self._counters.bytes_in += len(data)
        answers: list[Answer] = []
        for item in self._reader.feed(data):
            match item:
                case Damaged("overlap"):
                    self._counters.malformed += 1
                    answers.append(Answer(None))
                case Damaged(reason):
                    self._damaged(reason, now_ms)
                case Signal.ACK:
                    self._counters.frames_in += 1
                    self._acked, self._at_ms = True, now_ms
                case Signal.NACK:
                    self._counters.frames_in += 1
                    self._at_ms = now_ms - ACK_TIMEOUT_MS
                    self._acked = False
                case Signal.ERROR:
                    self._counters.frames_in += 1
                    answers.append(self._take(b"", failed=True))
                case Message():
                    self._counters.frames_in += 1
                    answers += self._message(item)
        self._counters.bytes_ignored += self._reader.ignored
        self._reader.ignored = 0
        return answers

    def outgoing(self) -> bytes:
        """Take the bytes to be written now."""
        data = bytes(self._out)
        self._out.clear()
        self._counters.bytes_out += len(data)
        return data

    def _message(self, item: Message) -> list[Answer]:
        if item.tfi != FROM_MODULE:
            self._counters.malformed += 1
            return []
        if self._asked is None or item.code != self._asked + 1:
            return [Answer(None, item.data)]
        return [self._take(item.data)]

    def _take(self, data: bytes, *, failed: bool = False) -> Answer:
        asked, self._asked = self._asked, None
        return Answer(asked, data, failed)

    def _damaged(self, reason: str, now_ms: int) -> None:
        if reason == "checksum":
            self._counters.bad_checksum += 1
        else:
            self._counters.malformed += 1
        if self._asked is not None and self._acked and self._copies < COPIES:
            # the module sends its last reply again
            self._out += NACK
            self._copies += 1
            self._at_ms = now_ms
            self._counters.retransmissions += 1

    def _send(self, now_ms: int) -> None:
        self._out += self._frame
        self._acked = False
        self._at_ms = now_ms
        self._copies += 1
        self._counters.frames_out += 1
