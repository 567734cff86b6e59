"""docs/scenarios.md says what the code does: its keys are explained, and its examples and the README's hold."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.app.scenario.core_bench import CoreBench
from controller.app.scenario.load import Scenario
from controller.app.scenario.model import ScenarioFile, Step
from controller.app.scenario.play import play

ROOT = Path(__file__).resolve().parents[3]
README, PAGE = ((ROOT / name).read_text("utf-8") for name in ("README.md", "docs/scenarios.md"))
EXAMPLES = [text for text in re.findall(r"```yaml\n(.*?)```", README + PAGE, re.DOTALL) if text.startswith("title:")]


@pytest.mark.parametrize("key", [*ScenarioFile.model_fields, *Step.model_fields])
def test_the_page_explains_every_key(key: str) -> None:
    assert f"`{key}`" in PAGE


@pytest.mark.parametrize("text", EXAMPLES, ids=[text.splitlines()[0] for text in EXAMPLES])
def test_an_example_holds(written: Callable[[str], Scenario], text: str) -> None:
    assert play(written(text), CoreBench).failure is None


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4
