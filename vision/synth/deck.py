"""Decks as pictures: every face with the place of its corner index, and a back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

FACE_WIDTH_PX = 300
"""Width of every face picture; its height follows the deck's own shape."""

MIP_WIDTHS_PX = (300, 214, 153, 109, 78, 56)
"""Widths kept of every face, so that a small card is not drawn from a large picture (which would alias)."""


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """Where the index (rank above suit) lies on a face, in fractions of the card's width from its upper left corner:
    the middle of its box, the height and the width of the box."""

    x: float
    y: float
    height: float
    width: float


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck to draw from: BGRA faces by code (`FACE_WIDTH_PX` wide), a BGRA back, the index's place.

    ``foreign`` are faces that look like cards and are none of the 52 (jokers, other alphabets); code by free name.
    """

    name: str
    faces: Mapping[str, Image]
    back: Image
    index: IndexPlace
    foreign: Mapping[str, Image] = field(default_factory=dict)

    @property
    def aspect(self) -> float:
        """Height of a card by its width."""
        height, width = next(iter((self.faces or self.foreign).values())).shape[:2]
        return float(height) / float(width)


def fit_width(picture: Image, width_px: int = FACE_WIDTH_PX) -> Image:
    """The picture scaled to a width, averaging where it shrinks."""
    height_px = max(1, round(picture.shape[0] * width_px / picture.shape[1]))
    way = cv2.INTER_AREA if width_px < picture.shape[1] else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (width_px, height_px), interpolation=way), np.uint8)


def rounded(picture: Image, radius_px: int) -> Image:
    """The BGRA picture with its alpha cut to round corners."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius_px, 0), (width - 1 - radius_px, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius_px), (width - 1, height - 1 - radius_px), 255, -1)
    for x in (radius_px, width - 1 - radius_px):
        for y in (radius_px, height - 1 - radius_px):
            cv2.circle(mask, (x, y), radius_px, 255, -1, cv2.LINE_AA)
    cut = picture.copy()
    cut[..., 3] = np.minimum(cut[..., 3], mask)
    return cut


def blank(paper: tuple[int, int, int], aspect: float) -> Image:
    """An empty BGRA card of this paper colour (BGR), corners not yet cut."""
    card = np.empty((round(FACE_WIDTH_PX * aspect), FACE_WIDTH_PX, 4), np.uint8)
    card[...] = (*paper, 255)
    return card


@dataclass(slots=True)
class Mips:
    """Scaled versions of pictures, made when first asked for; keyed by the picture's identity in memory."""

    _kept: dict[tuple[int, int], Image] = field(default_factory=dict)
    _alive: dict[int, Image] = field(default_factory=dict)

    def at(self, picture: Image, wanted_px: float) -> Image:
        """The smallest kept version that is at least as wide as ``wanted_px`` (or the largest)."""
        width = next((w for w in reversed(MIP_WIDTHS_PX) if w >= wanted_px), MIP_WIDTHS_PX[0])
        key = (id(picture), width)
        if key not in self._kept:
            self._alive[id(picture)] = picture
            self._kept[key] = fit_width(picture, width)
        return self._kept[key]
