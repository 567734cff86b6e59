"""Fits the dense network to a stock of rendered scenes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.train.dense_batch import batch, load_scene
from vision.train.fitting import Course, Fitting
from vision.train.nets import DenseNet

SURFACE_WEIGHTS = (1.0, 1.0, 2.5)
"""Backs are rarer than faces and ground."""

SCRATCH_RATE, ONWARD_RATE = 4e-3, 1.2e-3
"""The highest rate of learning, from scratch and from weights that there are."""


def loss_of(
    out: torch.Tensor, heat: torch.Tensor, pose: torch.Tensor, counts: torch.Tensor, kinds: torch.Tensor
) -> torch.Tensor:
    """Focal loss of the heat, distances of the pose, cross entropy of the surface."""
    chance = torch.sigmoid(out[:, 0]).clamp(1e-5, 1 - 1e-5)
    hit, taught = (heat >= 0.999).float(), (heat >= 0).float()
    miss = -((1 - chance) ** 2) * chance.log() * hit
    ghost = -((1 - heat.clamp(min=0)) ** 4) * chance**2 * (1 - chance).log() * (1 - hit) * taught
    focal = (miss.sum() + ghost.sum()) / hit.sum().clamp(min=1)
    off = (out[:, 1:6] - pose).abs() * counts[:, None]
    weights = torch.tensor([0.6, 0.6, 1.5, 1.5, 2.0]).view(1, 5, 1, 1)
    placed = (off * weights).sum() / counts.sum().clamp(min=1)
    shown = nn.functional.cross_entropy(out[:, 6:9], kinds, weight=torch.tensor(SURFACE_WEIGHTS))
    return focal + placed + 0.5 * shown


def fit(folder: Path, count: int, steps: int, seed: int, fitting: Fitting, start: DenseNet | None = None) -> DenseNet:
    """Fit to scenes 0 .. ``count`` - 1 of a stock in batches of 12, from scratch or from ``start``."""
    torch.manual_seed(seed)
    rng = np.random.default_rng((seed, 2))
    scenes = [load_scene(folder, number) for number in range(count)]

    def loss(net: DenseNet) -> torch.Tensor:
        pictures, *wanted = (torch.from_numpy(part) for part in batch(scenes, rng))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(pictures.contiguous(memory_format=torch.channels_last))
        return loss_of(out.float(), *wanted)

    rate = SCRATCH_RATE if start is None else ONWARD_RATE
    return fitting.run(start or DenseNet(), loss, Course(steps, rate, weight_decay=1e-4, warm_share=0.15), rng)
