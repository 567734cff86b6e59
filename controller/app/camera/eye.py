"""``python -m controller.app.camera.eye``: the process that looks through a table's camera.

It reads its settings (`EyeSettings.to_json`) as the first line of its input, says what it sees in lines as
`controller.adapters.camera` describes them, and ends when its input ends. A look takes a core for tens of
milliseconds, and a damaged stream can bring down what decodes it: neither must reach the table's own process.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Final, TextIO

from controller.app.camera.hearing import BEAT_S
from controller.app.camera.settings import EyeSettings, not_installed

NICENESS: Final = 2
"""The table's own process, and its shoe, come first."""

Tell = Callable[[dict[str, object]], None]


def main() -> int:
    """Look until the input ends; 1 where it cannot look at all, which is said in a line before."""
    tell = _teller(sys.stdout)
    settings = EyeSettings.from_json(sys.stdin.readline())
    threading.Thread(target=_end_with, args=(sys.stdin,), name="camera-input", daemon=True).start()
    os.nice(NICENESS)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    try:
        from controller.app.camera.following import follow
        from vision.errors import VisionError
        from vision.threads import one_core
    except ImportError as error:
        tell({"fault": "not_installed", "reason": not_installed(error), "cleared": False})
        return 1
    one_core()
    try:
        follow(settings, tell, _heart(sys.stdout))
    except VisionError as error:
        tell({"fault": "settings", "reason": str(error), "cleared": False})
    return 1


def _teller(stream: TextIO) -> Tell:
    """Writes each message as a line at once; ends the process when nobody listens any more."""

    def tell(message: dict[str, object]) -> None:
        _write(stream, json.dumps(message))

    return tell


def _heart(stream: TextIO) -> Callable[[], None]:
    """Writes an empty line, at most every `BEAT_S`: the table's own process ends one that says nothing. It beats where
    the looking is done, so that a driver that hangs stops it."""
    beaten_s = -math.inf

    def beat() -> None:
        nonlocal beaten_s
        now_s = time.monotonic()
        if now_s - beaten_s >= BEAT_S:
            beaten_s = now_s
            _write(stream, "")

    return beat


def _write(stream: TextIO, line: str) -> None:
    try:
        stream.write(line + "\n")
        stream.flush()
    except BrokenPipeError:
        os._exit(0)


def _end_with(stream: TextIO) -> None:
    """End the process, whatever it waits for, when its input ends: the table's own process is gone or wants it so."""
    while stream.readline():
        pass
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
