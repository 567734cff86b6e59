"""Time of the simulation in milliseconds: real, faster than real, or moved by hand."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """A clock that starts at 0 and never goes back."""

    def now_ms(self) -> int:
        """Simulated milliseconds since the clock was made."""
        ...

    def sleep(self, duration_ms: float) -> None:
        """Wait simulated milliseconds."""
        ...


class RealClock:
    """Real time, ``speed`` simulated seconds in one real second. Any number of threads may use it."""

    def __init__(self, speed: float = 1.0) -> None:
        """Raises ValueError unless ``speed`` is positive."""
        if not speed > 0:
            raise ValueError(f"speed is {speed!r}, must be greater than 0")
        self.speed = speed
        self._began_ns = time.monotonic_ns()

    def now_ms(self) -> int:
        """Simulated milliseconds since the clock was made."""
        return int((time.monotonic_ns() - self._began_ns) * self.speed / 1e6)

    def sleep(self, duration_ms: float) -> None:
        """Wait ``duration_ms / speed`` real milliseconds."""
        if duration_ms > 0:
            time.sleep(duration_ms / 1000 / self.speed)


class VirtualClock:
    """Time that passes only when somebody sleeps: a whole shoe in no time, the same way each time."""

    def __init__(self) -> None:
        self._now_ms = 0.0
        self._lock = threading.Lock()

    def now_ms(self) -> int:
        """Simulated milliseconds slept so far."""
        with self._lock:
            return int(self._now_ms)

    def sleep(self, duration_ms: float) -> None:
        """Let time pass at once."""
        with self._lock:
            self._now_ms += max(duration_ms, 0.0)
