"""A whole table: its regions read in the picture, cards put in order, the shoe's composition as the last check."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.calibrate import Calibration
from vision.compose import checked
from vision.errors import VisionError
from vision.geometry import from_frame
from vision.group import Flatten
from vision.layout import Region
from vision.patches import Image, IndexPose
from vision.readings import Point, Quad, Reading, Sighting
from vision.recognizer import Recognizer

MARGIN_CARDS = 0.6
"""How far around a region is looked at, in card widths: a card that lies half out of it is seen whole."""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the picture that a region takes: left, top, right, bottom in pixels, and the width of a card."""

    region: Region
    left: int
    top: int
    right: int
    bottom: int
    card_px: float


def windows(calibration: Calibration) -> list[Window]:
    """The windows of all regions, cut to the picture. Raises VisionError for a region that lies outside of it."""
    found = []
    for region in calibration.layout.region:
        outline = calibration.picture(np.array(region.polygon_mm))
        middle = np.array(region.polygon_mm).mean(axis=0)
        card_px = calibration.card_width_px(float(middle[0]), float(middle[1]))
        margin = MARGIN_CARDS * card_px
        left, top = (max(0, int(v - margin)) for v in outline.min(axis=0))
        right, bottom = int(outline[:, 0].max() + margin), int(outline[:, 1].max() + margin)
        right, bottom = min(calibration.width, right), min(calibration.height, bottom)
        if right - left < card_px or bottom - top < card_px:
            raise VisionError(f"region {region.name} lies outside the picture: correct the layout or the camera")
        found.append(Window(region, left, top, right, bottom, card_px))
    return found


def in_order(readings: Sequence[Reading]) -> list[Reading]:
    """The cards of one hand from the lowest to the one on top: along the line from the covered cards to the one that
    shows both its ends. Each gets its ``order``."""
    cards = list(readings)
    if len(cards) > 1:
        centres = np.array([reading.centre for reading in cards])
        whole = [n for n, reading in enumerate(cards) if reading.ends == 2]
        covered = [n for n, reading in enumerate(cards) if reading.ends != 2]
        if whole and covered:
            way = centres[whole].mean(axis=0) - centres[covered].mean(axis=0)
        else:
            _, _, axes = np.linalg.svd(centres - centres.mean(axis=0))
            way = axes[0] if axes[0][np.abs(axes[0]).argmax()] > 0 else -axes[0]
        along = (centres - centres.mean(axis=0)) @ way
        cards = [cards[int(n)] for n in np.argsort(along, kind="stable")]
    return [replace(reading, order=number) for number, reading in enumerate(cards)]


class TableReader:
    """Reads a calibrated table region by region, or a whole picture where there is no calibration."""

    def __init__(self, recognizer: Recognizer, calibration: Calibration | None = None) -> None:
        """Raises VisionError where a region lies outside the picture."""
        self.recognizer = recognizer
        self.calibration = calibration
        self.windows = windows(calibration) if calibration else []

    def read(
        self,
        picture: Image,
        time_ms: int = 0,
        possible: Mapping[str, int] | None = None,
        only: Sequence[str] | None = None,
    ) -> Sighting:
        """One look. ``possible`` is how many of each face may lie in sight (see `vision.compose`); ``only`` names the
        regions to look at, all without it. Raises VisionError where the picture has another size than calibrated."""
        start = time.perf_counter()
        height, width = picture.shape[:2]
        if self.calibration is None:
            sighting = self.recognizer.read(picture, time_ms)
            readings = list(sighting.readings)
        else:
            self.check(picture)
            readings = []
            for window in self.windows:
                if only is None or window.region.name in only:
                    readings.extend(in_order(self._region(picture, window)))
        if possible is not None:
            readings = list(checked(readings, possible))
        return Sighting(tuple(readings), width, height, time_ms, (time.perf_counter() - start) * 1000)

    def check(self, picture: Image) -> None:
        """Raises VisionError where the picture has another size than calibrated."""
        height, width = picture.shape[:2]
        if self.calibration and (width, height) != (self.calibration.width, self.calibration.height):
            raise VisionError(
                f"the picture has {width} × {height} pixels, the calibration is for {self.calibration.width} × "
                f"{self.calibration.height}: calibrate again"
            )

    def _flattener(self, window: Window) -> Flatten | None:
        calibration = self.calibration
        if calibration is None:
            return None
        return lambda pose: on_table(calibration, pose, window.left, window.top)

    def _region(self, picture: Image, window: Window) -> list[Reading]:
        part = picture[window.top : window.bottom, window.left : window.right]
        seen = self.recognizer.read(part, card_px=window.card_px, flatten=self._flattener(window))
        found = []
        for reading in seen.readings:
            moved = _shifted(reading, window.left, window.top)
            here = self.calibration and self.calibration.region_at(*moved.centre)
            if here and here.name == window.region.name:
                found.append(replace(moved, region=here.name))
        return found


def on_table(calibration: Calibration, pose: IndexPose, left: float = 0.0, top: float = 0.0) -> IndexPose:
    """A pose in the picture (moved by ``left`` and ``top``) as a pose on the table, in millimetres."""
    up = from_frame(pose, 0.0, -0.5)
    points = np.array([[pose.x + left, pose.y + top], [up[0] + left, up[1] + top]])
    middle, tip = calibration.table(points)
    across, along = float(tip[0] - middle[0]), float(tip[1] - middle[1])
    height = 2 * math.hypot(across, along)
    return IndexPose(float(middle[0]), float(middle[1]), math.atan2(across, -along), height)


def _shifted(reading: Reading, right: float, down: float) -> Reading:
    corners: list[Point] = [(x + right, y + down) for x, y in reading.corners]
    outline: Quad = (corners[0], corners[1], corners[2], corners[3])
    return replace(reading, corners=outline, indices=tuple((x + right, y + down) for x, y in reading.indices))


def faces_by_region(sighting: Sighting) -> dict[str, list[str]]:
    """What lies in each region, lowest card first, as text."""
    found: dict[str, list[str]] = {}
    for reading in sighting.readings:
        found.setdefault(reading.region, []).append(reading.text)
    return found
