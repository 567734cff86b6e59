"""Where frames come from: a picture, a folder, a video file, a camera of this machine, a camera on the network.

Every source gives frames with a clock of its own (milliseconds from the first frame) and ends with a reason in words.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.pictures import MAX_PIXELS, PICTURE_SUFFIXES, Image, load, picture_files

OPEN_TIMEOUT_MS = 5_000
READ_TIMEOUT_MS = 5_000
"""How long a network camera may say nothing."""

MAX_MISSING_FRAMES = 30
"""Frames in a row that a local camera may fail to give before it counts as gone."""

FOLDER_STEP_MS = 100
"""The clock between two pictures of a folder."""

_CAMERA = re.compile(r"(?:/dev/video)?(\d{1,3})")
_STREAM = re.compile(r"(?:rtsps?|https?)://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source: BGR, number from 0, clock in milliseconds from the first, name for messages."""

    picture: Image
    number: int
    time_ms: int
    name: str


@dataclass(slots=True)
class Source:
    """An open source of frames. ``ended`` says in words why there are no more, empty while there are."""

    name: str
    frames: Iterator[Frame]
    live: bool
    """whether frames come at their own pace and a late reader must take the newest"""
    ended: str = ""


def _still(paths: list[Path]) -> Iterator[Frame]:
    for number, path in enumerate(paths):
        yield Frame(load(path), number, number * FOLDER_STEP_MS, str(path))


def _without_address(name: str) -> str:
    """A source's name without the password it may carry."""
    return re.sub(r"//[^/@]*@", "//…@", name)


def _video(source: Source, reader: cv2.VideoCapture, clock_ms: Callable[[], int]) -> Iterator[Frame]:
    rate = reader.get(cv2.CAP_PROP_FPS)
    promised = int(reader.get(cv2.CAP_PROP_FRAME_COUNT)) if not source.live else 0
    step_ms = 1000 / rate if 1 <= rate <= 240 else 40.0
    number, missing, start_ms = 0, 0, clock_ms()
    while True:
        try:
            given, picture = reader.read()
        except cv2.error as error:
            source.ended = f"{source.name}: frame {number} cannot be decoded: {error.err}"
            return
        if not given:
            missing += 1
            if source.live and missing < MAX_MISSING_FRAMES and not _STREAM.match(source.name):
                time.sleep(0.02)
                continue
            break
        missing = 0
        now_ms = clock_ms() - start_ms if source.live else round(number * step_ms)
        yield Frame(np.asarray(picture, np.uint8), number, now_ms, f"{source.name} frame {number}")
        number += 1
    if source.live:
        source.ended = f"{source.name}: the camera gives no more pictures; look at its cable and power"
    elif number == 0:
        source.ended = f"{source.name}: no frame in it can be decoded; it was cut short or is no video"
    elif promised > number:
        source.ended = f"{source.name}: ends after {number} of {promised} frames: it was cut short"
    else:
        source.ended = f"{source.name}: the end after {number} frames"


def _open_video(text: str) -> tuple[cv2.VideoCapture, bool]:
    camera = _CAMERA.fullmatch(text)
    if camera:
        return cv2.VideoCapture(int(camera[1]), cv2.CAP_V4L2), True
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS]
    return cv2.VideoCapture(text, cv2.CAP_FFMPEG, limits), bool(_STREAM.match(text))


def _monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


@contextmanager
def opened(text: str, clock_ms: Callable[[], int] = _monotonic_ms) -> Iterator[Source]:
    """Open a source: a picture or video file, a folder of pictures, ``0`` or ``/dev/video0``, ``rtsp://…``.

    ``clock_ms`` is the clock of live sources. Raises VisionError with one line where it cannot be opened; a source
    that ends or fails later says so in ``Source.ended``.
    """
    name = _without_address(text)
    path = Path(text)
    if not _STREAM.match(text) and not _CAMERA.fullmatch(text):
        if path.is_dir():
            yield Source(name, _still(list(picture_files(path))), live=False)
            return
        if path.suffix.lower() in PICTURE_SUFFIXES:
            yield Source(name, _still([path]), live=False)
            return
        if not path.is_file():
            raise VisionError(f"{name}: no such file, folder or camera; give a file, a folder, a number or rtsp://…")
    reader, live = _open_video(text)
    try:
        if not reader.isOpened():
            what = "no camera answers there" if live else "not a video that can be read"
            raise VisionError(f"{name}: {what}")
        if reader.get(cv2.CAP_PROP_FRAME_WIDTH) * reader.get(cv2.CAP_PROP_FRAME_HEIGHT) > MAX_PIXELS:
            raise VisionError(f"{name}: its frames are too large (at most {MAX_PIXELS // 1_000_000} million pixels)")
        source = Source(name, iter(()), live)
        source.frames = _video(source, reader, clock_ms)
        yield source
    finally:
        reader.release()
