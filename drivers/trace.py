"""Raw bytes of a wire in a text file, to look at and to play back into a driver: so a field problem becomes a test.

One line a chunk: UTC time, direction, hex. ``<`` came from the device, ``>`` went to it, ``=`` the port was opened,
with the name that the driver was given for this connection, in ASCII::

    2031-02-03T04:05:06.789Z < 05 31 44 81 b8 03 34 46
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

DEFAULT_MAX_BYTES = 4 * 1024 * 1024
DEFAULT_KEPT = 3
DIRECTIONS = "<>="


@dataclass(frozen=True, slots=True)
class TraceChunk:
    """One line of a trace. ``at_ms`` is UTC in ms since 1970; ``data`` of ``=`` is the connection's name or
    empty."""

    at_ms: int
    direction: str
    data: bytes


class TraceFile:
    """Writes a trace and keeps it bounded: at ``max_bytes`` the file becomes ``NAME.1``, that one ``NAME.2``, and so on
    up to ``kept`` old files. Raises OSError where the file system does."""

    __slots__ = ("_file", "_kept", "_max_bytes", "_path")

    def __init__(self, path: Path, *, max_bytes: int = DEFAULT_MAX_BYTES, kept: int = DEFAULT_KEPT) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._kept = kept
        self._file: TextIO = path.open("a", encoding="ascii")

    def write(self, direction: str, data: bytes) -> None:
        """Append one chunk with the time of now."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._file.write(f"{now} {direction} {data.hex(' ')}".rstrip() + "\n")
        self._file.flush()
        if self._file.tell() >= self._max_bytes:
            self._rotate()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _rotate(self) -> None:
        self._file.close()
        for number in range(self._kept, 0, -1):
            older = self._numbered(number)
            newer = self._numbered(number - 1)
            if newer.exists():
                os.replace(newer, older)
        if not self._kept:
            self._path.unlink()
        self._file = self._path.open("a", encoding="ascii")

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}") if number else self._path


def read_trace(path: Path) -> Iterator[TraceChunk]:
    """Chunks of a trace in order. Raises ValueError naming file and line of one that is none."""
    with path.open(encoding="ascii", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            when, _blank, rest = line.rstrip("\n").partition(" ")
            direction, _blank, digits = rest.partition(" ")
            try:
                at_ms = round(datetime.fromisoformat(when).timestamp() * 1000)
                data = bytes.fromhex(digits)
            except ValueError:
                raise ValueError(f"{path}, line {number}: not a line of a trace: {line.strip()[:60]!r}") from None
            if len(direction) != 1 or direction not in DIRECTIONS:
                raise ValueError(f"{path}, line {number}: direction {direction!r} is none of < > =")
            yield TraceChunk(at_ms, direction, data)
