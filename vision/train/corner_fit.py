"""Fits the corner network to the indices of a stock of rendered scenes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from vision.faces import RANKS, SUITS
from vision.patches import IndexPose, Pyramid, cut
from vision.synth.light import Rng, motion_blur
from vision.train.nets import CornerNet

NO_RANK, NO_SUIT = 13, 4
BATCH = 96
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
                if rng.random() < 0.12:
                    wrong = pose.moved(*rng.uniform((-0.9, -0.9, 0.6, -0.4), (0.9, 0.9, 5.6, 0.4)).tolist())
                    found.append(Sample(_window(pyramid, wrong), NO_RANK, NO_SUIT))
            elif 0.05 < index["visible"] < 0.55 and inside and rng.random() < 0.4:
                found.append(Sample(_window(pyramid, pose), NO_RANK, NO_SUIT))
        if not card["indices"]:
            found.extend(_foreign(pyramid, card, rng))
    for _ in range(2):
        x, y = rng.uniform(20, 620, 2)
        pose = IndexPose(x, y, rng.uniform(0, 6.3), float(rng.choice(heights)))
        found.append(Sample(_window(pyramid, pose), -1, -1))
    return found


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


def gather(folder: Path, count: int, seed: int) -> list[Sample]:
    """Samples of scenes 0 .. ``count`` - 1. Random places count as nothing only where no index lies near: they are
    kept from scenes' ground alone."""
    rng = np.random.default_rng((seed, 3))
    kept = []
    for number in range(count):
        for sample in samples_of(folder, number, rng):
            kept.append(Sample(sample.window, NO_RANK, NO_SUIT) if sample.rank < 0 else sample)
    return kept


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
