"""Lines of a process that must go on speaking: one that hangs, or was stopped, is as good as gone."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from typing import IO, Final

from controller.adapters.camera import MAX_LINE

BEAT_S: Final = 2.0
"""How often a process that looks says so, with an empty line, where it has nothing else to say."""

SILENCE_S: Final = 30.0
"""How long it may say nothing: a camera is opened and read within ten seconds, the networks are loaded within ten on a
busy machine."""


def lines(stream: IO[bytes], silence_s: float = SILENCE_S) -> Iterator[bytes]:
    """The lines of a pipe without their ends, empty ones left out, until it is closed; one longer than `MAX_LINE` comes
    in pieces. Raises ValueError, one line, where nothing comes for ``silence_s``."""
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    rest = b""
    while True:
        if not poll.poll(silence_s * 1000):
            raise ValueError(
                f"the camera's process has said nothing for {silence_s:g} s: it hangs, and is started again"
            )
        data = os.read(stream.fileno(), MAX_LINE)
        *whole, rest = (rest + data).split(b"\n")
        if not data or len(rest) >= MAX_LINE:
            whole, rest = [*whole, rest], b""
        yield from filter(None, whole)
        if not data:
            return
