"""What the surfaces say: card faces that no index explains, backs, cut cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from vision.detect import Surfaces
from vision.geometry import area, fill
from vision.patches import Image
from vision.readings import Kind, Point, Quad, Reading, Reason

Mask = npt.NDArray[np.uint8]

SURE = 0.5
LEAST_SHARE = 0.3
"""Share of a card's area that a surface must have to be called a card."""

MOST_CARDS = 2.5
"""A surface larger than so many cards is no hand of backs but a patterned table."""

LEAST_SHORT = 0.5
"""The shorter side of what is called a card, in card widths."""

CARD_ASPECT = 1.4
PLAIN_CONTRAST = 14.0
"""Standard deviation of brightness below which a back is a cut card: plain, without a pattern."""


def leftovers(picture: Image, surfaces: Surfaces, readings: Sequence[Reading]) -> list[Reading]:
    """Readings of what the indices do not explain. The size of a card is taken from the cards read; without any, each
    surface of a card's shape is one."""
    known = [reading.corners for reading in readings]
    sizes = [area(corners) for corners in known]
    card_area = median(sizes) if sizes else 0.0
    shape = (surfaces.face.shape[0], surfaces.face.shape[1])
    explained = fill(shape, known, surfaces.scale)
    grown = cv2.dilate(explained, np.ones((3, 3), np.uint8))
    face = ((surfaces.face > SURE) & (grown == 0)).astype(np.uint8)
    back = ((surfaces.back > SURE) & (explained == 0)).astype(np.uint8)
    found = [replace(r, reasons=(Reason.COVERED,)) for r in _cards(face, surfaces.scale, card_area, Kind.UNKNOWN)]
    for reading in _cards(back, surfaces.scale, card_area, Kind.FACE_DOWN):
        found.append(replace(reading, kind=Kind.CUT_CARD) if _is_plain(picture, reading.corners) else reading)
    return found


def _cards(mask: Mask, scale: float, card_area: float, kind: Kind) -> list[Reading]:
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    cell_area = card_area * scale * scale
    found = []
    for number in range(1, min(count, 200)):
        cells = int(stats[number, cv2.CC_STAT_AREA])
        contours, _ = cv2.findContours((labels == number).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        box = cv2.minAreaRect(contours[0])
        short, long = sorted(box[1])
        size = cell_area or (short * short * CARD_ASPECT)
        if cells < max(12.0, LEAST_SHARE * size) or short < 2:
            continue
        if card_area and cells > MOST_CARDS * size:
            continue
        if card_area and ((short + 1) ** 2 * CARD_ASPECT < LEAST_SHORT**2 * cell_area or cells < 0.45 * short * long):
            continue
        if not card_area and (cells < 0.75 * short * long or not 1.15 < (long + 1) / (short + 1) < 1.8):
            continue
        outline = _quad(np.asarray(cv2.boxPoints(box), np.float32), scale)
        permille = int(1000 * min(1.0, cells / max(1.0, short * long)))
        found.append(Reading(kind, outline, confidence_permille=permille, width_px=(short + 1) / scale))
    return found


def _quad(points: npt.NDArray[np.float32], scale: float) -> Quad:
    corners: list[Point] = [((float(x) + 0.5) / scale, (float(y) + 0.5) / scale) for x, y in points]
    return corners[0], corners[1], corners[2], corners[3]


def _is_plain(picture: Image, corners: Quad) -> bool:
    middle = np.mean(np.array(corners), axis=0)
    shrunk = (np.array(corners) - middle) * 0.6 + middle
    low = np.clip(shrunk.min(axis=0), 0, None).astype(int)
    high = shrunk.max(axis=0).astype(int) + 1
    part = picture[low[1] : high[1], low[0] : high[0]]
    if part.size == 0:
        return False
    blurred = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    inside = np.zeros(blurred.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(shrunk - low).astype(np.int32), 1)
    return float(blurred[inside > 0].std()) < PLAIN_CONTRAST
