"""A small table with a simulated camera above it, calibrated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench import waiting
from controller.app.config import CameraSection
from firmware_sim.camera import TILT_DEG, TableCamera
from firmware_sim.camera_stream import table_layout
from vision.calibrate import save_calibration
from vision.synth.deck import Deck
from vision.synth.draw import draw_deck

DEADLINE_S = 60.0


@pytest.fixture(scope="session")
def deck() -> Deck:
    """A drawn deck."""
    return draw_deck()


@pytest.fixture
def camera(deck: Deck) -> TableCamera:
    """A camera above a dealer and three boxes."""
    return TableCamera(table_layout(3), 1.9, seed=5, deck=deck, tilt_deg=TILT_DEG)


@pytest.fixture
def calibration(tmp_path: Path, calibrated: str) -> Path:
    """The camera's calibration as a file."""
    path = tmp_path / "camera.json"
    path.write_text(calibrated)
    return path


@pytest.fixture(scope="session")
def calibrated(tmp_path_factory: pytest.TempPathFactory, deck: Deck) -> str:
    """The calibration of a camera above a dealer and three boxes."""
    path = tmp_path_factory.mktemp("camera") / "camera.json"
    save_calibration(path, TableCamera(table_layout(3), 1.9, seed=5, deck=deck, tilt_deg=TILT_DEG).calibration())
    return path.read_text()


@pytest.fixture
def section(calibration: Path) -> Callable[..., CameraSection]:
    """A ``[camera]`` with these keys beside its calibration."""

    def make(**keys: object) -> CameraSection:
        return CameraSection.model_validate({"source": "0", "calibration": calibration, **keys})

    return make


@pytest.fixture
def until() -> Callable[[Callable[[], object], Callable[[], object]], None]:
    """Wait until a condition holds; on failure show what is told of."""

    def wait(condition: Callable[[], object], told: Callable[[], object]) -> None:
        waiting.until(condition, told, DEADLINE_S)

    return wait
