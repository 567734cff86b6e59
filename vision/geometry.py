"""Plane geometry of cards: outlines from indices, and the shape of one deck's cards."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.patches import IndexPose
from vision.readings import Point, Quad


@dataclass(frozen=True, slots=True)
class CardShape:
    """A deck's card in units of its index's height: how far the twin index lies (right, down, in the index's own
    upright frame), and how far the index's middle lies from the card's left and upper edges."""

    right: float
    down: float
    left: float = 0.32
    top: float = 0.64

    @property
    def width(self) -> float:
        """Width of the card in index heights."""
        return self.right + 2 * self.left

    @property
    def height(self) -> float:
        """Height of the card in index heights."""
        return self.down + 2 * self.top


INDEX_HALF_WIDTH = 0.22
"""Half the width of an index, in its height."""

TYPICAL = CardShape(2.7, 3.3)
"""A poker-size card with an ordinary index, where nothing better is known."""


def angle_between(first: float, second: float) -> float:
    """The difference of two angles in radians, -pi .. pi."""
    return (first - second + math.pi) % (2 * math.pi) - math.pi


def in_frame(pose: IndexPose, x: float, y: float) -> Point:
    """A point in the frame of an upright index: right and down, in index heights."""
    cos, sin = math.cos(pose.angle), math.sin(pose.angle)
    dx, dy = x - pose.x, y - pose.y
    return (dx * cos + dy * sin) / pose.height_px, (-dx * sin + dy * cos) / pose.height_px


SAME_RIGHT, SAME_DOWN, SAME_ALIKE = 0.28, 0.43, 0.6
"""Two indices nearer than this across and along, in heights of the smaller, are one seen twice: across, the large
indices of a tight fan are hardly further apart. Two that are read alike are one below the third."""


def one_place(first: IndexPose, second: IndexPose, alike: bool = False) -> bool:
    """Whether two poses are of the same index. ``alike``: both are read as the same face."""
    right, down = in_frame(first, second.x, second.y)
    share = first.height_px / min(first.height_px, second.height_px)
    if alike:
        return math.hypot(right, down) * share < SAME_ALIKE
    return math.hypot(right * share / SAME_RIGHT, down * share / SAME_DOWN) < 1


def from_frame(pose: IndexPose, right: float, down: float) -> Point:
    """The inverse of `in_frame`."""
    moved = pose.moved(right, down, 0, 0)
    return moved.x, moved.y


def single_outline(pose: IndexPose, shape: CardShape) -> Quad:
    """The outline of a card of which one index is known; the index is taken for its upper left one."""
    x0, y0 = -shape.left, -shape.top
    x1, y1 = x0 + shape.width, y0 + shape.height
    points = [from_frame(pose, *corner) for corner in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    return points[0], points[1], points[2], points[3]


def pair_outline(first: IndexPose, second: IndexPose, shape: CardShape) -> Quad:
    """The outline of a card of which both indices are known. Its sides follow the line between them, so that a card
    seen a little larger or smaller than the shape says still fits."""
    dx, dy = second.x - first.x, second.y - first.y
    unit = math.hypot(dx, dy) / math.hypot(shape.right, shape.down)
    lean = math.atan2(dy, dx) - math.atan2(shape.down, shape.right)
    middle_x, middle_y = (first.x + second.x) / 2, (first.y + second.y) / 2
    cos, sin = math.cos(lean) * unit, math.sin(lean) * unit
    half_w, half_h = shape.width / 2, shape.height / 2
    corners = ((-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h))
    points = [(middle_x + cos * x - sin * y, middle_y + sin * x + cos * y) for x, y in corners]
    return points[0], points[1], points[2], points[3]


def area(polygon: Iterable[Point]) -> float:
    """The area of a polygon, in the square of its unit."""
    return float(cv2.contourArea(np.array(list(polygon), np.float32)))


def overlap(first: Quad, second: Quad) -> float:
    """The shared area of two convex outlines by that of the smaller, 0..1."""
    shared, _ = cv2.intersectConvexConvex(np.array(first, np.float32), np.array(second, np.float32))
    return float(shared) / max(1e-6, min(area(first), area(second)))


GRID = 256
"""Cells to the longer side of what two polygons of any shape span, on which they are compared."""


def shared(first: Sequence[Point], second: Sequence[Point]) -> float:
    """The area that two polygons share by that of the smaller, 0..1, to about a hundredth."""
    points = np.array([*first, *second], np.float64)
    low, span = points.min(axis=0), float(np.ptp(points, axis=0).max())
    masks = [np.zeros((GRID + 1, GRID + 1), np.uint8) for _ in range(2)]
    for mask, polygon in zip(masks, (first, second), strict=True):
        cells = np.round((np.array(polygon) - low) / max(span, 1e-6) * GRID).astype(np.int32)
        cv2.fillPoly(mask, [cells], (1,))
        mask[:] = cv2.erode(mask, np.ones((3, 3), np.uint8))
    return float((masks[0] & masks[1]).sum()) / max(1, min(int(mask.sum()) for mask in masks))


def is_simple(polygon: Sequence[Point]) -> bool:
    """Whether a polygon has an area and no two of its sides cross or touch but where one follows the other."""
    sides = list(zip(polygon, [*polygon[1:], polygon[0]], strict=True))
    if area(polygon) <= 0 or any(a == b for a, b in sides):
        return False
    apart = [(i, j) for i, j in combinations(range(len(sides)), 2) if j - i > 1 and (i, j) != (0, len(sides) - 1)]
    return not any(_cross(*sides[i], *sides[j]) for i, j in apart)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) <= 0 and side(c, d, a) * side(c, d, b) <= 0


def contains(polygon: Iterable[Point], point: Point) -> bool:
    """Whether a point lies in a polygon or on its edge."""
    return cv2.pointPolygonTest(np.array(list(polygon), np.float32), point, False) >= 0


def within(outline: Quad, point: Point) -> Point:
    """Where a point lies on a card: 0..1 along its upper and its left side."""
    origin = np.array(outline[0])
    sides = np.column_stack([np.array(outline[1]) - origin, np.array(outline[3]) - origin])
    right, down = np.linalg.solve(sides, np.array(point) - origin)
    return float(right), float(down)


def fill(shape: tuple[int, int], polygons: Iterable[Quad], scale: float) -> npt.NDArray[np.uint8]:
    """A mask (1 inside any of the polygons) of a picture reduced by ``scale``."""
    mask = np.zeros(shape, np.uint8)
    for polygon in polygons:
        cv2.fillConvexPoly(mask, np.round(np.array(polygon) * scale).astype(np.int32), 1)
    return mask
