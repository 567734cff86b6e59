"""Whether the camera itself can be believed: frozen, black, moved or out of focus."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.patches import Image

Edges = npt.NDArray[np.float32]

WIDTH_PX = 480
"""Width at which frames are judged."""

FROZEN_AFTER_MS = 2_000
"""A real sensor's noise changes every frame; frames equal to the last bit for so long are a frozen stream."""

BLACK_LEVEL = 12.0
"""Mean of the brightest tenth below which the lens is covered or the light is out."""

MOVED_PX = 3.0
"""Shift of the whole picture, at `WIDTH_PX`, that makes a calibration wrong."""

PARTS = 3
"""Parts across and down in which a shift is looked for."""

LEAST_RESPONSE = 0.1
"""How clearly (0..1) a part must show where it went to have a vote."""

LEAST_MOVED, MOST_STILL = 2, 2
"""Parts that must have moved alike, and how many of them there must be for each that stayed. Of simulated tables with
markers, any cards and hands, 2 of 108 frames are accused so (by one vote of the whole picture: 22) and 3 of 108 moves
missed (21); without markers 10 (23) and 27 (25)."""

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
            now[Trouble.MOVED] = has_moved(self._reference, small)
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


def has_moved(before: Image, after: Image) -> bool:
    """Whether the whole picture moved by more than `MOVED_PX`. Its parts vote: a card laid beside one of the same kind
    looks like a camera moved by a card's width where it lies, and leaves the rest as it was; a camera that moved leaves
    nothing."""
    shifts = [shift for shift in _shifts(_edges(before), _edges(after)) if shift is not None]
    moved = [shift for shift in shifts if math.hypot(*shift) > MOVED_PX]
    together = max((sum(math.dist(one, other) < MOVED_PX for other in moved) for one in moved), default=0)
    return together >= LEAST_MOVED and together > MOST_STILL * (len(shifts) - len(moved))


def _edges(grey: Image) -> Edges:
    soft = cv2.GaussianBlur(grey, (0, 0), 1.2)
    return np.asarray(cv2.Sobel(soft, cv2.CV_32F, 1, 0) + cv2.Sobel(soft, cv2.CV_32F, 0, 1), np.float32)


def _shifts(before: Edges, after: Edges) -> Iterator[tuple[float, float] | None]:
    """How far each part moved, right and down in pixels; None for one that shows nothing or something else."""
    high, wide = before.shape[0] // PARTS, before.shape[1] // PARTS
    window = cv2.createHanningWindow((wide, high), cv2.CV_32F)
    for row, column in product(range(PARTS), repeat=2):
        part = slice(row * high, (row + 1) * high), slice(column * wide, (column + 1) * wide)
        first, second = (np.ascontiguousarray(edges[part]) for edges in (before, after))
        (right, down), response = cv2.phaseCorrelate(first, second, window)
        yield (right, down) if response > LEAST_RESPONSE else None
