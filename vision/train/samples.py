"""Corner samples cut from a stock of rendered scenes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.detect import DenseFinder
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


LEAST_HEAT, MOST_MINED = 0.25, 4
"""How sure the finder must be of a place that is no index, and how many of them are taken of a scene."""

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


def samples_of(folder: Path, number: int, rng: Rng, finder: DenseFinder) -> list[Sample]:
    """The visible indices of a scene; as samples of nothing the covered ones, random places, and what ``finder`` takes
    for an index where none is."""
    pyramid = Pyramid(np.asarray(cv2.imread(str(folder / f"{number}.jpg")), np.uint8))
    label = json.loads((folder / f"{number}.json").read_text())
    found, poses = [], []
    for card in label["cards"]:
        for index in card["indices"]:
            pose = IndexPose(index["x"], index["y"], np.radians(index["angle_deg"]), index["height_px"])
            poses.append(pose)
            inside = 0 <= pose.x < 640 and 0 <= pose.y < 640
            if index["visible"] >= 0.93:
                rank, suit = RANKS.index(card["code"][0]), SUITS.index(card["code"][1])
                found.append(Sample(_window(pyramid, pose), rank, suit))
                if rng.random() < 0.3:
                    found.append(Sample(_window(pyramid, _beside(pose, rng)), NO_RANK, NO_SUIT))
            elif 0.05 < index["visible"] < 0.7 and inside and rng.random() < 0.6:
                found.append(Sample(_window(pyramid, pose), NO_RANK, NO_SUIT))
        if not card["indices"]:
            found.extend(_foreign(pyramid, card, rng))
    candidates, _ = finder.look(pyramid.levels[0], 0.5)
    places = [c.pose for c in candidates if c.heat > LEAST_HEAT and _free(c.pose, poses)][:MOST_MINED]
    for _ in range(2):
        x, y = rng.uniform(20, 620, 2)
        height = float(rng.choice([pose.height_px for pose in poses])) if poses else 30.0
        places.append(IndexPose(x, y, rng.uniform(0, 6.3), height))
    found.extend(Sample(_window(pyramid, pose), NO_RANK, NO_SUIT) for pose in places if _free(pose, poses))
    return found


def _free(place: IndexPose, indices: list[IndexPose]) -> bool:
    """Whether no index lies there, not even a covered one."""
    return all(np.hypot(place.x - i.x, place.y - i.y) > 0.5 * max(place.height_px, i.height_px) for i in indices)


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
    """Samples of scenes 0 .. ``count`` - 1. What is no index but looks like one is found with the shipped weights."""
    rng, finder = np.random.default_rng((seed, 3)), DenseFinder()
    return [sample for number in range(count) for sample in samples_of(folder, number, rng, finder)]
