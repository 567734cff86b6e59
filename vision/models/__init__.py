"""The shipped weights, as ONNX files beside their card."""

from __future__ import annotations

import hashlib
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import onnxruntime
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidArgument, InvalidGraph, InvalidProtobuf

from vision.errors import VisionError

MARK_CHARACTERS = 12
OUTPUTS = {"corner": 151, "dense": 9}
"""What each network gives for a patch or a cell: it is known by that."""


def _file(name: str, folder: Path | None) -> Traversable:
    home: Traversable = folder or resources.files(__name__)
    return home / f"{name}.onnx"


def mark(folder: Path | None = None) -> str:
    """A word for the weights that indices are read with: features of other weights are no features of these."""
    return hashlib.sha256(_file("corner", folder).read_bytes()).hexdigest()[:MARK_CHARACTERS]


def session(name: str, threads: int, folder: Path | None = None) -> onnxruntime.InferenceSession:
    """An inference session of ``NAME.onnx`` on the CPU: the shipped weights, or those in ``folder``. Raises VisionError
    where the file is missing or unusable."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads take the core that the camera's reader needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    path = _file(name, folder)
    try:
        network = onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    except OSError:
        todo = f"{folder}: name a folder of `vision train`" if folder else "the package: install it again"
        raise VisionError(f"the weights {name}.onnx are not in {todo}") from None
    except (Fail, InvalidArgument, InvalidGraph, InvalidProtobuf):
        raise VisionError(f"{path}: no weights: not an ONNX file, or a damaged one") from None
    if network.get_outputs()[0].shape[1] != OUTPUTS[name]:
        raise VisionError(f"{path}: the weights of another network")
    return network
