"""What a camera's looks come to in words: each thing once, troubles and a slow machine told and taken back."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from controller.app.camera.following import SLOW, Words
from controller.app.camera.looking import VOTING, Look
from controller.app.camera.noticing import Came, Unread, Went
from controller.app.camera.settings import EyeSettings
from vision.capture import Frame, Source
from vision.errors import VisionError
from vision.health import Trouble

SETTINGS = EyeSettings("0", "camera.json", "", "", 30, {"left": "box-1", "dealer": "dealer"})
FRAME = Frame(np.zeros((4, 4, 3), np.uint8), 0, 0, "camera")


class Looks:
    """Finds what it is given, in turn; the last for ever."""

    def __init__(self, *found: Look | str) -> None:
        self._found = itertools.chain(found, itertools.repeat(found[-1]))

    def anew(self) -> None:
        """A source was opened."""

    def look(self, _: Frame) -> Look:
        found = next(self._found)
        if isinstance(found, str):
            raise VisionError(found)
        return found


def nothing() -> None:
    """Beats for nobody."""


def words(said: list[dict[str, object]], *found: Look | str, every_s: float = 0.1) -> Words:
    looker: Any = Looks(*found)
    return Words(SETTINGS, looker, said.append, nothing, clock_s=itertools.count(0, every_s).__next__)


@pytest.fixture
def said() -> list[dict[str, object]]:
    return []


def test_changes_are_told_with_the_position_of_their_region(said: list[dict[str, object]]) -> None:
    words(said, Look((), (Came("left", "KH"), Went("dealer", "7C"), Unread("left", "glare")))).take(FRAME)
    assert said == [
        {"link": "up"},
        {"card": "KH", "at": "box-1"},
        {"gone": "7C", "at": "dealer"},
        {"unread": "glare", "at": "box-1"},
    ]


def test_troubles_are_told_once_and_taken_back_before_the_camera_is_up_again(said: list[dict[str, object]]) -> None:
    well, moved = Look((), ()), Look((Trouble.MOVED,), ())
    one = words(said, well, moved, moved, Look((Trouble.MOVED, Trouble.DEFOCUSED), ()), well, well)
    for _ in range(6):
        one.take(FRAME)
    told = [(line.get("fault") or line["link"], line.get("cleared")) for line in said]
    assert told == [
        ("up", None),
        ("moved", False),
        ("down", None),
        ("defocused", False),
        ("moved", True),
        ("defocused", True),
        ("up", None),
    ]


def test_looks_that_come_too_seldom_are_told_and_taken_back(said: list[dict[str, object]]) -> None:
    times = [0.0]
    looker: Any = Looks(Look((), ()))
    one = Words(SETTINGS, looker, said.append, nothing, clock_s=lambda: times[-1])
    for pause_s in [0.1] * VOTING.looks + [3.0] * VOTING.looks + [0.1] * VOTING.looks:
        times.append(times[-1] + pause_s)
        one.take(FRAME)
    assert said[1:] == [
        {"fault": "slow", "reason": SLOW, "cleared": False},
        {"fault": "slow", "reason": SLOW, "cleared": True},
    ]


def test_the_end_of_a_source_is_told_once_with_its_reason(said: list[dict[str, object]]) -> None:
    one = words(said, Look((), ()))
    source = Source("table.mp4", iter([FRAME, FRAME]), live=False, ended="table.mp4: the end after 2 frames")
    assert one.follow(source) == 2
    one.down("no camera answers there")
    assert said == [{"link": "up"}, {"link": "down", "reason": "table.mp4: the end after 2 frames"}]


def test_frames_that_cannot_be_read_end_the_source(said: list[dict[str, object]]) -> None:
    one = words(said, Look((), ()), "the picture has another size: calibrate again")
    assert one.follow(Source("camera", iter([FRAME] * 9), live=False)) == 1
    assert said[-1] == {"link": "down", "reason": "the picture has another size: calibrate again"}


def test_every_look_is_a_beat(said: list[dict[str, object]]) -> None:
    beats: list[int] = []
    looker: Any = Looks(Look((), ()))
    one = Words(SETTINGS, looker, said.append, lambda: beats.append(len(said)))
    one.take(FRAME)
    one.take(FRAME)
    assert beats == [0, 1]
