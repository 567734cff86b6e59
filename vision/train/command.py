"""The whole of training as one command: art, scenes, two networks, weights."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import torch

from vision.train import corner_fit, dense_fit
from vision.train.art import draw_all
from vision.train.decks import Supply
from vision.train.nets import export
from vision.train.stock import make_stock

MINUTE_S = 60


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train. ``npm`` is the ``node_modules`` folder with the decks, ``work`` keeps art and scenes between
    runs, ``out`` gets the weights; everything follows from ``seed``."""

    npm: Path
    work: Path
    out: Path
    seed: int = 1
    scenes: int = 5000
    dense_steps: int = 4000
    corner_steps: int = 6000


def train_all(plan: Plan, say: Callable[[str], None]) -> None:
    """Carry the plan out on one thread, telling ``say`` how far it is. Raises VisionError where art cannot be drawn."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    start = time.monotonic()

    def tell(text: str) -> None:
        say(f"{(time.monotonic() - start) / MINUTE_S:6.1f} min  {text}")

    names = draw_all(plan.npm, plan.work / "art", lambda name: tell(f"art: {name}"))
    supply = Supply(plan.work / "art", names)
    stock = plan.work / f"scenes-{plan.seed}"
    make_stock(supply, stock, plan.scenes, plan.seed, lambda n: tell(f"scene {n}") if n % 100 == 0 else None)
    plan.out.mkdir(parents=True, exist_ok=True)
    samples = corner_fit.gather(stock, plan.scenes, plan.seed)
    tell(f"{len(samples)} corner samples")
    corner = corner_fit.fit(
        samples,
        plan.corner_steps,
        plan.seed,
        lambda s, loss: tell(f"corner step {s}/{plan.corner_steps} loss {loss:.3f}"),
    )
    export(corner, torch.zeros(1, 3, 52, 36), plan.out / "corner.onnx", {0: "n"})
    dense = dense_fit.fit(
        stock,
        plan.scenes,
        plan.dense_steps,
        plan.seed,
        lambda s, loss: tell(f"dense step {s}/{plan.dense_steps} loss {loss:.3f}"),
    )
    export(dense, torch.zeros(1, 3, 360, 640), plan.out / "dense.onnx", {0: "n", 2: "h", 3: "w"})
    tell(f"weights in {plan.out}")
