"""Backs of cards for training: those of the art in other colours, and drawn ones of many designs."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.synth.deck import Image, blank, rounded
from vision.synth.light import Rng

Ink = tuple[int, int, int, int]
DRAWN_SHARE = 0.55
"""How many backs are drawn; the others are the art's own in other colours."""

BORDER_PX = (0, 22)
PAPER = (248, 248, 248)


def varied_back(back: Image, rng: Rng) -> Image:
    """A back in other colours: the hue turned, paled or darkened; or a drawn one of any design."""
    if rng.random() < DRAWN_SHARE:
        return _drawn(back.shape[0] / back.shape[1], rng)
    turned = back.copy()
    hsv = cv2.cvtColor(back[..., :3], cv2.COLOR_BGR2HSV).astype(np.int16)
    hsv[..., 0] = (hsv[..., 0] + int(rng.integers(0, 180))) % 180
    hsv[..., 1:] = np.clip(hsv[..., 1:] * rng.uniform(0.4, 1.1, 2), 0, 255)
    turned[..., :3] = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)
    return turned


def _drawn(aspect: float, rng: Rng) -> Image:
    ground = tuple(int(v) for v in rng.uniform(20, 235, 3))
    card = blank((ground[0], ground[1], ground[2]) if rng.random() < 0.5 else PAPER, aspect)
    for _ in range(int(rng.integers(1, 4))):
        design = DESIGNS[int(rng.integers(len(DESIGNS)))]
        blue, green, red = (int(v) for v in rng.uniform(0, 210, 3))
        design(card, (blue, green, red, 255), rng)
    border = int(rng.integers(*BORDER_PX))
    for edge in (
        np.s_[:border],
        np.s_[card.shape[0] - border :],
        np.s_[:, :border],
        np.s_[:, card.shape[1] - border :],
    ):
        card[edge] = PAPER[0]
    card[..., 3] = 255
    return rounded(card, 15)


def _stripes(card: Image, ink: Ink, rng: Rng) -> None:
    """Lines of one slope, some with rings thrown in."""
    tall, wide = card.shape[:2]
    pitch, thick = int(rng.integers(6, 60)), int(rng.integers(1, 9))
    lean, rings = int(rng.choice([-tall, 0, tall])), rng.random() < 0.4
    for offset in range(-tall, wide + tall, pitch):
        cv2.line(card, (offset, 0), (offset + lean, tall), ink, thick)
        if rings:
            cv2.circle(card, (int(rng.integers(wide)), int(rng.integers(tall))), pitch, ink, thick)


def _lattice(card: Image, ink: Ink, rng: Rng) -> None:
    """Lines of two slopes."""
    tall, wide = card.shape[:2]
    pitch, thick = int(rng.integers(9, 70)), int(rng.integers(1, 6))
    for offset in range(-tall, wide + tall, pitch):
        cv2.line(card, (offset, 0), (offset + tall, tall), ink, thick)
        cv2.line(card, (offset + tall, 0), (offset, tall), ink, thick)


def _rings(card: Image, ink: Ink, rng: Rng) -> None:
    """A figure that fills the card: rings or one solid shape about its middle."""
    tall, wide = card.shape[:2]
    centre, rounds = (wide // 2, tall // 2), int(rng.integers(1, 7))
    thick = -1 if rounds == 1 else int(rng.integers(3, 22))
    across, down = rng.uniform(0.3, 0.75) * wide, rng.uniform(0.3, 0.75) * tall
    for number in range(1, rounds + 1):
        axes = (round(across * number / rounds), round(down * number / rounds))
        cv2.ellipse(card, centre, axes, 0, 0, 360, ink, thick, cv2.LINE_AA)


def _leaves(card: Image, ink: Ink, rng: Rng) -> None:
    """Large solid ellipses, the same in all four quarters."""
    tall, wide = card.shape[:2]
    axes = (round(rng.uniform(0.1, 0.6) * wide), round(rng.uniform(0.05, 0.3) * tall))
    x, y, turn = rng.uniform(0, 0.5), rng.uniform(0, 0.5), rng.uniform(0, 180)
    for right, low in ((False, False), (True, False), (False, True), (True, True)):
        centre = round((1 - x if right else x) * wide), round((1 - y if low else y) * tall)
        cv2.ellipse(card, centre, axes, -turn if right != low else turn, 0, 360, ink, -1, cv2.LINE_AA)


def _checks(card: Image, ink: Ink, rng: Rng) -> None:
    """Fields of a board, or dots in their place."""
    tall, wide = card.shape[:2]
    pitch, dots = int(rng.integers(8, 80)), rng.random() < 0.5
    for row, y in enumerate(range(0, tall, pitch)):
        for x in range((row % 2) * pitch, wide, 2 * pitch):
            if dots:
                cv2.circle(card, (x, y), max(2, round(pitch * 0.35)), ink, -1, cv2.LINE_AA)
            else:
                cv2.rectangle(card, (x, y), (x + pitch, y + pitch), ink, -1)


DESIGNS: tuple[Callable[[Image, Ink, Rng], None], ...] = (_stripes, _lattice, _rings, _leaves, _checks)
