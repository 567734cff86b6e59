"""Labels on annotated pictures: none hides another."""

from __future__ import annotations

import numpy as np

from vision.annotate import annotate, free
from vision.readings import Kind, Reading, Sighting


def test_a_label_gives_way_to_those_that_are_there() -> None:
    assert free((10, 10, 40, 20), []) == (10, 10, 40, 20)
    taken = [(10, 10, 40, 20), (30, 32, 40, 20)]
    left, top, wide, high = free((25, 12, 40, 20), taken)
    assert (left, wide, high) == (25, 40, 20)
    assert top >= 52
    assert free((90, 12, 40, 20), taken) == (90, 12, 40, 20)


def test_every_reading_is_drawn() -> None:
    outline = ((40.0, 40.0), (120.0, 40.0), (120.0, 150.0), (40.0, 150.0))
    readings = (Reading(Kind.CARD, outline, "KH"), Reading(Kind.FACE_DOWN, outline))
    blank = np.zeros((200, 200, 3), np.uint8)
    drawn = annotate(blank, Sighting(readings, 200, 200))
    assert blank.max() == 0
    colours = {tuple(map(int, colour)) for colour in drawn.reshape(-1, 3)}
    assert {(70, 200, 60), (230, 150, 40)} <= colours
