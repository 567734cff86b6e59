"""A simulated PN532 module on its serial line: woken and asked, it answers which tags lie in its field."""

from __future__ import annotations

import threading
from collections import deque

from drivers.readers.pn532_frames import (
    ACK,
    ERROR_FRAME,
    FROM_MODULE,
    TO_MODULE,
    WAKE,
    Code,
    Damaged,
    FrameReader,
    Message,
    Signal,
)
from drivers.readers.pn532_targets import MAX_TARGETS, UID_SIZES, targets_to_bytes

FIRMWARE_VERSION = bytes((0x32, 1, 6, 7))
"""IC PN532, version 1.6, all three card types: what modules in the shops answer."""
ACK_MS, ANSWER_MS, LOOK_MS = 3, 8, 30
"""How long a module takes: to acknowledge, to answer, to look for tags."""
_UID_DIGITS = frozenset("0123456789ABCDEF")


class SimPn532:
    """A module with tags in its field. All methods are thread-safe."""

    def __init__(self) -> None:
        """Switched on, not yet woken."""
        self._lock = threading.RLock()
        self._reader = FrameReader()
        self._field: list[str] = []
        self._jammed = False
        self._powered = True
        self._awake = False
        self._retries_limited = False
        self._heard = b""
        self._out: deque[tuple[int, bytes]] = deque()
        self._last_reply = b""
        self._now_ms = 0

    @property
    def field(self) -> tuple[str, ...]:
        """Tags that lie there, in the order in which they were laid."""
        with self._lock:
            return tuple(self._field)

    def lay(self, uid: str) -> None:
        """Lay a tag into the field; upper-case hex of 4, 7 or 10 bytes. Raises ValueError for anything else."""
        if len(uid) not in {2 * size for size in UID_SIZES} or not set(uid) <= _UID_DIGITS:
            raise ValueError(f"{uid!r} is no tag of this kind: upper-case hex of 4, 7 or 10 bytes is needed")
        with self._lock:
            self._field.append(uid)

    def lift(self, uid: str) -> None:
        """Take a tag away. Raises ValueError when it does not lie there."""
        with self._lock:
            self._field.remove(uid)

    def jam(self, *, on: bool) -> None:
        """Stacked tags spoil each other's answers: the module answers with an error while ``on``."""
        with self._lock:
            self._jammed = on

    def power_loss(self) -> None:
        """The power goes: the module forgets that it was woken and configured."""
        with self._lock:
            self._powered = self._awake = self._retries_limited = False
            self._out.clear()
            self._reader.clear()

    def power_on(self) -> None:
        """The power is back; the module sleeps until it is woken."""
        with self._lock:
            self._powered = True

    def connected(self, now_ms: int) -> None:
        """A host opened the port; the module cannot notice."""

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes from the host."""
        with self._lock:
            self._now_ms = now_ms
            if not self._powered:
                return
            if not self._awake:
                self._heard = (self._heard + data)[-260:]
                at = self._heard.find(WAKE[:2])
                if at < 0:
                    return
                data, self._heard, self._awake = self._heard[at + 2 :], b"", True
            for item in self._reader.feed(data):
                match item:
                    case Message(tfi, code, body) if tfi == TO_MODULE:
                        self._obey(code, body)
                    case Signal.ACK:
                        self._out.clear()
                    case Signal.NACK:
                        self._say(ACK_MS, self._last_reply)
                    case Message() | Signal.ERROR | Damaged():
                        pass

    def tick(self, now_ms: int) -> None:
        """Time passed."""
        with self._lock:
            self._now_ms = now_ms

    def outgoing(self) -> bytes:
        """The next frame that is due; empty when none is."""
        with self._lock:
            if self._out and self._out[0][0] <= self._now_ms:
                return self._out.popleft()[1]
            return b""

    def _obey(self, code: int, body: bytes) -> None:
        self._out.clear()
        self._say(ACK_MS, ACK)
        match code:
            case Code.GET_FIRMWARE_VERSION:
                self._reply(ANSWER_MS, code, FIRMWARE_VERSION)
            case Code.SAM_CONFIGURATION:
                self._reply(ANSWER_MS, code, b"")
            case Code.RF_CONFIGURATION:
                self._retries_limited = self._retries_limited or body[:1] == b"\x05"
                self._reply(ANSWER_MS, code, b"")
            case Code.LIST_PASSIVE_TARGET:
                self._look(code, body)
            case _:
                self._say(ANSWER_MS, ERROR_FRAME)

    def _look(self, code: int, body: bytes) -> None:
        wanted = min(body[0], MAX_TARGETS) if body else 0
        if self._jammed:
            self._say(LOOK_MS, ERROR_FRAME)
        elif self._field or self._retries_limited:
            self._reply(LOOK_MS, code, targets_to_bytes(self._field[:wanted]))

    def _reply(self, delay_ms: int, code: int, data: bytes) -> None:
        self._say(delay_ms, Message(FROM_MODULE, code + 1, data).to_bytes())

    def _say(self, delay_ms: int, frame: bytes) -> None:
        if frame != ACK:
            self._last_reply = frame
        if frame:
            self._out.append((self._now_ms + delay_ms, frame))
