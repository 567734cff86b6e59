"""A fresh shoe as counts of faces, and draws from it with their exact chances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod

from controller.core.cards import DECK, Card


def combinations(decks: int, cards: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every unordered choice of ``cards`` faces of a fresh shoe, with the number of ways to draw it."""
    for faces in combinations_with_replacement(DECK, cards):
        repeats: dict[Card, int] = {}
        for face in faces:
            repeats[face] = repeats.get(face, 0) + 1
        ways = prod(comb(decks, count) for count in repeats.values())
        if ways:
            yield faces, ways


def total_ways(decks: int, cards: int) -> int:
    """Number of unordered choices of ``cards`` cards."""
    return comb(52 * decks, cards)


def probability(decks: int, cards: int, holds: Callable[[tuple[Card, ...]], bool]) -> Fraction:
    """Chance that ``cards`` cards of a fresh shoe are such that ``holds`` (order does not matter)."""
    good = sum(ways for faces, ways in combinations(decks, cards) if holds(faces))
    return Fraction(good, total_ways(decks, cards))
