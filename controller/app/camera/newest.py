"""Frames of a source at the pace of whoever looks: of a live one always the newest, whatever the camera sends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from vision.capture import Frame, Source

WAIT_S: Final = 0.5
"""How long a look waits for a frame before it asks whether the source has ended."""


class Newest:
    """A thread that reads a source and keeps its newest frame."""

    def __init__(self, source: Source) -> None:
        """Starts at once."""
        self._source = source
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._read, name="camera-frames", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Frame]:
        """Each frame that is new when it is asked for, until the source ends."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._frame is not None or self._ended, WAIT_S)
                frame, self._frame = self._frame, None
                if frame is None and self._ended:
                    return
            if frame is not None:
                yield frame

    def close(self) -> None:
        """Wait for the thread, which ends with the next frame or with the source's own time limit."""
        self._ended = True
        self._thread.join()

    def _read(self) -> None:
        for frame in self._source.frames:
            with self._changed:
                self._frame = frame
                self._changed.notify_all()
            if self._ended:
                return
        with self._changed:
            self._ended = True
            self._changed.notify_all()


@contextmanager
def paced(source: Source) -> Iterator[Iterator[Frame]]:
    """The frames of a source: every one of a file, the newest ones of a camera."""
    if not source.live:
        yield source.frames
        return
    newest = Newest(source)
    try:
        yield iter(newest)
    finally:
        newest.close()
