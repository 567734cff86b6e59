"""What a line does to the bytes of a device: one record of named rates, and what applies it.

A rate is the chance from 0 to 1 that a unit (one copy of a telegram, or one frame) suffers this fault. The same
seed and the same units give the same faults.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, fields


class TelegramCopy(bytes):
    """One of several equal copies of a telegram, what copy faults apply to. ``number`` counts from 1 to ``of``."""

    number: int
    of: int

    def __new__(cls, data: bytes, number: int, of: int) -> TelegramCopy:
        """A copy with its place among the copies."""
        copy = super().__new__(cls, data)
        copy.number = number
        copy.of = of
        return copy


@dataclass(frozen=True, slots=True)
class Faults:
    """Rates by kind. Copy faults leave at least ``intact_copies`` of a telegram whole; frame faults are for units that
    are sent once. Raises ValueError for a rate outside 0 .. 1."""

    seed: int = 0
    drop_copy: float = 0.0
    corrupt_copy: float = 0.0
    """one bit flipped"""
    truncate_copy: float = 0.0
    """the end is missing"""
    drop_frame: float = 0.0
    corrupt_frame: float = 0.0
    split: float = 0.0
    """sent in two pieces with a pause between them"""
    glue: float = 0.0
    """held back and sent together with the next unit"""
    noise: float = 0.0
    """up to eight bytes of noise before the unit, never a control byte that begins something"""
    intact_copies: int = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name not in ("seed", "intact_copies") and not 0 <= getattr(self, field.name) <= 1:
                raise ValueError(f"fault {field.name} is {getattr(self, field.name)!r}, must be from 0 to 1")


GLUE_TAKES = 40
"""A unit held back for the next one goes out alone after so many takes: some 200 ms."""

_PAUSE = b""
NOISE_BYTES = bytes(value for value in range(256) if value not in (0x00, 0x05, 0x06, 0x15))


class FaultInjector:
    """Applies `Faults` to units in order. ``counts`` has what was done, by the name of the rate."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.counts: Counter[str] = Counter()
        self._random = random.Random(faults.seed)
        self._damaged = 0
        self._pieces: deque[bytes] = deque()
        self._glued = b""
        self._glued_takes = 0

    def push(self, unit: bytes) -> None:
        """A unit that the device sends."""
        damaged = self._damage(unit)
        if self._happens("noise", self.faults.noise):
            noise = bytes(self._random.choices(NOISE_BYTES, k=self._random.randint(1, 8)))
            self._pieces.append(noise)
        if not damaged:
            return
        damaged, self._glued = self._glued + damaged, b""
        if self._happens("glue", self.faults.glue):
            self._glued = damaged
            self._glued_takes = 0
        elif len(damaged) > 1 and self._happens("split", self.faults.split):
            at = self._random.randrange(1, len(damaged))
            self._pieces += (damaged[:at], _PAUSE, damaged[at:])
        else:
            self._pieces.append(damaged)

    def take(self) -> bytes:
        """What goes on the wire now; empty when there is nothing. Call it every few milliseconds, for that is the
        pause between the two pieces of a split unit."""
        if self._glued:
            self._glued_takes += 1
            if self._glued_takes > GLUE_TAKES:
                self._pieces.append(self._glued)
                self._glued = b""
        out = bytearray()
        while self._pieces and (piece := self._pieces.popleft()) != _PAUSE:
            out += piece
        return bytes(out)

    def _damage(self, unit: bytes) -> bytes:
        if not isinstance(unit, TelegramCopy):
            if self._happens("drop_frame", self.faults.drop_frame):
                return b""
            return self._flip(unit) if self._happens("corrupt_frame", self.faults.corrupt_frame) else bytes(unit)
        if unit.number == 1:
            self._damaged = 0
        if self._damaged >= unit.of - self.faults.intact_copies:
            return bytes(unit)
        self._damaged += 1
        if self._happens("drop_copy", self.faults.drop_copy):
            return b""
        if self._happens("corrupt_copy", self.faults.corrupt_copy):
            return self._flip(unit)
        if self._happens("truncate_copy", self.faults.truncate_copy):
            return unit[: self._random.randrange(1, len(unit))]
        self._damaged -= 1
        return bytes(unit)

    def _flip(self, unit: bytes) -> bytes:
        damaged = bytearray(unit)
        damaged[self._random.randrange(len(damaged))] ^= 1 << self._random.randrange(8)
        return bytes(damaged)

    def _happens(self, kind: str, rate: float) -> bool:
        if rate and self._random.random() < rate:
            self.counts[kind] += 1
            return True
        return False
