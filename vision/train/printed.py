"""Corner samples printed without a scene: real indices and foreign ones in the same number and the same way, so that
the letters alone tell them apart (a B from an 8, a V from an A)."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.faces import RANKS, SUITS
from vision.synth.deck import FACE_WIDTH_PX, Image, blank
from vision.synth.draw import print_index
from vision.synth.light import Rng
from vision.train.decks import BOGUS_RANKS, random_print
from vision.train.samples import NO_RANK, NO_SUIT, WINDOW_INDEX_PX, WINDOW_PX, Sample

SIGNS = dict(zip(SUITS, "♠♥♦♣", strict=True))


def _window(card: Image, x: float, y: float, height: float, rng: Rng) -> Image:
    scale = WINDOW_INDEX_PX / height
    middle = (WINDOW_PX - 1) / 2
    matrix = np.array([[scale, 0, middle - x * scale], [0, scale, middle - y * scale]], np.float64)
    ground = tuple(float(v) for v in rng.uniform(0, 200, 3))
    size = (WINDOW_PX, WINDOW_PX)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    drawn = cv2.warpAffine(card, matrix, size, flags=way, borderMode=cv2.BORDER_CONSTANT, borderValue=ground)
    seen = float(rng.uniform(16, 44)) / WINDOW_INDEX_PX
    small = cv2.resize(drawn, None, fx=seen, fy=seen, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def printed(count: int, fonts: Sequence[str], rng: Rng) -> list[Sample]:
    """``count`` samples in random prints, every other one of a letter that no shoe holds."""
    made: list[Sample] = []
    while len(made) < count:
        style = random_print(rng, fonts)
        suit = str(rng.choice(list(SUITS)))
        foreign = len(made) % 2 == 1
        rank = str(rng.choice(BOGUS_RANKS if foreign else list(RANKS)))
        card = blank(style.paper, style.aspect)
        try:
            print_index(card, style.ten if rank == "T" and not foreign else rank, SIGNS[suit], style)
        except ValueError:
            continue
        place = style.place()
        x, y, height = place.x * FACE_WIDTH_PX, place.y * FACE_WIDTH_PX, place.height * FACE_WIDTH_PX
        window = _window(np.ascontiguousarray(card[..., :3]), x, y, height, rng)
        kinds = (NO_RANK, NO_SUIT) if foreign else (RANKS.index(rank), SUITS.index(suit))
        made.append(Sample(window, *kinds))
    return made
