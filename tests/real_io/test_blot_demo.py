"""The demo of Blot: what is planted is found, and what is on record has reached the subscriber."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli.demo.play import Play, Wishes
from controller.cli.demo.summary import checks
from firmware_sim.faults import Faults

pytestmark = pytest.mark.slow


@pytest.mark.timeout(300)
def test_every_check_of_a_demo_holds(tmp_path: Path) -> None:
    play = Play(Wishes(rounds=2, speed=20.0, faults=Faults(), deviations=True, seed=1, game="blot"), tmp_path)
    played = play.run(lambda: None)
    wrong = [check for check in checks(played, play.journal, play.archive) if not check.ok]
    assert not wrong, played.remarks
    assert (played.rounds, played.deaths) == (2, 1)
    assert {"lost_copies", "revoke", "wrong_score", "wrong_seat", "out_of_turn"} == set(played.planted)
