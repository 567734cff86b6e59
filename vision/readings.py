"""What the recognizer says: readings of cards, gathered into a sighting of one picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


class Kind(StrEnum):
    """What a reading is of."""

    CARD = "card"
    FACE_DOWN = "face_down"
    CUT_CARD = "cut_card"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """Why a card that is there was not read."""

    COVERED = "covered"
    TOO_SMALL = "too_small"
    GLARE = "glare"
    UNSURE = "unsure"
    DISAGREEMENT = "disagreement"
    INK = "ink"
    NOT_IN_SHOE = "not_in_shoe"
    MOVING = "moving"
    SETTLING = "settling"

    @property
    def sentence(self) -> str:
        """The reason for a person."""
        return REASON_SENTENCES[self]


REASON_SENTENCES = {
    Reason.COVERED: "no corner index is visible enough",
    Reason.TOO_SMALL: "the card is too small in the picture",
    Reason.GLARE: "light bleaches the print",
    Reason.UNSURE: "the index is not clear enough",
    Reason.DISAGREEMENT: "the two ends, or the network and the enrolled deck, read differently",
    Reason.INK: "the ink's colour does not fit the suit",
    Reason.NOT_IN_SHOE: "the shoe cannot hold another of this card",
    Reason.MOVING: "something moves there",
    Reason.SETTLING: "not seen alike often enough yet",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """One card as it was seen.

    ``face`` is a code of `vision.faces.FACES` for `Kind.CARD` and empty otherwise. ``confidence_permille`` 0..1000 is
    the recognizer's own; an accepted card has at least 900. ``reasons`` say why an `Kind.UNKNOWN` is unknown.
    ``corners`` are in picture pixels, clockwise from the card's own upper left; ``order`` counts from 0 within the
    region, the lowest card first; ``ends`` is how many of its indices were read (0..2); ``guess`` is what an
    unaccepted card looked like most, for people only; ``indices`` are the middles of the indices it was read from.
    """

    kind: Kind
    corners: Quad
    face: str = ""
    confidence_permille: int = 0
    reasons: tuple[Reason, ...] = ()
    region: str = ""
    order: int = 0
    ends: int = 0
    width_px: float = 0.0
    guess: str = ""
    indices: tuple[Point, ...] = ()

    @property
    def centre(self) -> Point:
        """The middle of the card, pixels."""
        return sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4

    @property
    def text(self) -> str:
        """``KH``, ``face_down``, ``cut_card`` or ``unknown (reason, ..)``."""
        if self.kind is Kind.CARD:
            return self.face
        if self.kind is Kind.UNKNOWN and self.reasons:
            return f"unknown ({', '.join(self.reasons)})"
        return self.kind.value


@dataclass(frozen=True, slots=True)
class Sighting:
    """Everything read in one picture. ``time_ms`` is the frame's clock, ``look_ms`` what the look took."""

    readings: tuple[Reading, ...]
    width: int
    height: int
    time_ms: int = 0
    look_ms: float = 0.0

    def cards(self) -> tuple[Reading, ...]:
        """The accepted faces only."""
        return tuple(reading for reading in self.readings if reading.kind is Kind.CARD)
