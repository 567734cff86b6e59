"""What lies under and between the cards: cloth, wood, print, patterns, chips, hands."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.deck import Image
from vision.synth.light import Rng

LETTERS = "A23456789TJQKBLACKJACKPAYS3TO2INSURANCE1046"


def _noise(shape: tuple[int, int], rng: Rng, cell: tuple[float, float]) -> npt.NDArray[np.float32]:
    height, width = shape
    small = rng.normal(0, 1, (max(2, int(height / cell[1])), max(2, int(width / cell[0])))).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _colour(rng: Rng) -> npt.NDArray[np.float32]:
    hue = int(rng.choice([60, 65, 75, 105, 110, 0, 172, 15, 20, 90, int(rng.integers(0, 180))]))
    hsv = np.array([[[hue, rng.integers(0, 230), rng.integers(40, 215)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def cloth(shape: tuple[int, int], rng: Rng) -> Image:
    """Felt, wood, stone or any surface that is mostly one colour."""
    base = _colour(rng)
    stretch = rng.choice([1.0, 1.0, 12.0])
    field = np.zeros(shape, np.float32)
    for cell, weight in ((2.0, rng.uniform(0, 9)), (9.0, rng.uniform(0, 9)), (90.0, rng.uniform(0, 22))):
        field += _noise(shape, rng, (cell * stretch, cell)) * np.float32(weight)
    tinted = base[None, None] + field[..., None] * rng.uniform(0.7, 1.3, 3).astype(np.float32)
    return np.asarray(np.clip(tinted, 0, 255), np.uint8)


def _rough(shape: tuple[int, int], rng: Rng) -> Image:
    """Stone, leaves, fur, grass: light and dark at every size, in two colours."""
    field, stretch = np.zeros(shape, np.float32), float(rng.choice([1.0, 1.0, 4.0]))
    for cell in (3.0, 7.0, 16.0, 40.0, 110.0):
        field += _noise(shape, rng, (cell * stretch, cell)) * np.float32(rng.uniform(0, 1))
    share = 1 / (1 + np.exp(-field[..., None] * np.float32(rng.uniform(0.5, 4))))
    mixed = _colour(rng) * share + _colour(rng) * (1 - share)
    return np.asarray(np.clip(mixed, 0, 255), np.uint8)


def pattern(shape: tuple[int, int], rng: Rng) -> Image:
    """A busy surface: stripes, checks, scribbles, shapes, or a rough one."""
    picture = cloth(shape, rng)
    height, width = shape
    kind = int(rng.integers(0, 5))
    if kind == 4:
        return _rough(shape, rng)
    if kind == 0:
        step, angle = rng.uniform(5, 40), rng.uniform(0, np.pi)
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        wave = np.sin((xs * np.cos(angle) + ys * np.sin(angle)) * 2 * np.pi / step) > rng.uniform(-0.5, 0.5)
        picture[wave] = _colour(rng).astype(np.uint8)
        return picture
    for _ in range(int(rng.integers(20, 160))):
        colour = tuple(int(v) for v in _colour(rng))
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        size = int(rng.uniform(3, 40))
        if kind == 1:
            cv2.rectangle(picture, (x, y), (x + size, y + int(size * rng.uniform(0.3, 3))), colour, -1)
        elif kind == 2:
            cv2.ellipse(
                picture,
                (x, y),
                (size, int(size * rng.uniform(0.3, 1))),
                float(rng.uniform(0, 180)),
                0,
                360,
                colour,
                int(rng.integers(1, 4)),
            )
        else:
            end = (x + int(rng.normal(0, 60)), y + int(rng.normal(0, 60)))
            cv2.line(picture, (x, y), end, colour, int(rng.integers(1, 6)), cv2.LINE_AA)
    return picture


def print_on(picture: Image, rng: Rng) -> None:
    """Letters, lines and circles printed on the cloth."""
    height, width = picture.shape[:2]
    ink = tuple(int(v) for v in rng.choice([[235, 240, 240], [60, 200, 235], [30, 30, 30], [40, 40, 200]]))
    for _ in range(int(rng.integers(1, 7))):
        x, y = int(rng.integers(0, width)), int(rng.integers(0, height))
        kind = int(rng.integers(0, 3))
        if kind == 0:
            start = int(rng.integers(0, len(LETTERS) - 3))
            text = LETTERS[start : start + int(rng.integers(1, 10))]
            font = int(rng.choice([cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX]))
            cv2.putText(
                picture, text, (x, y), font, float(rng.uniform(0.4, 1.6)), ink, int(rng.integers(1, 3)), cv2.LINE_AA
            )
        elif kind == 1:
            cv2.rectangle(picture, (x, y), (x + int(rng.uniform(40, 200)), y + int(rng.uniform(60, 260))), ink, 2)
        else:
            cv2.circle(picture, (x, y), int(rng.uniform(20, 90)), ink, 2, cv2.LINE_AA)


def chip(rng: Rng, radius_px: int) -> Image:
    """A chip as a BGRA picture."""
    size = 2 * radius_px + 1
    disc = np.zeros((size, size, 4), np.uint8)
    centre = (radius_px, radius_px)
    colour = tuple(int(v) for v in _colour(rng))
    cv2.circle(disc, centre, radius_px, (*colour, 255), -1, cv2.LINE_AA)
    for number in range(8):
        start = 45 * number + float(rng.uniform(0, 5))
        cv2.ellipse(disc, centre, (radius_px - 2, radius_px - 2), 0, start, start + 16, (240, 240, 240, 255), 4)
    cv2.circle(disc, centre, radius_px * 2 // 3, (235, 235, 235, 255), 1, cv2.LINE_AA)
    if rng.random() < 0.7:
        text = str(rng.choice(["5", "10", "25", "100", "A", "K", "1", "50"]))
        scale = radius_px / 45
        cv2.putText(
            disc,
            text,
            (round(radius_px * 0.6), round(radius_px * 1.3)),
            cv2.FONT_HERSHEY_DUPLEX,
            scale,
            (20, 20, 20, 255),
            1,
            cv2.LINE_AA,
        )
    return disc


def hand(rng: Rng, size_px: int) -> Image:
    """A hand or sleeve as a BGRA picture: a few fingers of one skin or cloth."""
    size_px = max(16, size_px)
    shape = np.zeros((size_px, size_px, 4), np.uint8)
    tone = np.array([rng.uniform(60, 190), rng.uniform(90, 205), rng.uniform(120, 240)])
    colour = tuple(int(v) for v in (tone if rng.random() < 0.7 else _colour(rng)))
    for finger in range(int(rng.integers(1, 5))):
        x = round(size_px * (0.2 + 0.17 * finger))
        tip = round(size_px * rng.uniform(0.05, 0.35))
        cv2.line(
            shape, (x, size_px), (x + int(rng.normal(0, 8)), tip), (*colour, 255), round(size_px * 0.15), cv2.LINE_AA
        )
    shape[round(size_px * 0.75) :, :, :] = (*colour, 255)
    return shape
