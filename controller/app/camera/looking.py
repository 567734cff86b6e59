"""One camera's looks: each frame judged, read where something changed, and settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.app.camera.noticing import Change, Noticer
from controller.app.camera.settings import EyeSettings
from vision.calibrate import load_calibration
from vision.capture import Frame
from vision.compose import checked, full_shoe
from vision.enrol import load_enrolment
from vision.health import CameraHealth, Trouble
from vision.patches import Image
from vision.pictures import load
from vision.readings import Reading, Sighting
from vision.recognizer import Recognizer, Settings
from vision.table import TableReader
from vision.track import Tracker, Voting, motion_mask

VOTING: Final = Voting(window_ms=3_000)
"""Five looks that agree lock a card; on a busy machine they may take longer than a second."""

MOVING_SHARE: Final = 0.01
"""Share of a region's surface that must differ between two frames for something to move there."""

LOOKS_AT_REST: Final = 12
"""A region is read so many times after something moved in it; then only now and then."""

NOW_AND_THEN: Final = 8
"""At rest a region is read again with every look of this number: light changes slowly."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a look found: the troubles of the camera there are now, and what came and went."""

    troubles: tuple[Trouble, ...]
    changes: tuple[Change, ...]


class Looker:
    """Looks at the frames of one camera in turn. A shoe's composition is the whole of it: what the shoe has said of its
    cards is not used, for a second source must not believe the first."""

    def __init__(self, settings: EyeSettings) -> None:
        """Loads networks and files. Raises VisionError with one line."""
        calibration = load_calibration(Path(settings.calibration))
        deck = load_enrolment(Path(settings.deck)) if settings.deck else None
        self._reader = TableReader(Recognizer(Settings(deck=deck)), calibration)
        self._possible = full_shoe(calibration.layout.decks)
        self._health = CameraHealth(load(Path(settings.reference)) if settings.reference else None)
        self._regions = {name: _outline(self._reader, name) for name in settings.positions}
        lying = {name: settings.lying.get(position, ()) for name, position in settings.positions.items()}
        self._noticer = Noticer(settings.positions, lying)
        self._since_ms = 0
        self._latest_ms = 0
        self.anew()

    def anew(self) -> None:
        """The source was opened again: nothing is known of what happened meanwhile, and its clock begins at 0."""
        self._since_ms = self._latest_ms + 1
        self._tracker = Tracker(VOTING)
        self._noticer.pause()
        self._before: Image | None = None
        self._raw: dict[str, Sequence[Reading]] = {}
        self._looks = dict.fromkeys(self._regions, 0)
        self._number = 0

    def look(self, frame: Frame) -> Look:
        """Take one frame. Raises VisionError where it has another size than calibrated."""
        now_ms = self._latest_ms = self._since_ms + frame.time_ms
        troubles = self._health.update(frame.picture, now_ms)
        if troubles:
            self._tracker = Tracker(VOTING)
            self._noticer.pause()
            self._before = None
            return Look(troubles, ())
        moving = self._moving(frame.picture)
        settled = self._tracker.update(frame.picture, self._read(frame.picture, moving, now_ms))
        return Look((), tuple(self._noticer.look(settled.readings, moving, now_ms)))

    def _moving(self, picture: Image) -> set[str]:
        """The regions in which something moves; all of them in the first frame."""
        before, self._before = self._before, picture
        if before is None:
            return set(self._regions)
        mask = motion_mask(before, picture)
        scale = mask.shape[1] / picture.shape[1]
        return {name for name, outline in self._regions.items() if _share(mask, outline * scale) > MOVING_SHARE}

    def _read(self, picture: Image, moving: set[str], now_ms: int) -> Sighting:
        """The raw readings of the whole table, those of a region at rest as they were found before."""
        self._number += 1
        wanted = []
        for place, name in enumerate(self._regions):
            self._looks[name] = 0 if name in moving else self._looks[name] + 1
            if self._looks[name] <= LOOKS_AT_REST or (self._number + place) % NOW_AND_THEN == 0:
                wanted.append(name)
        seen = self._reader.read(picture, now_ms, only=wanted)
        for name in wanted:
            self._raw[name] = [reading for reading in seen.readings if reading.region == name]
        readings = checked([reading for found in self._raw.values() for reading in found], self._possible)
        return Sighting(readings, seen.width, seen.height, now_ms, seen.look_ms)


def _outline(reader: TableReader, name: str) -> Image:
    """The corners of a region in the picture."""
    calibration = reader.calibration
    assert calibration is not None
    region = next(region for region in calibration.layout.region if region.name == name)
    return np.asarray(calibration.picture(np.array(region.polygon_mm)))


def _share(mask: Image, outline: Image) -> float:
    inside = np.zeros_like(mask)
    cv2.fillPoly(inside, [np.round(outline).astype(np.int32)], 1)
    return float((mask & inside).sum()) / max(1, int(inside.sum()))
