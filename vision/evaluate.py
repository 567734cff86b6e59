"""Measuring the recognizer: scores, and bugs planted on purpose to see that the figures fall."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from vision.errors import VisionError
from vision.faces import FACES, RANKS
from vision.judge import Limits
from vision.patches import Image
from vision.readings import Kind, Reading, Sighting
from vision.score import Mistake, Score
from vision.sets import FRAME_MS, Example, mark_example
from vision.track import Tracker

BUGS = ("labels", "suits", "threshold")
"""Bugs that can be planted: labels shifted by one rank, suits swapped, everything accepted."""

KEPT_PICTURES = 400
"""Pictures of mistakes kept for the report."""


@dataclass(slots=True)
class Measured:
    """A score and the pictures of its mistakes."""

    score: Score = field(default_factory=Score)
    pictures: dict[Mistake, Image] = field(default_factory=dict)


def _shifted(reading: Reading) -> Reading:
    if reading.kind is not Kind.CARD:
        return reading
    return replace(reading, face=RANKS[(RANKS.index(reading.face[0]) + 1) % 13] + reading.face[1])


def _swapped(reading: Reading) -> Reading:
    if reading.kind is not Kind.CARD:
        return reading
    return replace(reading, face=reading.face[0] + {"S": "C", "C": "S", "H": "D", "D": "H"}[reading.face[1]])


def _taken(reading: Reading) -> Reading:
    return replace(reading, kind=Kind.CARD, face=reading.guess) if reading.guess in FACES else reading


def plant(bug: str, sighting: Sighting) -> Sighting:
    """The sighting as a recognizer with this bug would give it; ``""`` leaves it as it is."""
    change: Callable[[Reading], Reading]
    match bug:
        case "":
            return sighting
        case "labels":
            change = _shifted
        case "suits":
            change = _swapped
        case "threshold":
            change = _taken
        case _:
            raise VisionError(f"{bug}: no such bug to plant; there are {', '.join(BUGS)}")
    return replace(sighting, readings=tuple(change(reading) for reading in sighting.readings))


NO_LIMITS = Limits(0.0, 0.0, 0.0, 0.0, 2.0, 0.9, 0.0, False)
"""Limits with which every index is taken at its likeliest face: the threshold bug where it counts."""


def settled(example: Example, read: Callable[[Image], Sighting]) -> Sighting:
    """What is read in an example: one look, or what is settled after all its frames."""
    sighting = read(example.picture)
    if not example.later:
        return sighting
    tracker = Tracker()
    settling = tracker.update(example.picture, sighting)
    for number, picture in enumerate(example.later, 1):
        settling = tracker.update(picture, replace(read(picture), time_ms=FRAME_MS * number))
    return settling


def measure(
    examples: Iterable[Example],
    read: Callable[[Image], Sighting],
    bug: str = "",
    progress: Callable[[Score], None] | None = None,
) -> Measured:
    """Read every example and score it. ``progress`` is told the score after each."""
    measured = Measured()
    for example in examples:
        before = len(measured.score.mistakes)
        mark_example(measured.score, example, plant(bug, settled(example, read)))
        for mistake in measured.score.mistakes[before:]:
            if len(measured.pictures) < KEPT_PICTURES:
                measured.pictures[mistake] = example.picture
        if progress is not None:
            progress(measured.score)
    return measured
