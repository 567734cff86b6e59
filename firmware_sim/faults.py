"""Everything that goes wrong between a table and its host: one record of named rates, and what applies those of lines.

A rate is a chance from 0 to 1. The same seed and the same units give the same faults. What happens to a device or to a
card is thrown by `firmware_sim.mishaps`; ready-made records are in `firmware_sim.profiles`.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable
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
    """Rates by kind, for each unit (one copy of a telegram, or one frame), each act, or each card. Copy faults leave at
    least ``intact_copies`` of a telegram whole; frame faults are for units that are sent once. Raises ValueError for a
    rate outside 0 .. 1 and for bounds in a wrong order."""

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
    steal: float = 0.0
    """a second opener of the port takes some of the unit's bytes"""
    duplicate: float = 0.0
    """sent twice at once"""
    delay_duplicate: float = 0.0
    """sent again, up to ``delay_ms`` later"""
    reorder: float = 0.0
    """overtaken by the next unit"""
    stall: float = 0.0
    """the line stands still for ``stall_min_ms`` to ``stall_max_ms``, then everything comes at once"""
    unplug: float = 0.0
    """for each act: the cable is pulled, and plugged in again up to ten seconds later"""
    reboot: float = 0.0
    """for each act: the device restarts and keeps its memory, if it has one"""
    reboot_blank: float = 0.0
    """for each act: the device restarts and its memory is lost"""
    swap: float = 0.0
    """for each act: for a while another device of the same kind is on the wire"""
    clock_jump: float = 0.0
    """for each act: the host's clock is up to a minute further all at once"""
    misread: float = 0.0
    """for each card: the sensor takes it for another one"""
    double_feed: float = 0.0
    """for each card: the next one comes with it"""
    unreported: float = 0.0
    """for each card: the sensor does not see it at all"""
    delay_ms: int = 1000
    stall_min_ms: int = 100
    stall_max_ms: int = 30_000

    def __post_init__(self) -> None:
        for name in RATES:
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"fault {name} is {getattr(self, name)!r}, must be from 0 to 1")
        if not (self.delay_ms > 0 and 0 < self.stall_min_ms <= self.stall_max_ms and self.intact_copies >= 0):
            bounds = f"delay_ms {self.delay_ms}, stall_min_ms {self.stall_min_ms}, stall_max_ms {self.stall_max_ms}"
            raise ValueError(f"bounds of faults are {bounds}; all must be above 0 and the stall's in this order")


_BOUNDS = ("seed", "intact_copies", "delay_ms", "stall_min_ms", "stall_max_ms")
RATES = tuple(field.name for field in fields(Faults) if field.name not in _BOUNDS)
"""Names of the rates; counts are kept by these."""

TAKE_MS = 5
"""Time between two takes where nobody says what time it is."""
HOLD_MS = 200
"""A unit held back for the next one goes out alone after this."""
NOISE_BYTES = bytes(value for value in range(256) if value not in (0x00, 0x05, 0x06, 0x15))


class FaultInjector:
    """Applies the faults of the line to units in order. ``counts`` has what was done, by the name of the rate."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.counts: Counter[str] = Counter()
        self._random = random.Random(faults.seed)
        self._damaged = 0
        self._waiting: list[tuple[int, int, bytes, bytes]] = []
        """what is on its way: when it is due, its place among those, its bytes, and those behind a pause"""
        self._rest = b""
        self._order = 0
        self._glued = b""
        self._overtaken = b""
        self._held_ms = 0
        self._now_ms = 0
        self._stalled_until_ms = 0

    def push(self, unit: bytes) -> None:
        """A unit that the device sends."""
        faults = self.faults
        if self._happens("stall", faults.stall):
            stop_ms = self._now_ms + self._random.randint(faults.stall_min_ms, faults.stall_max_ms)
            self._stalled_until_ms = max(self._stalled_until_ms, stop_ms)
        damaged = self._damage(unit)
        if self._happens("noise", faults.noise):
            self._post(bytes(self._random.choices(NOISE_BYTES, k=self._random.randint(1, 8))))
        if not damaged:
            return
        if self._happens("duplicate", faults.duplicate):
            damaged += damaged
        if self._happens("delay_duplicate", faults.delay_duplicate):
            self._post(damaged, self._random.randint(1, faults.delay_ms))
        if not self._overtaken and not self._glued and self._happens("reorder", faults.reorder):
            self._overtaken, self._held_ms = damaged, self._now_ms
            return
        damaged, self._glued = self._glued + damaged, b""
        if self._happens("glue", faults.glue):
            self._glued, self._held_ms = damaged, self._now_ms
        elif len(damaged) > 1 and self._happens("split", faults.split):
            at = self._random.randrange(1, len(damaged))
            self._post(damaged[:at], rest=damaged[at:])
        else:
            self._post(damaged)
        self._release_overtaken()

    def take(self, now_ms: int | None = None) -> bytes:
        """What goes on the wire now; empty when there is nothing. Call it every few milliseconds, for that is the pause
        between the two pieces of a split unit; without ``now_ms`` each call is `TAKE_MS` after the one before."""
        self._now_ms = self._now_ms + TAKE_MS if now_ms is None else max(now_ms, self._now_ms)
        if self._now_ms - self._held_ms > HOLD_MS:
            if self._glued:
                self._post(self._glued)
                self._glued = b""
            self._release_overtaken()
        if self._now_ms < self._stalled_until_ms:
            return b""
        out, self._rest = bytearray(self._rest), b""
        while self._waiting and self._waiting[0][0] <= self._now_ms and not self._rest:
            _due_ms, _order, piece, self._rest = heapq.heappop(self._waiting)
            out += piece
        return bytes(out)

    def cut(self) -> None:
        """The cable is pulled: what is on its way is lost."""
        self._waiting.clear()
        self._glued = self._overtaken = self._rest = b""
        self._stalled_until_ms = 0

    def _release_overtaken(self) -> None:
        if self._overtaken:
            self._post(self._overtaken)
            self._overtaken = b""

    def _post(self, piece: bytes, delay_ms: int = 0, rest: bytes = b"") -> None:
        self._order += 1
        heapq.heappush(self._waiting, (self._now_ms + delay_ms, self._order, piece, rest))

    def _damage(self, unit: bytes) -> bytes:
        if not isinstance(unit, TelegramCopy):
            return self._damage_by(unit, {"drop_frame": _nothing, "corrupt_frame": self._flip, "steal": self._rob})
        if unit.number == 1:
            self._damaged = 0
        if self._damaged >= unit.of - self.faults.intact_copies:
            return bytes(unit)
        ways = {
            "drop_copy": _nothing,
            "corrupt_copy": self._flip,
            "truncate_copy": self._truncate,
            "steal": self._rob,
        }
        damaged = self._damage_by(unit, ways)
        self._damaged += damaged != unit
        return damaged

    def _damage_by(self, unit: bytes, ways: dict[str, Callable[[bytes], bytes]]) -> bytes:
        for kind, way in ways.items():
            if self._happens(kind, getattr(self.faults, kind)):
                return way(unit)
        return bytes(unit)

    def _flip(self, unit: bytes) -> bytes:
        damaged = bytearray(unit)
        damaged[self._random.randrange(len(damaged))] ^= 1 << self._random.randrange(8)
        return bytes(damaged)

    def _truncate(self, unit: bytes) -> bytes:
        return unit[: self._random.randrange(1, len(unit))] if len(unit) > 1 else b""

    def _rob(self, unit: bytes) -> bytes:
        begin = self._random.randrange(len(unit))
        end = self._random.randint(begin + 1, len(unit))
        return unit[:begin] + unit[end:]

    def _happens(self, kind: str, rate: float) -> bool:
        if rate and self._random.random() < rate:
            self.counts[kind] += 1
            return True
        return False


def _nothing(_unit: bytes) -> bytes:
    return b""
