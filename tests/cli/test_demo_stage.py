"""The configuration of a demo's table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from controller.app.check import usable
from controller.cli.demo.play import STAFF, turn_note
from controller.cli.demo.stage import write_config

PORTS = {name: f"socket://localhost:400{n}" for n, name in enumerate(("shoe", "console", "bets"))}


@pytest.mark.parametrize(
    ("speed", "more", "options"),
    [
        (1.0, "", {}),
        (0.5, "", {}),
        (8.0, "", {"copies_within_ms": 16}),
        (20.0, "silence_limit_s = 5", {"copies_within_ms": 6, "silence_limit_s": 5}),
        (1.0, "silence_limit_s = 5", {"silence_limit_s": 5}),
    ],
)
def test_a_faster_shoe_is_not_taken_for_its_own_copies(
    tmp_path: Path, speed: float, more: str, options: dict[str, Any]
) -> None:
    """What comes within 130 ms of a telegram that misses a copy is in doubt; at eight times the speed, within 16."""
    path = write_config(tmp_path, PORTS, STAFF, mqtt_port=1883, shoe_options=more, speed=speed)
    assert usable(path).config.device[0].options == options


def test_no_round_is_counted_that_is_not_dealt() -> None:
    assert [turn_note(dealt, 2) for dealt in range(3)] == ["round 1 of 2", "round 2 of 2", "the table closes"]
