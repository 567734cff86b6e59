"""Fitting one network: the course of the learning rate, the running mean of the weights, and what is kept of a run so
that one that was stopped goes on where it was and ends in the same weights."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, Generic

import numpy as np
import torch
from torch import nn

from vision.errors import VisionError
from vision.train.nets import Net

TELL_STEPS = 100
KEEP_STEPS = 500
"""How often a run is kept; what was done since is done again by one that goes on."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a network is fitted: steps, the highest rate of learning, the decay of weights, the share of the steps in
    which the rate rises."""

    steps: int
    rate: float
    weight_decay: float
    warm_share: float


class RunningMean(Generic[Net]):
    """The mean of a network's weights over about the last thousand steps: steadier than the last step's own."""

    def __init__(self, net: Net) -> None:
        """Start with a copy of the network."""
        self.net: Net = deepcopy(net)
        self.net.eval()
        self.steps = 0

    def add(self, net: Net) -> None:
        """Take one step's weights in."""
        self.steps += 1
        share = max(0.001, 1 / (1 + self.steps / 10))
        kept = self.net.state_dict()
        for name, new in net.state_dict().items():
            if new.is_floating_point():
                kept[name].lerp_(new, share)
            else:
                kept[name].copy_(new)


@dataclass(frozen=True, slots=True)
class Fitting:
    """How a fit reports and where it is kept. ``tell`` is told a line now and then, ``name`` is the network's."""

    name: str
    kept: Path
    tell: Callable[[str], None]

    def run(self, net: Net, loss: Callable[[Net], torch.Tensor], course: Course, rng: np.random.Generator) -> Net:
        """The running mean of ``net`` fitted by ``course.steps`` steps down ``loss``, which draws from ``rng`` and
        torch's own. A run kept in the file ``kept`` is gone on with. Raises VisionError where it cannot be kept."""
        mean = RunningMean(net)
        optimiser = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=course.weight_decay)
        plan = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, course.rate, total_steps=course.steps, pct_start=course.warm_share
        )
        net.to(memory_format=torch.channels_last).train()
        parts = {"net": net, "mean": mean.net, "optimiser": optimiser, "plan": plan}
        smooth = self._restored(parts, rng, mean)
        for step in range(mean.steps + 1, course.steps + 1):
            lost = loss(net)
            optimiser.zero_grad()
            lost.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            plan.step()
            mean.add(net)
            smooth = float(lost.detach()) if step == 1 else 0.98 * smooth + 0.02 * float(lost.detach())
            if step % TELL_STEPS == 0:
                self.tell(f"{self.name} step {step}/{course.steps} loss {smooth:.3f}")
            if step % KEEP_STEPS == 0 or step == course.steps:
                self._keep(parts, rng, mean.steps, smooth)
        return mean.net

    def _restored(self, parts: dict[str, Any], rng: np.random.Generator, mean: RunningMean[Net]) -> float:
        """Put everything back as it was kept, if it was; the mean loss then."""
        if not self.kept.exists():
            return 0.0
        try:
            was = torch.load(self.kept, weights_only=True)
            for name, part in parts.items():
                part.load_state_dict(was[name])
            mean.steps, rng.bit_generator.state = int(was["step"]), was["rng"]
            torch.set_rng_state(was["torch"])
        except (OSError, RuntimeError, EOFError, KeyError, ValueError, UnpicklingError):
            raise VisionError(
                f"{self.kept}: not what a run keeps of itself; delete it to begin this fit anew"
            ) from None
        self.tell(f"{self.name} goes on after step {mean.steps}, kept in {self.kept}")
        return float(was["smooth"])

    def _keep(self, parts: dict[str, Any], rng: np.random.Generator, step: int, smooth: float) -> None:
        """Write everything that the rest of the run follows from, whole or not at all."""
        now = {name: part.state_dict() for name, part in parts.items()}
        now |= {"step": step, "smooth": smooth, "rng": rng.bit_generator.state, "torch": torch.get_rng_state()}
        unfinished = self.kept.with_suffix(".part")
        try:
            torch.save(now, unfinished)
            unfinished.replace(self.kept)
        except (OSError, RuntimeError) as error:
            said = str(error).splitlines()[0]
            raise VisionError(
                f"{self.kept}: cannot be written: {said}; make room, then the same command goes on where it was"
            ) from None
