"""Waiting for what threads, devices and processes do, without sleeping for a guessed time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 30.0
LOOK_S: Final = 0.01


def until(
    condition: Callable[[], object],
    what: str | Callable[[], object] = "the condition that is waited for",
    patience_s: float = PATIENCE_S,
) -> None:
    """Look again and again until ``condition`` holds. Raises TimeoutError, which says ``what`` was waited for (asked
    only then, when it is callable), after ``patience_s``."""
    ends_s = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > ends_s:
            raise TimeoutError(f"not in {patience_s:.0f} s: {what if isinstance(what, str) else what()}")
        time.sleep(LOOK_S)
