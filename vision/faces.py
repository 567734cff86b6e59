"""The 52 faces by their two-letter codes, and the pairs that are easily taken for one another."""

from __future__ import annotations

RANKS = "A23456789TJQK"
"""Rank letters in order of rank 1 (ace) to 13 (king)."""

SUITS = "SHDC"
"""Suit letters: spades, hearts, diamonds, clubs."""

FACES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""All face codes, ``AS`` .. ``KC``; the order is that of the outputs of the shipped networks."""

FACE_INDEX: dict[str, int] = {face: number for number, face in enumerate(FACES)}
"""Position of each face in `FACES`."""

RED_SUITS = frozenset("HD")
"""Suits printed in red in a two-colour deck."""

WEAK_RANK_GROUPS: tuple[frozenset[str], ...] = (
    frozenset("A4"),
    frozenset("69"),
    frozenset("563"),
    frozenset("J2"),
    frozenset("QT98"),
)
"""Ranks known to be confused; reported apart."""

WEAK_SUIT_PAIRS: tuple[frozenset[str], ...] = (frozenset("CS"), frozenset("HD"))
"""Suits known to be confused; reported apart."""


def is_face(text: str) -> bool:
    """Whether the text is one of the 52 codes (``TS`` is the ten of spades)."""
    return text in FACE_INDEX


def is_red(face: str) -> bool:
    """Whether a two-colour deck prints this face in red."""
    return face[1] in RED_SUITS


def weak_pair(first: str, second: str) -> str:
    """The name of the known weak pair that a confusion of two faces belongs to (``6/9``, ``C/S``), or ``""``."""
    ranks, suits = frozenset((first[0], second[0])), frozenset((first[1], second[1]))
    if len(ranks) == 2 and len(suits) == 1 and any(ranks <= group for group in WEAK_RANK_GROUPS):
        return "/".join(sorted(ranks))
    if len(ranks) == 1 and suits in WEAK_SUIT_PAIRS:
        return "/".join(sorted(suits))
    return ""
