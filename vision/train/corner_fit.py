"""Fits the corner network to the indices of a stock of rendered scenes."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from vision.train.corner_batch import BLACK, batch
from vision.train.fitting import Course, Fitting
from vision.train.nets import CornerNet, as_pictures
from vision.train.samples import NO_RANK, Sample

SCRATCH_RATE, ONWARD_RATE = 3e-3, 1.2e-3
"""The highest rate of learning, from scratch and from weights that there are."""


def loss_of(out: torch.Tensor, rank: torch.Tensor, suit: torch.Tensor, pose: torch.Tensor) -> torch.Tensor:
    """Cross entropy of rank and suit, distance of the pose of real indices."""
    ranks = nn.functional.cross_entropy(out[:, :14], rank)
    suits = nn.functional.cross_entropy(out[:, 14:19], suit)
    real = (rank != NO_RANK).float()[:, None]
    placed = ((out[:, 19:23] - pose).abs() * real).sum() / real.sum().clamp(min=1)
    return ranks + suits + 1.5 * placed


def fit(samples: list[Sample], steps: int, seed: int, fitting: Fitting, start: CornerNet | None = None) -> CornerNet:
    """Fit to samples in batches of 96, from scratch or from ``start``."""
    torch.manual_seed(seed)
    rng = np.random.default_rng((seed, 4))
    black = [sample for sample in samples if sample.suit in BLACK]

    def loss(net: CornerNet) -> torch.Tensor:
        made = batch(samples, black, rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(as_pictures(made.patches))
        return loss_of(out.float(), *(torch.from_numpy(part) for part in (made.ranks, made.suits, made.poses)))

    rate = SCRATCH_RATE if start is None else ONWARD_RATE
    return fitting.run(start or CornerNet(), loss, Course(steps, rate, weight_decay=5e-4, warm_share=0.1), rng)
