"""Which cards came and went: from settled sightings to one report for each card and spot.

What is covered, moving or unread is neither a card nor "no card": it changes nothing that was said before.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from vision.geometry import contains, overlap
from vision.readings import Kind, Point, Reading, Reason

GONE_MS: Final = 1_500
"""A card not seen for so long, while nothing moves at its spot and nothing covers its place, is gone."""

DOUBLE_MS: Final = 900
"""A second card of a face at a spot must be seen for so long: a nudged card may seem to be there twice for 600 ms."""

HOLD_BACK_MS: Final = 2_500
"""Cards of a hand are reported from the lowest up: one that only settles holds back those above it for so long."""

UNREAD_MS: Final = 4_000
"""A card at rest that cannot be read for so long is reported as unread."""

SAME_CARD: Final = 0.3
"""Share by which an unread surface and a read card may overlap: more is a part of that card."""


@dataclass(frozen=True, slots=True)
class Came:
    """A card came to lie at a region and was read."""

    region: str
    face: str


@dataclass(frozen=True, slots=True)
class Went:
    """It is not there any more."""

    region: str
    face: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A card lies there that cannot be read; ``reason`` is for a person."""

    region: str
    reason: str


Change = Came | Went | Unread


@dataclass(slots=True)
class _Known:
    """A card that was reported. ``place`` is None for one reported before this process was started."""

    face: str
    place: Point | None
    missing_since_ms: int | None = None


class _Spot:
    """What is known of one region."""

    def __init__(self, region: str, lying: Iterable[str]) -> None:
        self._region = region
        self._known = [_Known(face, None) for face in lying]
        self._doubles: dict[str, int] = {}
        self._held_back_since_ms: int | None = None
        self._unread_since_ms: int | None = None
        self._unread_told = False

    def pause(self) -> None:
        """Nothing can be seen now: every wait begins anew."""
        self._doubles.clear()
        self._held_back_since_ms = self._unread_since_ms = None
        for known in self._known:
            known.missing_since_ms = None

    def faces(self) -> list[str]:
        """The faces reported that still lie here."""
        return [known.face for known in self._known]

    def look(self, readings: Sequence[Reading], moving: bool, now_ms: int, room: Counter[str]) -> list[Change]:
        """What changed; ``room`` is how many more of each face can lie in sight, and is used up."""
        cards = [reading for reading in readings if reading.kind is Kind.CARD]
        matched: set[int] = set()
        new: list[Reading] = []
        for face in sorted({card.face for card in cards}):
            new += self._new(face, [card for card in cards if card.face == face], matched, now_ms)
        for face in set(self._doubles) - {card.face for card in cards}:
            del self._doubles[face]
        changes: list[Change] = []
        for card in self._in_turn(new, readings, now_ms):
            if room[card.face] <= 0:
                continue
            room[card.face] -= 1
            known = _Known(card.face, card.centre)
            self._known.append(known)
            matched.add(id(known))
            changes.append(Came(self._region, card.face))
        changes += self._gone(readings, matched, moving, now_ms)
        changes += self._unread(readings, cards, moving, now_ms)
        return changes

    def _new(self, face: str, cards: list[Reading], matched: set[int], now_ms: int) -> list[Reading]:
        """Match the cards of one face with those reported; the ones too many are new."""
        known = [k for k in self._known if k.face == face]
        for one in known:
            if cards:
                nearest = min(cards, key=lambda card: _away(card.centre, one.place))
                cards.remove(nearest)
                one.place, one.missing_since_ms = nearest.centre, None
                matched.add(id(one))
        if not cards:
            self._doubles.pop(face, None)
        elif known and now_ms - self._doubles.setdefault(face, now_ms) < DOUBLE_MS:
            return []
        return cards

    def _in_turn(self, new: list[Reading], readings: Sequence[Reading], now_ms: int) -> list[Reading]:
        """The new cards that may be reported now, the lowest first."""
        settling = min((reading.order for reading in readings if _settles(reading)), default=None)
        ready = [card for card in new if settling is None or card.order < settling]
        if len(ready) == len(new):
            self._held_back_since_ms = None
        elif self._held_back_since_ms is None:
            self._held_back_since_ms = now_ms
        elif now_ms - self._held_back_since_ms >= HOLD_BACK_MS:
            ready = new
        return sorted(ready, key=lambda card: card.order)

    def _gone(self, readings: Sequence[Reading], matched: set[int], moving: bool, now_ms: int) -> list[Change]:
        gone = []
        for known in self._known:
            if id(known) in matched:
                continue
            covered = bool(readings) if known.place is None else _covered(known.place, readings)
            if moving or covered:
                known.missing_since_ms = None
            elif known.missing_since_ms is None:
                known.missing_since_ms = now_ms
            elif now_ms - known.missing_since_ms >= GONE_MS:
                gone.append(known)
        self._known = [known for known in self._known if not any(known is one for one in gone)]
        return [Went(self._region, known.face) for known in gone]

    def _unread(self, readings: Sequence[Reading], cards: Sequence[Reading], moving: bool, now_ms: int) -> list[Change]:
        doubtful = [reading for reading in readings if _is_unread(reading, cards)]
        if not doubtful:
            self._unread_since_ms, self._unread_told = None, False
        elif moving or self._unread_since_ms is None:
            self._unread_since_ms = now_ms
        elif not self._unread_told and now_ms - self._unread_since_ms >= UNREAD_MS:
            self._unread_told = True
            return [Unread(self._region, ", ".join(reason.sentence for reason in doubtful[0].reasons))]
        return []


class Noticer:
    """Follows the settled sightings of one table."""

    def __init__(self, regions: Iterable[str], lying: Mapping[str, Sequence[str]], possible: Mapping[str, int]) -> None:
        """``lying`` are the faces that were reported before, by region; ``possible`` is how many of each face can lie
        in sight (a face not named: none)."""
        self._possible = possible
        self._spots = {region: _Spot(region, lying.get(region, ())) for region in regions}

    def pause(self) -> None:
        """The camera cannot be believed now: nothing is concluded from what is not seen."""
        for spot in self._spots.values():
            spot.pause()

    def look(self, readings: Sequence[Reading], moving: Collection[str], now_ms: int) -> list[Change]:
        """What came and went with one settled sighting; ``moving`` are the regions in which something moves."""
        changes: list[Change] = []
        room = Counter(self._possible)
        for spot in self._spots.values():
            room.subtract(spot.faces())
        for region, spot in self._spots.items():
            here = [reading for reading in readings if reading.region == region]
            changes += spot.look(here, region in moving, now_ms, room)
        return changes


def _away(centre: Point, place: Point | None) -> float:
    return 0.0 if place is None else math.dist(centre, place)


def _covered(place: Point, readings: Sequence[Reading]) -> bool:
    return any(contains(reading.corners, place) for reading in readings)


def _is_unread(reading: Reading, cards: Sequence[Reading]) -> bool:
    """An index that nobody reads: not one that only settles, no surface without any (a card below another one, a chip),
    and no part of a card that is read."""
    if reading.kind is not Kind.UNKNOWN or _settles(reading) or Reason.COVERED in reading.reasons:
        return False
    return all(overlap(reading.corners, card.corners) < SAME_CARD for card in cards)


def _settles(reading: Reading) -> bool:
    return bool({Reason.MOVING, Reason.SETTLING} & set(reading.reasons))
