"""Whether the camera itself can be believed: frozen, black, moved or out of focus."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from vision.patches import Image

WIDTH_PX = 480
"""Width at which frames are judged."""

FROZEN_AFTER_MS = 2_000
"""A real sensor's noise changes every frame; frames equal to the last bit for so long are a frozen stream."""

BLACK_LEVEL = 12.0
"""Mean of the brightest tenth below which the lens is covered or the light is out."""

MOVED_PX = 3.0
"""Shift of the whole picture, at `WIDTH_PX`, that makes a calibration wrong."""

BLURRED_SHARE = 0.35
"""Sharpness by that of the reference below which the lens is out of focus."""

PERSISTENT = 5
"""Frames in a row that must show a trouble, so that a passing arm is none."""


class Trouble(StrEnum):
    """What is wrong with the camera."""

    FROZEN = "frozen"
    BLACK = "black"
    MOVED = "moved"
    DEFOCUSED = "defocused"

    @property
    def sentence(self) -> str:
        """What a person should do."""
        return {
            Trouble.FROZEN: "the camera gives the same picture again and again: restart it",
            Trouble.BLACK: "the picture is black: is the lens covered or the light out?",
            Trouble.MOVED: "the camera was moved: put it back or calibrate again",
            Trouble.DEFOCUSED: "the picture is out of focus: clean or focus the lens",
        }[self]


@dataclass(slots=True)
class _Streak:
    frames: int = 0


class CameraHealth:
    """Watches one camera's frames. The first good frame, or the one given, is the reference."""

    def __init__(self, reference: Image | None = None) -> None:
        """``reference`` is a BGR frame of the camera as it was calibrated."""
        self._reference = None if reference is None else _small(reference)
        self._before: Image | None = None
        self._same_since_ms: int | None = None
        self._streaks = {trouble: _Streak() for trouble in Trouble}

    def update(self, picture: Image, time_ms: int) -> tuple[Trouble, ...]:
        """Judge a frame; the troubles that are there now, none in order."""
        small = _small(picture)
        now = {
            Trouble.FROZEN: self._frozen(picture, time_ms),
            Trouble.BLACK: float(np.percentile(small, 90)) < BLACK_LEVEL,
        }
        if self._reference is None and not now[Trouble.BLACK]:
            self._reference = small
        if self._reference is not None and self._reference.shape == small.shape and not now[Trouble.BLACK]:
            now[Trouble.MOVED] = shift_of(self._reference, small) > MOVED_PX
            blurred = sharpness(small) < BLURRED_SHARE * sharpness(self._reference)
            now[Trouble.DEFOCUSED] = blurred and not now[Trouble.MOVED]
        for trouble, streak in self._streaks.items():
            streak.frames = streak.frames + 1 if now.get(trouble, False) else 0
        return tuple(t for t, s in self._streaks.items() if s.frames >= (1 if t is Trouble.FROZEN else PERSISTENT))

    def _frozen(self, picture: Image, time_ms: int) -> bool:
        same = self._before is not None and np.array_equal(self._before, picture)
        self._before = picture
        if not same:
            self._same_since_ms = None
            return False
        if self._same_since_ms is None:
            self._same_since_ms = time_ms
        return time_ms - self._same_since_ms >= FROZEN_AFTER_MS


def _small(picture: Image) -> Image:
    height = max(8, round(picture.shape[0] * WIDTH_PX / picture.shape[1]))
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (WIDTH_PX, height), interpolation=cv2.INTER_AREA), np.uint8)


def sharpness(grey: Image) -> float:
    """How sharp the sharpest parts of a grey picture are, by its contrast: cards and hands that come and go change
    little of it."""
    fine = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    return float(np.percentile(fine, 98)) / max(4.0, float(grey.std()))


def shift_of(before: Image, after: Image) -> float:
    """How far the whole picture moved, in its pixels. Most of it decides: what lies on the table may change."""
    edges = [cv2.Sobel(cv2.GaussianBlur(g, (0, 0), 1.2), cv2.CV_32F, 1, 0) for g in (before, after)]
    edges = [
        e + cv2.Sobel(cv2.GaussianBlur(g, (0, 0), 1.2), cv2.CV_32F, 0, 1)
        for e, g in zip(edges, (before, after), strict=True)
    ]
    window = cv2.createHanningWindow((before.shape[1], before.shape[0]), cv2.CV_32F)
    (dx, dy), response = cv2.phaseCorrelate(edges[0], edges[1], window)
    return float(np.hypot(dx, dy)) if response > 0.05 else 0.0
