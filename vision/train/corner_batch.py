"""What the corner network is fitted to: batches of indices wrongly cut, badly lit, bent, covered, out of focus."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces import SUITS
from vision.patches import IndexPose, Pyramid, cut
from vision.synth.light import Rng, motion_blur
from vision.train.covered import overlaid
from vision.train.samples import WINDOW_INDEX_PX, WINDOW_PX, Sample

BATCH = 96
OVERLAID_SHARE = 0.2
BENT_SHARE = 0.5
"""How many samples have their print bent: no two makers draw a spade alike."""

BEND_PX, BEND_POINTS = 1.4, 4
"""How far (standard deviation, an index being 44 high) each of so many points a side is moved."""

BLACK_SHARE = 0.15
"""How many samples are spades and clubs out of focus: what cannot be told must not be called sure."""

BLACK = (SUITS.index("S"), SUITS.index("C"))
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
    if rng.random() < 0.15:
        work = _shone_on(work, rng)
    if rng.random() < 0.1:
        work = work * 0.75 + np.array([20, 40, 70], np.float32) * rng.uniform(0.3, 1.0)
    out = np.clip(work, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.5))), np.uint8)
    if rng.random() < 0.2:
        out = motion_blur(out, float(rng.uniform(1, 6)), float(rng.uniform(0, np.pi)))
    if rng.random() < 0.15:
        small = cv2.resize(out, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        out = np.asarray(cv2.resize(small, out.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.2:
        noise = rng.normal(0, rng.uniform(2, 14), out.shape).astype(np.float32)
        out = np.clip(out.astype(np.float32) + noise, 0, 255).astype(np.uint8)
    return out


def _shone_on(work: npt.NDArray[np.float32], rng: Rng) -> npt.NDArray[np.float32]:
    """A lamp's round reflection somewhere on the patch, which bleaches the ink in its middle."""
    ys, xs = np.mgrid[0 : work.shape[0], 0 : work.shape[1]].astype(np.float32)
    x, y, reach = rng.uniform(0, work.shape[1]), rng.uniform(0, work.shape[0]), rng.uniform(6, 26)
    share = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * reach**2)) * rng.uniform(0.3, 0.9)
    lamp = np.array([rng.uniform(190, 255), rng.uniform(215, 255), 255], np.float32)
    bleached = share.astype(np.float32)[..., None]
    return np.asarray(work * (1 - bleached) + lamp * bleached, np.float32)


def bent(sample: Sample, rng: Rng) -> Sample:
    """The sample with its print drawn a little otherwise: moved smoothly, on average not at all."""
    pull = rng.normal(0, BEND_PX, (BEND_POINTS, BEND_POINTS, 2))
    pull -= pull[1:-1, 1:-1].mean(axis=(0, 1))
    field = cv2.resize(pull.astype(np.float32), (WINDOW_PX, WINDOW_PX), interpolation=cv2.INTER_CUBIC)
    ys, xs = np.mgrid[0:WINDOW_PX, 0:WINDOW_PX].astype(np.float32)
    moved = cv2.remap(
        sample.window, xs + field[..., 0], ys + field[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return replace(sample, window=np.asarray(moved, np.uint8))


def out_of_focus(patch: Image, rng: Rng) -> Image:
    """The patch as far out of focus as a suit can still just be told, and further."""
    work = cv2.GaussianBlur(patch, (0, 0), float(rng.uniform(0.6, 2.2))).astype(np.float32) * rng.uniform(0.3, 1.1)
    noise = rng.normal(0, rng.uniform(0, 8), patch.shape)
    return np.asarray(np.clip(work + noise, 0, 255), np.uint8)


def _drawn(samples: list[Sample], rng: Rng) -> Sample:
    """One of the samples, some of them bent, some with another laid over a part."""
    sample = samples[int(rng.integers(len(samples)))]
    if rng.random() < BENT_SHARE:
        sample = bent(sample, rng)
    if rng.random() < OVERLAID_SHARE:
        return overlaid(sample, samples[int(rng.integers(len(samples)))], rng)
    return sample


@dataclass(frozen=True, slots=True)
class Batch:
    """N × 52 × 36 × 3 patches, the rank and suit of each, what puts its pose right (N × 4)."""

    patches: Image
    ranks: npt.NDArray[np.int64]
    suits: npt.NDArray[np.int64]
    poses: npt.NDArray[np.float32]


def batch(samples: list[Sample], black: list[Sample], rng: Rng) -> Batch:
    """The next batch of ``samples``, with spades and clubs out of focus from ``black``."""
    unsharp = round(BATCH * BLACK_SHARE) if black else 0
    chosen = [_drawn(black if number < unsharp else samples, rng) for number in range(BATCH)]
    made = [jittered(sample, rng) for sample in chosen]
    patches = [out_of_focus(patch, rng) if n < unsharp else spoiled(patch, rng) for n, (patch, _) in enumerate(made)]
    ranks, suits = np.array([s.rank for s in chosen]), np.array([s.suit for s in chosen])
    return Batch(np.stack(patches), ranks, suits, np.stack([target for _, target in made]))
