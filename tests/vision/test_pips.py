"""The outline of a pip tells spades from clubs, sharp and out of focus, and may silence the network."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.patches import IndexPose, Pyramid, cut
from vision.pips import CLUB, EITHER_WAIST, SPADE, waist, weighed
from vision.synth.deck import FACE_WIDTH_PX, Deck

NAMES = [f"{rank}{suit}" for rank in "A3579JK" for suit in "SC"]


def index(deck: Deck, face: str, blur_px: float = 0.0, light: float = 1.0) -> np.ndarray:
    """The straightened upper left index of a drawn card."""
    at = deck.index
    pose = IndexPose(at.x * FACE_WIDTH_PX, at.y * FACE_WIDTH_PX, 0.0, at.height * FACE_WIDTH_PX)
    patch = cut(Pyramid(deck.faces[face][..., :3].copy()), pose)
    if blur_px:
        patch = np.asarray(cv2.GaussianBlur(patch, (0, 0), blur_px), np.uint8)
    return np.asarray(patch * light, np.uint8)


@pytest.mark.parametrize("face", NAMES)
@pytest.mark.parametrize(("blur_px", "light"), [(0.0, 1.0), (1.2, 1.0), (1.2, 0.3)])
def test_a_club_has_a_waist_and_a_spade_has_none(deck: Deck, face: str, blur_px: float, light: float) -> None:
    seen = waist(index(deck, face, blur_px, light))
    assert seen is not None
    assert (seen > EITHER_WAIST) == (face[1] == "C")


def test_bare_paper_and_a_pip_that_runs_into_another_have_no_outline(deck: Deck) -> None:
    assert waist(np.full((52, 36, 3), 230, np.uint8)) is None
    merged = index(deck, "9S")
    merged[30:42] = 10
    assert waist(merged) is None


def chances(spade: float, club: float) -> np.ndarray:
    found = np.zeros((1, 5), np.float32)
    found[0, SPADE], found[0, CLUB] = spade, club
    return found


def test_a_spade_that_the_network_takes_for_a_club_is_not_believed(deck: Deck) -> None:
    blurred = index(deck, "AS", 1.2)[None]
    heard = weighed(chances(0.03, 0.97), blurred)
    assert heard[0, CLUB] < 0.9
    assert heard.sum() == pytest.approx(1.0)
    surely = weighed(chances(0.003, 0.997), blurred)
    assert surely[0, CLUB] < 0.9, "nor where the network is sure of it"


def test_the_outline_confirms_less_than_it_contradicts(deck: Deck) -> None:
    spade = index(deck, "AS")[None]
    confirmed = weighed(chances(0.8, 0.2), spade)
    assert 0.8 < confirmed[0, SPADE] < 0.95
    contradicted = weighed(chances(0.2, 0.8), spade)
    assert contradicted[0, SPADE] == pytest.approx(0.5), "the outline alone makes no card a spade"


def test_red_suits_are_left_alone(deck: Deck) -> None:
    red = np.array([[0.05, 0.9, 0.02, 0.02, 0.01]], np.float32)
    assert np.array_equal(weighed(red, index(deck, "AS")[None]), red)
