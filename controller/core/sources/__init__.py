"""Sources: whatever tells the table a card, known by what it can do and by nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

EVERY_HAND: Final = 0
"""The hand of a spot whose source does not tell the hands of a box apart."""
SILENCE_S: Final = 8
SILENCE_CARDS: Final = 3


class SettleOn(StrEnum):
    """What a round is settled on."""

    ONE_SOURCE = "one_source"
    """one source's word; what a second one misses is a note"""
    TWO_SOURCES = "two_sources"
    """two sources' word for every card that a second one could see, or a supervisor's"""


@dataclass(frozen=True, slots=True)
class Source:
    """A device that reads cards. ``draws``: each card passes it, in the order of the deal. ``spots`` are the places
    (box, hand) where it sees cards lie; box 0 is the dealer, hand `EVERY_HAND` all hands of the box, not told apart.
    ``tags``: it knows the physical card by a tag of its own; such a source reads a card that lies face down, too."""

    name: str
    draws: bool = False
    spots: tuple[tuple[int, int], ...] = ()
    tags: bool = False

    def spot(self, box: int, hand: int) -> tuple[int, int]:
        """The place as this source tells it apart: ``hand`` is `EVERY_HAND` where it cannot."""
        return (box, EVERY_HAND) if (box, EVERY_HAND) in self.spots else (box, hand)

    def covers(self, box: int, hand: int) -> bool:
        """Whether it sees a card that lies there."""
        return self.spot(box, hand) in self.spots
