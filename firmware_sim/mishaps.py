"""What happens to a device or to a card, thrown by the rates of a fault record; the same seed, the same mishaps."""

from __future__ import annotations

import random
from collections import Counter
from enum import StrEnum

from firmware_sim.faults import Faults


class Mishap(StrEnum):
    """What happens to the device before an act; the words are the names of the rates."""

    UNPLUG = "unplug"
    REBOOT = "reboot"
    REBOOT_BLANK = "reboot_blank"
    SWAP = "swap"
    CLOCK_JUMP = "clock_jump"


class CardFault(StrEnum):
    """What goes wrong with a card at the sensor."""

    MISREAD = "misread"
    DOUBLE_FEED = "double_feed"
    UNREPORTED = "unreported"


class Mishaps:
    """Throws the dice. ``counts`` has how often each kind was thrown."""

    def __init__(self, faults: Faults) -> None:
        self.counts: Counter[str] = Counter()
        self._faults = faults
        self._random = random.Random(f"mishaps {faults.seed}")

    def before_act(self) -> Mishap | None:
        """What happens before the next act, at most one thing."""
        return next((kind for kind in Mishap if self._happens(kind)), None)

    def of_card(self) -> CardFault | None:
        """What goes wrong with the next card, at most one thing."""
        return next((kind for kind in CardFault if self._happens(kind)), None)

    def duration_ms(self, shortest_ms: int, longest_ms: int) -> int:
        """How long it lasts."""
        return self._random.randint(shortest_ms, longest_ms)

    def _happens(self, kind: Mishap | CardFault) -> bool:
        hit: bool = self._random.random() < getattr(self._faults, kind.value)
        self.counts[kind.value] += hit
        return hit
