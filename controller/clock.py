"""The two clocks of the machine: the one place where they are read in the units of the record."""

from __future__ import annotations

import time


def clock_offset_ms() -> int:
    """Wall clock less monotonic clock: constant but for steps of the wall clock."""
    return (time.time_ns() - time.monotonic_ns()) // 1_000_000


def now_us() -> int:
    """UTC in microseconds since 1970."""
    return time.time_ns() // 1000
