"""Fits the corner network to the indices of a stock of rendered scenes."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from vision.patches import IndexPose, Pyramid, cut
from vision.synth.light import Rng, motion_blur
from vision.train.nets import CornerNet
from vision.train.samples import NO_RANK, WINDOW_INDEX_PX, Sample

BATCH = 96
Image = npt.NDArray[np.uint8]


def jittered(sample: Sample, rng: Rng) -> tuple[Image, npt.NDArray[np.float32]]:
    """A patch with a wrong pose, as the dense network would give it, and what puts the pose right."""
    turn, ln_scale = rng.normal(0, 0.11), rng.normal(0, 0.12)
    right, down = rng.normal(0, 0.06, 2)
    height = WINDOW_INDEX_PX * np.exp(ln_scale)
    pose = IndexPose(47.5, 47.5, 0.0, WINDOW_INDEX_PX).moved(right, down, 0, 0)
    pose = IndexPose(pose.x, pose.y, turn, float(height))
    patch = cut(Pyramid(sample.window), pose)
    cos, sin = np.cos(turn), np.sin(turn)
    back = -np.array([right * cos + down * sin, -right * sin + down * cos]) / np.exp(ln_scale)
    return patch, np.array([back[0], back[1], -turn, -ln_scale], np.float32)


def spoiled(patch: Image, rng: Rng) -> Image:
    """The patch in another light, bleached, blurred."""
    work = patch.astype(np.float32)
    work = work * (rng.uniform(0.55, 1.25) * rng.uniform(0.88, 1.12, 3)).astype(np.float32)
    if rng.random() < 0.15:
        share = np.linspace(
            rng.uniform(0, 0.75), rng.uniform(0, 0.75), patch.shape[int(rng.integers(2))], dtype=np.float32
        )
        share = share[:, None, None] if len(share) == patch.shape[0] else share[None, :, None]
        lamp = np.array([rng.uniform(190, 255), rng.uniform(215, 255), 255], np.float32)
        work = work * (1 - share) + lamp * share
    if rng.random() < 0.1:
        work = work * 0.75 + np.array([20, 40, 70], np.float32) * rng.uniform(0.3, 1.0)
    out = np.clip(work, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.5))), np.uint8)
    if rng.random() < 0.1:
        out = motion_blur(out, float(rng.uniform(1, 4)), float(rng.uniform(0, np.pi)))
    if rng.random() < 0.15:
        small = cv2.resize(out, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        out = np.asarray(cv2.resize(small, out.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
    return out


def loss_of(out: torch.Tensor, rank: torch.Tensor, suit: torch.Tensor, pose: torch.Tensor) -> torch.Tensor:
    """Cross entropy of rank and suit, distance of the pose of real indices."""
    ranks = nn.functional.cross_entropy(out[:, :14], rank)
    suits = nn.functional.cross_entropy(out[:, 14:19], suit)
    real = (rank != NO_RANK).float()[:, None]
    placed = ((out[:, 19:23] - pose).abs() * real).sum() / real.sum().clamp(min=1)
    return ranks + suits + 1.5 * placed


def fit(
    samples: list[Sample], steps: int, seed: int, progress: Callable[[int, float], None], start: CornerNet | None = None
) -> CornerNet:
    """Fit to samples with batches of 96. ``progress`` is told step and mean loss."""
    torch.manual_seed(seed)
    rng = np.random.default_rng((seed, 4))
    net = start or CornerNet()
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=5e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, 3e-3 if start is None else 1.2e-3, total_steps=steps, pct_start=0.1
    )
    net.to(memory_format=torch.channels_last).train()
    mean = 0.0
    for step in range(1, steps + 1):
        chosen = [samples[int(n)] for n in rng.integers(0, len(samples), BATCH)]
        made = [jittered(sample, rng) for sample in chosen]
        patches = np.stack([spoiled(patch, rng) for patch, _ in made]).transpose(0, 3, 1, 2).astype(np.float32) / 255
        rank, suit = torch.tensor([s.rank for s in chosen]), torch.tensor([s.suit for s in chosen])
        pose = torch.from_numpy(np.stack([target for _, target in made]))
        loss = loss_of(net(torch.from_numpy(patches)), rank, suit, pose)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        plan.step()
        mean = float(loss.detach()) if step == 1 else 0.98 * mean + 0.02 * float(loss.detach())
        if step % 100 == 0:
            progress(step, mean)
    return net
