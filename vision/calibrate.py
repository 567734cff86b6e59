"""From picture pixels to millimetres on the table: four markers or points, one number for the lens, and whether the
cards are large enough in the picture to be read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.errors import VisionError
from vision.geometry import contains
from vision.layout import Layout, Region, parse_layout
from vision.patches import Image
from vision.pictures import MAX_SIDE_PX, MIN_SIDE_PX

Floats = npt.NDArray[np.float64]

SEPARATE_LEAST_PX = 90.0
FANS_LEAST_PX = 110.0
"""The narrowest card, in pixels, that the stated figures hold for: separate cards, overlapping ones."""

MAX_BEND = 0.35
"""The strongest lens bend looked for, |k1|."""

LEAST_DETERMINANT = 1e-12
"""A homography with a smaller one folds the table onto a line."""

MOST_OUTSIDE = 0.25
"""How far a given corner of the table may lie outside of the picture, by the picture's side."""

MAX_ERROR_MM = 4.0
"""Mean distance between where the markers are and where they should be, above which a calibration is refused."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A camera's view of a table. ``to_mm`` is a 3 × 3 homography from straightened picture pixels; ``bend`` is the
    lens's k1 by the half diagonal; ``error_mm`` is how far the markers were off."""

    width: int
    height: int
    to_mm: tuple[tuple[float, float, float], ...]
    bend: float
    error_mm: float
    layout: Layout

    def table(self, points: Floats) -> Floats:
        """Millimetres on the table of picture points (n × 2)."""
        return _through(np.array(self.to_mm), straightened(points, self.bend, self.width, self.height))

    def picture(self, points_mm: Floats) -> Floats:
        """Picture pixels of points on the table (n × 2)."""
        flat = _through(np.linalg.inv(np.array(self.to_mm)), np.asarray(points_mm, np.float64))
        return bent(flat, self.bend, self.width, self.height)

    def card_width_px(self, x_mm: float, y_mm: float) -> float:
        """The width in pixels of a card at a place of the table, in the direction in which it is shortest."""
        half = self.layout.card.width_mm / 2
        turns = np.radians(np.arange(0, 180, 15))
        arms = np.column_stack([np.cos(turns), np.sin(turns)]) * half
        middle = np.array([x_mm, y_mm])
        return float(np.linalg.norm(self.picture(middle + arms) - self.picture(middle - arms), axis=1).min())

    def region_at(self, x: float, y: float) -> Region | None:
        """The region that a picture point lies in."""
        at = self.table(np.array([[x, y]]))[0]
        return next((r for r in self.layout.region if contains(r.polygon_mm, (float(at[0]), float(at[1])))), None)

    def narrowest(self) -> tuple[str, float]:
        """The region whose cards are narrowest in the picture, and how many pixels that is."""
        found = [
            (min(self.card_width_px(x, y) for x, y in region.polygon_mm), region.name) for region in self.layout.region
        ] or [(self.card_width_px(self.layout.width_mm / 2, self.layout.height_mm / 2), "the table's middle")]
        width, name = min(found)
        return name, width


def _through(matrix: Floats, points: Floats) -> Floats:
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:], np.float64)


def straightened(points: Floats, bend: float, width: int, height: int) -> Floats:
    """Picture points without the lens's bend (k1 of the division model, by the half diagonal)."""
    middle = np.array([width / 2, height / 2])
    unit = float(np.hypot(*middle))
    off = (np.asarray(points, np.float64) - middle) / unit
    return np.asarray(off / (1 + bend * (off**2).sum(axis=1, keepdims=True)) * unit + middle, np.float64)


def bent(points: Floats, bend: float, width: int, height: int) -> Floats:
    """The inverse of `straightened`."""
    if bend == 0:
        return np.asarray(points, np.float64)
    middle = np.array([width / 2, height / 2])
    unit = float(np.hypot(*middle))
    off = (np.asarray(points, np.float64) - middle) / unit
    far = np.linalg.norm(off, axis=1, keepdims=True)
    inner = np.maximum(1 - 4 * bend * far**2, 0)
    stretch = 2 / (1 + np.sqrt(inner))
    return np.asarray(off * stretch * unit + middle, np.float64)


def _invertible(matrix: Floats) -> bool:
    return bool(np.isfinite(matrix).all()) and abs(float(np.linalg.det(matrix))) > LEAST_DETERMINANT


def _fit(pixels: Floats, millimetres: Floats, bend: float, size: tuple[int, int]) -> tuple[Floats, float]:
    flat = straightened(pixels, bend, *size)
    matrix = np.asarray(cv2.findHomography(flat, millimetres)[0], np.float64)
    if matrix.shape != (3, 3) or not _invertible(matrix):
        raise VisionError("the points lie in a line or on one spot: give four corners of the table")
    error = np.linalg.norm(_through(matrix, flat) - millimetres, axis=1).mean()
    return matrix, float(error)


def from_points(pixels: Floats, millimetres: Floats, size: tuple[int, int], layout: Layout) -> Calibration:
    """A calibration from points (n × 2 each, n ≥ 4) known in the picture (``size`` width, height) and on the table.
    With twelve points or more the lens's bend is found too. Raises VisionError where they do not fit."""
    if len(pixels) < 4 or len(pixels) != len(millimetres):
        raise VisionError(f"{len(pixels)} points are too few: four are needed")
    bends = np.linspace(-MAX_BEND, MAX_BEND, 71) if len(pixels) >= 12 else np.zeros(1)
    errors = [_fit(pixels, millimetres, float(bend), size)[1] for bend in bends]
    bend = float(bends[int(np.argmin(errors))])
    matrix, error = _fit(pixels, millimetres, bend, size)
    if error > MAX_ERROR_MM:
        raise VisionError(
            f"the markers are {error:.1f} mm off from where the layout has them (at most {MAX_ERROR_MM}): measure again"
        )
    rows = tuple((float(a), float(b), float(c)) for a, b, c in matrix)
    return Calibration(size[0], size[1], rows, bend, error, layout)


def from_corners(pixels: Sequence[tuple[float, float]], size: tuple[int, int], layout: Layout) -> Calibration:
    """A calibration from the pixels of the table's four corners, clockwise from the upper left. Raises VisionError
    where they lie far outside of the picture or do not go round the table that way."""
    for x, y in pixels:
        if not all(abs(at / side - 0.5) <= MOST_OUTSIDE + 0.5 for at, side in zip((x, y), size, strict=True)):
            raise VisionError(f"the point {x:g},{y:g} lies far outside of the picture of {size[0]} × {size[1]} pixels")
    if not _clockwise(np.array(pixels, np.float64)):
        raise VisionError("the points do not go clockwise round the table: begin at its upper left corner")
    wide, tall = layout.width_mm, layout.height_mm
    corners = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float64)
    return from_points(np.array(pixels, np.float64), corners, size, layout)


def _clockwise(points: Floats) -> bool:
    """Whether points make a convex outline that is gone round clockwise (y grows downwards)."""
    sides = np.roll(points, -1, axis=0) - points
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all())


def marker_corners(picture: Image) -> Mapping[int, Floats]:
    """The corners (4 × 2 pixels, clockwise from the marker's upper left) of every ArUco 4X4_50 marker seen."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(picture)
    found = np.ravel(np.asarray(ids if len(corners) else []))
    return {int(i): np.asarray(c, np.float64).reshape(4, 2) for i, c in zip(found, corners, strict=True)}


def from_markers(picture: Image, layout: Layout) -> Calibration:
    """A calibration from the layout's markers seen in a picture. Raises VisionError where fewer than four are seen."""
    seen = marker_corners(picture)
    wanted = [marker for marker in layout.marker if marker.id in seen]
    if len(wanted) < 4:
        missing = sorted(marker.id for marker in layout.marker if marker.id not in seen)
        raise VisionError(
            f"only {len(wanted)} of the layout's {len(layout.marker)} markers are seen, four are needed; not seen: "
            f"{', '.join(map(str, missing)) or 'none'}; uncover and light them, take a larger picture, or give the "
            "table's corners as --points"
        )
    pixels = np.concatenate([seen[marker.id] for marker in wanted])
    half = [np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * marker.size_mm / 2 for marker in wanted]
    millimetres = np.concatenate([h + np.array([m.x_mm, m.y_mm]) for h, m in zip(half, wanted, strict=True)])
    return from_points(pixels, millimetres, (picture.shape[1], picture.shape[0]), layout)


def check_size(calibration: Calibration) -> str:
    """One line on the size of the cards. Raises VisionError where they are too small to be read."""
    name, width = calibration.narrowest()
    least = FANS_LEAST_PX if calibration.layout.card.fans else SEPARATE_LEAST_PX
    if width < least:
        what = "overlapping" if calibration.layout.card.fans else "separate"
        raise VisionError(
            f"a card is only {width:.0f} pixels wide at {name}, {what} cards need {least:.0f}: bring the camera "
            "nearer, take one with more pixels, or one camera for each half of the table"
        )
    return f"narrowest card: {width:.0f} pixels at {name}"


def save_calibration(path: Path, calibration: Calibration) -> None:
    """Write a calibration as JSON. Raises VisionError where that cannot be done."""
    data = {
        "width": calibration.width,
        "height": calibration.height,
        "to_mm": calibration.to_mm,
        "bend": calibration.bend,
        "error_mm": calibration.error_mm,
        "layout": calibration.layout.model_dump(mode="json"),
    }
    try:
        path.write_text(json.dumps(data, indent=2) + "\n", "utf-8")
    except OSError as error:
        raise VisionError(f"{path}: cannot be written: {error.strerror}") from None


def load_calibration(path: Path) -> Calibration:
    """Read a calibration back. Raises VisionError with one line where the file is not one."""
    try:
        data = json.loads(path.read_text("utf-8"))
        rows: Sequence[Sequence[float]] = data["to_mm"]
        matrix = tuple((float(a), float(b), float(c)) for a, b, c in rows)
        if len(matrix) != 3 or not _invertible(np.array(matrix)):
            raise ValueError("to_mm")
        layout = parse_layout(data["layout"], str(path))
        size = int(data["width"]), int(data["height"])
        bend, error_mm = float(data["bend"]), float(data["error_mm"])
        if not all(MIN_SIDE_PX <= side <= MAX_SIDE_PX for side in size):
            raise ValueError("width, height")
        if not abs(bend) <= MAX_BEND or not 0 <= error_mm <= MAX_ERROR_MM:
            raise ValueError("bend, error_mm")
        return Calibration(*size, matrix, bend, error_mm, layout)
    except OSError as error:
        raise VisionError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise VisionError(f"{path}: not a calibration ({error}): make it with `tablewatch vision calibrate`") from None
