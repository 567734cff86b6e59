"""The demo's command line: what it refuses before anything is started, and what it says at the end."""

from __future__ import annotations

import builtins
import io
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from controller.cli.demo import summary
from controller.cli.demo.summary import Played, checks, summary_table
from controller.cli.screen import program

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


def test_the_verdicts_wanted_count_what_the_death_of_the_controller_must_raise(played: Any, tmp_path: Path) -> None:
    """A demo without its death is missing one."""
    for deaths, said in ((0, "0 planted, 1 verdicts wanted, 1 raised"), (1, "0 planted, 2 verdicts wanted (1 because")):
        stage = Played(2, 2, 6, (), Counter({"PAY_AMOUNT": 1}), deaths, 0, ())
        (found,) = [check for check in checks(stage, played.path, tmp_path / "none") if check.name == "deviations"]
        assert found.found.startswith(said)
        assert found.ok is not bool(deaths)


@pytest.mark.parametrize("there", [True, False])
def test_the_summary_breaks_no_word_at_sixty_columns(played: Any, tmp_path: Path, there: bool) -> None:
    folder = tmp_path / ("a-folder-with-a-name-that-is-longer-than-the-column" * 2)
    folder.mkdir()
    if there:
        shutil.copy(played.path, folder / "table.sqlite")
    stage = Played(2, 2, 6, ("push_paid",), Counter({"PAY_AMOUNT": 1}), 0, 0, ())
    found = checks(stage, folder / "table.sqlite", folder / "archive.sqlite")
    screen = Console(record=True, width=60, file=io.StringIO())
    screen.print(summary_table(found, stage))
    words = set(screen.export_text().split())
    assert any("table.sqlite" in word for word in words)
    for check in found:
        assert set(check.found.split()) <= words


def test_a_command_is_named_as_it_was_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", [".venv/bin/tablewatch", "demo"])
    assert program() == ".venv/bin/tablewatch"
    monkeypatch.setattr("sys.argv", ["/usr/lib/python3/pytest.py"])
    assert program() == "tablewatch"


def test_faults_that_nobody_knows_are_refused_before_anything_is_started(cli: Cli, tmp_path: Path) -> None:
    code, _, err = cli("demo", "--faults", "awful", "--keep", tmp_path / "new")
    assert code == 2
    assert "--faults: awful: No such file or directory; name a fault profile (clean, nominal, harsh, hostile)" in err
    assert not (tmp_path / "new").exists()


def test_what_bad_lines_raise_is_no_mistake_of_the_table_where_lines_are_bad(
    played: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summary, "BAD_LINES", {"PAY_AMOUNT"})
    for faults, ok in (({"noise": 3}, True), ({}, False)):
        stage = Played(2, 2, 6, (), Counter(), 0, 0, (), faults=faults)
        (found,) = [check for check in checks(stage, played.path, tmp_path / "none") if check.name == "deviations"]
        assert found.ok is ok
        assert ("raised by bad lines PAY_AMOUNT" in found.found) is ok
