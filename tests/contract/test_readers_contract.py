"""Every installed reader: over any line the truth comes out once, in order, or a doubt is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from controller.app.plugins import DRIVER_GROUPS, names
from firmware_sim.profiles import PROFILES
from firmware_sim.trials.registry import TRIALS
from firmware_sim.trials.rig import Result

READERS = names(DRIVER_GROUPS["reader"])
ACTS = 120
Play = Callable[..., Result]


def test_every_installed_reader_has_a_trial() -> None:
    assert {name for kind, name in TRIALS if kind == "reader"} == set(READERS)


@pytest.mark.parametrize("profile_name", PROFILES)
@pytest.mark.parametrize("name", READERS)
def test_the_truth_comes_out_once_or_a_doubt_is_named(play: Play, name: str, profile_name: str) -> None:
    result = play("reader", name, profile_name, ACTS)
    assert result.judgement.wrong == ""
    assert result.judgement.facts >= ACTS
    if profile_name == "clean":
        assert result.judgement.lost == 0
    assert result.judgement.heard >= result.judgement.facts // (1 if profile_name == "clean" else 3)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_says_nothing_that_did_not_happen_when_nothing_does(play: Play, name: str) -> None:
    result = play("reader", name, "clean", 0)
    assert result.judgement.wrong == ""
    assert result.judgement.heard == result.judgement.facts


@pytest.mark.parametrize("name", READERS)
def test_the_same_seed_gives_the_same_run(play: Play, name: str) -> None:
    assert play("reader", name, "hostile", 30, seed=7) == play("reader", name, "hostile", 30, seed=7)
