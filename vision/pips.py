"""The outline of an index's pip: what tells a spade from a club where both are but a dark blot to the network.

From its tip a spade widens steadily down to its shoulders; a club has a round head and a waist below it. Out of focus
the network takes one for the other now and then, and is quite sure; the outline errs elsewhere.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces import SUITS
from vision.patches import Image

Floats = npt.NDArray[np.float32]

PIP_ROWS, PIP_COLUMNS = slice(25, 48), slice(7, 29)
"""Where the pip of a straightened index lies, with room for an index that is straightened badly."""

PIP_MIDDLE = (11.0, 11.5)
MOST_ASIDE_PX = 5.0
"""Where its middle is in there, and how far from it a blot may be and still be the pip."""

PIP_SIDES_PX = (8, 20)
LEAST_PIP_PX = 20
"""Least and most of a pip's width and height, and the least pixels it has."""

LEAST_DEPTH = 0.15
"""How much darker than the paper (0..1) the ink must be for its outline to say anything."""

HEIGHTS = 12
"""Heights of a pip at which its width is taken, the same distance apart, from its top to its foot."""

EITHER_WAIST, CLEAR_WAIST = 0.028, 0.05
"""The waist (see `waist`) that speaks for neither suit, and how far from it one speaks as loudly as it can. In hard
light 97 of 100 pips lie on their own side, of six decks that the weights were fitted to as of three others."""

AGAINST, FOR = 6.0, 1.0
"""How loudly the outline speaks at most against what the network takes for likelier, and for it, as logarithms of
chances. Against it only until both suits are as likely: a print whose pips have an unusual outline is refused, and not
read by its outline alone."""

TINY = 1e-9
SPADE, CLUB = SUITS.index("S"), SUITS.index("C")


def waist(patch: Image) -> float | None:
    """How far the sides of the pip of a straightened index bend inwards below its head, by its widest row: clearly
    above 0 for a club, 0 or less for a spade. None where no outline is seen."""
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY).astype(np.float32)
    paper = max(1.0, float(np.percentile(grey[6:46, 6:30], 90)))
    depth = np.clip(1 - grey[PIP_ROWS, PIP_COLUMNS] / paper, 0, 1)
    deepest = float(np.percentile(depth[4:19, 4:18], 97))
    if deepest < LEAST_DEPTH:
        return None
    depth = np.minimum(depth / deepest, 1)
    box = _pip(depth > 0.5)
    if box is None:
        return None
    left, top, width, height = box
    rows = depth[top : top + height, max(0, left - 1) : left + width + 1].sum(axis=1)
    wide = np.interp(np.linspace(0, height - 1, HEIGHTS), np.arange(height), rows / rows.max())
    return float(max(wide[1] + wide[5] - 2 * wide[3], wide[2] + wide[6] - 2 * wide[4]))


def _pip(ink: npt.NDArray[np.bool_]) -> tuple[int, int, int, int] | None:
    """Left, top, width and height of the blot that is the pip; None where none is or it runs into another."""
    count, _, stats, middles = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=4)
    aside = np.hypot(middles[1:, 0] - PIP_MIDDLE[0], middles[1:, 1] - PIP_MIDDLE[1])
    aside[stats[1:, cv2.CC_STAT_AREA] < LEAST_PIP_PX] = np.inf
    if count < 2 or aside.min() > MOST_ASIDE_PX:
        return None
    left, top, width, height, _ = (int(v) for v in stats[1 + int(aside.argmin())])
    least, most = PIP_SIDES_PX
    return (left, top, width, height) if least <= width <= most and least <= height <= most else None


def weighed(suits: Floats, patches: Image) -> Floats:
    """Chances of the suits of N indices (N × 5, as `vision.faces.SUITS` and none), with what the outlines of their pips
    say of spade or club taken in. What the two have together stays the same."""
    heard = suits.copy()
    for number in np.flatnonzero(suits[:, [SPADE, CLUB]].sum(axis=1) > 0.5):
        seen = waist(patches[number])
        if seen is None:
            continue
        spade, club = suits[number, SPADE], suits[number, CLUB]
        says = float(np.clip((EITHER_WAIST - seen) / CLEAR_WAIST, -1, 1))
        lead = math.log((spade + TINY) / (club + TINY))
        if says * lead > 0:
            lead += says * FOR
        else:
            lead = math.copysign(max(0.0, abs(lead) - abs(says) * AGAINST), lead)
        heard[number, SPADE] = (spade + club) / (1 + math.exp(-lead))
        heard[number, CLUB] = spade + club - heard[number, SPADE]
    return heard
