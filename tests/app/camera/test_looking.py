"""Looks at the pictures of the simulated camera: cards settled and reported, troubles noticed, rest left alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from controller.app.camera.looking import Looker
from controller.app.camera.newest import paced
from controller.app.camera.noticing import Came, Change, Went
from controller.app.camera.settings import EyeSettings, eye_settings
from controller.app.config import CameraSection
from firmware_sim.camera import CameraFaults, TableCamera
from vision.capture import Frame, Source
from vision.errors import VisionError
from vision.gate import REST_MS
from vision.health import Trouble
from vision.patches import Image
from vision.readings import Sighting
from vision.table import TableReader

STEP_MS = 120
LYING = {"dealer": ("KH",), "box-1": ("7C", "TD"), "box-3": ("AS",)}
ALL = {Came("dealer", "KH"), Came("box-1", "7C"), Came("box-1", "TD"), Came("box-3", "AS")}


class Watch:
    """A looker over the simulated camera, a picture every `STEP_MS`."""

    def __init__(self, camera: TableCamera, settings: EyeSettings) -> None:
        self.camera = camera
        self.looker = Looker(settings)
        self.number = 0

    def see(self, lying: dict[str, tuple[str, ...]], looks: int) -> tuple[list[Change], set[Trouble]]:
        changes: list[Change] = []
        troubles: set[Trouble] = set()
        for _ in range(looks):
            frame = Frame(self.camera.frame(lying), self.number, self.number * STEP_MS, "camera")
            found = self.looker.look(frame)
            self.number += 1
            changes += found.changes
            troubles |= set(found.troubles)
        return changes, troubles


@pytest.fixture
def watch(camera: TableCamera, section: Callable[..., CameraSection]) -> Watch:
    return Watch(camera, eye_settings(section()))


def test_each_card_is_reported_once_and_gone_when_it_is_taken(watch: Watch) -> None:
    changes, troubles = watch.see(LYING, 20)
    assert (sorted(map(str, changes)), troubles) == (sorted(map(str, ALL)), set())
    assert watch.see(LYING, 10) == ([], set())
    changes, _ = watch.see({"box-1": LYING["box-1"]}, 25)
    assert set(changes) == {Went("dealer", "KH"), Went("box-3", "AS")}


def test_what_lay_there_before_is_not_reported(camera: TableCamera, section: Callable[..., CameraSection]) -> None:
    settings = replace(eye_settings(section()), lying={"box-1": ("7C", "TD"), "dealer": ("KH",)})
    changes, _ = Watch(camera, settings).see(LYING, 20)
    assert changes == [Came("box-3", "AS")]


def test_more_of_a_card_than_the_shoe_holds_is_not_reported(watch: Watch) -> None:
    changes, _ = watch.see({"box-1": ("KH",) * 3, "box-2": ("KH",) * 3, "box-3": ("KH",), "dealer": ("KH",)}, 30)
    assert set(changes) <= {Came(region, "KH") for region in ("box-1", "box-2", "box-3", "dealer")}
    assert 3 <= len(changes) <= 6


@pytest.mark.parametrize(
    ("faults", "trouble"),
    [
        (CameraFaults(black=True), Trouble.BLACK),
        (CameraFaults(moved_px=(25.0, -12.0)), Trouble.MOVED),
        (CameraFaults(defocus_px=6.0), Trouble.DEFOCUSED),
        (CameraFaults(frozen=True), Trouble.FROZEN),
    ],
)
def test_a_camera_gone_bad_is_not_believed(watch: Watch, faults: CameraFaults, trouble: Trouble) -> None:
    watch.see({}, 4)
    watch.camera.faults = faults
    _, troubles = watch.see({}, 20)
    assert trouble in troubles
    changes, _ = watch.see(LYING, 20)
    assert [change for change in changes if change not in ALL] == []
    watch.camera.faults = CameraFaults()
    changes, troubles = watch.see(LYING, 25)
    assert set(changes) == ALL
    assert Trouble.BLACK not in troubles


def test_a_second_card_at_every_place_is_no_moved_camera(watch: Watch) -> None:
    places = ("dealer", "box-1", "box-2", "box-3")
    watch.see(dict.fromkeys(places, ("9S",)), 4)
    _, troubles = watch.see(dict.fromkeys(places, ("9S", "KH")), 12)
    assert troubles == set()


def test_a_table_at_rest_is_not_read_again(watch: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    real = TableReader.read

    def counted(self: TableReader, picture: Image, time_ms: int, *, only: Sequence[str]) -> Sighting:
        read.append(len(only))
        return real(self, picture, time_ms, only=only)

    monkeypatch.setattr(TableReader, "read", counted)
    watch.see(LYING, REST_MS // STEP_MS + 4)
    read.clear()
    watch.see(LYING, 10)
    assert sum(read) == 0
    watch.see({**LYING, "box-2": ("4H",)}, 3)
    assert read[-1] == 1


def test_a_picture_of_another_size_is_refused(watch: Watch) -> None:
    with pytest.raises(VisionError, match="calibrate again"):
        watch.looker.look(Frame(np.zeros((100, 100, 3), np.uint8) + 90, 0, 0, "camera"))


def frames(count: int) -> list[Frame]:
    return [Frame(np.zeros((4, 4, 3), np.uint8), number, number, "") for number in range(count)]


def test_a_file_is_seen_frame_by_frame() -> None:
    with paced(Source("file", iter(frames(9)), live=False)) as seen:
        assert [frame.number for frame in seen] == list(range(9))


def test_of_a_camera_the_newest_frame_is_taken_and_the_end_is_seen() -> None:
    with paced(Source("camera", iter(frames(9)), live=True)) as seen:
        numbers = [frame.number for frame in seen]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 8
