"""Every other device on the native link: each event once and in order, and every gap has its exact size."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.app.plugins import DRIVER_GROUPS, names
from firmware_sim.profiles import PROFILES
from firmware_sim.trials.registry import TRIALS
from firmware_sim.trials.rig import Result

CASES = [(kind, name) for kind in ("console", "bets", "rack") for name in names(DRIVER_GROUPS[kind])]
Play = Callable[..., Result]


def test_every_installed_device_has_a_trial() -> None:
    assert {case for case in TRIALS if case[0] in ("console", "bets", "rack")} == set(CASES)


@pytest.mark.parametrize("profile_name", PROFILES)
@pytest.mark.parametrize(("kind", "name"), CASES)
def test_every_event_comes_out_once(play: Play, kind: str, name: str, profile_name: str) -> None:
    result = play(kind, name, profile_name, 120)
    assert result.judgement.wrong == ""
    if not result.counts.get("reboot_blank"):
        assert result.judgement.lost == 0
