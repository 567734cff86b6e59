"""Samples of a duration, and their percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Samples:
    """Durations of one thing, in milliseconds; at least one."""

    name: str
    durations_ms: Sequence[float]

    def percentile_ms(self, share: float) -> float:
        """The duration that ``share`` (0..1) of the samples do not exceed."""
        ordered = sorted(self.durations_ms)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    @property
    def p50_ms(self) -> float:
        """The median."""
        return self.percentile_ms(0.5)

    @property
    def p99_ms(self) -> float:
        """What one in a hundred exceeds."""
        return self.percentile_ms(0.99)
