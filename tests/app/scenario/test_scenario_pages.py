"""docs/scenarios.md says what the code does: its table of verbs, its keys, and its examples hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.app.scenario.core_bench import CoreBench
from controller.app.scenario.load import Scenario
from controller.app.scenario.model import ScenarioFile, Step
from controller.app.scenario.pages import verbs_table
from controller.app.scenario.play import play

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "scenarios.md").read_text("utf-8")
EXAMPLES = [text for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if text.startswith("title:")]


def test_the_page_has_the_table_of_verbs() -> None:
    assert verbs_table() in PAGE


@pytest.mark.parametrize("key", [*ScenarioFile.model_fields, *Step.model_fields])
def test_the_page_explains_every_key(key: str) -> None:
    assert f"`{key}`" in PAGE


@pytest.mark.parametrize("text", EXAMPLES, ids=[text.splitlines()[0] for text in EXAMPLES])
def test_an_example_of_the_page_holds(written: Callable[[str], Scenario], text: str) -> None:
    assert play(written(text), CoreBench).failure is None


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 3
