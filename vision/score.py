"""Comparing what was read with what lies there: exact, misread, abstained, counted wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from vision.faces import is_face, weak_pair
from vision.readings import Kind, Point, Reading, Sighting

VISIBLE = 0.97
"""Share of one index that must be seen for a card to count as readable."""

BLIND = ("face_down", "cut_card")
COUNTS = (
    *("pictures", "readable", "exact", "misread", "phantom", "abstained", "accepted", "blanks", "backs"),
    *("backs_found", "regions", "count_errors"),
)
"""The fields of a score that are plain counts."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A card that lies in a picture. ``code`` is a face, ``face_down``, ``cut_card`` or the name of a foreign card;
    ``spots`` are where it may be found (its middle, or the middles of its indices) within ``reach_px``;
    ``readable`` says that it counts when it is not read."""

    code: str
    spots: tuple[Point, ...]
    reach_px: float
    width_px: float
    readable: bool = True
    region: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One card that was not read right. ``kind`` is ``misread``, ``phantom`` or ``abstained``."""

    kind: str
    picture: str
    expected: str
    got: str
    at: Point
    size_px: float


@dataclass(slots=True)
class Score:
    """Counts over many pictures. ``readable`` counts readable faces only; ``blanks`` are backs, cut cards and foreign
    cards; times in milliseconds."""

    pictures: int = 0
    readable: int = 0
    exact: int = 0
    misread: int = 0
    phantom: int = 0
    abstained: int = 0
    accepted: int = 0
    blanks: int = 0
    backs: int = 0
    backs_found: int = 0
    regions: int = 0
    count_errors: int = 0
    times_ms: list[float] = field(default_factory=list)
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    mistakes: list[Mistake] = field(default_factory=list)

    @property
    def silent(self) -> int:
        """Accepted readings that are wrong: a wrong face, or a face where there is none."""
        return self.misread + self.phantom

    def bound_permille(self) -> float:
        """With 95 % confidence at most this share of accepted readings is wrong: 3/n without an error seen, otherwise
        the normal approximation's upper end."""
        if not self.accepted:
            return 1000.0
        share = self.silent / self.accepted
        if not self.silent:
            return min(1000.0, 3000 / self.accepted)
        return 1000 * min(1.0, share + 1.645 * math.sqrt(share * (1 - share) / self.accepted) + 1 / self.accepted)

    def add(self, other: Score) -> None:
        """Take another score's counts in."""
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.times_ms.extend(other.times_ms)
        self.confused.update(other.confused)
        self.mistakes.extend(other.mistakes)

    def weak(self) -> Counter[str]:
        """Misreads that belong to a pair known to be weak, by the pair's name."""
        found: Counter[str] = Counter()
        for (expected, got), times in self.confused.items():
            name = weak_pair(expected, got) if len(expected) == 2 and len(got) == 2 else ""
            if name:
                found[name] += times
        return found

    def percentile_ms(self, percent: int) -> float:
        """A percentile of the time a look took; 0 without any."""
        ordered = sorted(self.times_ms)
        return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0


def _places(reading: Reading) -> tuple[Point, ...]:
    return (reading.centre, *reading.indices)


def _distance(truth: Truth, reading: Reading) -> float:
    return min(math.hypot(x - a, y - b) / truth.reach_px for x, y in truth.spots for a, b in _places(reading))


def pair_up(truths: Sequence[Truth], readings: Sequence[Reading]) -> dict[int, int]:
    """Which reading (number) belongs to which truth (number): nearest first, each used once; a reading of an accepted
    or guessed face is no nearer for being right."""
    near = sorted(
        (distance, t, r)
        for t, truth in enumerate(truths)
        for r, reading in enumerate(readings)
        if (distance := _distance(truth, reading)) < 1
    )
    matched: dict[int, int] = {}
    used: set[int] = set()
    for _, t, r in near:
        if t not in matched and r not in used:
            matched[t] = r
            used.add(r)
    return matched


def mark(score: Score, name: str, truths: Sequence[Truth], sighting: Sighting, count: bool = True) -> None:
    """Add one picture to a score. ``count`` says whether the truths are all that lies there, so that the number of
    cards can be judged."""
    score.pictures += 1
    score.times_ms.append(sighting.look_ms)
    matched = pair_up(truths, sighting.readings)
    for t, truth in enumerate(truths):
        reading = sighting.readings[matched[t]] if t in matched else None
        _mark_one(score, name, truth, reading)
    for r, reading in enumerate(sighting.readings):
        if reading.kind is Kind.CARD and r not in matched.values():
            score.accepted += 1
            score.phantom += 1
            score.confused["nothing", reading.face] += 1
            score.mistakes.append(Mistake("phantom", name, "nothing", reading.face, reading.centre, reading.width_px))
    if count:
        score.regions += 1
        score.count_errors += len(sighting.readings) != len(truths)


def _mark_one(score: Score, name: str, truth: Truth, reading: Reading | None) -> None:
    got = reading.text if reading else "nothing"
    face = is_face(truth.code)
    score.readable += face and truth.readable
    score.blanks += not face
    if truth.code in BLIND:
        score.backs += 1
        score.backs_found += reading is not None and reading.kind.value == truth.code
    if reading is not None and reading.kind is Kind.CARD:
        score.accepted += 1
        if reading.face == truth.code:
            score.exact += truth.readable
            return
        score.misread += 1
        score.confused[truth.code, reading.face] += 1
        score.mistakes.append(Mistake("misread", name, truth.code, got, truth.spots[0], truth.width_px))
    elif face and truth.readable:
        score.abstained += 1
        score.mistakes.append(Mistake("abstained", name, truth.code, got, truth.spots[0], truth.width_px))
