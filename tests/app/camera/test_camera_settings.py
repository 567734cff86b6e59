"""The ``[camera]`` of a table: what it becomes, and every fault of it in one line that says what to do."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.app.camera.settings import PASSWORD_VARIABLE, EyeSettings, eye_settings
from controller.app.config import CameraSection, ConfigError, camera_at

Section = Callable[..., CameraSection]


def told(section: CameraSection) -> str:
    with pytest.raises(ConfigError) as refused:
        eye_settings(section)
    assert all("\n" not in line for line in refused.value.problems)
    return "\n".join(refused.value.problems)


def relaid(calibration: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change the regions of a calibration's layout."""
    data = json.loads(calibration.read_text())
    change(data["layout"]["region"])
    calibration.write_text(json.dumps(data))


def test_regions_named_as_positions_need_nothing_more(section: Section) -> None:
    settings = eye_settings(section(source="rtsp://10.3.0.30/stream1"))
    assert settings.positions == {name: name for name in ("dealer", "box-1", "box-2", "box-3")}


def test_what_is_sent_to_the_process_comes_back(section: Section) -> None:
    settings = eye_settings(section(looks_per_s=5))
    assert EyeSettings.from_json(settings.to_json()) == settings
    for line in ("{}", "[]", "7", '{"lying": 7}'):
        with pytest.raises(ValueError):
            EyeSettings.from_json(line)


def test_other_regions_are_named_in_spots_and_trays_are_left_out(section: Section, calibration: Path) -> None:
    def change(regions: list[dict[str, Any]]) -> None:
        regions[1]["name"] = "left"
        regions[2].update(name="tray", kind="tray")

    relaid(calibration, change)
    assert "camera.spots: region left is 'left'; give it one of dealer, burn, discard, box-N" in told(section())
    settings = eye_settings(section(spots={"left": "box-7-2"}))
    assert settings.positions == {"dealer": "dealer", "left": "box-7-2", "box-3": "box-3"}


def test_every_wrong_spot_is_told(section: Section) -> None:
    found = told(section(spots={"box-1": "swipe", "box-2": "box-3", "nowhere": "box-1"}))
    assert "camera.spots: region box-1 is 'swipe'" in found
    assert "camera.spots: two regions are box-3" in found
    assert "camera.spots.nowhere: the layout has no such region; it has dealer, box-1, box-2, box-3" in found


def test_a_layout_without_regions_looks_at_nothing(section: Section, calibration: Path) -> None:
    relaid(calibration, list.clear)
    assert "has no region" in told(section())


def test_files_that_are_none_are_all_told(section: Section, tmp_path: Path) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("no picture")
    found = told(section(calibration=tmp_path / "absent.json", deck=text, reference=text))
    assert "camera.calibration: " in found
    assert "absent.json: cannot be read" in found
    assert "camera.deck: " in found
    assert "not an enrolment" in found
    assert "camera.reference: " in found


def test_cards_too_small_in_the_picture_are_refused(section: Section, calibration: Path) -> None:
    data = json.loads(calibration.read_text())
    data["layout"]["card"]["width_mm"] = 30.0
    calibration.write_text(json.dumps(data))
    assert "pixels wide" in told(section())


@pytest.mark.parametrize("source", ["rtsp://", "ftp://10.0.0.1/x", "rtsp://host:port/x", "rtsp://[::1/x"])
def test_a_url_that_is_no_cameras_is_refused(section: Section, source: str) -> None:
    assert "camera.source: " in told(section(source=source))


def test_the_password_comes_from_the_environment_alone(section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    found = told(section(source="rtsp://eye:secret@10.3.0.30/live"))
    assert PASSWORD_VARIABLE in found
    assert "secret" not in found
    monkeypatch.setenv(PASSWORD_VARIABLE, "p@ss/1")
    settings = eye_settings(section(source="rtsp://eye@10.3.0.30:8554/live?a=1"))
    assert settings.source == "rtsp://eye:p%40ss%2F1@10.3.0.30:8554/live?a=1"
    assert "p%40ss" not in repr(settings)
    assert eye_settings(section(source="rtsp://10.3.0.30/live")).source == "rtsp://10.3.0.30/live"


def test_without_the_extra_one_line_says_what_to_install(section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("vision"):
            raise ModuleNotFoundError("No module named 'cv2'", name="cv2")
        return real(name, *rest, **more)

    ready = section()
    monkeypatch.setattr(builtins, "__import__", absent)
    assert told(ready) == "camera: cv2 is not installed: pip install 'tablewatch[vision]'"


def test_without_a_library_of_the_system_its_package_is_named(
    section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("vision"):
            raise ImportError("libGL.so.1: cannot open shared object file: No such file or directory")
        return real(name, *rest, **more)

    ready = section()
    monkeypatch.setattr(builtins, "__import__", absent)
    assert "apt-get install libgl1 libglib2.0-0" in told(ready)


def test_files_are_relative_to_the_configuration_and_a_camera_is_none(tmp_path: Path) -> None:
    (tmp_path / "0").touch()
    (tmp_path / "table.mp4").touch()
    keys = {"calibration": "camera.json", "deck": "deck.npz"}
    placed = camera_at(tmp_path, CameraSection.model_validate({"source": "table.mp4", **keys}))
    assert (placed.source, placed.calibration) == (str(tmp_path / "table.mp4"), tmp_path / "camera.json")
    assert placed.deck == tmp_path / "deck.npz"
    for source in ("0", "rtsp://10.3.0.30/live", "/dev/video9"):
        assert camera_at(tmp_path, CameraSection.model_validate({"source": source, **keys})).source == source
