"""The two networks. `DenseNet` finds corner indices and card surfaces in a picture; `CornerNet` reads one index."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

DENSE_CHANNELS = 9
"""heat logit, dx, dy (cells), cos, sin of the index's angle, ln(height in px / 16), three surface logits."""

CORNER_CHANNELS = 23
"""14 rank logits (the last: none), 5 suit logits (the last: none), dx, dy (index heights), turn (rad), ln scale."""


def _block(inward: int, outward: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outward), nn.ReLU()
    )


class DenseNet(nn.Module):
    """Pictures N × 3 × H × W in 0..1 (H, W multiples of 8) to N × 9 × H/4 × W/4."""

    def __init__(self) -> None:
        """Random weights."""
        super().__init__()
        self.fine = nn.Sequential(_block(3, 16, 2), _block(16, 32, 2))
        self.wide = nn.Sequential(_block(32, 48, 2), _block(48, 48), _block(48, 48, 1, 2))
        self.lift = nn.Sequential(nn.Conv2d(48, 32, 1), nn.Upsample(scale_factor=2, mode="nearest"))
        self.join = _block(32, 32)
        self.head = nn.Conv2d(32, DENSE_CHANNELS, 1)
        nn.init.constant_(self.head.bias, 0.0)
        self.head.bias.data[0] = -4.0

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """The nine maps."""
        fine = self.fine(pictures - 0.5)
        return self.head(self.join(fine + self.lift(self.wide(fine))))


class CornerNet(nn.Module):
    """Patches N × 3 × 52 × 36 in 0..1 to N × 151: the 23 of `CORNER_CHANNELS`, then the 128 features they come from
    (by which an enrolled deck is known again)."""

    def __init__(self) -> None:
        """Random weights."""
        super().__init__()
        self.body = nn.Sequential(
            *(_block(3, 24, 2), _block(24, 32), _block(32, 48, 2), _block(48, 64), _block(64, 96, 2)),
            *(nn.Flatten(), nn.Dropout(0.2), nn.Linear(96 * 7 * 5, 128), nn.ReLU()),
        )
        self.head = nn.Linear(128, CORNER_CHANNELS)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """The logits, the pose, the features."""
        features = self.body(patches - 0.5)
        return torch.cat([self.head(features), features], 1)


def as_pictures(stack: npt.NDArray[np.uint8]) -> torch.Tensor:
    """N × H × W × 3 pictures as the networks take them: N × 3 × H × W in 0..1."""
    return torch.from_numpy(np.ascontiguousarray(stack.transpose(0, 3, 1, 2), np.float32) / 255)


Net = TypeVar("Net", CornerNet, DenseNet)


def export(net: nn.Module, example: torch.Tensor, path: Path, free: dict[int, str]) -> None:
    """Write a network as ONNX (opset 17) whose input axes in ``free`` may have any size; whole or not at all."""
    net.eval()
    unfinished = path.with_suffix(".part")
    torch.onnx.export(
        net,
        (example,),
        str(unfinished),
        input_names=["input"],
        output_names=["output"],
        opset_version=17,
        dynamic_axes={"input": free, "output": free},
        dynamo=False,
    )
    unfinished.replace(path)
