"""Drawing what was read onto a picture, for people."""

from __future__ import annotations

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
        colour = COLOURS[reading.kind]
        outline = np.round(np.array(reading.corners)).astype(np.int32)
        cv2.polylines(drawn, [outline], True, colour, unit + 1, cv2.LINE_AA)
        x, y = (round(v) for v in reading.centre)
        text, scale = label(reading), 0.55 * unit
        (wide, tall), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, unit)
        left, low = x - wide // 2, y + tall // 2
        cv2.rectangle(drawn, (left - 3, low - tall - 4), (left + wide + 3, low + base), (20, 20, 20), -1)
        cv2.putText(drawn, text, (left, low), cv2.FONT_HERSHEY_DUPLEX, scale, colour, unit, cv2.LINE_AA)
    return drawn
