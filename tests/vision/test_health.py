"""A camera that cannot be believed is noticed; a good one is not accused."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.health import CameraHealth, Trouble
from vision.synth.draw import draw_deck
from vision.synth.exam import Exam, scene
from vision.synth.scene import Placed, Stage

PICTURE, _ = scene(draw_deck(), Exam(), np.random.default_rng(5))


def noisy(picture: np.ndarray, seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def after(frames: list[np.ndarray]) -> set[Trouble]:
    health = CameraHealth()
    for number in range(4):
        assert health.update(noisy(PICTURE, number), 40 * number) == ()
    return {trouble for number, frame in enumerate(frames, 4) for trouble in health.update(frame, 40 * number)}


def test_a_good_camera_is_not_accused() -> None:
    brighter = [noisy(np.clip(PICTURE * (1 + 0.02 * n), 0, 255), n) for n in range(10)]
    assert after(brighter) == set()


def test_cards_that_come_and_go_and_an_arm_are_no_trouble() -> None:
    frames = []
    for number in range(12):
        frame = noisy(PICTURE, number)
        cv2.rectangle(frame, (60 * number, 100), (60 * number + 260, 600), (90, 120, 180), -1)
        frames.append(frame)
    assert after(frames) == set()


def test_cards_laid_beside_others_are_no_moved_camera() -> None:
    deck, cloth = draw_deck(), np.random.default_rng(3).normal(90, 3, (720, 1280, 3))
    for at in ((20, 20), (20, 1180), (620, 20), (620, 1180)):
        cloth[at[0] : at[0] + 80, at[1] : at[1] + 80] = 10
        cloth[at[0] + 20 : at[0] + 60, at[1] + 20 : at[1] + 40] = 240
    stage = Stage(cloth.astype(np.uint8), np.eye(3))
    stage.lay(Placed("9S", 560, 300, 110, 0), deck)
    one = stage.picture.copy()
    for number, code in enumerate(("TS", "8S", "9C"), 1):
        stage.lay(Placed(code, 560 + 34 * number, 300 + 13 * number, 110, 0), deck)
    health = CameraHealth(noisy(one, 0))
    assert {t for n in range(9) for t in health.update(noisy(stage.picture, n), 100 * n)} == set()
    moved = cv2.warpAffine(
        stage.picture, np.array([[1, 0, 30.0], [0, 1, -12.0]]), (1280, 720), borderMode=cv2.BORDER_REFLECT
    )
    assert Trouble.MOVED in {t for n in range(9) for t in health.update(noisy(moved, n), 100 * n)}


def test_the_same_picture_for_two_seconds_is_frozen() -> None:
    frame = noisy(PICTURE, 99)
    assert after([frame] * 45) == set()
    assert after([frame] * 60) == {Trouble.FROZEN}


def test_a_black_picture_is_noticed() -> None:
    assert after([noisy(np.zeros_like(PICTURE), n) for n in range(8)]) == {Trouble.BLACK}


@pytest.mark.parametrize("shift", [(20, 0), (0, -15), (40, 25)])
def test_a_moved_camera_is_noticed(shift: tuple[int, int]) -> None:
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
    moved = cv2.warpAffine(PICTURE, matrix, (PICTURE.shape[1], PICTURE.shape[0]), borderMode=cv2.BORDER_REFLECT)
    assert Trouble.MOVED in after([noisy(moved, n) for n in range(8)])


def test_a_lens_out_of_focus_is_noticed() -> None:
    soft = cv2.GaussianBlur(PICTURE, (0, 0), 6)
    assert after([noisy(soft, n) for n in range(8)]) == {Trouble.DEFOCUSED}


def test_every_trouble_says_what_to_do() -> None:
    assert len({trouble.sentence for trouble in Trouble}) == len(Trouble)
