"""Cuts the byte stream of an ASCII reader into lines, wherever it was split."""

from __future__ import annotations

LINE_MAX = 128
"""Characters of the longest line taken; a barcode of a card has some twenty."""


class LineReader:
    """Lines ended by CR, LF or both. Keeps at most LINE_MAX bytes; of a longer line they are given out, and the rest is
    dropped up to its end."""

    __slots__ = ("_buffer", "_skipping")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that these bytes complete, without their ends; empty ones are left out."""
        found: list[bytes] = []
        for piece in data.replace(b"\r", b"\n").splitlines(keepends=True):
            if not self._skipping:
                self._buffer += piece.rstrip(b"\n")[: LINE_MAX - len(self._buffer)]
            if len(self._buffer) == LINE_MAX or piece.endswith(b"\n"):
                if self._buffer:
                    found.append(bytes(self._buffer))
                self._buffer.clear()
                self._skipping = not piece.endswith(b"\n")
        return found

    def clear(self) -> None:
        """Forget an unfinished line."""
        self._buffer.clear()
        self._skipping = False
