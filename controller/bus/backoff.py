"""Waiting longer after each failure, never exactly as long as everybody else."""

from __future__ import annotations

import random


class Backoff:
    """Delays that double from ``first_s`` to ``most_s`` seconds, each cut by a random part of up to a
    half.
    """

    def __init__(self, first_s: float = 0.2, most_s: float = 10.0, rng: random.Random | None = None) -> None:
        self._first_s = first_s
        self._most_s = most_s
        self._rng = rng or random.Random()
        self._next_s = first_s

    def next_s(self) -> float:
        """Seconds to wait after one more failure."""
        delay_s = self._next_s
        self._next_s = min(self._next_s * 2, self._most_s)
        return delay_s * (0.5 + self._rng.random() / 2)

    def reset(self) -> None:
        """It worked."""
        self._next_s = self._first_s
