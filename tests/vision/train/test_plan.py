"""Before a run: folders, fonts, and the words by which a stopped run and its scenes are known again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from vision.errors import VisionError
from vision.train import decks
from vision.train.plan import Plan, check_folders, check_fonts, code_mark, run_mark


def plan_in(folder: Path) -> Plan:
    return Plan(npm=folder / "npm", work=folder / "work", out=folder / "out")


def test_folders_are_made(tmp_path: Path) -> None:
    plan = plan_in(tmp_path)
    check_folders(plan)
    assert list(plan.work.iterdir()) == list(plan.out.iterdir()) == []


@pytest.mark.parametrize("which", ["work", "out"])
def test_a_folder_that_cannot_be_written_to_is_said_at_once(tmp_path: Path, which: str) -> None:
    (tmp_path / which).write_text("a file")
    with pytest.raises(VisionError, match=f"{which}: cannot be written to: .*; name another folder"):
        check_folders(plan_in(tmp_path))


def test_fonts_that_are_missing_are_named_by_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decks, "FONTS", tmp_path)
    for folder in ("dejavu", "liberation", "freefont", "bebas-neue"):
        (tmp_path / "truetype" / folder).mkdir(parents=True)
        (tmp_path / "truetype" / folder / "Some-Bold.ttf").touch()
        (tmp_path / "truetype" / folder / "Some-Italic.ttf").touch()
    with pytest.raises(VisionError, match=r"fonts are missing: apt-get install fonts-lato fonts-cantarell$"):
        check_fonts()
    for folder in ("lato", "cantarell"):
        (tmp_path / "opentype" / folder).mkdir(parents=True)
        (tmp_path / "opentype" / folder / "Some.otf").touch()
    assert check_fonts() == "6 fonts"


def test_a_run_is_known_by_all_that_its_weights_follow_from(tmp_path: Path) -> None:
    plan = plan_in(tmp_path)
    for name in ("corner", "dense"):
        (tmp_path / f"{name}.onnx").write_text(name)
    onward = replace(plan, start=tmp_path)
    others = [
        *(replace(plan, seed=2), replace(plan, scenes=9), replace(plan, dense_steps=9), replace(plan, corner_steps=9)),
        onward,
    ]
    marks = [run_mark(other, "2.13.0") for other in (plan, *others)]
    (tmp_path / "dense.onnx").write_text("fitted further")
    marks += [run_mark(onward, "2.13.0"), run_mark(plan, "2.14.1")]
    assert len(set(marks)) == 8
    assert run_mark(replace(plan, npm=tmp_path, out=tmp_path), "2.13.0") == marks[0]
    assert code_mark() == code_mark()
