"""Reading one corner index: what the corner network says of a patch, and what its ink says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.faces import FACES, RANKS, SUITS
from vision.models import session
from vision.patches import Image, IndexPose, Pyramid, cut_all

Floats = npt.NDArray[np.float32]

FEATURES = 128
RANK_OF = np.array([RANKS.index(face[0]) for face in FACES])
SUIT_OF = np.array([SUITS.index(face[1]) for face in FACES])

RED_INK, BLACK_INK = 0.32, 0.08
"""Redness (see `redness`) above which ink is surely red, below which surely not."""


@dataclass(frozen=True, slots=True)
class Corner:
    """One index as it was read: its refined pose, the chance of each of the 52 faces, the chance that it is none, how
    surely the dense network saw it, its straightened patch, the network's 128 features of it."""

    pose: IndexPose
    chances: Floats
    none: float
    heat: float
    patch: Image
    features: Floats

    @property
    def face(self) -> str:
        """The likeliest face."""
        return FACES[int(self.chances.argmax())]

    @property
    def chance(self) -> float:
        """The chance of the likeliest face, 0..1."""
        return float(self.chances.max())


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


class CornerReader:
    """The corner network on the CPU."""

    def __init__(self, threads: int = 1) -> None:
        """Load the shipped weights. Raises VisionError where they are missing."""
        self._session = session("corner", threads)

    def raw(self, patches: Image) -> Floats:
        """The network's 151 numbers for each of N patches: 14 rank and 5 suit logits, 4 of the pose, 128 features."""
        if not len(patches):
            return np.zeros((0, 23 + FEATURES), np.float32)
        blob = patches.transpose(0, 3, 1, 2).astype(np.float32) * np.float32(1 / 255)
        (out,) = self._session.run(None, {"input": np.ascontiguousarray(blob)})
        return np.asarray(out, np.float32)

    def read(
        self, pyramid: Pyramid, poses: Sequence[IndexPose], heats: Sequence[float], looks: int = 1
    ) -> list[Corner]:
        """Read every pose: straighten it by the network's own word, then look again. What is not clear at once is
        looked at ``looks`` times (1..5) slightly moved; the looks are averaged in the logarithm, so that one that
        disagrees lowers the chance."""
        if not poses:
            return []
        first = self.raw(cut_all(pyramid, poses))
        refined = [pose.moved(*_bounded(row[19:23])) for pose, row in zip(poses, first, strict=True)]
        patches = cut_all(pyramid, refined)
        seen = self.raw(patches)
        logs = _logs(seen)
        features = seen[:, 23:].copy()
        doubtful = np.flatnonzero(~_clear(logs)) if looks > 1 else np.zeros(0, np.int64)
        for right, down, turn, ln in LOOKS[: looks - 1] if len(doubtful) else ():
            out = self.raw(cut_all(pyramid, [refined[n].moved(right, down, turn, ln) for n in doubtful]))
            logs[doubtful] += _logs(out)
            features[doubtful] += out[:, 23:]
        logs[doubtful] /= looks
        features[doubtful] /= looks
        ranks, suits = _softmax(logs[:, :14]), _softmax(logs[:, 14:])
        faces = ranks[:, RANK_OF] * suits[:, SUIT_OF]
        none = 1 - (1 - ranks[:, 13]) * (1 - suits[:, 4])
        return [
            Corner(pose, faces[n], float(none[n]), heats[n], patches[n], features[n]) for n, pose in enumerate(refined)
        ]


def _logs(out: Floats) -> Floats:
    """Logarithms of the chances of the 14 ranks and the 5 suits, side by side."""
    return np.asarray(np.log(np.hstack([_softmax(out[:, :14]), _softmax(out[:, 14:19])]) + 1e-6), np.float32)


def _clear(logs: Floats) -> npt.NDArray[np.bool_]:
    """Which indices one look settles: surely a rank and a suit, or surely none."""
    best = np.exp(logs[:, :14].max(axis=1) + logs[:, 14:].max(axis=1))
    return np.asarray(best > CLEAR, np.bool_)


CLEAR = 0.99
"""Chance from which an index is not looked at again."""

LOOKS = (
    (0.04, 0.03, 0.09, 0.07),
    (-0.04, 0.03, -0.09, 0.07),
    (0.04, -0.03, -0.06, -0.08),
    (-0.04, -0.03, 0.06, -0.08),
)
"""How each further look is moved: shares of the index's height, radians, logarithm of the scale."""


def _bounded(row: Floats) -> tuple[float, float, float, float]:
    limits = np.array([0.35, 0.35, 0.5, 0.45], np.float32)
    right, down, turn, ln = np.clip(row, -limits, limits).tolist()
    return right, down, turn, ln


def redness(patch: Image) -> float:
    """How red the ink of an index is by its paper: near 0 for black, near 1 for red; -1 where no ink is seen."""
    middle = patch[6:46, 6:30].reshape(-1, 3).astype(np.float32)
    paper = np.percentile(middle, 90, axis=0)
    if paper.min() < 25:
        return -1.0
    share = middle / paper
    depth = 1 - share.min(axis=1)
    ink = depth > max(0.25, 0.6 * float(np.percentile(depth, 97)))
    if ink.sum() < 12:
        return -1.0
    blue, green, red = share[ink].mean(axis=0)
    return float((red - (green + blue) / 2) / max(0.05, 1 - min(green, blue)))
