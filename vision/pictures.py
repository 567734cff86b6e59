"""Reading picture files that may be anything: sizes are known and limited before a pixel is decoded."""

from __future__ import annotations

import os
import struct
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import VisionError

Image = npt.NDArray[np.uint8]

MAX_FILE_BYTES = 64 * 1024 * 1024
"""No camera writes a larger still picture."""

MAX_SIDE_PX = 12_000
MAX_PIXELS = 60_000_000
"""Decoded, this is 180 MB."""

MIN_SIDE_PX = 16
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png")

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers (SOF) that carry the picture's size."""

_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
"""JPEG markers without a length."""


def _png_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 33 or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _JPEG_BARE:
            at += 2
        elif marker in _JPEG_SIZES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        else:
            (length,) = struct.unpack(">H", data[at + 2 : at + 4])
            at += 2 + length
    return None


def size_of(data: bytes, name: str) -> tuple[int, int]:
    """Width and height that a PNG or JPEG file says it has. Raises VisionError for anything else, for a picture that
    is too large or too small, and for one that was cut short."""
    if data.startswith(_PNG):
        size, whole = _png_size(data), data.rfind(b"IEND") > 0
    elif data.startswith(b"\xff\xd8"):
        size, whole = _jpeg_size(data), data.rfind(b"\xff\xd9") > data.rfind(b"\xff\xda")
    else:
        raise VisionError(f"{name}: not a picture: neither PNG nor JPEG inside; give a .png or .jpg file")
    if size is None:
        raise VisionError(f"{name}: the picture's header is broken; take or copy it again")
    width, height = size
    if width > MAX_SIDE_PX or height > MAX_SIDE_PX or width * height > MAX_PIXELS:
        raise VisionError(
            f"{name}: {width} × {height} pixels are too many (at most {MAX_SIDE_PX} a side, {MAX_PIXELS // 1_000_000} "
            "million in all); scale it down"
        )
    if width < MIN_SIDE_PX or height < MIN_SIDE_PX:
        raise VisionError(f"{name}: {width} × {height} pixels are too few to show a card")
    if not whole:
        raise VisionError(f"{name}: the file was cut short; copy it again")
    return width, height


DAMAGE = (b"premature end", b"bad huffman code")
"""What libjpeg says of a picture of which a part is missing: it fills that in and tells nobody else. Other words, as of
bytes too many, do not matter."""

_STANDARD_ERROR = 2
_one_at_a_time = threading.Lock()


@contextmanager
def _decoder_words() -> Iterator[IO[bytes]]:
    """What the libraries that decode pictures write to the process's standard error while the block runs."""
    with _one_at_a_time, tempfile.TemporaryFile() as words:
        try:
            kept = os.dup(_STANDARD_ERROR)
        except OSError:  # closed: what is written is lost
            yield words
            return
        try:
            os.dup2(words.fileno(), _STANDARD_ERROR)
            yield words
        finally:
            os.dup2(kept, _STANDARD_ERROR)
            os.close(kept)


def decode(data: bytes, name: str) -> Image:
    """The BGR picture in the bytes of a PNG or JPEG file, turned as its EXIF says. ``name`` is for messages. Raises
    VisionError with one clear line for anything that is no whole picture of a sensible size."""
    size_of(data, name)
    with _decoder_words() as words:
        try:
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            picture = None
        words.seek(0)
        said = words.read().lower()
    if any(word in said for word in DAMAGE):
        raise VisionError(f"{name}: the picture is damaged, a part of it is missing; take or copy it again")
    if picture is None:
        raise VisionError(f"{name}: the picture cannot be decoded; take or copy it again")
    return np.asarray(picture, np.uint8)


def load(path: Path) -> Image:
    """The BGR picture in a file. Raises VisionError as `decode` does, and where the file cannot be read."""
    try:
        if not path.is_file():
            what = "a folder, not a picture" if path.is_dir() else "no such file" if not path.exists() else "not a file"
            raise VisionError(f"{path}: {what}")
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise VisionError(f"{path}: {size} bytes are too many for a picture (at most {MAX_FILE_BYTES})")
        data = path.read_bytes()
    except OSError as error:
        raise VisionError(f"{path}: cannot be read: {error.strerror}") from None
    if not data:
        raise VisionError(f"{path}: the file is empty")
    return decode(data, str(path))


def save(path: Path, picture: Image) -> None:
    """Write a picture as PNG or JPEG by the name's ending. Raises VisionError where that cannot be done."""
    suffix = path.suffix.lower()
    if suffix not in PICTURE_SUFFIXES:
        raise VisionError(f"{path}: name a .png or .jpg file to write a picture to")
    done, coded = cv2.imencode(suffix, picture)
    if not done:
        raise VisionError(f"{path}: the picture cannot be encoded")
    try:
        path.write_bytes(coded.tobytes())
    except OSError as error:
        raise VisionError(f"{path}: cannot be written: {error.strerror}") from None


def picture_files(folder: Path) -> Iterator[Path]:
    """The picture files of a folder by name. Raises VisionError where it has none."""
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES and path.is_file())
    except OSError as error:
        raise VisionError(f"{folder}: cannot be read: {error.strerror}") from None
    if not found:
        raise VisionError(f"{folder}: no .jpg or .png file in it")
    return iter(found)
