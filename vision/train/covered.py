"""Corner samples partly covered by another card, as in a fan: a rank over a neighbour's suit is no index."""

from __future__ import annotations

import cv2
import numpy as np

from vision.synth.light import Rng
from vision.train.samples import NO_RANK, NO_SUIT, WINDOW_INDEX_PX, WINDOW_PX, Sample

HALF_WIDTH = 0.22
"""Half the width of an index, in its height."""

STAYS, GONE = 0.03, 0.3
"""Shares of an index that may be covered for it to be one still, and from which it is none."""


def _edge(rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    """Where the card on top lies in the window (1), and its edge (1): one side of a line near the index."""
    ys, xs = np.mgrid[0:WINDOW_PX, 0:WINDOW_PX].astype(np.float32) - (WINDOW_PX - 1) / 2
    angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.2, 0.55) * WINDOW_INDEX_PX
    away = xs * np.float32(np.cos(angle)) + ys * np.float32(np.sin(angle)) - np.float32(offset)
    return (away > 0).astype(np.float32), (np.abs(away) < rng.uniform(0.3, 1.2)).astype(np.float32)


def overlaid(sample: Sample, other: Sample, rng: Rng) -> Sample:
    """A sample with the print of another laid over a part of it. It stays what it is where its index is not covered
    and becomes a sample of nothing where much of it is; what lies between is given back as it was."""
    over, edge = _edge(rng)
    middle = WINDOW_PX // 2
    tall, wide = WINDOW_INDEX_PX // 2, round(HALF_WIDTH * WINDOW_INDEX_PX)
    covered = float(over[middle - tall : middle + tall, middle - wide : middle + wide].mean())
    if STAYS < covered < GONE:
        return sample
    right, down = rng.normal(0, 0.25, 2) * WINDOW_INDEX_PX
    moved = cv2.warpAffine(
        other.window,
        np.array([[1, 0, right], [0, 1, down]], np.float64),
        (WINDOW_PX, WINDOW_PX),
        borderMode=cv2.BORDER_REPLICATE,
    )
    shade = edge * rng.uniform(0, 0.8)
    window = np.where(over[..., None] > 0, moved, sample.window) * (1 - shade[..., None])
    kinds = (sample.rank, sample.suit) if covered <= STAYS else (NO_RANK, NO_SUIT)
    return Sample(np.asarray(window, np.uint8), *kinds)
