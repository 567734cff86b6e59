"""Drawing what was read onto a picture, for people."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.patches import Image
from vision.readings import Kind, Reading, Sighting

COLOURS: dict[Kind, tuple[int, int, int]] = {
    Kind.CARD: (70, 200, 60),
    Kind.FACE_DOWN: (230, 150, 40),
    Kind.CUT_CARD: (40, 200, 235),
    Kind.UNKNOWN: (50, 60, 230),
}
"""BGR colour of each kind's outline."""


def label(reading: Reading) -> str:
    """The few letters written on a card."""
    if reading.kind is Kind.CARD:
        return reading.face
    if reading.kind is Kind.UNKNOWN:
        return "? " + (reading.reasons[0].value if reading.reasons else "")
    return reading.kind.value.replace("_", " ")


def annotate(picture: Image, sighting: Sighting) -> Image:
    """A copy of the BGR picture with every reading's outline and text."""
    drawn = picture.copy()
    unit = max(1, round(max(picture.shape[:2]) / 900))
    for reading in sighting.readings:
        outline = np.round(np.array(reading.corners)).astype(np.int32)
        cv2.polylines(drawn, [outline], True, COLOURS[reading.kind], unit + 1, cv2.LINE_AA)
    taken: list[Box] = []
    for reading in sighting.readings:
        text, scale = label(reading), 0.55 * unit
        (wide, tall), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, unit)
        x, y = (round(v) for v in reading.centre)
        box = free((x - wide // 2 - 3, y - tall // 2 - 4, wide + 6, tall + base + 4), taken)
        taken.append(box)
        left, top, wide, high = box
        cv2.rectangle(drawn, (left, top), (left + wide, top + high), (20, 20, 20), -1)
        at = (left + 3, top + high - base)
        cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, COLOURS[reading.kind], unit, cv2.LINE_AA)
    return drawn


Box = tuple[int, int, int, int]
"""Left, top, width and height of a label, pixels."""


def free(box: Box, taken: Sequence[Box]) -> Box:
    """The box moved down as far as is needed for it to hide none of those taken: the cards of a fan have their middles
    nearer together than their labels are long."""
    left, top, wide, high = box
    while any(left < x + w and x < left + wide and top < y + h and y < top + high for x, y, w, h in taken):
        top += high
    return left, top, wide, high
