"""From looks to readings that stay: cards followed over frames, voted on, locked, and unlocked by motion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.geometry import overlap
from vision.patches import Image
from vision.readings import Kind, Reading, Reason, Sighting

MOTION_WIDTH_PX = 320
"""Width at which frames are compared for motion."""

MOTION_STEP = 18
"""Change of brightness (0..255) of a pixel that counts as motion; sensor noise averaged at this size is below 6."""

LEANING_PERMILLE = 600
"""An abstaining look says something from here on."""

PLAIN_KINDS = (Kind.FACE_DOWN.value, Kind.CUT_CARD.value)
SAME_PLACE = 0.25
"""How far a card may seem to move between looks and still be the same, in card widths."""


@dataclass(frozen=True, slots=True)
class Voting:
    """What it takes to lock a reading. A look agrees where it accepts the face, or abstains only because it is not sure
    enough of this face."""

    looks: int = 5
    """looks that agree"""
    sure_looks: int = 1
    """looks among them that accept the face"""
    span_ms: int = 300
    window_ms: int = 1000
    share: float = 0.6
    """share of the looks of the window that must agree"""
    forget_ms: int = 600
    """a card not seen for so long at rest is gone"""


@dataclass(frozen=True, slots=True)
class Vote:
    """One look at a card: what it says lies there (a face, ``face_down``, ``cut_card``, or nothing), and whether it
    accepted that or only leans to it."""

    time_ms: int
    says: str
    permille: int
    sure: bool


@dataclass(slots=True)
class Track:
    """One card followed over frames. ``votes`` are the looks of the window."""

    latest: Reading
    seen_ms: int
    votes: list[Vote] = field(default_factory=list)
    locked: Reading | None = None
    contradicted: bool = False


def motion_mask(before: Image, after: Image) -> Image:
    """Where two frames differ (1) at `MOTION_WIDTH_PX`: a mask of that width, small specks left out."""
    height = max(1, round(before.shape[0] * MOTION_WIDTH_PX / before.shape[1]))
    small = [
        cv2.cvtColor(cv2.resize(f, (MOTION_WIDTH_PX, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        for f in (before, after)
    ]
    changed = (cv2.absdiff(small[0], small[1]) > MOTION_STEP).astype(np.uint8)
    opened = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return np.asarray(cv2.dilate(opened, np.ones((7, 7), np.uint8)), np.uint8)


class Tracker:
    """Follows the cards of one view. Feed it every look; it answers with what is settled."""

    def __init__(self, voting: Voting | None = None) -> None:
        """Nothing is known at the start."""
        self.voting = voting or Voting()
        self._tracks: list[Track] = []
        self._before: Image | None = None

    def update(self, picture: Image, sighting: Sighting) -> Sighting:
        """Take one look. The answer has the same cards: locked ones accepted, the others unknown with the reason
        (moving, settling, or what the looks themselves say)."""
        mask = None if self._before is None else motion_mask(self._before, picture)
        self._before = picture
        now_ms = sighting.time_ms
        free = list(self._tracks)
        for reading in sighting.readings:
            track = self._nearest(free, reading)
            if track is None:
                track = Track(reading, now_ms)
                self._tracks.append(track)
            else:
                free.remove(track)
            moving = mask is not None and _moves(mask, reading, sighting.width)
            self._vote(track, reading, now_ms, moving)
        for track in free:
            moving = mask is not None and _moves(mask, track.latest, sighting.width)
            if (
                moving
                or (track.locked is None and now_ms - track.seen_ms > self.voting.forget_ms)
                or now_ms - track.seen_ms > self.voting.forget_ms
            ):
                self._tracks.remove(track)
        return replace(sighting, readings=tuple(self._answer(track) for track in self._tracks))

    def _nearest(self, tracks: Sequence[Track], reading: Reading) -> Track | None:
        best, least = None, SAME_PLACE * max(8.0, reading.width_px)
        for track in tracks:
            x, y = track.latest.centre
            away = math.hypot(x - reading.centre[0], y - reading.centre[1])
            if away < least or (away < 2 * least and overlap(track.latest.corners, reading.corners) > 0.9):
                best, least = track, away
        return best

    def _vote(self, track: Track, reading: Reading, now_ms: int, moving: bool) -> None:
        track.latest, track.seen_ms = reading, now_ms
        if moving:
            track.votes.clear()
            track.locked, track.contradicted = None, False
            track.latest = replace(reading, kind=Kind.UNKNOWN, face="", guess=reading.face, reasons=(Reason.MOVING,))
            return
        vote = _vote_of(reading, now_ms)
        others = {vote.says for vote in track.votes if vote.sure} - {vote.says}
        if vote.sure and others and track.locked is None:
            track.votes.clear()
            track.contradicted = True
        track.votes.append(vote)
        track.votes = [vote for vote in track.votes if vote.time_ms >= now_ms - self.voting.window_ms]
        self._try_lock(track, now_ms)

    def _try_lock(self, track: Track, now_ms: int) -> None:
        sure = [vote for vote in track.votes if vote.sure]
        if track.locked or len(sure) < self.voting.sure_looks:
            return
        agreed = [vote for vote in track.votes if vote.says == sure[-1].says]
        if len(agreed) < max(self.voting.looks, self.voting.share * len(track.votes)):
            return
        if now_ms - agreed[0].time_ms < self.voting.span_ms or track.votes[-1] != agreed[-1]:
            return
        permille = sorted(vote.permille for vote in sure)[len(sure) // 2]
        kind = Kind(agreed[-1].says) if agreed[-1].says in PLAIN_KINDS else Kind.CARD
        face = agreed[-1].says if kind is Kind.CARD else ""
        track.locked = replace(track.latest, kind=kind, face=face, confidence_permille=permille, reasons=())

    def _answer(self, track: Track) -> Reading:
        latest = track.latest
        if track.locked is not None:
            return track.locked
        if latest.kind is Kind.UNKNOWN:
            return latest
        why = Reason.DISAGREEMENT if track.contradicted else Reason.SETTLING
        return replace(latest, kind=Kind.UNKNOWN, face="", guess=latest.face or latest.kind.value, reasons=(why,))


def _vote_of(reading: Reading, now_ms: int) -> Vote:
    """What a look at rest says. One that abstains for another reason than not being sure says nothing,
    and neither does one that is hardly sure of anything."""
    sure = reading.kind is not Kind.UNKNOWN
    says = reading.face or reading.kind.value if sure else ""
    if reading.reasons == (Reason.UNSURE,) and reading.confidence_permille >= LEANING_PERMILLE:
        says = reading.guess
    return Vote(now_ms, says, reading.confidence_permille, sure)


def _moves(mask: Image, reading: Reading, width: int) -> bool:
    scale = MOTION_WIDTH_PX / width
    outline = np.round(np.array(reading.corners) * scale).astype(np.int32)
    inside = np.zeros_like(mask)
    cv2.fillConvexPoly(inside, outline, 1)
    return int((mask & inside).sum()) > max(3, 0.02 * int(inside.sum()))
