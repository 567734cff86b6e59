"""Evidence: an input as one line for people."""

from __future__ import annotations

from controller.core.inputs import Input

_LEFT_OUT = frozenset({"TYPE", "rules", "counts"})


def describe(event: Input, *, hidden: bool = False) -> str:
    """An input as one line for people and for the evidence of a verdict; the face of a ``hidden`` card is left out."""
    left_out = _LEFT_OUT | {"card"} if hidden else _LEFT_OUT
    parts = [f"{name}={getattr(event, name)}" for name in event.__dataclass_fields__ if name not in left_out]
    return f"{event.TYPE} " + " ".join(p for p in parts if not p.endswith(("=", "=None")))
