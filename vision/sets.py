"""Sets to measure with: folders of labelled photographs, and rendered scenes from a seed.

A folder has ``labels.json``, by picture name either a list of ``{"card", "corners"}`` (four points in pixels), a list
of ``{"card", "index_box"}`` (x, y, width, height of one visible corner index), or a table of places: ``T1`` .. ``T5``
the cards of a row from left to right, ``P1`` .. ``P4`` the hands right, upper right, upper left and left, each a code,
a list of codes from the lowest card or ``face_down``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from vision.errors import VisionError
from vision.faces import is_face
from vision.pictures import Image, load
from vision.readings import Point, Reading, Sighting
from vision.score import VISIBLE, Score, Truth, mark
from vision.synth.deck import Deck
from vision.synth.exam import Exam, frames
from vision.synth.scene import TrueCard

LEAST_BOX_PX = 24.0
"""A labelled index box narrower than this is too small to be asked for."""

REACH = 0.45
"""How far from a card's middle a reading may lie and still be of it, in card widths."""

FRAME_MS = 100
"""Time between two looks at a table at rest."""

PLACES: dict[str, tuple[float, float, float, float]] = {
    **{f"T{n}": ((3 + n) / 12 - 0.042, 0.68, (3 + n) / 12 + 0.042, 1.0) for n in range(1, 6)},
    "P1": (0.62, 0.3, 1.0, 0.68),
    "P2": (0.5, 0.0, 1.0, 0.3),
    "P3": (0.0, 0.0, 0.5, 0.3),
    "P4": (0.0, 0.3, 0.42, 0.68),
}
"""Where the places of a table lie in its picture: left, top, right, bottom as shares."""


@dataclass(frozen=True, slots=True)
class Example:
    """One labelled picture. ``places`` is set instead of ``truths`` where only places are labelled."""

    name: str
    picture: Image
    truths: tuple[Truth, ...] = ()
    places: tuple[tuple[str, tuple[str, ...]], ...] = ()
    whole: bool = True
    """whether the truths are all that lies there"""
    by_index: bool = False
    """whether each truth is one visible index and not one card"""
    later: tuple[Image, ...] = ()
    """further frames of the same table at rest, `FRAME_MS` apart"""


def _from_corners(item: dict[str, Any]) -> Truth:
    corners = np.array(item["corners"], np.float64)
    middle = corners.mean(axis=0)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    width = float(np.sort(sides)[:2].mean())
    return Truth(item["card"], ((float(middle[0]), float(middle[1])),), REACH * width, width)


def _from_box(item: dict[str, Any]) -> Truth:
    x, y, width, height = (float(v) for v in item["index_box"])
    middle, least = ((x + width / 2, y + height / 2),), min(width, height)
    return Truth(item["card"], middle, 0.75 * max(width, height), least, least >= LEAST_BOX_PX)


def _example(folder: Path, name: str, items: Any) -> Example:
    picture = load(folder / name)
    if isinstance(items, dict):
        places = tuple((p, tuple([c] if isinstance(c, str) else c)) for p, c in items.items())
        return Example(name, picture, places=places)
    boxes = any("index_box" in item for item in items)
    truths = tuple(_from_box(item) if "index_box" in item else _from_corners(item) for item in items)
    return Example(name, picture, truths, whole=not boxes, by_index=boxes)


def photographs(folder: Path) -> Iterator[Example]:
    """The labelled pictures of a folder. Raises VisionError with one line where its labels cannot be used."""
    path = folder / "labels.json"
    try:
        labels = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise VisionError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise VisionError(f"{path}: not JSON: {error}") from None
    if not isinstance(labels, dict) or not labels:
        raise VisionError(f"{path}: no labels in it: a picture name with its cards is expected")
    for name in sorted(labels):
        try:
            yield _example(folder, name, labels[name])
        except (KeyError, TypeError, ValueError) as error:
            raise VisionError(f"{path}: the label of {name} cannot be used: {error!r}") from None


def truth_of(card: TrueCard) -> Truth:
    """The truth of a rendered card."""
    middle = np.array(card.corners).mean(axis=0)
    seen = [index for index in card.indices if index.visible >= VISIBLE]
    spots = ((float(middle[0]), float(middle[1])), *((i.x, i.y) for i in seen))
    return Truth(card.code, spots, REACH * card.width_px, card.width_px, bool(seen), card.region)


def rendered(deck: Deck, exam: Exam, count: int, seed: int, looks: int = 1) -> Iterator[Example]:
    """Scenes rendered from a seed, of ``looks`` frames each; scene N is the same however many are asked for."""
    for number in range(count):
        pictures, cards = frames(deck, exam, (seed, 9, number), looks)
        truths = tuple(truth_of(card) for card in cards)
        whole = all(card.visible > 0.2 for card in cards)
        yield Example(f"{deck.name} {number}", pictures[0], truths, whole=whole, later=tuple(pictures[1:]))


def _inside(reading: Reading, box: tuple[float, float, float, float], sighting: Sighting) -> bool:
    x, y = reading.centre[0] / sighting.width, reading.centre[1] / sighting.height
    return box[0] <= x < box[2] and box[1] <= y < box[3]


def mark_places(score: Score, example: Example, sighting: Sighting) -> None:
    """Add a picture of which only places are known: what lies in a place is matched as a set."""
    taken: list[Reading] = []
    truths: list[Truth] = []
    size = sighting.width / 32
    for place, codes in example.places:
        box = PLACES.get(place)
        if box is None:
            raise VisionError(f"{example.name}: no place is called {place}; there are {', '.join(PLACES)}")
        here = [r for r in sighting.readings if r not in taken and _inside(r, box, sighting)]
        wanted = ["face_down", "face_down"] if codes == ("face_down",) else list(codes)
        for code in sorted(wanted, key=lambda c: all(c not in (r.face, r.kind) for r in here)):
            best = _best(here, code)
            at = best.centre if best is not None else (box[0] * sighting.width, box[1] * sighting.height)
            truths.append(Truth(code, (at,), 2.0 if best is not None else 0.1, size, is_face(code)))
            if best is not None:
                here.remove(best)
                taken.append(best)
    mark(score, example.name, truths, sighting)


def _best(here: list[Reading], code: str) -> Reading | None:
    """The reading that says the code, otherwise the one that says most."""
    right = next((r for r in here if code in (r.face, r.kind.value)), None)
    return right if right is not None else max(here, key=lambda r: (r.ends, r.confidence_permille), default=None)


def _at(reading: Reading, place: Point) -> Reading:
    return replace(reading, corners=(place, place, place, place), indices=(place,))


def mark_example(score: Score, example: Example, sighting: Sighting) -> None:
    """Add one read example to a score."""
    if example.places:
        mark_places(score, example, sighting)
    elif example.by_index:
        ends = tuple(_at(reading, place) for reading in sighting.readings for place in reading.indices)
        mark(score, example.name, example.truths, replace(sighting, readings=ends), count=False)
    else:
        mark(score, example.name, example.truths, sighting, count=example.whole)
