"""A dealt table whose cables are pulled and whose device servers become half open has everything on record once, says
what was away, and keeps a second controller off its ports. `make soak` runs the long form."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.disturbed import disturb_all
from bench.hangs import hang
from bench.plugs import hangs, plugs
from bench.pulls import pull, rival

pytestmark = [pytest.mark.broker, pytest.mark.slow]
PLANTED = Path(__file__).with_name("planted.py")
ROOT = Path(__file__).resolve().parents[2]


def test_cables_pulled_in_play_lose_nothing_and_a_second_controller_is_turned_away(tmp_path: Path) -> None:
    figures = disturb_all(tmp_path, plugs(times=3, rivals=1, seed=31), pull, rival)
    assert figures.findings == []
    assert figures.disturbed == 3
    assert figures.counts["second controllers turned away"] == 1
    assert figures.due.total() >= 3
    assert figures.native_events > 5


def test_device_servers_that_are_half_open_are_missed_and_lose_nothing(tmp_path: Path) -> None:
    figures = disturb_all(tmp_path, hangs(times=2, seed=35), hang, rival)
    assert figures.findings == []
    ways = {kind.rpartition(" ")[2] for kind in figures.counts}
    assert ways == {"silent", "died"}, "choose another seed"
    assert figures.due.total() == 2


@pytest.mark.parametrize(
    ("bug", "finding"),
    [
        ("dropped-at-a-replug", "was acknowledged and is not on the disk"),
        ("duplicates-not-recognised", "recorded twice"),
    ],
)
def test_the_campaign_finds_a_planted_bug(tmp_path: Path, bug: str, finding: str) -> None:
    figures = disturb_all(tmp_path, plugs(times=30, rivals=0, seed=32, launcher=(str(PLANTED), bug)), pull, rival)
    assert any(finding in found for found in figures.findings), figures.findings


def test_the_command_prints_its_figures_and_keeps_nothing_when_all_is_well() -> None:
    command = [sys.executable, "-m", "bench.plugs", "--times", "1", "--rivals", "0", "--hangs", "0", "--seed", "33"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
    for words in ("lost, doubled or different", "nothing", "seed 33, speed 8, commit ", "unplugged"):
        assert words in done.stdout


def test_wrong_numbers_are_one_line() -> None:
    command = [sys.executable, "-m", "bench.plugs", "--times", "-1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("times or hangs, and speed, must be above 0, rivals not below")
