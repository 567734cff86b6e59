"""Reading one index: when it is looked at again, and what its ink says."""

from __future__ import annotations

import numpy as np
import pytest

from vision.corners import RANK_PART, SUIT_PART, CornerReader, fits_ink, redness
from vision.patches import IndexPose, Pyramid
from vision.synth.deck import FACE_WIDTH_PX, Deck

RED, BLACK, PAPER = (40, 40, 205), (45, 40, 40), (235, 240, 242)


def patch(rank: tuple[int, int, int], suit: tuple[int, int, int], light: float = 1.0) -> np.ndarray:
    """An index of two blocks, one where the rank is and one where the suit is."""
    made = np.full((52, 36, 3), PAPER, np.float32)
    made[10:25, 13:23] = rank
    made[31:43, 13:23] = suit
    return np.asarray(np.clip(made * light, 0, 255), np.uint8)


@pytest.mark.parametrize("light", [1.0, 0.4])
def test_the_colour_of_the_ink_is_seen_in_any_light(light: float) -> None:
    red, black = patch(RED, RED, light), patch(BLACK, BLACK, light)
    assert min(redness(red, part) for part in (RANK_PART, SUIT_PART)) > 0.6
    assert max(abs(redness(black, part)) for part in (RANK_PART, SUIT_PART)) < 0.1
    assert [fits_ink(red, True), fits_ink(red, False)] == [True, False]
    assert [fits_ink(black, False), fits_ink(black, True)] == [True, False]


def test_a_thin_red_rank_is_red() -> None:
    thin = patch(PAPER, RED)
    thin[10:25, 17:18] = RED
    thin[10:25, 16:19:2] = (95, 95, 100)  # what its strokes lie between, in shadow
    assert redness(thin, RANK_PART) < 0.18
    assert fits_ink(thin, True)


def test_a_rank_and_a_suit_of_different_inks_are_two_cards() -> None:
    assert not fits_ink(patch(BLACK, RED), True)
    assert not fits_ink(patch(BLACK, RED), False)
    assert not fits_ink(patch(RED, BLACK), True)


def test_what_lies_beside_the_index_does_not_count() -> None:
    crowded = patch(BLACK, BLACK)
    crowded[:, :9] = RED
    crowded[:, 27:] = RED
    assert fits_ink(crowded, False)


def test_bleached_print_says_nothing_of_its_colour() -> None:
    bleached = patch((190, 195, 198), (190, 195, 198))
    assert redness(bleached, SUIT_PART) == -1
    assert fits_ink(bleached, True)
    assert fits_ink(bleached, False)
    assert redness(np.full((52, 36, 3), 8, np.uint8), RANK_PART) == -1


def test_further_looks_are_taken_only_where_one_is_not_clear(deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, given = CornerReader(), []
    raw = reader.raw

    def counted(patches: np.ndarray) -> np.ndarray:
        given.append(len(patches))
        return raw(patches)

    monkeypatch.setattr(reader, "raw", counted)
    at, face = deck.index, np.ascontiguousarray(deck.faces["KH"][..., :3])
    clear = IndexPose(at.x * FACE_WIDTH_PX, at.y * FACE_WIDTH_PX, 0.0, at.height * FACE_WIDTH_PX)
    between = clear.moved(0.0, 0.55, 0.0, 0.0)
    corners = reader.read(Pyramid(face), [clear, between], [1.0, 1.0], looks=5)
    assert corners[0].face == "KH"
    assert corners[0].chance > 0.99
    assert given[:2] == [2, 2]
    assert all(number <= 1 for number in given[2:])
    given.clear()
    reader.read(Pyramid(face), [clear, between], [1.0, 1.0], looks=1)
    assert given == [2, 2]
