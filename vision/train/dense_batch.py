"""What the dense network is fitted to: batches of crops of a stock of rendered scenes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

CROP_PX = 256
GRID = CROP_PX // 4
BATCH = 12
MIN_HEIGHT_PX = 6.0
"""Indices lower than this, at the scale the network sees, are neither taught nor punished."""

Floats = npt.NDArray[np.float32]
Scene = tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], Floats]
"""A scene at half size, its surface map at an eighth, its indices: x, y, angle (rad), height, visible."""


def load_scene(folder: Path, number: int) -> Scene:
    """A scene of a stock as it is fitted to."""
    picture = np.asarray(cv2.imread(str(folder / f"{number}.jpg")), np.uint8)
    half = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    surface = cv2.imread(str(folder / f"{number}.surface.png"), cv2.IMREAD_GRAYSCALE)
    label = json.loads((folder / f"{number}.json").read_text())
    rows = [
        (i["x"] / 2, i["y"] / 2, np.radians(i["angle_deg"]), i["height_px"] / 2, i["visible"])
        for card in label["cards"]
        for i in card["indices"]
    ]
    return np.asarray(half, np.uint8), np.asarray(surface, np.uint8), np.array(rows, np.float32).reshape(-1, 5)


def targets(indices: Floats) -> tuple[Floats, Floats, Floats]:
    """Heat (1 at an index, falling off; -1 where nothing is taught), the five pose values, where these count."""
    heat = np.zeros((GRID, GRID), np.float32)
    pose = np.zeros((5, GRID, GRID), np.float32)
    counts = np.zeros((GRID, GRID), np.float32)
    ys, xs = np.mgrid[0:GRID, 0:GRID].astype(np.float32)
    for x, y, angle, height, visible in indices:
        cx, cy = x / 4 - 0.5, y / 4 - 0.5
        if not (-3 < cx < GRID + 3 and -3 < cy < GRID + 3) or visible < 0.25:
            continue
        distance = (xs - cx) ** 2 + (ys - cy) ** 2
        if visible < 0.92 or height < MIN_HEIGHT_PX:
            heat[(distance < (height / 4) ** 2) & (heat <= 0)] = -1
            continue
        sigma = max(0.6, height / 4 * 0.16)
        blob = np.exp(-distance / (2 * sigma * sigma))
        blob[distance <= distance.min() + 1e-6] = 1.0
        heat = np.where(blob > 0.05, np.maximum(heat, blob), heat)
        near = distance <= 1.5**2
        pose[:, near] = np.stack(
            [cx - xs, cy - ys, *np.broadcast_arrays(np.cos(angle), np.sin(angle), np.log(height / 16), xs)[:3]]
        )[:, near]
        counts[near] = 1.0
    return heat, pose, counts


def _augmented(scene: Scene, rng: np.random.Generator) -> tuple[npt.NDArray[Any], ...]:
    half, surface, indices = scene
    spare = (half.shape[0] - CROP_PX) // 4
    x0, y0 = 4 * int(rng.integers(0, spare + 1)), 4 * int(rng.integers(0, spare + 1))
    picture = half[y0 : y0 + CROP_PX, x0 : x0 + CROP_PX]
    kinds = surface[y0 // 4 : y0 // 4 + GRID, x0 // 4 : x0 // 4 + GRID]
    moved = indices.copy()
    moved[:, 0] -= x0
    moved[:, 1] -= y0
    turns = int(rng.integers(0, 4))
    picture, kinds = np.rot90(picture, turns), np.rot90(kinds, turns)
    for _ in range(turns):
        moved[:, 0], moved[:, 1] = moved[:, 1].copy(), CROP_PX - moved[:, 0]
        moved[:, 2] -= np.pi / 2
    gain = rng.uniform(0.7, 1.25) * rng.uniform(0.92, 1.08, 3).astype(np.float32)
    lit = np.clip(picture.astype(np.float32) / 255 * gain, 0, 1)
    return (lit.transpose(2, 0, 1).astype(np.float32), *targets(moved), kinds.astype(np.int64))


def batch(scenes: list[Scene], rng: np.random.Generator) -> list[npt.NDArray[Any]]:
    """The next batch of crops: pictures N × 3 × 256 × 256 in 0..1, heat, pose, where the pose counts, surfaces."""
    chosen = [_augmented(scenes[int(rng.integers(len(scenes)))], rng) for _ in range(BATCH)]
    return [np.stack(part) for part in zip(*chosen, strict=True)]
