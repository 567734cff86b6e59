"""The popular classical way of reading cards, small, to compare with: one brightness threshold, contours with four
corners, each warped to 200 × 300, the corner's rank and suit by difference from templates."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.faces import FACES
from vision.patches import Image
from vision.readings import Kind, Quad, Reading, Sighting
from vision.synth.deck import Deck

CARD_SIZE = (200, 300)
CORNER = (32, 84)
"""Width and height of the corner that is compared, in pixels of the warped card."""

SHIFTS_PX = (-8, -4, 0, 4, 8)
"""How far the corner is moved to fit: four contour points find a card's rounded corners no better."""

MAX_DIFFERENCE = 0.16
"""Mean difference of ink (0..1) up to which a template is taken."""

LEAST_AREA_PX = 2000.0


@dataclass(frozen=True, slots=True)
class Templates:
    """The binary corners of a deck's 52 faces."""

    corners: npt.NDArray[np.float32]


def _ink(card: Image, right: int = 0, down: int = 0) -> npt.NDArray[np.float32]:
    framed = cv2.copyMakeBorder(card[:120, :60], 8, 8, 8, 8, cv2.BORDER_REPLICATE)
    part = framed[8 + down : 8 + down + CORNER[1], 8 + right : 8 + right + CORNER[0]]
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    _, binary = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    return np.asarray(binary / 255, np.float32)


def templates_of(deck: Deck) -> Templates:
    """Templates from the faces of a deck."""
    cards = [np.asarray(cv2.resize(deck.faces[face][..., :3], CARD_SIZE), np.uint8) for face in FACES]
    return Templates(np.stack([_ink(card) for card in cards]))


def _ordered(points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Four corners clockwise so that the first side is a short one."""
    middle = points.mean(axis=0)
    around = points[np.argsort(np.arctan2(*(points - middle).T[::-1]))]
    first, second = np.linalg.norm(around[1] - around[0]), np.linalg.norm(around[2] - around[1])
    return np.asarray(around if first <= second else np.roll(around, -1, axis=0), np.float32)


def _face(picture: Image, corners: npt.NDArray[np.float32], templates: Templates) -> tuple[str, float]:
    best = ("", 1.0)
    goal = np.array([[0, 0], [199, 0], [199, 299], [0, 299]], np.float32)
    for turn in (0, 2):
        matrix = cv2.getPerspectiveTransform(np.roll(corners, turn, axis=0), goal)
        card = np.asarray(cv2.warpPerspective(picture, matrix, CARD_SIZE), np.uint8)
        for right, down in product(SHIFTS_PX, SHIFTS_PX):
            away = np.abs(templates.corners - _ink(card, right, down)[None]).mean(axis=(1, 2))
            nearest = int(away.argmin())
            if away[nearest] < best[1]:
                best = (FACES[nearest], float(away[nearest]))
    return best


def read(picture: Image, templates: Templates) -> Sighting:
    """Every card found in a BGR picture."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    _, binary = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    contours, _ = cv2.findContours(binary, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    readings = []
    for contour in contours:
        outline = cv2.approxPolyDP(contour, 0.02 * cv2.arcLength(contour, True), True)
        if cv2.contourArea(contour) < LEAST_AREA_PX or len(outline) != 4:
            continue
        corners = _ordered(np.asarray(outline, np.float32).reshape(4, 2))
        face, difference = _face(picture, corners, templates)
        points = [(float(x), float(y)) for x, y in corners]
        quad: Quad = (points[0], points[1], points[2], points[3])
        kind = Kind.CARD if difference <= MAX_DIFFERENCE else Kind.UNKNOWN
        readings.append(Reading(kind, quad, face if kind is Kind.CARD else "", int(1000 * (1 - difference))))
    return Sighting(tuple(readings), picture.shape[1], picture.shape[0])
