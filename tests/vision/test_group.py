"""Which indices are one card: by geometry, the one read alike first."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from vision.corners import Corner
from vision.faces import FACES
from vision.geometry import CardShape, one_place
from vision.group import grouped
from vision.patches import IndexPose

SHAPE = CardShape(2.7, 3.3)
HEIGHT_PX = 30.0


def corner(face: str, x: float, y: float, upside_down: bool = False) -> Corner:
    chances = np.full(52, 0.0002, np.float32)
    chances[FACES.index(face)] = 0.99
    pose = IndexPose(x, y, math.pi if upside_down else 0.0, HEIGHT_PX)
    return Corner(pose, chances, 0.0, 0.9, np.zeros((52, 36, 3), np.uint8), np.zeros(128, np.float32))


def twin(face: str, x: float, y: float, right: float = SHAPE.right, down: float = SHAPE.down) -> Corner:
    """The lower right index of a card whose upper left one is at x, y."""
    return corner(face, x + right * HEIGHT_PX, y + down * HEIGHT_PX, upside_down=True)


def faces(corners: list[Corner], known: CardShape | None = SHAPE) -> list[list[str]]:
    groups, _ = grouped(corners, known)
    return sorted(sorted(c.face for c in group.corners) for group in groups)


def test_an_index_and_its_twin_are_one_card() -> None:
    assert faces([corner("KH", 100, 100), twin("KH", 100, 100)]) == [["KH", "KH"]]


def test_two_equal_cards_side_by_side_are_two_by_geometry() -> None:
    cards = [corner("KH", 100, 100), twin("KH", 100, 100), corner("KH", 200, 100), twin("KH", 200, 100)]
    assert faces(cards) == [["KH", "KH"], ["KH", "KH"]]


def test_of_two_that_could_be_the_twin_the_one_read_alike_is_it() -> None:
    # The king below a ten is nearer to where the ten's twin ought to be than the ten itself, in a tilted view.
    cards = [corner("KH", 100, 100), corner("TS", 115, 100), twin("TS", 100, 100, down=SHAPE.down + 0.1)]
    assert faces(cards) == [["KH"], ["TS", "TS"]]


def test_ends_read_differently_are_one_card_where_nothing_else_explains_them() -> None:
    assert faces([corner("6S", 100, 100), twin("9S", 100, 100)]) == [["6S", "9S"]]
    assert faces([corner("6S", 100, 100), twin("9S", 100, 100, right=2.0)]) == [["6S"], ["9S"]]


def test_a_large_index_close_beside_a_whole_card_stays() -> None:
    beside = 0.5 * HEIGHT_PX
    whole, neighbour = [corner("KH", 100, 100), twin("KH", 100, 100)], corner("5C", 100 - beside, 100)
    assert faces([*whole, neighbour]) == [["5C"], ["KH", "KH"]]
    doubtful = replace(neighbour, chances=neighbour.chances * 0.6)
    assert faces([*whole, doubtful]) == [["KH", "KH"]]
    assert faces([whole[0], doubtful]) == [["KH"]]
    assert faces([doubtful]) == [["5C"]]


def test_one_index_seen_twice_is_told_from_neighbours_in_a_tight_fan() -> None:
    beside, below = (IndexPose(100 + right, 100 + down, 0.0, HEIGHT_PX) for right, down in ((10, 0), (0, 10)))
    here = IndexPose(100, 100, 0.0, HEIGHT_PX)
    assert not one_place(here, beside)
    assert one_place(here, below)
    assert one_place(here, beside, alike=True)
    assert not one_place(here, replace(beside, x=119.0), alike=True)


def test_an_index_of_another_size_is_no_card_of_this_deck() -> None:
    odd = IndexPose(400, 100, 0.0, 3 * HEIGHT_PX)
    large = Corner(
        odd, corner("5C", 0, 0).chances, 0.0, 0.9, np.zeros((52, 36, 3), np.uint8), np.zeros(128, np.float32)
    )
    assert faces([corner("KH", 100, 100), twin("KH", 100, 100), large]) == [["KH", "KH"]]


def test_the_shape_is_found_where_a_tilted_camera_spreads_the_twins() -> None:
    cards = []
    for number, (right, down) in enumerate([(2.2, 2.6), (2.2, 2.6), (2.5, 2.9), (2.6, 3.2), (2.7, 3.4), (2.7, 3.6)]):
        x, y = 100.0 + 300 * number, 100.0
        cards += [corner(FACES[number], x, y), twin(FACES[number], x, y, right, down)]
    groups, shape = grouped(cards)
    assert [len(group.corners) for group in groups] == [2] * 6
    assert shape is not None
    assert 2.8 < shape.down < 3.4


def test_a_small_index_beside_a_large_one_is_that_cards_print() -> None:
    large = corner("5C", 100, 100)
    small = corner("4C", 170, 160)
    assert faces([large, replace(small, pose=replace(small.pose, height_px=HEIGHT_PX * 0.55))]) == [["5C"]]
    assert faces([large, replace(small, pose=replace(small.pose, height_px=HEIGHT_PX * 0.7))]) == [["4C"], ["5C"]]
    far = corner("4C", 100 + 5 * HEIGHT_PX, 100)
    assert faces([large, replace(far, pose=replace(far.pose, height_px=HEIGHT_PX * 0.55))]) == [["4C"], ["5C"]]


def test_two_ends_read_alike_are_one_card_where_blur_makes_one_seem_larger() -> None:
    first, second = corner("AD", 100, 100), twin("AD", 100, 100)
    blurred = replace(second, pose=replace(second.pose, height_px=HEIGHT_PX * 1.45))
    assert faces([first, blurred]) == [["AD", "AD"]]
    other = corner("KS", second.pose.x, second.pose.y, upside_down=True)
    assert faces([first, replace(other, pose=blurred.pose)]) == [["AD"], ["KS"]]
