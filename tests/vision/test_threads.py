"""A process that looks all day keeps to one core."""

from __future__ import annotations

import cv2

from vision.threads import one_core


def test_opencv_keeps_to_one_core() -> None:
    before = cv2.getNumThreads()
    try:
        one_core()
        assert cv2.getNumThreads() == 1
    finally:
        cv2.setNumThreads(before)
