"""Hostile and broken picture files: one clear line each, nothing decoded that is too large."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import VisionError
from vision.pictures import MAX_FILE_BYTES, decode, load, picture_files, save, size_of


def coded(suffix: str, width: int = 64, height: int = 48) -> bytes:
    picture = np.random.default_rng(1).integers(0, 255, (height, width, 3)).astype(np.uint8)
    return cv2.imencode(suffix, picture)[1].tobytes()


def png_header(width: int, height: int) -> bytes:
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_a_good_picture_is_read(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(coded(suffix))
    assert load(path).shape == (48, 64, 3)
    assert size_of(coded(suffix), "a") == (64, 48)


HOSTILE = {
    "text named jpg": (b"this is no picture\n", "neither PNG nor JPEG"),
    "empty": (b"", "empty"),
    "jpeg cut short": (coded(".jpg", 400, 300)[:9000], "cut short"),
    "jpeg cut short and closed": (coded(".jpg", 400, 300)[:9000] + b"\xff\xd9", "damaged"),
    "png cut short": (coded(".png", 400, 300)[:9000], "cut short"),
    "huge png header": (png_header(20_000, 20_000) + b"IEND", "too many"),
    "long thin png": (png_header(1_000_000, 4) + b"IEND", "too many"),
    "tiny": (coded(".png", 4, 4), "too few"),
    "png header only": (b"\x89PNG\r\n\x1a\n", "header is broken"),
    "jpeg of noise": (b"\xff\xd8" + bytes(range(1, 200)), "header is broken"),
    "png of nothing": (png_header(100, 100) + b"IEND", "cannot be decoded"),
    "gif": (b"GIF89a" + bytes(100), "neither PNG nor JPEG"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_one_clear_line(name: str, tmp_path: Path) -> None:
    data, said = HOSTILE[name]
    path = tmp_path / "evil.jpg"
    path.write_bytes(data)
    with pytest.raises(VisionError, match=said) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_the_decoder_says_reaches_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    for data in (coded(".jpg", 400, 300)[:9000] + b"\xff\xd9", png_header(100, 100) + b"IEND"):
        with pytest.raises(VisionError):
            decode(data, "a.jpg")
    trailing = bytes(coded(".jpg")) + b"words of the camera's maker"
    assert decode(trailing, "a.jpg").shape == (48, 64, 3)
    assert capfd.readouterr().err == ""


def test_a_huge_jpeg_header_is_refused_before_decoding() -> None:
    data = bytearray(coded(".jpg"))
    at = data.find(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", 20_000, 20_000)
    with pytest.raises(VisionError, match="20000 × 20000"):
        decode(bytes(data), "a.jpg")


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    with path.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(VisionError, match="too many for a picture"):
        load(path)


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match="a folder"):
        load(tmp_path)
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(VisionError, match="not a file"):
        load(tmp_path / "pipe.png")
    with pytest.raises(VisionError, match="no such file"):
        load(tmp_path / "nowhere.png")
    with pytest.raises(VisionError, match=r"no \.jpg"):
        picture_files(tmp_path)


def test_pictures_are_written_and_refused(tmp_path: Path) -> None:
    picture = np.zeros((20, 20, 3), np.uint8)
    save(tmp_path / "a.png", picture)
    assert load(tmp_path / "a.png").shape == (20, 20, 3)
    with pytest.raises(VisionError, match=r"name a \.png"):
        save(tmp_path / "a.txt", picture)
    with pytest.raises(VisionError, match="cannot be written"):
        save(tmp_path / "no" / "a.png", picture)
