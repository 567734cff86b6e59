"""``tablewatch vision`` as typed: reading, enrolling, calibrating, watching, measuring, and one line for bad input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.models
from bench import waiting
from controller.cli.main import run
from controller.cli.vision_text import set_labels
from vision.faces import FACES
from vision.synth.draw import draw_deck
from vision.synth.light import EASY, develop
from vision.synth.scene import Placed, Stage

DECK = draw_deck()


def scene(*cards: Placed, seed: int = 1, size: tuple[int, int] = (640, 480)) -> np.ndarray:
    stage = Stage(np.full((size[1], size[0], 3), (60, 110, 50), np.uint8), np.eye(3))
    for card in cards:
        stage.lay(card, DECK)
    return develop(stage.picture, (stage.owner > 0).astype(np.float32), np.random.default_rng(seed), EASY)


HAND = (Placed("KH", 180, 240, 110, 5), Placed("7C", 440, 240, 110, 80))


def test_read_prints_a_table_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), scene(*HAND))
    assert run(["vision", "read", str(tmp_path / "a.png"), "-o", str(tmp_path / "b.png")]) == 0
    said = capsys.readouterr().out
    assert "KH" in said
    assert "7C" in said
    assert np.asarray(cv2.imread(str(tmp_path / "b.png"))).shape == (480, 640, 3)


def test_several_pictures_are_drawn_into_a_folder_and_a_bad_one_stops_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, also = (tmp_path / name for name in ("a.png", "b.jpg", "c.png"))
    for path in (good, also):
        cv2.imwrite(str(path), scene(*HAND))
    bad.write_text("no picture\n")
    assert run(["vision", "read", str(good), str(bad), str(also), "-o", str(tmp_path / "drawn")]) == 3
    said = capsys.readouterr()
    assert said.out.count("7C") == 2
    assert said.err.strip() == f"{bad}: not a picture: neither PNG nor JPEG inside; give a .png or .jpg file"
    assert sorted(path.name for path in (tmp_path / "drawn").iterdir()) == ["a.read.jpg", "c.read.jpg"]
    assert run(["vision", "read", str(good), str(also), "-o", str(good)]) == 3
    assert "several pictures need a folder" in capsys.readouterr().err
    (tmp_path / "drawn" / "a.png").write_bytes(good.read_bytes())
    assert run(["vision", "read", str(good), str(tmp_path / "drawn" / "a.png"), "-o", str(tmp_path)]) == 3
    assert "two of the pictures have this name" in capsys.readouterr().err


def test_read_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), scene(*HAND))
    assert run(["vision", "read", "--json", "--card-width", "110", str(tmp_path / "a.png")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sorted(reading["face"] for reading in told["readings"]) == ["7C", "KH"]
    assert all(900 <= reading["confidence_permille"] <= 1000 for reading in told["readings"])


CALIBRATE = ("--layout", "l.toml", "-o", "c.json", "--points")

BAD = {
    "missing": (["read", "nowhere.png"], "no such file"),
    "text": (["read", "text.jpg"], "neither PNG nor JPEG"),
    "deck": (["read", "good.png", "--deck", "text.jpg"], "not an enrolment"),
    "calibration": (["read", "good.png", "--calibration", "text.jpg"], "not a calibration"),
    "out": (["read", "good.png", "-o", "no/where.png"], "cannot be written"),
    "watch": (["watch", "text.mp4"], "not a video"),
    "camera": (["watch", "/dev/video77"], "no camera answers"),
    "set": (["evaluate", "nowhere"], "no such folder"),
    "words": (["evaluate", "rendered:moonlight"], "is not known"),
    "art": (["evaluate", "rendered:deck=mine"], "not rasterised"),
    "weights": (["evaluate", "rendered:scenes=1", "--weights", "."], "corner.onnx: no weights: not an ONNX file"),
    "no weights": (["evaluate", "rendered:scenes=1", "--weights", "/dev"], "are not in /dev: name a folder of"),
    "bug": (["evaluate", "rendered:scenes=1", "--plant", "gnat"], "no such bug"),
    "layout": (["calibrate", "good.png", "--layout", "text.jpg", "-o", "c.json"], "width_mm"),
    "no number": (["calibrate", "good.png", *CALIBRATE, "0,0 nan,1 2,2 3,3"], "give four points"),
    "no table": (["calibrate", "good.png", *CALIBRATE, "0,0 1,1 2,2 3,3"], "do not go clockwise"),
    "points": (["calibrate", "good.png", "--layout", "l.toml", "-o", "c.json", "--points", "1,2"], "give four points"),
    "markers": (["calibrate", "good.png", "--layout", "l.toml", "-o", "c.json"], "only 0 of the layout's 0 markers"),
    "enrol": (["enrol", "good.png", "-o", "d.npz"], "of 52 faces did not come"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.jpg").write_text("no_key = 1\n")
    (tmp_path / "text.mp4").write_text("hello\n")
    (tmp_path / "corner.onnx").write_text("hello\n")
    (tmp_path / "dense.onnx").write_bytes((Path(vision.models.__file__).parent / "dense.onnx").read_bytes())
    (tmp_path / "l.toml").write_text("width_mm = 900\nheight_mm = 500\n")
    cv2.imwrite(str(tmp_path / "good.png"), scene(*HAND))
    arguments, said = BAD[name]
    assert run(["vision", *arguments]) not in (0, 70)
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
    assert len(error.strip().splitlines()) == 1


LAYOUT = """
width_mm = 400
height_mm = 300
[[region]]
name = "box1"
polygon_mm = [[0, 0], [200, 0], [200, 300], [0, 300]]
[[region]]
name = "box2"
polygon_mm = [[200, 0], [400, 0], [400, 300], [200, 300]]
"""


def test_a_calibrated_table_is_read_by_region(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "l.toml").write_text(LAYOUT)
    picture, layout, out = (str(tmp_path / name) for name in ("a.png", "l.toml", "c.json"))
    # 400 mm over 800 pixels: a card of 63 mm is 126 pixels wide.
    cards = (Placed("KH", 160, 300, 126, 3), Placed("2S", 220, 310, 126, 8), Placed("9D", 600, 300, 126, 95))
    cv2.imwrite(picture, scene(*cards, size=(800, 600)))
    points = "0,0 800,0 800,600 0,600"
    assert run(["vision", "calibrate", picture, "--layout", layout, "-o", out, "--points", points]) == 0
    assert "narrowest card: 126 pixels" in capsys.readouterr().out
    assert run(["vision", "read", "--json", "--calibration", out, picture]) == 0
    told = json.loads(capsys.readouterr().out)
    lying = [(r["region"], r["order"], r["face"]) for r in told["readings"]]
    assert lying == [("box1", 0, "KH"), ("box1", 1, "2S"), ("box2", 0, "9D")]


def test_cards_too_small_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "l.toml").write_text(LAYOUT)
    picture, layout, out = (str(tmp_path / name) for name in ("a.png", "l.toml", "c.json"))
    cv2.imwrite(picture, scene())
    points = "0,0 400,0 400,300 0,300"
    assert run(["vision", "calibrate", picture, "--layout", layout, "-o", out, "--points", points]) == 3
    assert "only 63 pixels wide at box1" in capsys.readouterr().err
    assert not Path(out).exists()


def test_enrol_from_a_folder_then_read_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "deck"
    folder.mkdir()
    for face in FACES:
        cv2.imwrite(str(folder / f"{face}.png"), scene(Placed(face, 130, 150, 120, 4), size=(260, 300)))
    deck, sheet = str(tmp_path / "d.npz"), str(tmp_path / "sheet.png")
    assert run(["vision", "enrol", str(folder), "-o", deck, "--sheet", sheet]) == 0
    assert "all 52 faces taken" in capsys.readouterr().out
    assert Path(sheet).exists()
    cv2.imwrite(str(tmp_path / "a.png"), scene(*HAND))
    assert run(["vision", "read", "--json", "--deck", deck, "--card-width", "110", str(tmp_path / "a.png")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sorted(reading["face"] for reading in told["readings"]) == ["7C", "KH"]


def test_evaluate_prints_figures_and_writes_a_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "240")
    report = tmp_path / "r.html"
    assert run(["vision", "evaluate", "rendered:scenes=1,seed=3", "--report", str(report), "--plant", "suits"]) == 0
    said = capsys.readouterr().out
    assert "silent misreads" in said
    assert "read as" in said
    assert "data:image/jpeg" in report.read_text()


def test_a_set_goes_by_the_last_name_of_its_folder_unless_two_share_it(tmp_path: Path) -> None:
    for folder in ("felt", "a/desk", "b/desk"):
        (tmp_path / folder).mkdir(parents=True)
    felt, *desks = (str(tmp_path / folder) for folder in ("felt", "a/desk", "b/desk"))
    rendered = "rendered:fans,hard,110"
    assert set_labels([felt, *desks, rendered]) == {felt: "felt"} | {name: name for name in (*desks, rendered)}


def test_the_name_of_a_set_stays_whole_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "90")
    assert run(["vision", "evaluate", "rendered:scenes=1"]) == 0
    assert "rendered:scenes=1 " in capsys.readouterr().out


def write_video(path: Path, frames: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (640, 480))
    still = scene(*HAND)
    for seed in range(frames):
        noise = np.random.default_rng(seed).normal(0, 2, still.shape)
        writer.write(np.clip(still + noise, 0, 255).astype(np.uint8))
    writer.release()


def test_watch_settles_cards_and_serves_a_page(tmp_path: Path) -> None:
    write_video(tmp_path / "a.avi", 40)
    command = "from controller.cli.main import main; main()"
    arguments = ["vision", "watch", str(tmp_path / "a.avi"), "--page", "--card-width", "110"]
    with subprocess.Popen(
        [sys.executable, "-u", "-c", command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        killer = threading.Timer(100, process.kill)
        killer.start()
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert address is not None
        shown = page_state(address[0])
        out, err = process.communicate()
        killer.cancel()
    assert process.returncode == 0, err
    assert shown["time_ms"] >= 0
    assert "7C, KH" in out
    assert "the end after 40 frames" in out


def page_state(address: str) -> dict[str, int]:
    state: dict[str, int] = {}

    def read() -> bool:
        with urllib.request.urlopen(address + "state.json", timeout=20) as answer:
            state.update(json.load(answer))
        return "look_ms" in state

    waiting.until(read, "the page shows a reading", 60.0)
    return state


TRAIN = ["vision", "train", "--npm", "n", "--work", "w", "-o", "o"]
STUBS = {
    "cv2": "raise ImportError('libGL.so.1: cannot open shared object file: No such file')",
    "torch": "raise ModuleNotFoundError('No module named torch', name='torch')",
}


@pytest.mark.parametrize(
    ("lacks", "arguments", "code", "said"),
    [
        ("cv2", ["--version"], 0, ""),
        ("cv2", ["vision", "read", "a.png"], 3, "apt-get install libgl1"),
        ("torch", ["--version"], 0, ""),
        ("torch", TRAIN, 3, "torch is not installed: pip install 'tablewatch[train]'"),
    ],
)
def test_without_a_library_the_rest_runs_and_this_says_what_to_install(
    lacks: str, arguments: list[str], code: int, said: str, tmp_path: Path
) -> None:
    (tmp_path / f"{lacks}.py").write_text(STUBS[lacks] + "\n")
    done = subprocess.run(
        [sys.executable, "-c", "from controller.cli.main import main; main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]), "PATH": "/usr/bin:/bin"},
    )
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)
    assert said in done.stderr
