"""The demo with a camera: a card at the wrong box and a misread of the shoe are found by the camera."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli.demo.play import Play, Wishes
from controller.cli.demo.summary import checks
from controller.journal.reader import JournalReader
from firmware_sim.faults import Faults

pytestmark = pytest.mark.slow


@pytest.mark.timeout(300)
def test_the_camera_finds_what_was_planted(tmp_path: Path) -> None:
    wishes = Wishes(rounds=2, speed=1.5, faults=Faults(), deviations=True, seed=1, kill=False, camera=True)
    play = Play(wishes, tmp_path)
    played = play.run(lambda: None)
    wrong = [check for check in checks(played, play.journal, play.archive) if not check.ok]
    assert not wrong, played.remarks
    assert {"wrong_order", "misread"} <= set(played.planted)
    with JournalReader(play.journal) as reader:
        events = [(event.type, event.data()) for event in reader.events()]
    assert not [data for kind, data in events if kind == "card.laid"]
    assert [data["device"] for kind, data in events if kind == "card.shown"].count("camera") >= 4
    found = {data["code"]: data["actual"] for kind, data in events if kind == "violation.raised"}
    assert "laid at box" in found["WRONG_BOX"]
    assert found["SOURCES_DISAGREE"].startswith("camera sees ")
