"""What light, lens and sensor do to a picture: colour, shadow, glare, blur, noise, compression."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.synth.deck import Image

Rng = np.random.Generator
Mask = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Light:
    """How hard the conditions are. Shares and strengths 0..1, sizes in pixels."""

    gain_low: float = 0.75
    gain_high: float = 1.1
    warmth: float = 0.1
    shadow_share: float = 0.15
    shadow_depth: float = 0.3
    glare_share: float = 0.1
    glare_strength: float = 0.35
    blur_px: float = 0.7
    motion_px: float = 0.0
    noise: float = 3.0
    jpeg_low: int = 80


EASY = Light()
"""Even light, a sharp camera."""

HARD = Light(0.38, 1.15, 0.3, 0.6, 0.6, 0.6, 0.7, 1.1, 2.5, 8.0, 55)
"""Dim or yellow light, shadow edges, glare, blur, motion, noise."""


def _blob(shape: tuple[int, int], rng: Rng, low: float, high: float) -> Mask:
    height, width = shape
    small = (max(2, width // 8), max(2, height // 8))
    blob = np.zeros((small[1], small[0]), np.float32)
    centre = (int(rng.integers(0, small[0])), int(rng.integers(0, small[1])))
    axes = (int(rng.uniform(low, high) / 8) + 1, int(rng.uniform(low, high) / 8) + 1)
    cv2.ellipse(blob, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    blob = np.asarray(cv2.GaussianBlur(blob, (0, 0), float(rng.uniform(0.8, 4.0))), np.float32)
    return np.asarray(cv2.resize(blob, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def shadow(picture: Mask, rng: Rng, depth: float) -> Mask:
    """Darken one side of a hard or soft edge through the picture."""
    height, width = picture.shape[:2]
    angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.35, 0.35)
    xs = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None]
    ys = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None] * np.float32(height / width)
    distance = xs * np.float32(np.cos(angle)) + ys * np.float32(np.sin(angle)) - np.float32(offset)
    soft = np.float32(10 ** rng.uniform(-2.8, -1.0))
    dark = np.clip(distance / soft + 0.5, 0, 1) * np.float32(rng.uniform(0.3, 1.0) * depth)
    return np.asarray(picture * (1 - dark[..., None]), np.float32)


def glare(picture: Mask, shine: Mask, rng: Rng, strength: float) -> Mask:
    """Reflections of a lamp where ``shine`` is 1 (cards shine, felt does not): ink is bleached towards the lamp."""
    blob = (
        _blob((picture.shape[0], picture.shape[1]), rng, 25, 160)
        * shine
        * np.float32(rng.uniform(0.25, 1.0) * strength)
    )
    lamp = np.array([rng.uniform(190, 255), rng.uniform(215, 255), rng.uniform(225, 255)], np.float32)
    return np.asarray(picture * (1 - blob[..., None]) + lamp * blob[..., None], np.float32)


def motion_blur(picture: Image, length_px: float, angle: float) -> Image:
    """Smear the picture along a direction (radians)."""
    size = 2 * int(np.ceil(length_px)) + 1
    kernel = np.zeros((size, size), np.float32)
    middle = size // 2
    dx, dy = np.cos(angle) * length_px / 2, np.sin(angle) * length_px / 2
    start = (round((middle - dx) * 16), round((middle - dy) * 16))
    end = (round((middle + dx) * 16), round((middle + dy) * 16))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 4)
    total = float(kernel.sum())
    return picture if total == 0 else np.asarray(cv2.filter2D(picture, -1, kernel / total), np.uint8)


def develop(picture: Image, shine: Mask, rng: Rng, light: Light, sensor: Rng | None = None) -> Image:
    """The picture as a camera in this light would give it. ``shine`` is 1 on cards, 0 elsewhere. ``rng`` draws light
    and lens; ``sensor`` the noise, for several frames in one light (without it ``rng`` does)."""
    work = picture.astype(np.float32)
    gain = rng.uniform(light.gain_low, light.gain_high)
    warm = rng.normal(0, light.warmth)
    tint = np.array([1 - max(warm, -0.25), 1 - 0.3 * abs(warm), 1 + 0.3 * warm], np.float32) * np.float32(gain)
    if rng.random() < light.shadow_share:
        work = shadow(work, rng, light.shadow_depth)
    work *= tint
    while rng.random() < light.glare_share:
        work = glare(work, shine, rng, light.glare_strength)
    if rng.random() < 0.3:
        bent = 255 * (np.clip(work, 0, 255) / 255) ** np.float32(rng.uniform(0.75, 1.35))
        work = bent.astype(np.float32)
    taken = np.clip(work, 0, 255).astype(np.uint8)
    sigma = rng.uniform(0, light.blur_px)
    if sigma > 0.25:
        taken = np.asarray(cv2.GaussianBlur(taken, (0, 0), float(sigma)), np.uint8)
    if light.motion_px and rng.random() < 0.4:
        taken = motion_blur(taken, float(rng.uniform(0.5, light.motion_px)), float(rng.uniform(0, np.pi)))
    level, sharpened = rng.uniform(0.5, light.noise), rng.random() < 0.25
    quality = int(rng.integers(light.jpeg_low, 97))
    noise = (sensor or rng).normal(0, level, taken.shape).astype(np.float32)
    taken = np.clip(taken.astype(np.float32) + noise, 0, 255).astype(np.uint8)
    if sharpened:
        soft = np.asarray(cv2.GaussianBlur(taken, (0, 0), 1.2), np.uint8)
        taken = np.asarray(cv2.addWeighted(taken, 1.6, soft, -0.6, 0), np.uint8)
    _, coded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
