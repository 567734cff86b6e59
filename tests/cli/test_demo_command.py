"""The demo's command line: what it refuses before anything is started."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., tuple[int, str, str]]


def test_the_camera_looks_at_blackjack_only(cli: Cli, tmp_path: Path) -> None:
    code, _, err = cli("demo", "--camera", "--game", "blot", "--keep", tmp_path / "new")
    assert code == 2
    assert "--camera: the simulated camera looks at blackjack only" in err
    assert not (tmp_path / "new").exists()


def test_a_camera_without_the_extra_says_what_to_install(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: Any, **more: Any) -> Any:
        if name == "vision":
            raise ModuleNotFoundError("No module named 'cv2'", name="cv2")
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    code, out, err = cli("demo", "--camera", "--keep", tmp_path / "new")
    assert (code, out) == (3, "")
    assert "cv2 is not installed: pip install 'tablewatch[vision]'" in err
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_not_empty_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "table.sqlite").touch()
    code, _, err = cli("demo", "--keep", tmp_path)
    assert code == 2
    assert "is not empty: name a new folder" in err
