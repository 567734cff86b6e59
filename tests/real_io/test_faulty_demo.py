"""A demo over bad lines comes to what really happened all the same, and says what the lines did."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from controller.cli.demo.play import Play, Wishes
from controller.cli.demo.summary import checks, summary_table
from firmware_sim.profiles import profile

pytestmark = [pytest.mark.broker, pytest.mark.slow]


def test_a_round_over_harsh_lines(tmp_path: Path) -> None:
    wishes = Wishes(rounds=1, speed=20.0, faults=profile("harsh", 2), deviations=False, seed=2, kill=False)
    play = Play(wishes, tmp_path)
    played = play.run(lambda: None)
    found = checks(played, play.journal, play.archive)
    assert all(check.ok for check in found), found
    assert min(played.faults[kind] for kind in ("drop_copy", "drop_frame", "corrupt_frame", "split")) > 0
    console = Console(record=True, width=200)
    console.print(summary_table(found, played))
    assert f"drop_frame {played.faults['drop_frame']}" in console.export_text()
