"""Measuring the recognizer: sets by name, scores, and bugs planted on purpose to see that the figures fall."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from vision.errors import VisionError
from vision.faces import FACES, RANKS
from vision.judge import Limits
from vision.patches import Image
from vision.readings import Kind, Reading, Sighting
from vision.score import Mistake, Score
from vision.sets import FRAME_MS, Example, mark_example, photographs, rendered
from vision.synth.deck import Deck
from vision.synth.draw import draw_deck
from vision.synth.exam import Exam
from vision.track import Tracker

BUGS = ("labels", "suits", "threshold")
"""Bugs that can be planted: labels shifted by one rank, suits swapped, everything accepted."""

MAX_SCENES = 10_000
MAX_FRAMES = 100
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


NO_LIMITS = Limits(0.0, 0.0, 0.0, 2.0, 0.9, 0.0, False)
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


def _rendered(text: str, decks: Callable[[str], Deck]) -> tuple[float, Iterator[Example]]:
    exam, scenes, seed, looks, deck = Exam(), 20, 1, 1, ""
    for word in filter(None, text.split(",")):
        key, _, value = word.partition("=")
        if word in ("fans", "separate"):
            exam = replace(exam, fans=word == "fans")
        elif word in ("hard", "easy"):
            exam = replace(exam, hard=word == "hard")
        elif word.isdecimal() and 40 <= int(word) <= 300:
            exam = replace(exam, card_width_px=float(word))
        elif key == "scenes" and value.isdecimal() and 0 < int(value) <= MAX_SCENES:
            scenes = int(value)
        elif key == "seed" and value.isdecimal():
            seed = int(value)
        elif key == "frames" and value.isdecimal() and 0 < int(value) <= MAX_FRAMES:
            looks = int(value)
        elif key == "deck" and value:
            deck = value
        else:
            raise VisionError(
                f"rendered: {word!r} is not known; words are fans or separate, hard or easy, a card width of 40 to "
                f"300, scenes=1..{MAX_SCENES}, frames=1..{MAX_FRAMES}, seed=N, deck=NAME"
            )
    return exam.card_width_px, rendered(decks(deck) if deck else draw_deck(), exam, scenes, seed, looks)


def examples_of(name: str, decks: Callable[[str], Deck]) -> tuple[float, Iterator[Example]]:
    """The width of the cards in pixels (0: unknown) and the examples of a set: a folder with ``labels.json``, or
    ``rendered:WORD,WORD…``. ``decks`` gives a deck of art by name. Raises VisionError where there is no such set."""
    kind, _, words = name.partition(":")
    if kind == "rendered":
        return _rendered(words, decks)
    folder = Path(name)
    if not folder.is_dir():
        raise VisionError(f"{name}: no such folder; give a folder with labels.json, or rendered:fans,hard,110")
    return 0.0, photographs(folder)
