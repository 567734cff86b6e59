"""Reading playing cards in pictures, or saying that they cannot be read.

Usable alone: `Recognizer` reads one picture, `TableReader` a calibrated table, `Tracker` settles readings over frames.
Needs the extra `tablewatch[vision]`; on a Debian machine without a desktop also the packages libgl1 and libglib2.0-0.
"""

from __future__ import annotations

from vision.calibrate import Calibration, load_calibration
from vision.capture import Frame, Source, opened
from vision.enrol import Enrolment, load_enrolment
from vision.errors import VisionError
from vision.faces import FACES
from vision.gate import RegionGate
from vision.health import CameraHealth, Trouble
from vision.readings import Kind, Reading, Reason, Sighting
from vision.recognizer import Recognizer, Settings
from vision.table import TableReader
from vision.track import Tracker, Voting

__all__ = [
    "FACES",
    "Calibration",
    "CameraHealth",
    "Enrolment",
    "Frame",
    "Kind",
    "Reading",
    "Reason",
    "Recognizer",
    "RegionGate",
    "Settings",
    "Sighting",
    "Source",
    "TableReader",
    "Tracker",
    "Trouble",
    "VisionError",
    "Voting",
    "load_calibration",
    "load_enrolment",
    "opened",
]
