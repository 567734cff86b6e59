"""A rule set as a person reads it: the parts of a card to hang on the wall. A game writes them (`Game.wall_card`)."""

from __future__ import annotations

from dataclasses import dataclass

CardLine = tuple[str, str]
"""What it is about, and what the rules say."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the card: a title and its lines."""

    title: str
    lines: tuple[CardLine, ...]
