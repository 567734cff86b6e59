"""The recognizer: one picture in, a sighting out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vision.corners import Corner, CornerReader
from vision.detect import Candidate, DenseFinder, Surfaces, merged
from vision.enrol import Enrolment, check_weights, compared
from vision.geometry import (
    INDEX_HALF_WIDTH,
    TYPICAL,
    CardShape,
    from_frame,
    one_place,
    pair_outline,
    single_outline,
    within,
)
from vision.group import Flatten, Group, grouped
from vision.judge import STRICT, Limits, judge
from vision.patches import Image, IndexPose, Pyramid
from vision.readings import Kind, Reading, Reason, Sighting
from vision.surface import leftovers

NETWORK_CARD_PX = 52.0
"""Card width that suits the dense network best."""

LEAST_CARD_PX = 80.0
"""Where cards are known to be narrower than this nothing is accepted. The figures hold from 90 pixels; the rest is for
a table that is seen at an angle."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a recognizer looks. ``card_width_px`` is the width of a card in the picture where it is known (calibrated),
    0 where not: then the picture is searched at several scales. ``looks`` 1..5 at an index that is not clear at
    once; ``deck`` is the enrolled deck in use; ``weights`` the folder of others than the shipped ones."""

    card_width_px: float = 0.0
    looks: int = 5
    threads: int = 1
    limits: Limits = STRICT
    deck: Enrolment | None = None
    surfaces: bool = True
    weights: Path | None = None


class Recognizer:
    """Reads cards in pictures. One thread at a time may use it."""

    def __init__(self, settings: Settings | None = None) -> None:
        """Load the weights. Raises VisionError where they are missing or the deck was enrolled with others."""
        self.settings = settings or Settings()
        self._finder = DenseFinder(self.settings.threads, self.settings.weights)
        self._reader = CornerReader(self.settings.threads, self.settings.weights)
        if self.settings.deck is not None:
            check_weights(self.settings.deck, self.settings.weights)

    def scales(self, width: int, height: int, card_px: float = 0.0) -> list[float]:
        """The scales at which a picture of this size is shown to the dense network; one where the cards' width in
        pixels is known."""
        known = card_px or self.settings.card_width_px
        if known:
            return [min(1.0, NETWORK_CARD_PX / known)]
        scales = [0.5]
        while scales[-1] * max(width, height) > 300:
            scales.append(scales[-1] / 2)
        return scales

    def corners(
        self, picture: Image, card_px: float = 0.0, keep_doubtful: bool = False
    ) -> tuple[list[Corner], Surfaces]:
        """Every index found in a BGR picture, and the surfaces at the scale that saw most of them. ``keep_doubtful``
        keeps those that the networks take for no index at all (for enrolling a print they do not know)."""
        found: list[Candidate] = []
        best: tuple[float, Surfaces] | None = None
        for scale in self.scales(picture.shape[1], picture.shape[0], card_px):
            candidates, surfaces = self._finder.look(picture, scale)
            found.extend(candidates)
            score = sum(c.heat for c in candidates if 9 < c.seen_px < 45)
            if best is None or score > best[0] * 1.2:
                best = (score, surfaces)
        assert best is not None
        kept = merged(found)
        poses, heats = [c.pose for c in kept], [c.heat for c in kept]
        corners = self._reader.read(Pyramid(picture), poses, heats, self.settings.looks)
        deck = self.settings.deck
        if deck is not None:
            corners = [compared(deck, corner) for corner in corners]
        if keep_doubtful:
            return distinct(corners), best[1]
        size = (picture.shape[1], picture.shape[0])
        seen = [c for c in corners if c.none < self.settings.limits.none and whole(c.pose, size)]
        return distinct(seen), best[1]

    def read(self, picture: Image, time_ms: int = 0, card_px: float = 0.0, flatten: Flatten | None = None) -> Sighting:
        """Everything that lies in a BGR picture. ``card_px`` is the width of a card in it, 0 where unknown; ``flatten``
        turns poses in it into poses on the table's plane."""
        start = time.perf_counter()
        corners, surfaces = self.corners(picture, card_px)
        groups, shape = grouped(corners, self.settings.deck.shape if self.settings.deck else None, flatten)
        readings = doubted([self._reading(group, shape or TYPICAL) for group in groups])
        if 0 < (card_px or self.settings.card_width_px) < LEAST_CARD_PX:
            readings = [too_small(reading) for reading in readings]
        if self.settings.surfaces:
            readings.extend(leftovers(picture, surfaces, readings))
        took = (time.perf_counter() - start) * 1000
        height, width = picture.shape[:2]
        return Sighting(tuple(readings), width, height, time_ms, took)

    def _reading(self, group: Group, shape: CardShape) -> Reading:
        verdict = judge(group, self.settings.limits)
        first = group.corners[0].pose
        if len(group.corners) == 2:
            outline = pair_outline(first, group.corners[1].pose, shape)
        else:
            outline = single_outline(first, shape)
        width = shape.width * sum(c.pose.height_px for c in group.corners) / len(group.corners)
        permille = min(1000, int(verdict.chance * 1000))
        reading = Reading(verdict.kind, outline, verdict.face, permille, verdict.reasons, guess=verdict.guess)
        places = tuple((c.pose.x, c.pose.y) for c in group.corners)
        return replace(reading, ends=len(group.corners), width_px=width, indices=places)


def too_small(reading: Reading) -> Reading:
    """The reading of a picture in which cards are known to be too small: nothing is accepted."""
    if reading.kind is not Kind.CARD:
        return reading
    return replace(reading, kind=Kind.UNKNOWN, face="", reasons=(Reason.TOO_SMALL,))


INNER = (0.22, 0.78)
"""The inside of a card, as shares of its sides: pips and pictures are there, indices are not."""

PARTICULAR_PERMILLE = 600
"""A single index on the inside of another card that is less sure than this is that card's print."""


def doubted(readings: Sequence[Reading]) -> list[Reading]:
    """The readings with every single index that lies on the inside of a card read at both ends made unknown: it is more
    likely some of that card's pips than the corner of another that happens to lie there. One that looks like nothing in
    particular is left out."""
    whole = [reading.corners for reading in readings if reading.kind is Kind.CARD and reading.ends == 2]

    def inside(reading: Reading) -> bool:
        at = reading.indices[0]
        return any(all(INNER[0] < share < INNER[1] for share in within(outline, at)) for outline in whole)

    kept = []
    for reading in readings:
        if reading.ends != 1 or not inside(reading):
            kept.append(reading)
        elif reading.kind is Kind.CARD:
            kept.append(replace(reading, kind=Kind.UNKNOWN, face="", reasons=(Reason.UNSURE,)))
        elif reading.confidence_permille >= PARTICULAR_PERMILLE:
            kept.append(reading)
    return kept


CUT_OFF = 0.1
"""How much of an index's box may lie outside of the picture, in its height: a half 5 looks like a J."""


def whole(pose: IndexPose, size: tuple[int, int]) -> bool:
    """Whether an index lies within a picture of this width and height."""
    margin = CUT_OFF * pose.height_px
    box = [from_frame(pose, right, down) for right in (-INDEX_HALF_WIDTH, INDEX_HALF_WIDTH) for down in (-0.5, 0.5)]
    return all(-margin < x < size[0] + margin and -margin < y < size[1] + margin for x, y in box)


def distinct(corners: Sequence[Corner]) -> list[Corner]:
    """Corners without those that, once straightened, turned out to be another one again."""
    kept: list[Corner] = []
    for corner in sorted(corners, key=lambda c: -(c.chance * (1 - c.none))):
        if not any(one_place(other.pose, corner.pose, alike=other.face == corner.face) for other in kept):
            kept.append(corner)
    return kept
