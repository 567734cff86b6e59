"""What need not be looked at: regions in which something moves, and those in which nothing has changed for a while."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.compose import checked
from vision.patches import Image
from vision.readings import Reading, Sighting
from vision.table import TableReader, Window
from vision.track import MOTION_STEP

REST_MS = 1_500
LEAST_LOOKS = 8
"""How long, and how often at least, a region is looked at once it is at rest: longer than any reading takes to lock,
on a slow machine too."""

CARD_CELLS = 20
"""Width of a card in cells, at which a region is compared with what it was."""

LEAST_CELLS = 3
"""Changed cells that count: fewer are specks of noise."""


@dataclass(slots=True)
class _Watched:
    """One region: how it looked in the frame before and when it was last read, since when it is at rest and how often
    it was read since, what was read."""

    before: Image | None = None
    read: Image | None = None
    rest_ms: int = 0
    looks: int = 0
    readings: tuple[Reading, ...] = ()


class RegionGate:
    """Reads a calibrated table and saves the work that tells nothing new. Without regions everything is read."""

    def __init__(self, reader: TableReader) -> None:
        """Nothing has been read at the start."""
        self._reader = reader
        self._watched = {window.region.name: _Watched() for window in reader.windows}
        self.moving: frozenset[str] = frozenset()
        """the regions in which something moved in the last frame; all of them in the first"""

    def read(self, picture: Image, time_ms: int, possible: Mapping[str, int] | None = None) -> Sighting:
        """One look at what has to be looked at, with what is known of the rest. ``possible`` as in `TableReader.read`,
        over everything. Raises VisionError where the picture has another size than calibrated."""
        if not self._watched:
            return self._reader.read(picture, time_ms, possible)
        self._reader.check(picture)
        start = time.perf_counter()
        due = self.due(picture, time_ms)
        sighting = self._reader.read(picture, time_ms, only=due)
        for name in due:
            self._watched[name].readings = tuple(r for r in sighting.readings if r.region == name)
        readings: Sequence[Reading] = [r for watched in self._watched.values() for r in watched.readings]
        if possible is not None:
            readings = checked(readings, possible)
        return replace(sighting, readings=tuple(readings), look_ms=(time.perf_counter() - start) * 1000)

    def due(self, picture: Image, time_ms: int) -> tuple[str, ...]:
        """The regions to look at in this frame; each frame is to be asked about once. A region in motion waits, one at
        rest is looked at for `REST_MS`, and again as soon as it differs from what was last looked at."""
        found, in_motion = [], set()
        for window in self._reader.windows:
            name = window.region.name
            watched, now = self._watched[name], _cells(picture, window)
            first = watched.before is None
            moving = watched.before is not None and _differ(watched.before, now)
            if moving or first:
                in_motion.add(name)
                watched.rest_ms, watched.looks = time_ms, 0
            watched.before = now
            new = watched.read is None or _differ(watched.read, now)
            if not moving and (new or time_ms - watched.rest_ms <= REST_MS or watched.looks < LEAST_LOOKS):
                if new:
                    watched.rest_ms, watched.looks = time_ms, 0
                watched.looks += 1
                watched.read = now
                found.append(name)
        self.moving = frozenset(in_motion)
        return tuple(found)


def _cells(picture: Image, window: Window) -> Image:
    part = picture[window.top : window.bottom, window.left : window.right]
    scale = min(1.0, CARD_CELLS / window.card_px)
    size = (max(4, round(part.shape[1] * scale)), max(4, round(part.shape[0] * scale)))
    return np.asarray(cv2.cvtColor(cv2.resize(part, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY), np.uint8)


def _differ(before: Image, after: Image) -> bool:
    return before.shape != after.shape or int((cv2.absdiff(before, after) > MOTION_STEP).sum()) > LEAST_CELLS
