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

from vision.errors import VisionError
from vision.train import corner_fit, dense_fit
from vision.train.art import draw_all
from vision.train.decks import Supply, fonts
from vision.train.nets import CornerNet, DenseNet, Net, Progress, export
from vision.train.printed import printed
from vision.train.samples import gather
from vision.train.stock import make_stock

MINUTE_S = 60
PRINTED_SHARE = 4
"""One printed sample to so many from scenes."""

KEEP_STEPS = 1000
"""How often the weights are kept while they are fitted: a run that is stopped can be gone on from."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to train. ``npm`` is the ``node_modules`` folder with the decks, ``work`` keeps art and scenes between
    runs, ``out`` gets the weights; everything follows from ``seed``. ``more`` goes on from the run before."""

    npm: Path
    work: Path
    out: Path
    seed: int = 1
    scenes: int = 4000
    dense_steps: int = 4000
    corner_steps: int = 24_000
    more: bool = False


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


def _start(net: Net, kept: Path, more: bool) -> Net | None:
    """The network with the weights of the run before, where more training is wanted. Raises VisionError without any."""
    if not more:
        return None
    if not kept.exists():
        raise VisionError(f"{kept}: no weights to go on from: train without --more first")
    net.load_state_dict(torch.load(kept, weights_only=True))
    return net


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
    start = _start(CornerNet(), kept, plan.more)
    net = corner_fit.fit(samples, steps, plan.seed, _keeper("corner", steps, kept, tell), start)
    torch.save(net.state_dict(), kept)
    export(net, torch.zeros(1, 3, 52, 36), plan.out / "corner.onnx", {0: "n"})


def _fit_dense(plan: Plan, stock: Path, tell: Callable[[str], None]) -> None:
    kept, steps = plan.work / "dense.pt", plan.dense_steps
    start = _start(DenseNet(), kept, plan.more)
    net = dense_fit.fit(stock, plan.scenes, steps, plan.seed, _keeper("dense", steps, kept, tell), start)
    torch.save(net.state_dict(), kept)
    export(net, torch.zeros(1, 3, 360, 640), plan.out / "dense.onnx", {0: "n", 2: "h", 3: "w"})
