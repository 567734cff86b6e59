"""`make bench` and `make soak` run and print what they promise; what they measure is nobody's business here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.broker, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=110)


def test_the_bench_prints_its_figures_with_seed_commit_and_machine() -> None:
    done = run("bench", "--cards", "12", "--seed", "3")
    assert done.returncode == 0, done.stdout + done.stderr
    for words in (
        "card: wire to subscriber",
        "bare commit",
        "bare MQTT round trip",
        "card : both together",
        "times the line",
        "angel-eye",
        "rdm6300",
        "driver alone, byte by byte",
        "port's thread over a pty",
        "through step alone",
        "with envelopes and hash chain",
        "blackjack21",
        "ours, validated: through step",
        "colver",
        "belote-cli",
        "seed 3, commit ",
        " cores, CPython 3.",
    ):
        assert words in done.stdout


def test_a_soak_prints_its_figures_and_keeps_nothing_when_all_is_well() -> None:
    done = run("bench.soak", "--plugs", "0", "--kills", "1", "--broker-kills", "1", "--seed", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lost, doubled or different" in done.stdout
    assert "nothing" in done.stdout
    assert "seed 4, speed 8, commit " in done.stdout


def test_a_wrong_number_of_kills_is_one_line() -> None:
    done = run("bench.kill", "--kills", "0")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("kills and speed must be above 0, broker kills not below")
