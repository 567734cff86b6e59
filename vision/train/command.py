"""The whole of training as one command: art, scenes, two networks, weights."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from vision.train import corner_fit, dense_fit
from vision.train.art import draw_all
from vision.train.corner_fit import jittered
from vision.train.decks import Supply, fonts
from vision.train.dense_fit import load_scene
from vision.train.nets import CornerNet, DenseNet, Progress, as_pictures, export
from vision.train.printed import printed
from vision.train.samples import gather
from vision.train.start import restored
from vision.train.stock import make_stock

MINUTE_S = 60
PRINTED_SHARE = 3
"""One printed sample to so many from scenes."""

KEEP_STEPS = 1000
"""How often the weights are kept while they are fitted: a run that is stopped leaves them in the work folder."""

STATISTICS = 600
"""Indices looked at to restore weights; a tenth as many scenes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train. ``npm`` is the ``node_modules`` folder with the decks, ``work`` keeps art and scenes between
    runs, ``out`` gets the weights; everything follows from ``seed`` and the weights in the folder ``start``, where
    there is one to go on from."""

    npm: Path
    work: Path
    out: Path
    seed: int = 1
    scenes: int = 4000
    dense_steps: int = 5000
    corner_steps: int = 28_000
    start: Path | None = None


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
    _fit_corner(plan, stock, tell)
    _fit_dense(plan, stock, tell)
    tell(f"weights in {plan.out}")


def _keeper(name: str, steps: int, kept: Path, tell: Callable[[str], None]) -> Progress:
    """Tells how a fit goes and keeps what there is every `KEEP_STEPS` steps."""

    def progress(step: int, loss: float, net: nn.Module) -> None:
        tell(f"{name} step {step}/{steps} loss {loss:.3f}")
        if step % KEEP_STEPS == 0:
            torch.save(net.state_dict(), kept)

    return progress


def _fit_corner(plan: Plan, stock: Path, tell: Callable[[str], None]) -> None:
    samples = gather(stock, plan.scenes, plan.seed)
    samples += printed(len(samples) // PRINTED_SHARE, fonts(), np.random.default_rng((plan.seed, 5)))
    tell(f"{len(samples)} corner samples")
    kept, steps = plan.work / "corner.pt", plan.corner_steps
    start = None
    if plan.start is not None:
        seen = np.stack([jittered(s, np.random.default_rng(plan.seed))[0] for s in samples[:STATISTICS]])
        start = restored(CornerNet(), plan.start / "corner.onnx", as_pictures(seen))
    net = corner_fit.fit(samples, steps, plan.seed, _keeper("corner", steps, kept, tell), start)
    torch.save(net.state_dict(), kept)
    export(net, torch.zeros(1, 3, 52, 36), plan.out / "corner.onnx", {0: "n"})


def _fit_dense(plan: Plan, stock: Path, tell: Callable[[str], None]) -> None:
    kept, steps = plan.work / "dense.pt", plan.dense_steps
    start = None
    if plan.start is not None:
        seen = np.stack([load_scene(stock, number)[0] for number in range(min(STATISTICS // 10, plan.scenes))])
        start = restored(DenseNet(), plan.start / "dense.onnx", as_pictures(seen))
    net = dense_fit.fit(stock, plan.scenes, steps, plan.seed, _keeper("dense", steps, kept, tell), start)
    torch.save(net.state_dict(), kept)
    export(net, torch.zeros(1, 3, 360, 640), plan.out / "dense.onnx", {0: "n", 2: "h", 3: "w"})
