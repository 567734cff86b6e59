"""Cutting upright patches of one size out of a picture: a corner index, straightened and scaled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]

PATCH_HEIGHT_PX = 52
PATCH_WIDTH_PX = 36
INDEX_HEIGHT_PX = 36
"""Height of the index within its patch; the rest is what surrounds it."""


@dataclass(frozen=True, slots=True)
class IndexPose:
    """Where a corner index lies in a picture: middle and height in pixels, angle of its upright in radians (0 upright,
    clockwise)."""

    x: float
    y: float
    angle: float
    height_px: float

    def moved(self, right: float, down: float, turn: float, ln_scale: float) -> IndexPose:
        """The pose shifted in the index's own frame by shares of its height, turned (radians) and scaled."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        x = self.x + self.height_px * (right * cos - down * sin)
        y = self.y + self.height_px * (right * sin + down * cos)
        return IndexPose(x, y, self.angle + turn, self.height_px * math.exp(ln_scale))


class Pyramid:
    """A picture and its halved versions, so that a large index is not sampled sparsely."""

    def __init__(self, picture: Image) -> None:
        """``picture`` is BGR."""
        self.levels: list[Image] = [picture]

    def level(self, scale: float) -> tuple[Image, float]:
        """The version to sample from where one patch pixel spans ``scale`` picture pixels, and its own reduction."""
        wanted = max(0, math.floor(math.log2(max(scale, 1e-6)) + 0.35))
        while len(self.levels) <= wanted and min(self.levels[-1].shape[:2]) >= 16:
            last = self.levels[-1]
            self.levels.append(
                np.asarray(cv2.resize(last, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            )
        wanted = min(wanted, len(self.levels) - 1)
        return self.levels[wanted], 2.0**wanted


def cut(pyramid: Pyramid, pose: IndexPose) -> Image:
    """The patch (52 × 36 × 3) around an index; what lies outside the picture repeats its border."""
    scale = pose.height_px / INDEX_HEIGHT_PX
    source, reduction = pyramid.level(scale)
    step = scale / reduction
    cos, sin = math.cos(pose.angle) * step, math.sin(pose.angle) * step
    middle_x, middle_y = (PATCH_WIDTH_PX - 1) / 2, (PATCH_HEIGHT_PX - 1) / 2
    x = (pose.x + 0.5) / reduction - 0.5
    y = (pose.y + 0.5) / reduction - 0.5
    matrix = np.array(
        [[cos, -sin, x - cos * middle_x + sin * middle_y], [sin, cos, y - sin * middle_x - cos * middle_y]], np.float64
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (PATCH_WIDTH_PX, PATCH_HEIGHT_PX)
    return np.asarray(cv2.warpAffine(source, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def cut_all(pyramid: Pyramid, poses: Sequence[IndexPose]) -> Image:
    """Patches of many poses, N × 52 × 36 × 3."""
    if not poses:
        return np.zeros((0, PATCH_HEIGHT_PX, PATCH_WIDTH_PX, 3), np.uint8)
    return np.stack([cut(pyramid, pose) for pose in poses])
