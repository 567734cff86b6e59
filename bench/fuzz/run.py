"""One target against its hostile inputs, and what came of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from types import TracebackType

from bench.fuzz import hostile
from bench.fuzz.target import Target


@dataclass(frozen=True, slots=True)
class Found:
    """``wrong`` is empty when every promise was kept; else what was broken first, and ``by`` is the input."""

    name: str
    inputs: int
    accepted: int
    seconds: float
    """of processor time"""
    wrong: str = ""
    by: bytes = b""


def run(target: Target, inputs: int, seed: int) -> Found:
    """Judge so many inputs; ends with the first one that breaks a promise."""
    began_s = time.process_time()
    accepted = 0
    for number, data in enumerate(hostile.inputs(target, inputs, seed), 1):
        wrong, count = tried(target, data)
        accepted += count
        if wrong:
            return Found(target.name, number, accepted, time.process_time() - began_s, wrong, data)
    return Found(target.name, inputs, accepted, time.process_time() - began_s)


def tried(target: Target, data: bytes) -> tuple[str, int]:
    """What this input breaks, empty for nothing, and how much of it was accepted."""
    noted = _Noted()
    accepted = 0
    with noted:
        accepted = target.judge(data)
    return noted.wrong, accepted


@dataclass(slots=True)
class _Noted:
    """Notes whatever is raised within: that a decoder raises anything at all is what is looked for."""

    wrong: str = ""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        if isinstance(error, Exception):
            self.wrong = f"{type(error).__name__}: {error}"
        return isinstance(error, Exception)
