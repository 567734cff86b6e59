"""The camera's process on a real stream: seen, gone, moved and back; what it says where it cannot look at all."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

from controller.app.camera.session import EYE, CameraSession
from controller.app.camera.settings import eye_settings
from controller.app.config import CameraSection
from drivers.messages import CardPresent, LineFault, LinkChanged, LinkState
from firmware_sim.camera import CameraFaults, TableCamera
from firmware_sim.camera_stream import CameraStream, Eyes
from firmware_sim.entries import CardLeft, CardPut, Place, ShoeFilled
from firmware_sim.world import World

Section = Callable[..., CameraSection]
Until = Callable[[Callable[[], object], Callable[[], object]], None]


@pytest.fixture
def world() -> World:
    made = World()
    made.add(ShoeFilled(1, 312, 208))
    return made


@pytest.fixture
def stream(world: World, camera: TableCamera) -> Iterator[CameraStream]:
    made = CameraStream(camera, Eyes(world, 3))
    made.start()
    yield made
    assert made.stop()


def lay(world: World, rank: int, suit: str, box: int) -> None:
    number = len(world.cards) + 1
    world.add(CardLeft(1, number, rank, suit))
    world.add(CardPut(1, number, Place.HAND, box))


@pytest.mark.slow
def test_a_camera_that_vanishes_and_moves_is_followed_through_everything(
    stream: CameraStream, world: World, section: Section, until: Until
) -> None:
    heard: list[Any] = []
    settings = eye_settings(section(source=stream.url))
    session = CameraSession("eye", settings, lambda _, report: heard.append(report.message))

    def come(*wanted: Any) -> None:
        until(lambda: heard[-len(wanted) :] == list(wanted), lambda: heard)

    up = LinkChanged(LinkState.UP, "the table is seen")
    session.start()
    try:
        come(up)
        lay(world, 13, "H", 1)
        come(CardPresent("box-1", 13, "H"))
        stream.unplug()
        until(lambda: isinstance(heard[-1], LinkChanged) and "no more pictures" in heard[-1].reason, lambda: heard)
        lay(world, 7, "C", 0)
        stream.replug()
        come(up, CardPresent("dealer", 7, "C"))
        stream.camera.faults = CameraFaults(moved_px=(30.0, -15.0))
        moved = "the camera was moved: put it back or calibrate again"
        come(LineFault("moved", moved), LinkChanged(LinkState.DOWN, moved))
        stream.camera.faults = CameraFaults()
        come(LineFault("moved", moved, cleared=True), up)
        lay(world, 4, "D", 3)
        come(CardPresent("box-3", 4, "D"))
    finally:
        assert session.stop()
    assert sum(isinstance(message, CardPresent) for message in heard) == 3


class Said:
    """One life of the process, given its settings and the end of its input."""

    def __init__(self, first_line: str, wait_for: str = "") -> None:
        with subprocess.Popen(
            [sys.executable, *EYE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(first_line + "\n")
            process.stdin.flush()
            self.lines: list[dict[str, Any]] = []
            for line in process.stdout:
                if line.strip():
                    self.lines.append(json.loads(line))
                if wait_for and wait_for in line:
                    process.stdin.close()
            self.status = process.wait()


def test_files_that_went_away_are_told_in_one_line(section: Section, calibration: Path) -> None:
    settings = eye_settings(section())
    calibration.unlink()
    said = Said(settings.to_json())
    assert said.status == 1
    assert [line["fault"] for line in said.lines] == ["settings"]
    assert "cannot be read" in said.lines[0]["reason"]


def test_a_source_that_nobody_gives_is_told_once(section: Section) -> None:
    said = Said(eye_settings(section(source="http://127.0.0.1:9/stream")).to_json(), wait_for="down")
    assert said.lines == [
        {"link": "down", "reason": "http://127.0.0.1:9/stream: no camera answers there"},
    ]
    assert said.status == 0


def test_a_folder_of_pictures_is_looked_at_once(section: Section, camera: TableCamera, tmp_path: Path) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    for number in range(12):
        cv2.imwrite(str(folder / f"{number:03}.png"), camera.frame({"box-1": ("QS",)}))
    said = Said(eye_settings(section(source=str(folder))).to_json(), wait_for="down")
    assert said.lines[:2] == [{"link": "up"}, {"card": "QS", "at": "box-1"}]
    assert said.lines[-1]["link"] == "down"


def test_a_picture_that_is_cut_short_ends_the_source_in_one_line(
    section: Section, camera: TableCamera, tmp_path: Path
) -> None:
    folder = tmp_path / "frames"
    folder.mkdir()
    cv2.imwrite(str(folder / "0.png"), camera.frame({}))
    whole = (folder / "0.png").read_bytes()
    (folder / "1.png").write_bytes(whole[: len(whole) // 2])
    said = Said(eye_settings(section(source=str(folder))).to_json(), wait_for="down")
    assert said.lines[0] == {"link": "up"}
    assert "1.png" in said.lines[1]["reason"]
