"""A table with cards on it, seen by a camera, and the truth about every card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.deck import FACE_WIDTH_PX, Deck, Image, Mips
from vision.synth.light import Rng

Matrix = npt.NDArray[np.float64]

FACE_SURFACE, BACK_SURFACE = 1, 2
"""What a pixel of the surface map shows; 0 is the ground."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A card to be laid: a code of the deck (``KH``, ``face_down``, ``cut_card``, a foreign name), its middle and width
    in pixels of the flat table, its angle in degrees clockwise, the region it belongs to."""

    code: str
    x: float
    y: float
    width_px: float
    angle_deg: float
    region: str = ""


@dataclass(frozen=True, slots=True)
class TrueIndex:
    """A corner index as it is in the picture: middle, angle of its upright (degrees, 0 = upright, clockwise), height
    in pixels, visible share 0..1."""

    x: float
    y: float
    angle_deg: float
    height_px: float
    visible: float


@dataclass(frozen=True, slots=True)
class TrueCard:
    """A card as it is in the picture. ``corners`` clockwise from the card's own upper left; ``indices`` upper left and
    lower right one; ``width_px`` of the card where it lies; ``order`` counts from 0 within its region."""

    code: str
    corners: tuple[tuple[float, float], ...]
    indices: tuple[TrueIndex, ...]
    visible: float
    width_px: float
    region: str
    order: int


@dataclass(slots=True)
class Stage:
    """A picture under construction. Cards are laid in order; the last lies on top."""

    picture: Image
    lens: Matrix
    """Table pixels to picture pixels, 3 × 3."""

    owner: npt.NDArray[np.int16] = field(init=False)
    """Number of the thing on top at every pixel: 0 ground, 1.. cards, negative other things."""

    surface: Image = field(init=False)
    laid: list[tuple[Placed, Deck, Matrix]] = field(default_factory=list)
    mips: Mips = field(default_factory=Mips)

    def __post_init__(self) -> None:
        """Start with nothing on the ground."""
        self.owner = np.zeros(self.picture.shape[:2], np.int16)
        self.surface = np.zeros(self.picture.shape[:2], np.uint8)

    def paste(self, thing: Image, place: Matrix, number: int, surface: int, shadow: float = 0.0) -> None:
        """Draw a BGRA picture through a 3 × 3 matrix (its pixels to picture pixels), with a soft shadow beside it."""
        height, width = thing.shape[:2]
        outline = project(place, np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64))
        margin = 8
        x0, y0 = (int(v) for v in np.maximum(np.floor(outline.min(axis=0)) - margin, 0))
        x1 = int(min(np.ceil(outline[:, 0].max()) + margin, self.picture.shape[1]))
        y1 = int(min(np.ceil(outline[:, 1].max()) + margin, self.picture.shape[0]))
        if x0 >= x1 or y0 >= y1:
            return
        shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
        drawn = np.asarray(
            cv2.warpPerspective(thing, shift @ place, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR), np.uint8
        )
        alpha = drawn[..., 3].astype(np.float32) / 255
        patch = self.picture[y0:y1, x0:x1]
        if shadow > 0:
            soft = cv2.GaussianBlur(np.roll(alpha, (2, 2), (0, 1)), (0, 0), 2.5) * np.float32(shadow)
            patch[...] = (patch * (1 - soft[..., None])).astype(np.uint8)
        # The colour under zero alpha is not the card's: take it from the whole card, not from the blended edge.
        patch[...] = (patch * (1 - alpha[..., None]) + drawn[..., :3] * alpha[..., None]).astype(np.uint8)
        solid = alpha > 0.5
        self.owner[y0:y1, x0:x1][solid] = number
        self.surface[y0:y1, x0:x1][solid] = surface

    def lay(self, card: Placed, deck: Deck, shadow: float = 0.25) -> None:
        """Lay a card of a deck on top of what is there."""
        place = self.lens @ pose(card, deck.aspect)
        back = card.code in ("face_down", "cut_card")
        picture = deck.back if back else deck.faces.get(card.code, deck.foreign.get(card.code, deck.back))
        if card.code == "cut_card":
            picture = _cut_card(deck)
        small = self.mips.at(picture, card.width_px * 1.4)
        zoom = np.diag([FACE_WIDTH_PX / small.shape[1], FACE_WIDTH_PX / small.shape[1], 1.0])
        self.laid.append((card, deck, place))
        self.paste(small, place @ zoom, len(self.laid), BACK_SURFACE if back else FACE_SURFACE, shadow)

    def truth(self) -> list[TrueCard]:
        """Every laid card as it is in the picture now."""
        orders: dict[str, int] = {}
        cards = []
        for number, (card, deck, place) in enumerate(self.laid, 1):
            order = orders.get(card.region, 0)
            orders[card.region] = order + 1
            cards.append(self._true(number, card, deck, place, order))
        return cards

    def _true(self, number: int, card: Placed, deck: Deck, place: Matrix, order: int) -> TrueCard:
        wide, tall = float(FACE_WIDTH_PX), FACE_WIDTH_PX * deck.aspect
        corners = project(place, np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float64))
        indices = []
        if card.code in deck.faces:
            at = deck.index
            half = np.array([at.width, at.height]) * FACE_WIDTH_PX / 2
            middle = np.array([at.x, at.y]) * FACE_WIDTH_PX
            for sign, origin in ((1, middle), (-1, np.array([wide, tall]) - middle)):
                indices.append(self._index(number, place, origin, half, sign))
        edge = np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])
        outline = tuple((float(x), float(y)) for x, y in corners)
        share = self._share(number, corners)
        return TrueCard(card.code, outline, tuple(indices), share, float(edge / 2), card.region, order)

    def _index(self, number: int, place: Matrix, middle: Matrix, half: Matrix, sign: int) -> TrueIndex:
        up_half = np.array([0.0, sign * half[1]])
        ends = project(place, np.array([middle, middle - up_half, middle + up_half]))
        up = ends[1] - ends[2]
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + middle
        share = self._share(number, project(place, box))
        angle = float(np.degrees(np.arctan2(up[0], -up[1])))
        return TrueIndex(float(ends[0][0]), float(ends[0][1]), angle, float(np.linalg.norm(up)), share)

    def _share(self, number: int, polygon: Matrix) -> float:
        low = np.floor(polygon.min(axis=0)).astype(int)
        size = np.ceil(polygon.max(axis=0)).astype(int) - low + 1
        inside = np.zeros((int(size[1]), int(size[0])), np.uint8)
        cv2.fillPoly(inside, [np.round(polygon - low).astype(np.int32)], 1)
        ys, xs = np.nonzero(inside)
        ys, xs = ys + low[1], xs + low[0]
        known = (ys >= 0) & (xs >= 0) & (ys < self.owner.shape[0]) & (xs < self.owner.shape[1])
        mine = self.owner[ys[known], xs[known]] == number
        return float(mine.sum()) / max(1, len(ys))


_CUT_CARDS: dict[float, Image] = {}


def _cut_card(deck: Deck) -> Image:
    shape = (round(FACE_WIDTH_PX * deck.aspect), FACE_WIDTH_PX, 4)
    if deck.aspect not in _CUT_CARDS:
        card = np.empty(shape, np.uint8)
        card[...] = (40, 200, 235, 255)
        _CUT_CARDS[deck.aspect] = card
    return _CUT_CARDS[deck.aspect]


def pose(card: Placed, aspect: float) -> Matrix:
    """The 3 × 3 matrix from a face's pixels to the table's pixels."""
    scale = card.width_px / FACE_WIDTH_PX
    turn = np.radians(card.angle_deg)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    half_w, half_h = FACE_WIDTH_PX / 2, FACE_WIDTH_PX * aspect / 2
    x = card.x - cos * half_w + sin * half_h
    y = card.y - sin * half_w - cos * half_h
    return np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]], np.float64)


def project(matrix: Matrix, points: Matrix) -> Matrix:
    """Points (n × 2) through a 3 × 3 homography."""
    homogeneous = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:], np.float64)


def tilted(shape: tuple[int, int], tilt_deg: float, toward_deg: float) -> Matrix:
    """The lens of a camera that looks at the table tilted; the middle of the picture keeps its place and scale."""
    height, width = shape
    focal = 1.3 * width
    axis = np.radians([np.cos(np.radians(toward_deg)), np.sin(np.radians(toward_deg)), 0.0]) * tilt_deg
    turn, _ = cv2.Rodrigues(axis)
    centre = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1]], np.float64)
    flat = np.column_stack([turn[:, 0], turn[:, 1], np.array([0, 0, focal])])
    camera = np.diag([focal, focal, 1.0])
    return np.asarray(centre @ camera @ flat @ np.linalg.inv(centre), np.float64)


def fan(
    codes: Sequence[str], at: tuple[float, float], width_px: float, rng: Rng, region: str = "", shift: float = 0.25
) -> list[Placed]:
    """A hand laid as an overlapping fan that shows each index: ``shift`` is the step in card widths."""
    base, bend = rng.uniform(0, 360), rng.uniform(-2, 9)
    x, y = at
    cards = []
    for code in codes:
        cards.append(Placed(code, x, y, width_px, base + rng.normal(0, 1.5), region))
        turn = np.radians(base + rng.normal(0, 6))
        step = width_px * shift * rng.uniform(0.85, 1.3)
        drop = width_px * rng.choice([0.0, 0.0, 0.35]) * rng.uniform(0.3, 1.0)
        x += np.cos(turn) * step - np.sin(turn) * drop
        y += np.sin(turn) * step + np.cos(turn) * drop
        base += bend
    return cards
