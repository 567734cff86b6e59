"""Corner samples cut from a stock of rendered scenes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces import RANKS, SUITS
from vision.patches import IndexPose, Pyramid
from vision.synth.light import Rng

NO_RANK, NO_SUIT = 13, 4
Image = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Sample:
    """An index with its neighbourhood, upright, and what it is; ``rank`` 13 and ``suit`` 4 mean none of them."""

    window: Image
    """BGR, cut wide enough to jitter in: the index is `WINDOW_INDEX_PX` high in the middle."""

    rank: int
    suit: int


WINDOW_PX = 96
WINDOW_INDEX_PX = 44


def _window(pyramid: Pyramid, pose: IndexPose) -> Image:
    scale = pose.height_px / WINDOW_INDEX_PX
    source, reduction = pyramid.level(scale)
    step = scale / reduction
    cos, sin = np.cos(pose.angle) * step, np.sin(pose.angle) * step
    middle = (WINDOW_PX - 1) / 2
    x, y = (pose.x + 0.5) / reduction - 0.5, (pose.y + 0.5) / reduction - 0.5
    matrix = np.array([[cos, -sin, x - cos * middle + sin * middle], [sin, cos, y - sin * middle - cos * middle]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (WINDOW_PX, WINDOW_PX)
    return np.asarray(cv2.warpAffine(source, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def samples_of(folder: Path, number: int, rng: Rng) -> list[Sample]:
    """The visible indices of a scene, the covered ones and random places as samples of nothing."""
    pyramid = Pyramid(np.asarray(cv2.imread(str(folder / f"{number}.jpg")), np.uint8))
    label = json.loads((folder / f"{number}.json").read_text())
    found, heights = [], [30.0]
    for card in label["cards"]:
        for index in card["indices"]:
            pose = IndexPose(index["x"], index["y"], np.radians(index["angle_deg"]), index["height_px"])
            heights.append(pose.height_px)
            inside = 0 <= pose.x < 640 and 0 <= pose.y < 640
            if index["visible"] >= 0.93:
                rank, suit = RANKS.index(card["code"][0]), SUITS.index(card["code"][1])
                found.append(Sample(_window(pyramid, pose), rank, suit))
                if rng.random() < 0.3:
                    found.append(Sample(_window(pyramid, _beside(pose, rng)), NO_RANK, NO_SUIT))
            elif 0.05 < index["visible"] < 0.55 and inside and rng.random() < 0.4:
                found.append(Sample(_window(pyramid, pose), NO_RANK, NO_SUIT))
        if not card["indices"]:
            found.extend(_foreign(pyramid, card, rng))
    for _ in range(2):
        x, y = rng.uniform(20, 620, 2)
        pose = IndexPose(x, y, rng.uniform(0, 6.3), float(rng.choice(heights)))
        found.append(Sample(_window(pyramid, pose), -1, -1))
    return found


def _beside(pose: IndexPose, rng: Rng) -> IndexPose:
    """A place on the same card that is no index: beside it in any direction, or pips and pictures further inside,
    upright or upside down as these are."""
    if rng.random() < 0.4:
        return pose.moved(*rng.uniform((-0.9, -0.9, 0.6, -0.4), (0.9, 0.9, 5.6, 0.4)).tolist())
    right, down = rng.uniform(0.75, 2.6), rng.uniform(-0.3, 3.0)
    turn = rng.normal(0, 0.15) + np.pi * rng.integers(0, 2)
    return pose.moved(float(right), float(down), float(turn), float(rng.normal(0, 0.25)))


def _foreign(pyramid: Pyramid, card: dict[str, object], rng: Rng) -> list[Sample]:
    corners = np.array(card["corners"], np.float64)
    if float(str(card["visible"])) < 0.6:
        return []
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    wide = float(np.linalg.norm(across))
    angle = float(np.arctan2(across[1], across[0]))
    found = []
    for end in (0, 1):
        shift = rng.uniform(0.08, 0.16), rng.uniform(0.12, 0.22)
        at = corners[0] + across * shift[0] + down * shift[1]
        if end:
            at = corners[0] + across * (1 - shift[0]) + down * (1 - shift[1])
        pose = IndexPose(float(at[0]), float(at[1]), angle + np.pi * end, wide * rng.uniform(0.25, 0.5))
        found.append(Sample(_window(pyramid, pose), NO_RANK, NO_SUIT))
    return found


def gather(folder: Path, count: int, seed: int) -> list[Sample]:
    """Samples of scenes 0 .. ``count`` - 1. Random places count as nothing only where no index lies near: they are
    kept from scenes' ground alone."""
    rng = np.random.default_rng((seed, 3))
    kept = []
    for number in range(count):
        for sample in samples_of(folder, number, rng):
            kept.append(Sample(sample.window, NO_RANK, NO_SUIT) if sample.rank < 0 else sample)
    return kept
