"""What a camera finds on the simulated table: cloth with markers, hands of cards, chips, hands of people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.layout import Layout, Marker, Region
from vision.patches import Image
from vision.synth import ground
from vision.synth.scene import Matrix, Placed, Stage

FAN_STEP = 0.3
"""How far the next card of a hand lies to the right, in card widths: the index of the one below stays in sight."""

FAN_DROP = 0.12
"""How far it lies lower, in card widths."""

MARKER_DICTIONARY = cv2.aruco.DICT_4X4_50
MARKER_PX = 6
"""Squares across a marker, its black border counted."""

CHIP_MM = 39.0
CHIP_STEP_MM = 3.0
MOST_CHIPS = 8
"""Chips drawn of one pile."""


@dataclass(frozen=True, slots=True)
class Things:
    """What is on and over the table: cards by region, chips before each region, regions with a hand over them, and
    where another hand passes (shares of the picture's sides)."""

    lying: Mapping[str, tuple[str, ...]]
    chips: Mapping[str, int]
    hands: frozenset[str]
    passing: tuple[float, float] | None

    def hand_places(
        self, layout: Layout, px_per_mm: float, picture_px: tuple[int, int], size_px: int
    ) -> Iterator[tuple[float, float]]:
        """The upper left corners, in pixels, of the hands: reaching to the middle of their region."""
        for region in layout.region:
            if region.name in self.hands:
                x, y = _middle(region) * px_per_mm
                yield float(x) - size_px / 2, float(y) - size_px / 4
        if self.passing is not None:
            x, y = (share * (side - size_px) for share, side in zip(self.passing, picture_px, strict=True))
            yield x, y


def bare_table(layout: Layout, px_per_mm: float, lens: Matrix, seed: int) -> Image:
    """The cloth with the layout's markers as the camera sees it. The cloth is plain: ``seed`` chooses its colour."""
    size = round(layout.width_mm * px_per_mm), round(layout.height_mm * px_per_mm)
    cloth = ground.cloth((size[1], size[0]), np.random.default_rng((seed, 0)))
    for marker in layout.marker:
        _print_marker(cloth, marker, px_per_mm)
    return np.asarray(cv2.warpPerspective(cloth, lens, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def hands_of(region: Region, codes: Sequence[str], px_per_mm: float, layout: Layout, seed: int) -> Iterator[Placed]:
    """The cards of a hand as a dealer lays them in a region: overlapping to the right, the last on top."""
    width_px = layout.card.width_mm * px_per_mm
    middle = _middle(region) * px_per_mm
    lean = np.random.default_rng((seed, 2, *region.name.encode())).uniform(-8, 8)
    first = -(len(codes) - 1) / 2
    for number, code in enumerate(codes):
        step = (first + number) * width_px
        x, y = float(middle[0]) + FAN_STEP * step, float(middle[1]) + FAN_DROP * step
        yield Placed(code, x, y, width_px, lean + 1.5 * number, region.name)


def pile(stage: Stage, region: Region, count: int, px_per_mm: float, layout: Layout) -> None:
    """Chips in a pile at the lower left corner of a region."""
    radius_px = round(CHIP_MM / 2 * px_per_mm)
    left, bottom = min(x for x, _ in region.polygon_mm), max(y for _, y in region.polygon_mm)
    for number in range(min(count, MOST_CHIPS)):
        disc = ground.chip(np.random.default_rng((number, len(layout.region))), radius_px)
        x, y = left * px_per_mm, (bottom - CHIP_MM - number * CHIP_STEP_MM) * px_per_mm
        stage.paste(disc, stage.lens @ np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64), -1, 0, 0.3)


def _middle(region: Region) -> Matrix:
    return np.asarray(np.array(region.polygon_mm).mean(axis=0), np.float64)


def _print_marker(cloth: Image, marker: Marker, px_per_mm: float) -> None:
    rim = max(1, round(marker.size_mm * px_per_mm / MARKER_PX))
    side = MARKER_PX * rim
    black = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY), marker.id, side)
    whole = cv2.copyMakeBorder(black, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(255,))
    left, top = (round(at * px_per_mm - whole.shape[0] / 2) for at in (marker.x_mm, marker.y_mm))
    x0, y0 = max(0, left), max(0, top)
    part = whole[y0 - top :, x0 - left :][: cloth.shape[0] - y0, : cloth.shape[1] - x0]
    cloth[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]] = part[..., None]
