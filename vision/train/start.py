"""Going on from exported weights: a network as it was before its export folded the normalisations away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from vision.errors import VisionError
from vision.models import session
from vision.train.nets import Net

LAYERS = ("Conv", "Gemm")


def _layers(path: Path) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Weights and bias of every layer of an exported network, in the order they are used."""
    graph = onnx.load(str(path)).graph
    kept = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    used = [node.input[1:3] for node in graph.node if node.op_type in LAYERS]
    return [(torch.from_numpy(kept[weight].copy()), torch.from_numpy(kept[bias].copy())) for weight, bias in used]


def _set_by_what_it_sees(norm: nn.BatchNorm2d, bias: torch.Tensor) -> Any:
    """Let a normalisation, when it is next used, take the mean and spread of what it is given and undo both, so that
    it adds ``bias`` and nothing else, while it is fitted as well as after. The hook, to be removed."""

    def adjust(_: nn.Module, given: tuple[torch.Tensor]) -> None:
        spread, mean = torch.var_mean(given[0], (0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.data.copy_((spread + norm.eps).sqrt())
        norm.bias.data.copy_(mean + bias)

    return norm.register_forward_pre_hook(adjust)


def check(net: Net, path: Path) -> None:
    """Raise VisionError where the file at ``path`` is missing, no ONNX file or of another network than ``net``."""
    session(path.stem, 1, path.parent)
    wanted = [module.weight.shape for module in _modules(net) if not isinstance(module, nn.BatchNorm2d)]
    if [weight.shape for weight, _ in _layers(path)] != wanted:
        raise VisionError(f"{path}: the weights of another network: train without --from")


def _modules(net: Net) -> list[Any]:
    return [m for m in net.modules() if isinstance(m, (nn.Conv2d, nn.Linear, nn.BatchNorm2d))]


def restored(net: Net, path: Path, examples: torch.Tensor) -> Net:
    """``net`` with the weights of the ONNX file at ``path``; ``examples`` are pictures such as it will be fitted to.
    Raises VisionError where the file is missing or of another network."""
    check(net, path)
    modules: list[Any] = _modules(net)
    hooks, given = [], iter(_layers(path))
    for module, after in zip(modules, [*modules[1:], None], strict=True):
        if isinstance(module, nn.BatchNorm2d):
            continue
        weight, bias = next(given)
        module.weight.data.copy_(weight)
        if isinstance(after, nn.BatchNorm2d):
            hooks.append(_set_by_what_it_sees(after, bias))
        else:
            module.bias.data.copy_(bias)
    with torch.no_grad():
        net.eval()(examples)
    for hook in hooks:
        hook.remove()
    return net
