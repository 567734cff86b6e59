"""Finding corner indices and the surfaces of cards in a picture with the dense network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import one_place
from vision.models import session
from vision.patches import Image, IndexPose

CELL_PX = 4
"""Size of a cell of the network's maps, in pixels of the picture it was shown."""

HEIGHT_UNIT_PX = 16.0
MIN_HEAT = 0.2
MAX_CANDIDATES = 400
"""A limit on everything: a picture with more corner indices than this is no card table."""

LEAST_HEIGHT_PX = 5.0
"""An index lower than this in the picture shown to the network is noise."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that looks like a corner index: its pose in picture pixels, how sure (0..1), the height at which the
    network saw it."""

    pose: IndexPose
    heat: float
    seen_px: float


@dataclass(frozen=True, slots=True)
class Surfaces:
    """Shares 0..1 of card face and card back for cells of a picture. ``scale`` turns picture pixels into cells."""

    face: npt.NDArray[np.float32]
    back: npt.NDArray[np.float32]
    scale: float


class DenseFinder:
    """The dense network on the CPU."""

    def __init__(self, threads: int = 1, weights: Path | None = None) -> None:
        """Load the shipped weights, or those in a folder. Raises VisionError where they are missing."""
        self._session = session("dense", threads, weights)

    def look(self, picture: Image, scale: float) -> tuple[list[Candidate], Surfaces]:
        """Candidates and surfaces of a BGR picture shown to the network at ``scale`` (the network knows cards of
        31 to 95 pixels' width). Candidates are best first."""
        height, width = picture.shape[:2]
        small_w, small_h = max(8, round(width * scale)), max(8, round(height * scale))
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = (
            picture
            if (small_w, small_h) == (width, height)
            else cv2.resize(picture, (small_w, small_h), interpolation=way)
        )
        right, low = -small_w % 8, -small_h % 8
        if right or low:
            small = cv2.copyMakeBorder(small, 0, low, 0, right, cv2.BORDER_REPLICATE)
        blob = small.astype(np.float32).transpose(2, 0, 1)[None] * np.float32(1 / 255)
        (maps,) = self._session.run(None, {"input": np.ascontiguousarray(blob)})
        rows, columns = math.ceil(small_h / CELL_PX), math.ceil(small_w / CELL_PX)
        out = np.asarray(maps, np.float32)[0, :, :rows, :columns]
        return _candidates(out, scale, (width, height)), _surfaces(out, scale)


def _surfaces(out: npt.NDArray[np.float32], scale: float) -> Surfaces:
    logits = out[6:9] - out[6:9].max(axis=0)
    shares = np.exp(logits)
    shares /= shares.sum(axis=0)
    return Surfaces(shares[1], shares[2], scale / CELL_PX)


def _candidates(out: npt.NDArray[np.float32], scale: float, size: tuple[int, int]) -> list[Candidate]:
    heat = 1 / (1 + np.exp(-out[0]))
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > MIN_HEAT)
    ys, xs = np.nonzero(peaks)
    best = np.argsort(-heat[ys, xs], kind="stable")[:MAX_CANDIDATES]
    found = []
    for y, x in zip(ys[best], xs[best], strict=True):
        dx, dy, cos, sin, ln = (float(v) for v in out[1:6, y, x])
        seen = HEIGHT_UNIT_PX * math.exp(min(ln, 3.0))
        at_x, at_y = CELL_PX * (x + dx + 0.5) / scale, CELL_PX * (y + dy + 0.5) / scale
        if seen < LEAST_HEIGHT_PX or not (0 <= at_x < size[0] and 0 <= at_y < size[1]):
            continue
        pose = IndexPose(float(at_x), float(at_y), math.atan2(sin, cos), seen / scale)
        found.append(Candidate(pose, float(heat[y, x]), seen))
    return found


def merged(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates of several scales with the weaker of any two that share a place left out. One seen at a height the
    network knows well counts for more."""
    ranked = sorted(candidates, key=lambda c: -c.heat * math.exp(-abs(math.log(c.seen_px / 20)) * 0.35))
    kept: list[Candidate] = []
    for candidate in ranked[:MAX_CANDIDATES]:
        if not any(one_place(other.pose, candidate.pose) for other in kept):
            kept.append(candidate)
    return kept
