"""Fitting, where torch is: one plan gives the same weights to the last bit, also when it was stopped in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import cv2
import pytest

import vision.models
from vision.errors import VisionError
from vision.evaluate import measure
from vision.named import named_set
from vision.recognizer import Recognizer, Settings
from vision.train.plan import Plan

pytestmark = [
    pytest.mark.usefixtures("torch"),
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:torch"),
]


def small(folder: Path, work: Path) -> Plan:
    return Plan(folder, work, folder / "out", seed=3, scenes=6, corner_steps=12, dense_steps=8)


def weights(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "corner.onnx").read_bytes(), (folder / "dense.onnx").read_bytes()


def run(plan: Plan, names: Sequence[str], stop_at: str = "") -> list[str]:
    from vision.train.command import train_on

    told: list[str] = []

    def tell(text: str) -> None:
        told.append(text)
        if stop_at and text.startswith(stop_at):
            raise KeyboardInterrupt

    plan.out.mkdir(parents=True, exist_ok=True)
    threads = cv2.getNumThreads()
    try:
        train_on(plan, names, tell)
    finally:
        cv2.setNumThreads(threads)
    return told


@pytest.fixture
def often(torch: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short runs that tell and keep all the same."""
    from vision.train import fitting

    monkeypatch.setattr(fitting, "TELL_STEPS", 3)
    monkeypatch.setattr(fitting, "KEEP_STEPS", 2)


@pytest.mark.usefixtures("often")
def test_one_seed_gives_the_same_weights_also_after_a_stop(work: Path, names: Sequence[str], tmp_path: Path) -> None:
    plan = small(tmp_path, work)
    other = replace(plan, work=tmp_path / "other", out=tmp_path / "other-out")
    copytree(work, other.work)
    told = run(plan, names)
    assert "corner step 12/12" in " ".join(told)
    for stop in ("scene 0", "corner step 9", "dense step 6"):
        with pytest.raises(KeyboardInterrupt):
            run(other, names, stop)
    resumed = run(other, names)
    assert any(line.startswith("corner goes on after step 12") for line in resumed)
    assert any(line.startswith("dense goes on after step 4") for line in resumed)
    assert weights(plan.out) == weights(other.out)
    different = replace(plan, seed=4, out=tmp_path / "seed-4")
    run(different, names)
    assert weights(different.out) != weights(plan.out)


def test_weights_that_were_fitted_are_used_and_gone_on_from(work: Path, names: Sequence[str], tmp_path: Path) -> None:
    plan = small(tmp_path, work)
    run(plan, names)
    found = named_set("rendered:scenes=1,seed=3", lambda _: pytest.fail("no art"), plan.out)
    score = measure(found.examples, Recognizer(Settings(card_width_px=110, weights=plan.out)).read).score
    assert score.exact == 0
    onward = replace(plan, out=tmp_path / "onward", start=plan.out)
    run(onward, names)
    assert weights(onward.out) != weights(plan.out)


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("kept", [b"", b"hello", b"cut"])
def test_a_kept_run_that_is_damaged_is_one_line(work: Path, names: Sequence[str], tmp_path: Path, kept: bytes) -> None:
    plan = small(tmp_path, work)
    with pytest.raises(KeyboardInterrupt):
        run(plan, names, "corner step 3")
    (path,) = work.glob("corner-*.pt")
    path.write_bytes(path.read_bytes()[:30_000] if kept == b"cut" else kept)
    with pytest.raises(VisionError, match=r"corner-.*\.pt: not what a run keeps of itself"):
        run(plan, names)


def test_weights_of_no_use_are_said_before_anything_is_drawn(work: Path, tmp_path: Path) -> None:
    from vision.train.command import train_all

    start = tmp_path / "start"
    start.mkdir()
    plan = replace(small(tmp_path, work), start=start)
    dense = (Path(vision.models.__file__).parent / "dense.onnx").read_bytes()
    for data, said in (
        (None, "are not in"),
        (b"junk", "not an ONNX file"),
        (b"", "not an ONNX file"),
        (dense, "of another network"),
    ):
        if data is not None:
            (start / "corner.onnx").write_bytes(data)
        with pytest.raises(VisionError, match=said):
            train_all(plan, lambda line: pytest.fail(line))
