"""The whole of training as one command: art, scenes, two networks, weights."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.train import corner_fit, dense_fit
from vision.train.art import draw_all
from vision.train.corner_batch import jittered
from vision.train.decks import Supply, fonts
from vision.train.dense_batch import load_scene
from vision.train.fitting import Fitting
from vision.train.nets import CornerNet, DenseNet, as_pictures, export
from vision.train.plan import Plan, check_folders, check_fonts, code_mark, run_mark
from vision.train.printed import printed
from vision.train.samples import gather
from vision.train.sources import sources
from vision.train.start import check, restored
from vision.train.stock import make_stock

MINUTE_S = 60
PRINTED_SHARE = 3
"""One printed sample to so many from scenes."""

STATISTICS = 600
"""Indices looked at to restore weights; a tenth as many scenes."""

Tell = Callable[[str], None]


def train_all(plan: Plan, say: Tell) -> None:
    """Carry the plan out on one thread, telling ``say`` how far it is. A run that was stopped goes on where it was when
    the same plan is carried out again. Raises VisionError, before anything takes long, where a folder cannot be written
    to, art or fonts are missing or the weights to go on from are of no use."""
    start = time.monotonic()

    def tell(text: str) -> None:
        say(f"{(time.monotonic() - start) / MINUTE_S:6.1f} min  {text}")

    check_folders(plan)
    if plan.start is not None:
        check(CornerNet(), plan.start / "corner.onnx")
        check(DenseNet(), plan.start / "dense.onnx")
    tell(check_fonts())
    names = draw_all(sources(plan.npm), plan.work / "art", lambda name: tell(f"art: {name}"))
    train_on(plan, names, tell)


def train_on(plan: Plan, names: Sequence[str], tell: Tell) -> None:
    """The part of `train_all` after the art: fit to the decks ``names`` in the folder ``art`` of the work folder."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    supply = Supply(plan.work / "art", names)
    stock = plan.work / f"scenes-{plan.seed}-{code_mark()}"
    make_stock(supply, stock, plan.scenes, plan.seed, lambda n: tell(f"scene {n}") if n % 100 == 0 else None)
    mark = run_mark(plan, torch.__version__)
    _fit_corner(plan, stock, Fitting("corner", plan.work / f"corner-{mark}.pt", tell))
    _fit_dense(plan, stock, Fitting("dense", plan.work / f"dense-{mark}.pt", tell))
    tell(f"weights in {plan.out}")


def _fit_corner(plan: Plan, stock: Path, fitting: Fitting) -> None:
    samples = gather(stock, plan.scenes, plan.seed)
    samples += printed(len(samples) // PRINTED_SHARE, fonts(), np.random.default_rng((plan.seed, 5)))
    fitting.tell(f"{len(samples)} corner samples")
    start = None
    if plan.start is not None:
        seen = np.stack([jittered(s, np.random.default_rng(plan.seed))[0] for s in samples[:STATISTICS]])
        start = restored(CornerNet(), plan.start / "corner.onnx", as_pictures(seen))
    net = corner_fit.fit(samples, plan.corner_steps, plan.seed, fitting, start)
    export(net, torch.zeros(1, 3, 52, 36), plan.out / "corner.onnx", {0: "n"})


def _fit_dense(plan: Plan, stock: Path, fitting: Fitting) -> None:
    start = None
    if plan.start is not None:
        seen = np.stack([load_scene(stock, number)[0] for number in range(min(STATISTICS // 10, plan.scenes))])
        start = restored(DenseNet(), plan.start / "dense.onnx", as_pictures(seen))
    net = dense_fit.fit(stock, plan.scenes, plan.dense_steps, plan.seed, fitting, start)
    export(net, torch.zeros(1, 3, 360, 640), plan.out / "dense.onnx", {0: "n", 2: "h", 3: "w"})
