"""The live view of a camera that goes away."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import VisionError
from vision.readings import Sighting
from vision.recognizer import Recognizer
from vision.stream import LiveView, served
from vision.table import TableReader
from vision.watch import View, has_screen, watch


def test_a_camera_that_vanishes_ends_the_view_with_its_reason(recognizer: Recognizer) -> None:
    camera, said, over = LiveView(), list[str](), threading.Event()
    rng = np.random.default_rng(1)

    def film() -> None:
        while not said and not over.wait(0.05):
            noise = rng.integers(60, 90, (240, 320, 3)).astype(np.uint8)
            camera.show(noise, Sighting((), 320, 240))
        camera.end()

    with served(camera) as address:
        filming = threading.Thread(target=film)
        filming.start()
        try:
            with pytest.raises(VisionError, match="the camera gives no more pictures"):
                watch(f"{address}stream", TableReader(recognizer), View(), said.append)
        finally:
            over.set()
            filming.join()
    assert said[0].startswith("live view: http://127.0.0.1:")


def test_a_display_that_is_not_there_ends_in_a_line_and_not_in_an_abort(
    recognizer: Recognizer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DISPLAY", ":4711")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not has_screen()
    cv2.imwrite(str(tmp_path / "felt.png"), np.full((240, 320, 3), 90, np.uint8))
    with pytest.raises(VisionError, match="no window can be opened here: leave --window out"):
        watch(str(tmp_path), TableReader(recognizer), View(window=True), lambda _: None)
