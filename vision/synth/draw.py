"""A deck drawn from nothing but lines and letters: any font, any suit shape, any size of index.

It stands in where no art is at hand (tests, the simulated camera), and varies without end for training.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import cv2
import numpy as np

from vision.faces import FACES
from vision.synth.deck import FACE_WIDTH_PX, Deck, Image, IndexPlace, blank, fit_width, rounded

Colour = tuple[int, int, int]

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
GLYPH_PX = 160
"""Height at which letters are drawn before they are stretched into place."""

PIP_COLUMNS = (0.29, 0.5, 0.71)
"""Columns of the pips, fractions of the card's width."""

PIP_PLACES: dict[str, tuple[tuple[int, float], ...]] = {
    "A": ((1, 0.5),),
    "2": ((1, 0.18), (1, 0.82)),
    "3": ((1, 0.18), (1, 0.5), (1, 0.82)),
    "4": ((0, 0.18), (2, 0.18), (0, 0.82), (2, 0.82)),
    "5": ((0, 0.18), (2, 0.18), (1, 0.5), (0, 0.82), (2, 0.82)),
    "6": ((0, 0.18), (2, 0.18), (0, 0.5), (2, 0.5), (0, 0.82), (2, 0.82)),
    "7": ((0, 0.18), (2, 0.18), (1, 0.34), (0, 0.5), (2, 0.5), (0, 0.82), (2, 0.82)),
    "8": ((0, 0.18), (2, 0.18), (1, 0.34), (0, 0.5), (2, 0.5), (1, 0.66), (0, 0.82), (2, 0.82)),
    "9": ((0, 0.18), (2, 0.18), (0, 0.39), (2, 0.39), (1, 0.5), (0, 0.61), (2, 0.61), (0, 0.82), (2, 0.82)),
    "T": (
        *((0, 0.18), (2, 0.18), (1, 0.28), (0, 0.39), (2, 0.39)),
        *((0, 0.61), (2, 0.61), (1, 0.72), (0, 0.82), (2, 0.82)),
    ),
}
"""Column and height (fraction of the card's height) of every pip of a rank; court cards have a frame instead."""


@dataclass(frozen=True, slots=True)
class Print:
    """How a deck is printed. Sizes are fractions of the card's width, colours BGR."""

    rank_font: str = "sans"
    suit_font: str = "uni"
    weight: int = 600
    rank_height: float = 0.105
    rank_stretch: float = 0.85
    suit_height: float = 0.085
    suit_stretch: float = 1.0
    gap: float = 0.02
    left: float = 0.085
    top: float = 0.055
    aspect: float = 1.4
    paper: Colour = (246, 249, 250)
    red: Colour = (38, 30, 205)
    black: Colour = (28, 24, 24)
    ten: str = "10"
    back: Colour = (150, 60, 30)
    suit_signs: Mapping[str, str] = field(default_factory=lambda: SUIT_SIGNS)
    suit_inks: Mapping[str, Colour] = field(default_factory=dict)

    def ink(self, suit: str) -> Colour:
        """The colour this suit is printed in."""
        return self.suit_inks.get(suit, self.red if suit in "HD" else self.black)

    def place(self) -> IndexPlace:
        """Where the index lies."""
        height = self.rank_height + self.gap + self.suit_height
        return IndexPlace(self.left, self.top + height / 2, height, max(self.rank_height, self.suit_height))


@lru_cache(maxsize=64)
def _font(name: str) -> cv2.FontFace:
    return cv2.FontFace(name)


@lru_cache(maxsize=4096)
def glyph(text: str, font: str, weight: int) -> Image:
    """The text as a tight mask (0 paper, 255 ink), `GLYPH_PX` letters. ``font`` is ``sans``, ``serif``, ``italic``,
    ``uni`` (built into OpenCV) or the path of a font file. Raises ValueError where the font shows nothing."""
    canvas = np.zeros((GLYPH_PX * 2, GLYPH_PX * (len(text) + 1), 3), np.uint8)
    origin = (GLYPH_PX // 2, GLYPH_PX + GLYPH_PX // 2)
    _, drawn = cv2.putText(canvas, text, origin, (255, 255, 255), _font(font), GLYPH_PX, weight)
    mask = np.asarray(drawn[..., 0], np.uint8)
    rows, columns = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
    if not len(rows):
        raise ValueError(f"font {font} shows nothing for {text!r}")
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def stamp(card: Image, mask: Image, centre: tuple[float, float], size: tuple[float, float], ink: Colour) -> None:
    """Print a mask onto the card. ``centre`` and ``size`` (width, height) in pixels; what is outside is cut off."""
    width, height = max(1, round(size[0])), max(1, round(size[1]))
    scaled = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    left, top = round(centre[0] - width / 2), round(centre[1] - height / 2)
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(card.shape[1], left + width), min(card.shape[0], top + height)
    if x0 >= x1 or y0 >= y1:
        return
    share = scaled[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    patch = card[y0:y1, x0:x1, :3]
    patch[...] = (patch * (1 - share) + np.array(ink, np.float32) * share).astype(np.uint8)


def print_index(card: Image, rank: str, suit: str, style: Print) -> None:
    """Print the index into the upper left corner of a card. ``rank`` is the text shown, ``suit`` a sign."""
    ink = style.ink(next((s for s, sign in style.suit_signs.items() if sign == suit), "S"))
    letters = glyph(rank, style.rank_font, style.weight)
    sign = glyph(suit, style.suit_font, 400)
    scale = FACE_WIDTH_PX
    ratio = letters.shape[1] / letters.shape[0] * style.rank_stretch
    width = min(ratio * style.rank_height, 1.9 * style.left, 1.25 * style.rank_height)
    at = (style.left * scale, (style.top + style.rank_height / 2) * scale)
    stamp(card, letters, at, (width * scale, style.rank_height * scale), ink)
    low = style.top + style.rank_height + style.gap + style.suit_height / 2
    wide = sign.shape[1] / sign.shape[0] * style.suit_height * style.suit_stretch
    stamp(card, sign, (style.left * scale, low * scale), (wide * scale, style.suit_height * scale), ink)


def both_ends(card: Image) -> Image:
    """The card with its upper left quarter also printed at the lower right, turned."""
    turned = np.ascontiguousarray(card[::-1, ::-1])
    return np.asarray(np.minimum(card, turned), np.uint8)


def _body(card: Image, face: str, style: Print) -> None:
    height = card.shape[0]
    rank, suit = face[0], face[1]
    sign, ink = glyph(style.suit_signs[suit], style.suit_font, 400), style.ink(suit)
    for column, level in PIP_PLACES.get(rank, ()):
        mask = sign if level <= 0.5 else np.ascontiguousarray(sign[::-1])
        tall = 0.3 if rank == "A" else 0.16
        size = (tall * FACE_WIDTH_PX * sign.shape[1] / sign.shape[0], tall * FACE_WIDTH_PX)
        stamp(card, mask, (PIP_COLUMNS[column] * FACE_WIDTH_PX, level * height), size, ink)
    if rank in PIP_PLACES:
        return
    left, top = round(0.2 * FACE_WIDTH_PX), round(0.1 * height)
    cv2.rectangle(card, (left, top), (FACE_WIDTH_PX - left, height - top), (*style.black, 255), 2)
    colours: tuple[Colour, ...] = ((40, 190, 235), style.red, (150, 60, 30), style.black)
    for ring in range(6):
        centre, axes = (FACE_WIDTH_PX // 2, height // 2), (78 - 11 * ring, 130 - 19 * ring)
        cv2.ellipse(card, centre, axes, 0, 0, 360, (*colours[(ring + "JQK".index(rank)) % 4], 255), 7)
    stamp(card, sign, (left + 30, top + 34), (36, 38), ink)


def draw_face(face: str, style: Print) -> Image:
    """One of the 52 faces as a BGRA picture with round corners."""
    card = blank(style.paper, style.aspect)
    print_index(card, style.ten if face[0] == "T" else face[0], style.suit_signs[face[1]], style)
    card = both_ends(card)
    _body(card, face, style)
    return rounded(card, round(0.05 * FACE_WIDTH_PX))


def draw_back(style: Print) -> Image:
    """A latticed back with a white border."""
    card = blank(style.paper, style.aspect)
    height = card.shape[0]
    cv2.rectangle(card, (14, 14), (FACE_WIDTH_PX - 15, height - 15), (*style.back, 255), -1)
    for offset in range(-height, FACE_WIDTH_PX + height, 14):
        for slope in (1, -1):
            start = (offset, 14) if slope > 0 else (offset + height, 14)
            end = (offset + height, 14 + height) if slope > 0 else (offset, 14 + height)
            cv2.line(card, start, end, (*style.paper, 255), 2, cv2.LINE_AA)
    frame = card.copy()
    frame[...] = (*style.paper, 255)
    frame[14:-14, 14:-14] = card[14:-14, 14:-14]
    return rounded(frame, round(0.05 * FACE_WIDTH_PX))


def draw_deck(style: Print | None = None, name: str = "drawn") -> Deck:
    """A whole deck in one style of print."""
    style = style or Print()
    faces = {face: draw_face(face, style) for face in FACES}
    return Deck(name, faces, draw_back(style), style.place())


def reprint(art: Deck, style: Print, name: str) -> Deck:
    """A deck with the bodies of another and its own index: the corners are cleared and printed anew."""
    wide = round((style.left * 2 + 0.01) * FACE_WIDTH_PX)
    tall = round((style.place().y + style.place().height / 2 + 0.03) * FACE_WIDTH_PX)
    wide = max(wide, round((art.index.x * 2 + 0.02) * FACE_WIDTH_PX))
    tall = max(tall, round((art.index.y + art.index.height / 2 + 0.02) * FACE_WIDTH_PX))
    faces = {}
    for face, picture in art.faces.items():
        corner = blank(style.paper, 1.0)
        print_index(corner, style.ten if face[0] == "T" else face[0], style.suit_signs[face[1]], style)
        card = fit_width(picture)
        card[3:tall, 3:wide, :3] = corner[3:tall, 3:wide, :3]
        card[-tall:-3, -wide:-3, :3] = corner[::-1, ::-1][-tall:-3, -wide:-3, :3]
        faces[face] = card
    return replace(art, name=name, faces=faces, index=style.place(), foreign={})
