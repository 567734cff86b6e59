"""How many cores OpenCV may use in this process."""

from __future__ import annotations

import cv2


def one_core() -> None:
    """Keep OpenCV to one core: a process that looks all day leaves the others to the rest of the machine."""
    cv2.setNumThreads(1)
