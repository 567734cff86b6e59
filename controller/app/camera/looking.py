"""One camera's looks: each frame judged, read where something changed, and settled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.app.camera.noticing import Change, Noticer
from controller.app.camera.settings import EyeSettings
from vision.calibrate import load_calibration
from vision.capture import Frame
from vision.compose import full_shoe
from vision.enrol import load_enrolment
from vision.gate import RegionGate
from vision.health import CameraHealth, Trouble
from vision.pictures import load
from vision.recognizer import Recognizer, Settings
from vision.table import TableReader
from vision.track import Tracker, Voting

VOTING: Final = Voting(window_ms=8_000)
"""Five looks that agree lock a card; on a busy machine they may take some seconds."""


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
        lying = {name: settings.lying.get(position, ()) for name, position in settings.positions.items()}
        self._noticer = Noticer(settings.positions, lying, self._possible)
        self._since_ms = 0
        self._latest_ms = 0
        self.anew()

    def anew(self) -> None:
        """The source was opened again: nothing is known of what happened meanwhile, and its clock begins at 0."""
        self._since_ms = self._latest_ms + 1
        self._tracker = Tracker(VOTING)
        self._noticer.pause()
        self._gate = RegionGate(self._reader)

    def look(self, frame: Frame) -> Look:
        """Take one frame. Raises VisionError where it has another size than calibrated."""
        now_ms = self._latest_ms = self._since_ms + frame.time_ms
        troubles = self._health.update(frame.picture, now_ms)
        if troubles:
            self._tracker = Tracker(VOTING)
            self._noticer.pause()
            self._gate = RegionGate(self._reader)
            return Look(troubles, ())
        settled = self._tracker.update(frame.picture, self._gate.read(frame.picture, now_ms, self._possible))
        return Look((), tuple(self._noticer.look(settled.readings, self._gate.moving, now_ms)))
