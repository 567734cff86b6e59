"""Words of narration."""

from __future__ import annotations

import pytest

from controller.core.words import plural


@pytest.mark.parametrize(
    ("count", "words", "said"),
    [
        (1, ("shoe",), "1 shoe"),
        (0, ("shoe",), "0 shoes"),
        (12_000, ("shoe",), "12,000 shoes"),
        (1, ("box", "boxes"), "1 box"),
        (2, ("box", "boxes"), "2 boxes"),
    ],
)
def test_a_count_has_its_noun_in_the_right_number(count: int, words: tuple[str, ...], said: str) -> None:
    assert plural(count, *words) == said
