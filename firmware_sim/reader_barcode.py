"""A simulated barcode reader: each swipe is one line of text, said once."""

from __future__ import annotations

import threading
from collections import deque

from drivers.readers.check_character import CHECKS

RANK_WORDS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


class SimBarcodeReader:
    """Says ``NNQH-DECK`` and a check character: number (as many digits as ``sequence_digits``), rank, suit, deck. All
    methods are thread-safe."""

    def __init__(
        self, *, end: str = "\r\n", check: str = "none", sequence_digits: int = 0, no_read: str = "NOREAD"
    ) -> None:
        """``end`` is CR, LF or both; ``check`` a word of `drivers.readers.check_character.CHECKS`."""
        self._lock = threading.RLock()
        self._end = end
        self._check = CHECKS[check]
        self._digits = sequence_digits
        self._no_read = no_read
        self._number = 0
        self._out: deque[bytes] = deque()
        self._powered = True

    def swipe(self, rank: int, suit: str, deck: str = "") -> None:
        """A card passes; rank 1 to 13, suit one of S H D C. Nothing is said without power."""
        text = RANK_WORDS[rank - 1] + suit + (f"-{deck}" if deck else "")
        with self._lock:
            if self._digits and self._powered:
                text = f"{self._number:0{self._digits}d}{text}"
                self._number = (self._number + 1) % 10**self._digits
            self._say(text + (self._check(text) if self._check else ""))

    def swipe_unreadable(self) -> None:
        """A card passes that cannot be read."""
        self._say(self._no_read)

    def power_loss(self) -> None:
        """The power goes: what was not said yet is lost, and the reader will count anew."""
        with self._lock:
            self._powered = False
            self._out.clear()
            self._number = 0

    def power_on(self) -> None:
        """The power is back."""
        with self._lock:
            self._powered = True

    def connected(self, now_ms: int) -> None:
        """A host opened the port; this reader cannot notice."""

    def receive(self, data: bytes, now_ms: int) -> None:
        """Nothing that a host says is heard."""

    def tick(self, now_ms: int) -> None:
        """Time passed; nothing here depends on it."""

    def outgoing(self) -> bytes:
        """The next line; empty when there is none."""
        with self._lock:
            return self._out.popleft() if self._out else b""

    def _say(self, text: str) -> None:
        with self._lock:
            if self._powered:
                self._out.append((text + self._end).encode("ascii"))
