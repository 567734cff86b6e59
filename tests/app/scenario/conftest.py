"""Scenarios written in a test and played on the core."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.app.config import ConfigError
from controller.app.scenario.core_bench import CoreBench
from controller.app.scenario.load import Scenario, load_scenario
from controller.app.scenario.play import Played, play

HEAD = "title: t\nrules: armenian\n"


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Scenario]:
    """The scenario of a text."""

    def load(text: str) -> Scenario:
        path = tmp_path / "s.yaml"
        path.write_text(text, "utf-8")
        return load_scenario(path, "s.yaml")

    return load


@pytest.fixture
def faults(written: Callable[[str], Scenario]) -> Callable[[str], list[str]]:
    """The lines that complain about a text that cannot be used."""

    def load(text: str) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            written(text)
        return list(caught.value.problems)

    return load


@pytest.fixture
def played(written: Callable[[str], Scenario]) -> Callable[[str], Played]:
    """What comes of the rest of a scenario (behind title and rules) on the core."""
    return lambda text: play(written(HEAD + text), CoreBench)
