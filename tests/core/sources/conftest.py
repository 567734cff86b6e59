"""A blackjack table whose cards are read by a shoe and seen by readers at their places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bench.sighted_table import SHOE, SightedTable, reader
from controller.core.sources import SettleOn, Source


@pytest.fixture
def make() -> Callable[..., SightedTable]:
    """Tables with readers at other places, of other kinds, or other sources."""

    def made(
        *,
        settle_on: str = "one_source",
        boxes: tuple[int, ...] = tuple(range(8)),
        tags: bool = False,
        hands: bool = False,
        more: tuple[Source, ...] = (),
        rules: dict[str, Any] | None = None,
    ) -> SightedTable:
        readers = [reader(box, tags=tags) for box in boxes]
        readers += [reader(box, 2, tags=tags) for box in boxes if hands]
        return SightedTable((SHOE, *readers, *more), SettleOn(settle_on), rules or {})

    return made


@pytest.fixture
def table() -> SightedTable:
    return SightedTable()


@pytest.fixture
def two() -> SightedTable:
    """A table that settles on two sources."""
    return SightedTable(settle_on=SettleOn.TWO_SOURCES)
