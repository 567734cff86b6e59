"""Evidence: an input as one line for people."""

from __future__ import annotations

from controller.core.inputs import Input

_LEFT_OUT = frozenset({"TYPE", "rules", "counts"})


def describe(event: Input) -> str:
    """An input as one line for people and for the evidence of a verdict."""
    parts = [f"{name}={getattr(event, name)}" for name in event.__dataclass_fields__ if name not in _LEFT_OUT]
    return f"{event.TYPE} " + " ".join(p for p in parts if not p.endswith(("=", "=None")))
