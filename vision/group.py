"""Which indices belong to one card: an index and its twin are one by geometry. The label only widens how far a tilted
view may have displaced the twin; it never makes a pair that geometry forbids."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from vision.corners import Corner
from vision.geometry import TYPICAL, CardShape, angle_between, in_frame
from vision.patches import IndexPose

TWIN_TURN_RAD = 0.3
"""How far the two ends of a card may be from pointing opposite ways (perspective, reading error)."""

TWIN_RIGHT = (1.05, 4.7)
TWIN_DOWN = (1.1, 6.4)
TWIN_SLOPE = (0.8, 1.9)
"""Where a twin may lie at all, in index heights, over all prints known; slope is down by right."""

TOLERANCE = 0.13
"""How far a twin may be from where this deck has it, by the distance itself. A fan's next card, a quarter of a width
further, is off by 0.19."""

ALIKE_TOLERANCE = 0.35
"""The same for two indices read alike: a camera tilted by 25 degrees displaces a twin by 0.18, its poses are read with
an error besides, and one card counted as two would be worse than two taken for one."""

UNLIKE_STRAIN = 0.15
"""By how much two indices read differently fit worse: where an index could be the twin of either of two, the one read
alike is it. What is read differently makes a pair only where nothing else explains it."""

SPREAD_ALIKE, SPREAD_ANY = 0.2, 0.08
"""How far the places of twins may be apart, by the distance itself, to speak for the same shape: a tilted camera
spreads those that are surely pairs as far as this; among pairs of chance only what lies close together is one."""

NEAR_HEIGHTS, NEAR_CHANCE = 0.7, 0.9
"""An index nearer than this to one of a pair or to a surer one, in index heights, and less sure than this is the
other's print seen once more; large indices in a fan are as near, and are read."""

TWIN_HEIGHTS, ALIKE_HEIGHTS = 1.39, 1.6
"""By how much the heights of the two ends of a card may seem to differ; out of focus they are read so badly that two
read alike may differ by more. One card must not be counted as two."""

SMALL_PRINT, ON_ONE_CARD = 1.7, 4.0
"""A single index so many times lower than a sure one, and not further from it than this, in heights of the larger, is
the print of that card: of two cards that lie together the indices are of one height."""

HEIGHT_RATIO = 2.2
"""How far the height of an index may be from that of the picture's pairs, either way, and still be of the same deck."""

Flatten = Callable[[IndexPose], IndexPose]
"""Turns a pose in the picture into one on the table's plane."""


@dataclass(frozen=True, slots=True)
class Twins:
    """Two indices that may be the ends of one card; where the second lies in the first's frame (mean of both ways), in
    index heights; the mean of their heights."""

    first: int
    second: int
    right: float
    down: float
    height_px: float

    def strain(self, shape: CardShape) -> float:
        """How far the twin is from where a deck of this shape has it, by the distance itself."""
        return math.hypot(self.right - shape.right, self.down - shape.down) / math.hypot(shape.right, shape.down)


@dataclass(frozen=True, slots=True)
class Group:
    """The indices of one card: one or two."""

    corners: tuple[Corner, ...]


def possible_twins(poses: Sequence[IndexPose], faces: Sequence[str]) -> list[Twins]:
    """All pairs of indices that could be one card's by angle, size and place. ``faces`` are what they are read as."""
    found = []
    for (i, first), (j, second) in combinations(enumerate(poses), 2):
        if abs(angle_between(first.angle, second.angle + math.pi)) > TWIN_TURN_RAD:
            continue
        most = ALIKE_HEIGHTS if faces[i] == faces[j] else TWIN_HEIGHTS
        if not 1 / most < first.height_px / second.height_px < most:
            continue
        there, back = in_frame(first, second.x, second.y), in_frame(second, first.x, first.y)
        right, down = (there[0] + back[0]) / 2, (there[1] + back[1]) / 2
        if not (TWIN_RIGHT[0] < right < TWIN_RIGHT[1] and TWIN_DOWN[0] < down < TWIN_DOWN[1]):
            continue
        if TWIN_SLOPE[0] < down / right < TWIN_SLOPE[1]:
            height = (first.height_px + second.height_px) / 2
            found.append(Twins(i, j, right, down, height))
    return found


def shape_of(corners: Sequence[Corner], twins: Sequence[Twins]) -> CardShape | None:
    """The shape of this picture's cards, from the pairs read alike (or from all, where none are): the place that most
    pairs share. None where there is no pair."""
    alike = [
        pair
        for pair in twins
        if corners[pair.first].face == corners[pair.second].face
        and min(corners[pair.first].chance, corners[pair.second].chance) > 0.6
    ]
    voters = alike or list(twins)
    if not voters:
        return None
    places = np.array([(pair.right, pair.down) for pair in voters])
    reach = SPREAD_ALIKE if alike else SPREAD_ANY
    near = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) < reach * np.hypot(*places.T)[:, None]
    best = int(near.sum(axis=1).argmax())
    right, down = np.median(places[near[best]], axis=0)
    return replace(TYPICAL, right=float(right), down=float(down))


def grouped(
    corners: Sequence[Corner], known: CardShape | None = None, flatten: Flatten | None = None
) -> tuple[list[Group], CardShape | None]:
    """The cards that the indices make, and the shape of the cards (``known``, or found in the picture, or None).
    ``flatten`` takes the camera's tilt out where it is known."""
    poses = [flatten(corner.pose) if flatten else corner.pose for corner in corners]
    twins = possible_twins(poses, [corner.face for corner in corners])
    shape = known or shape_of(corners, twins)
    used: set[int] = set()
    groups = []
    if shape is not None:
        for strain, pair in _by_strain(corners, twins, shape):
            if strain < ALIKE_TOLERANCE and not used & {pair.first, pair.second}:
                used |= {pair.first, pair.second}
                groups.append(Group((corners[pair.first], corners[pair.second])))
    paired = [corners[number] for number in used]
    singles = [corner for number, corner in enumerate(corners) if number not in used]
    surer = [*paired, *(corner for corner in singles if corner.chance > NEAR_CHANCE)]
    groups.extend(
        Group((c,))
        for c in singles
        if _of_this_deck(c, paired) and not _seen_again(c, surer) and not _small_print(c, surer)
    )
    return groups, shape


def _by_strain(corners: Sequence[Corner], twins: Sequence[Twins], shape: CardShape) -> list[tuple[float, Twins]]:
    """Pairs with how badly they fit, best first; those read differently and beyond their tolerance left out."""
    fits = []
    for pair in twins:
        strain = pair.strain(shape)
        if corners[pair.first].face == corners[pair.second].face:
            fits.append((strain, pair))
        elif strain < TOLERANCE:
            fits.append((strain + UNLIKE_STRAIN, pair))
    return sorted(fits, key=lambda fit: fit[0])


def _of_this_deck(corner: Corner, paired: Sequence[Corner]) -> bool:
    """Whether a single index is of the size of those that have twins."""
    if not paired:
        return True
    ratio = corner.pose.height_px / float(np.median([other.pose.height_px for other in paired]))
    return 1 / HEIGHT_RATIO < ratio < HEIGHT_RATIO


def _seen_again(corner: Corner, others: Sequence[Corner]) -> bool:
    """Whether a single index is but the print of one that is surer and lies close by."""
    pose = corner.pose
    return corner.chance <= NEAR_CHANCE and any(
        math.dist((pose.x, pose.y), (o.pose.x, o.pose.y)) < NEAR_HEIGHTS * max(pose.height_px, o.pose.height_px)
        for o in others
    )


def _small_print(corner: Corner, others: Sequence[Corner]) -> bool:
    """Whether a single index is a pip or a picture of the card whose larger, sure index lies beside it."""
    pose = corner.pose
    return any(
        o.pose.height_px > SMALL_PRINT * pose.height_px
        and math.dist((pose.x, pose.y), (o.pose.x, o.pose.y)) < ON_ONE_CARD * o.pose.height_px
        for o in others
    )
