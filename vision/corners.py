"""Reading one corner index: what the corner network says of a patch, and what its ink says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.faces import FACES, RANKS, SUITS
from vision.models import session
from vision.patches import Image, IndexPose, Pyramid, cut_all
from vision.pips import weighed

Floats = npt.NDArray[np.float32]

FEATURES = 128
RANK_OF = np.array([RANKS.index(face[0]) for face in FACES])
SUIT_OF = np.array([SUITS.index(face[1]) for face in FACES])

Part = tuple[slice, slice]
RANK_PART: Part = (slice(8, 26), slice(9, 27))
SUIT_PART: Part = (slice(29, 44), slice(10, 26))
"""Rows and columns of a patch where the rank and the suit are, narrow enough to leave out what lies beside them."""

RED_LEAST, BLACK_MOST = 0.18, 0.30
"""Redness (see `redness`) that red ink has at least and black ink at most, in any light."""

RED_PERCENT = 75
"""The percentile that must be red in red ink: of a thin stroke most pixels are half its surroundings."""

DARK_PAPER = 25.0
"""Brightness (0..255) of the paper below which colours say nothing."""

LEAST_INK_PX, LEAST_DEPTH = 24, 0.4
"""Pixels that must be ink, and how much darker than the paper the darkest are (0..1), for their colour to say anything:
of a thin or bleached print too little is seen."""


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

    def __init__(self, threads: int = 1, weights: Path | None = None) -> None:
        """Load the shipped weights, or those in a folder. Raises VisionError where they are missing."""
        self._session = session("corner", threads, weights)

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
        ranks, suits = _softmax(logs[:, :14]), weighed(_softmax(logs[:, 14:]), patches)
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


def redness(patch: Image, part: Part, percent: float = 50) -> float:
    """How red the ink of a part of an index is by its paper: near 0 for black, near 1 for red; -1 where no ink is seen.
    The middle value of its pixels (or another percentile): a neighbour's ink or the cloth beside the card does not
    count."""
    paper = np.percentile(patch[6:46, 6:30].reshape(-1, 3).astype(np.float32), 90, axis=0)
    if paper.min() < DARK_PAPER:
        return -1.0
    share = np.minimum(patch[part].reshape(-1, 3) / paper, 1.2)
    depth = 1 - share.min(axis=1)
    deepest = float(np.percentile(depth, 97))
    ink = depth > 0.6 * deepest
    if deepest < LEAST_DEPTH or ink.sum() < LEAST_INK_PX:
        return -1.0
    blue, green, red = share[ink].T
    return float(np.percentile((red - (green + blue) / 2) / np.maximum(0.05, 1 - np.minimum(green, blue)), percent))


def fits_ink(patch: Image, red: bool) -> bool:
    """Whether neither the rank nor the suit of an index is printed in ink of the other colour. Both are looked at: a
    black rank over a red suit is made of two cards."""
    seen = [redness(patch, part, RED_PERCENT if red else 50) for part in (RANK_PART, SUIT_PART)]
    return all(part > RED_LEAST or part < -0.5 for part in seen) if red else all(part < BLACK_MOST for part in seen)
