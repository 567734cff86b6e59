"""The simulated camera, seen through the real recognizer: hands in their boxes, the wrong box, a camera gone bad."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from firmware_sim.camera import HARD_LIGHT, CameraFaults, TableCamera
from vision.health import CameraHealth, Trouble
from vision.layout import Layout, Region
from vision.recognizer import Recognizer, Settings
from vision.table import TableReader, faces_by_region

BOXES = tuple(
    Region(name=name, polygon_mm=((x, 60), (x + 190, 60), (x + 190, 300), (x, 300)))
    for name, x in (("dealer", 20), ("box1", 220), ("box2", 420))
)
LAYOUT = Layout(width_mm=640, height_mm=360, region=BOXES)
LYING = {"dealer": ["KH"], "box1": ["7C", "TD"], "box2": ["AS", "4H", "6C"]}


@pytest.fixture
def camera() -> TableCamera:
    return TableCamera(LAYOUT, seed=3)


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader(Recognizer(Settings(looks=3)), TableCamera(LAYOUT, seed=3).calibration())


def test_the_table_is_read_as_it_lies(camera: TableCamera, reader: TableReader) -> None:
    assert faces_by_region(reader.read(camera.frame(LYING))) == LYING


def test_a_card_in_the_wrong_box_is_seen_there(camera: TableCamera, reader: TableReader) -> None:
    camera.faults = CameraFaults(wrong_box={"dealer": "box1"})
    assert faces_by_region(reader.read(camera.frame({"dealer": ["KH"]}))) == {"box1": ["KH"]}


def test_only_the_regions_asked_for_are_looked_at(camera: TableCamera, reader: TableReader) -> None:
    assert faces_by_region(reader.read(camera.frame(LYING), only=["dealer"])) == {"dealer": ["KH"]}


def test_what_the_shoe_cannot_hold_is_not_accepted(camera: TableCamera, reader: TableReader) -> None:
    possible = {"7C": 1, "TD": 1, "AS": 1, "4H": 1, "6C": 1}
    seen = faces_by_region(reader.read(camera.frame(LYING), possible=possible))
    assert seen["dealer"] == ["unknown (not_in_shoe)"]
    assert seen["box1"] == LYING["box1"]


def test_hard_light_and_a_hand_mislead_nobody(camera: TableCamera, reader: TableReader) -> None:
    camera.faults = replace(HARD_LIGHT, hand=0.5)
    for _ in range(6):
        sighting = reader.read(camera.frame(LYING))
        for reading in sighting.cards():
            assert reading.face in LYING[reading.region]


def test_the_same_seed_gives_the_same_pictures() -> None:
    one, two = TableCamera(LAYOUT, seed=5), TableCamera(LAYOUT, seed=5)
    assert np.array_equal(one.frame(LYING), two.frame(LYING))
    assert not np.array_equal(one.frame(LYING), two.frame({}))


@pytest.mark.parametrize(
    ("faults", "trouble"),
    [
        (CameraFaults(black=True), Trouble.BLACK),
        (CameraFaults(moved_px=(25.0, -12.0)), Trouble.MOVED),
        (CameraFaults(defocus_px=6.0), Trouble.DEFOCUSED),
        (CameraFaults(frozen=True), Trouble.FROZEN),
    ],
)
def test_a_camera_gone_bad_is_noticed(camera: TableCamera, faults: CameraFaults, trouble: Trouble) -> None:
    health = CameraHealth(camera.frame(LYING))
    camera.faults = faults
    assert trouble in {t for number in range(8) for t in health.update(camera.frame(LYING), 400 * number)}
