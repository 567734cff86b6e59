"""Trials of installed drivers: played once for each device, profile and seed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.app.plugins import load_driver
from drivers.api import Driver
from firmware_sim.profiles import profile
from firmware_sim.trials.registry import TRIALS
from firmware_sim.trials.rig import Result, Rig

Play = Callable[..., Result]


@pytest.fixture
def play() -> Play:
    """Plays so many acts of a trial: kind and name of the driver, profile, seed; ``wrap`` puts something around the
    driver."""

    def play(
        kind: str,
        name: str,
        profile_name: str,
        acts: int,
        seed: int = 1,
        wrap: Callable[[Driver], Driver] | None = None,
    ) -> Result:
        trial = TRIALS[kind, name]()
        driver: Driver = load_driver(kind, name, "test")(dict(trial.options))
        rig = Rig(driver if wrap is None else wrap(driver), trial, profile(profile_name, seed))
        rig.connect()
        return rig.play(acts)

    return play
