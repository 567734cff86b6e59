"""The simulated camera over a simulated table: what it finds there, and its stream opened as a network camera's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from drivers.messages import ChipsCollected, WagerPlaced
from firmware_sim.camera import TILT_DEG, TableCamera
from firmware_sim.camera_stream import CameraStream, Eyes, table_layout
from firmware_sim.entries import CardLeft, CardPut, Place, RoundPlayed, Said, ShoeFilled
from firmware_sim.world import World
from vision.calibrate import check_size, from_markers
from vision.capture import opened
from vision.errors import VisionError
from vision.recognizer import Recognizer, Settings
from vision.table import TableReader

PX_PER_MM = 1.9


def dealt(world: World, *cards: tuple[int, str, int]) -> None:
    """Cards as rank, suit and box leave the shoe and come to lie there."""
    for number, (rank, suit, box) in enumerate(cards, len(world.cards) + 1):
        world.add(CardLeft(1, number, rank, suit))
        world.add(CardPut(1, number, Place.HAND, box))


@pytest.fixture
def world() -> World:
    made = World()
    made.add(ShoeFilled(1, 312, 208))
    return made


@pytest.fixture
def stream(world: World) -> Iterator[CameraStream]:
    layout = table_layout(2)
    made = CameraStream(TableCamera(layout, seed=4), Eyes(world, 2), frames_per_s=20)
    made.start()
    yield made
    assert made.stop()


def test_the_cards_of_a_world_are_read_where_they_lie() -> None:
    world = World()
    world.add(ShoeFilled(1, 312, 208))
    dealt(world, (13, "H", 0), (1, "S", 1), (10, "D", 3), (4, "C", 1), (8, "D", 7))
    camera = TableCamera(table_layout(), PX_PER_MM, seed=1, tilt_deg=TILT_DEG)
    reader = TableReader(Recognizer(Settings(looks=3)), camera.calibration())
    seen = reader.read(camera.frame(Eyes(world).lying())).cards()
    faces = [(card.region, card.face) for card in seen]
    assert sorted(faces) == [("box-1", "4C"), ("box-1", "AS"), ("box-3", "TD"), ("box-7", "8D"), ("dealer", "KH")]


def test_its_markers_calibrate_it_and_every_card_is_large_enough() -> None:
    camera = TableCamera(table_layout(), PX_PER_MM, seed=1, tilt_deg=TILT_DEG)
    found = from_markers(camera.frame({}), camera.layout)
    corner = np.array([[100.0, 90.0]])
    assert np.linalg.norm(found.table(corner) - camera.calibration().table(corner)) < 1.0
    assert "narrowest card" in check_size(found)


def test_a_card_laid_at_the_wrong_box_and_moved_is_seen_at_both(world: World) -> None:
    eyes = Eyes(world)
    dealt(world, (7, "C", 2))
    assert eyes.lying() == {"box-2": ("7C",)}
    world.add(CardPut(1, 1, Place.HAND, 1))
    assert eyes.lying() == {"box-1": ("7C",)}


def test_a_face_that_nobody_saw_lies_face_down(world: World) -> None:
    world.add(CardLeft(1, 1, 7, "C", exposed=False))
    world.add(CardPut(1, 1, Place.HAND, 2))
    assert Eyes(world).lying() == {"box-2": ("face_down",)}


def test_a_hand_is_over_a_card_just_laid_and_then_goes(world: World) -> None:
    eyes = Eyes(world)
    dealt(world, (7, "C", 2))
    eyes.lying()
    over = [eyes.hands() for _ in range(4)]
    assert over[0] == {"box-2"}
    assert over[-1] == frozenset()


def test_chips_lie_before_a_box_until_they_are_taken(world: World) -> None:
    eyes = Eyes(world)
    world.add(Said("bets", WagerPlaced(3, 1, "main", 1500), "a"))
    world.add(Said("bets", WagerPlaced(5, 1, "main", 600), "b"))
    assert eyes.chips() == {"box-3": 3, "box-5": 2}
    world.add(Said("bets", ChipsCollected(3, 1, "main", 1500), "c"))
    assert eyes.chips() == {"box-5": 2}
    world.add(RoundPlayed(1, 1, (3, 5), 6))
    assert eyes.chips() == {}


def test_chips_and_hands_are_in_the_picture() -> None:
    camera = TableCamera(table_layout(), PX_PER_MM, seed=1)
    bare = camera.frame({}).astype(int)
    for changed in (camera.frame({}, {"box-2": 4}), camera.frame({}, hands=("box-2",))):
        assert (np.abs(changed.astype(int) - bare).max(axis=2) > 40).sum() > 2000


def test_it_is_opened_as_a_network_camera(stream: CameraStream, world: World) -> None:
    with opened(stream.url) as source:
        assert source.live
        frame = next(iter(source.frames))
    assert frame.picture.shape == (stream.camera.height, stream.camera.width, 3)


def test_unplugged_it_ends_and_plugged_in_again_it_is_at_the_same_address(stream: CameraStream) -> None:
    url = stream.url
    with opened(url) as source:
        next(iter(source.frames))
        stream.unplug()
        for _ in source.frames:
            pass
        assert "gives no more pictures" in source.ended
    with pytest.raises(VisionError, match="no camera answers"), opened(url):
        pass
    stream.replug()
    assert stream.url == url
    with opened(url) as source:
        next(iter(source.frames))
