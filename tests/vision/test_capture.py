"""Sources of frames: pictures, folders, videos whole and cut short, cameras that are not there or go away."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.capture import MAX_MISSING_FRAMES, Frame, Source, _video, opened
from vision.errors import VisionError


def write_video(path: Path, frames: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25, (160, 120))
    assert writer.isOpened()
    rng = np.random.default_rng(1)
    for _ in range(frames):
        writer.write(rng.integers(0, 255, (120, 160, 3)).astype(np.uint8))
    writer.release()


def all_of(text: str) -> tuple[list[Frame], str]:
    with opened(text) as source:
        return list(source.frames), source.ended


def test_a_video_has_a_clock_and_an_end(tmp_path: Path) -> None:
    write_video(tmp_path / "a.avi", 10)
    frames, ended = all_of(str(tmp_path / "a.avi"))
    assert [frame.time_ms for frame in frames] == [40 * n for n in range(10)]
    assert "the end after 10 frames" in ended


def test_a_video_cut_in_mid_frame_says_so(tmp_path: Path) -> None:
    write_video(tmp_path / "a.avi", 20)
    data = (tmp_path / "a.avi").read_bytes()
    (tmp_path / "b.avi").write_bytes(data[: len(data) * 6 // 10])
    frames, ended = all_of(str(tmp_path / "b.avi"))
    assert 5 < len(frames) < 20
    assert "cut short" in ended


def test_what_is_no_video_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_text("not a video")
    with pytest.raises(VisionError, match="not a video"):
        all_of(str(tmp_path / "a.mp4"))
    with pytest.raises(VisionError, match="no such file"):
        all_of(str(tmp_path / "nothing.mp4"))


def test_a_folder_gives_its_pictures_in_order(tmp_path: Path) -> None:
    for name in ("b.png", "a.png"):
        cv2.imwrite(str(tmp_path / name), np.zeros((32, 32, 3), np.uint8))
    frames, _ = all_of(str(tmp_path))
    assert [Path(frame.name).name for frame in frames] == ["a.png", "b.png"]
    assert [frame.time_ms for frame in frames] == [0, 100]


def test_a_camera_that_is_not_there_is_refused() -> None:
    with pytest.raises(VisionError, match="no camera answers"):
        all_of("99")


def test_a_network_camera_that_refuses_is_refused_without_its_password() -> None:
    with pytest.raises(VisionError, match="no camera answers") as caught:
        all_of("rtsp://user:secret@127.0.0.1:9/stream")
    assert "secret" not in str(caught.value)


class VanishingCamera:
    """Gives three frames and then none, as a camera does whose cable is pulled."""

    def __init__(self) -> None:
        self.reads = 0

    def get(self, _: int) -> float:
        return 0.0

    def read(self) -> tuple[bool, np.ndarray | None]:
        self.reads += 1
        return (True, np.zeros((8, 8, 3), np.uint8)) if self.reads <= 3 else (False, None)


def test_a_camera_that_vanishes_ends_with_a_reason() -> None:
    camera, ticks = VanishingCamera(), iter(range(0, 10_000, 33))
    source = Source("/dev/video0", iter(()), live=True)
    frames = list(_video(source, camera, lambda: next(ticks)))  # type: ignore[arg-type]
    assert [frame.time_ms for frame in frames] == [33, 66, 99]
    assert camera.reads == 3 + MAX_MISSING_FRAMES
    assert "no more pictures" in source.ended
