"""The last check: what the shoe cannot hold is not accepted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from vision.faces import FACES
from vision.readings import Kind, Reading, Reason


def full_shoe(decks: int) -> dict[str, int]:
    """How many of each face a shoe of so many decks holds."""
    return dict.fromkeys(FACES, decks)


def checked(readings: Sequence[Reading], possible: Mapping[str, int]) -> tuple[Reading, ...]:
    """The readings with every card too many made unknown. ``possible`` says how many of each face may lie in sight
    (a face not named: none). Of equal cards the least confident goes: it is the likeliest misread."""
    surplus: set[int] = set()
    for face in {reading.face for reading in readings if reading.kind is Kind.CARD}:
        alike = [n for n, reading in enumerate(readings) if reading.kind is Kind.CARD and reading.face == face]
        allowed = max(0, possible.get(face, 0))
        alike.sort(key=lambda n: -readings[n].confidence_permille)
        surplus.update(alike[allowed:])
    return tuple(
        replace(reading, kind=Kind.UNKNOWN, face="", guess=reading.face, reasons=(Reason.NOT_IN_SHOE,))
        if number in surplus
        else reading
        for number, reading in enumerate(readings)
    )
