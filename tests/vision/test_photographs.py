"""The shipped recognizer on photographs of real cards, where these are at hand: nothing is ever misread silently.

The figures themselves are in docs/vision.md; here are floors that a worse recognizer would fall through.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.recognizer import Recognizer, Settings
from vision.score import Score
from vision.sets import mark_example
from vision.sets import photographs as labelled

FLOORS = {"felt_green": 900, "single_desk": 850, "hands_desk": 900}
"""Least share of cards read exactly, permille."""


def score_of(folder: Path, most: int = 1000) -> Score:
    recognizer, score = Recognizer(Settings()), Score()
    for number, example in enumerate(labelled(folder)):
        if number < most:
            mark_example(score, example, recognizer.read(example.picture))
    return score


@pytest.mark.photographs
@pytest.mark.parametrize("name", FLOORS)
def test_separate_cards_are_read_and_none_is_misread(name: str, photographs: Path) -> None:
    score = score_of(photographs / name)
    assert score.mistakes == [m for m in score.mistakes if m.kind == "abstained"]
    assert 1000 * score.exact >= FLOORS[name] * score.readable


@pytest.mark.photographs
def test_an_overhead_table_is_not_misread(photographs: Path) -> None:
    score = score_of(photographs / "table_overhead", most=4)
    assert score.silent == 0
    assert score.exact >= 0.8 * score.readable
