"""Regions that are looked at, and those that are let be: at rest, in motion, changed."""

from __future__ import annotations

import numpy as np
import pytest

from vision.calibrate import from_points
from vision.gate import LEAST_LOOKS, REST_MS, RegionGate
from vision.layout import Layout, Region
from vision.readings import Kind
from vision.recognizer import Recognizer
from vision.synth import ground
from vision.synth.deck import Deck
from vision.synth.scene import Placed, Stage
from vision.table import TableReader, faces_by_region

LEFT = ((0.0, 0.0), (200.0, 0.0), (200.0, 240.0), (0.0, 240.0))
RIGHT = ((200.0, 0.0), (400.0, 0.0), (400.0, 240.0), (200.0, 240.0))
SIZE = (800, 480)
FRAME_MS = 100


@pytest.fixture
def reader(recognizer: Recognizer) -> TableReader:
    regions = (Region(name="left", polygon_mm=LEFT), Region(name="right", polygon_mm=RIGHT))
    table = Layout(width_mm=400, height_mm=240, region=regions)
    pixels = np.array([[0.0, 0], [800, 0], [800, 480], [0, 480]])
    return TableReader(recognizer, from_points(pixels, pixels / 2, SIZE, table))


def frame(deck: Deck, seed: int, *cards: Placed) -> np.ndarray:
    stage = Stage(ground.cloth(SIZE[::-1], np.random.default_rng(3)), np.eye(3))
    for card in cards:
        stage.lay(card, deck)
    noise = np.random.default_rng(seed).normal(0, 3, stage.picture.shape)
    return np.clip(stage.picture + noise, 0, 255).astype(np.uint8)


KING, SEVEN = Placed("KH", 160, 240, 126, 3), Placed("7C", 600, 240, 126, 95)


def test_a_table_at_rest_is_looked_at_for_a_while_only(reader: TableReader, deck: Deck) -> None:
    gate = RegionGate(reader)
    asked = [gate.due(frame(deck, n, KING), FRAME_MS * n) for n in range(25)]
    while_reading = REST_MS // FRAME_MS + 1
    assert asked == [("left", "right")] * while_reading + [()] * (25 - while_reading)


def test_only_the_region_that_changed_is_looked_at_again(reader: TableReader, deck: Deck) -> None:
    gate = RegionGate(reader)
    for n in range(20):
        gate.due(frame(deck, n, KING), FRAME_MS * n)
    asked = [gate.due(frame(deck, n, KING, SEVEN), FRAME_MS * n) for n in range(20, 45)]
    assert asked[0] == ()  # the card has just come: it moves
    assert asked[1] == ("right",)
    assert asked[-1] == ()


def test_what_moves_waits(reader: TableReader, deck: Deck) -> None:
    gate = RegionGate(reader)
    gate.due(frame(deck, 0, KING), 0)
    asked = [gate.due(frame(deck, n, Placed("KH", 120 + 12 * n, 240, 126, 3)), FRAME_MS * n) for n in range(1, 5)]
    assert asked == [("right",)] * 4


def test_what_is_let_be_is_still_known(reader: TableReader, deck: Deck) -> None:
    gate = RegionGate(reader)
    for n in range(LEAST_LOOKS):
        sighting = gate.read(frame(deck, n, KING, SEVEN), 400 * n)
    assert gate.due(frame(deck, 20, KING, SEVEN), 8000) == ()
    sighting = gate.read(frame(deck, 21, KING, SEVEN), 8100)
    assert faces_by_region(sighting) == {"left": ["KH"], "right": ["7C"]}
    assert sighting.time_ms == 8100
    none_left = gate.read(frame(deck, 22, KING, SEVEN), 8200, possible={"KH": 1})
    assert [reading.kind for reading in none_left.readings] == [Kind.CARD, Kind.UNKNOWN]


def test_without_regions_everything_is_read(recognizer: Recognizer, deck: Deck) -> None:
    gate = RegionGate(TableReader(recognizer))
    faces = [sorted(r.face for r in gate.read(frame(deck, n, KING, SEVEN), 2000 * n).readings) for n in range(2)]
    assert faces == [["7C", "KH"]] * 2


def test_a_slow_machine_looks_often_enough_too(reader: TableReader, deck: Deck) -> None:
    gate = RegionGate(reader)
    asked = [gate.due(frame(deck, n, KING), 1000 * n) for n in range(12)]
    assert asked == [("left", "right")] * LEAST_LOOKS + [()] * (12 - LEAST_LOOKS)


def test_where_something_moves_is_told(reader: TableReader, deck: Deck) -> None:
    gate = RegionGate(reader)
    told = []
    for n, cards in enumerate([(KING,), (KING,), (KING, SEVEN), (KING, SEVEN)]):
        gate.due(frame(deck, n, *cards), FRAME_MS * n)
        told.append(gate.moving)
    assert told == [{"left", "right"}, set(), {"right"}, set()]
