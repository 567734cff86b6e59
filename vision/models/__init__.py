"""The shipped weights, as ONNX files beside their card."""

from __future__ import annotations

from importlib import resources

import onnxruntime

from vision.errors import VisionError


def session(name: str, threads: int) -> onnxruntime.InferenceSession:
    """An inference session of ``NAME.onnx`` on the CPU. Raises VisionError where the file is missing or unusable."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Spinning threads take the core that the camera's reader needs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    path = resources.files(__name__) / f"{name}.onnx"
    try:
        data = path.read_bytes()
    except OSError:
        raise VisionError(f"the weights {name}.onnx are not in the package: install it again") from None
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
