"""Asking a device who it is: one question at a time, repeated until answered, a new one for every doubt.

The answer must carry the question's nonce. So a HELLO that was under way before the doubt arose (and says how
things were then) is never taken for the answer.
"""

from __future__ import annotations

import zlib

from drivers.native.frames import PROTOCOL
from drivers.native.hello import HelloRequest

HELLO_EVERY_MS = 500
"""how often an unanswered question is repeated, with the same nonce"""
ASK_AGAIN_MS = 1000
"""how soon a device whose answer was refused is asked anew: it may have been paired or exchanged"""


class Asking:
    """The question that is open, if any. ``session`` names the host's run; 0 before the first connection."""

    __slots__ = ("_connection", "_next_ms", "_nonce", "_questions", "session")

    def __init__(self) -> None:
        self.session = 0
        self._connection = ""
        self._questions = 0
        self._nonce = 0
        self._next_ms = 0

    def connected(self, connection: str) -> None:
        """A fresh connection with a name unique for ever; nonces and the session are made from it."""
        self._connection = connection
        self.session = self.session or zlib.crc32(connection.encode()) or 1

    def start_over(self, now_ms: int) -> None:
        """A doubt arose: what was asked before does not count any more."""
        self._nonce, self._next_ms = 0, now_ms

    def is_due(self, now_ms: int) -> bool:
        """True when the device must be asked now."""
        return now_ms >= self._next_ms

    def question(self, now_ms: int) -> HelloRequest:
        """The question to be sent now."""
        if self._nonce == 0:
            self._questions += 1
            self._nonce = zlib.crc32(f"{self._connection}:{self._questions}".encode()) or 1
        self._next_ms = now_ms + HELLO_EVERY_MS
        return HelloRequest(self._nonce, self.session, PROTOCOL, PROTOCOL)

    def is_answered_by(self, nonce: int, now_ms: int) -> bool:
        """True once for the open question's nonce; the question is then closed."""
        if nonce != self._nonce:
            return False
        self._nonce, self._next_ms = 0, now_ms + ASK_AGAIN_MS
        return True
