"""A camera above the simulated table: what lies in the boxes as pictures, with the faults that cameras and light have.

Needs the extra ``vision``. The same seed gives the same pictures, frame for frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.calibrate import Calibration, from_corners
from vision.layout import Layout, Region
from vision.patches import Image
from vision.synth import ground
from vision.synth.deck import Deck
from vision.synth.draw import draw_deck
from vision.synth.light import EASY, HARD, Light, Mask, Rng, develop
from vision.synth.scene import Matrix, Placed, Stage

FAN_STEP = 0.3
"""How far the next card of a hand lies to the right, in card widths: the index of the one below stays in sight."""

FAN_DROP = 0.12
"""How far it lies lower, in card widths."""


@dataclass(frozen=True, slots=True)
class CameraFaults:
    """What is wrong with the camera and its view. Chances 0..1 are drawn anew for every frame."""

    light: Light = EASY
    hand: float = 0.0
    """chance that a hand passes over the table"""
    black: bool = False
    frozen: bool = False
    moved_px: tuple[float, float] = (0.0, 0.0)
    defocus_px: float = 0.0
    wrong_box: Mapping[str, str] = field(default_factory=dict)
    """cards meant for one region that lie in another"""


HARD_LIGHT = CameraFaults(light=HARD)
"""Dim or yellow light, shadow edges, glare, motion."""


class TableCamera:
    """A camera that looks straight down on a table laid out in millimetres, ``px_per_mm`` pixels to each."""

    def __init__(self, layout: Layout, px_per_mm: float = 2.0, seed: int = 1, deck: Deck | None = None) -> None:
        """``deck`` is what the cards look like; a drawn one without it."""
        self.layout, self.px_per_mm, self.seed = layout, px_per_mm, seed
        self.faults = CameraFaults()
        self._deck = deck or draw_deck()
        self._frozen: Image | None = None
        self._frames = 0
        rng = np.random.default_rng((seed, 0))
        self._cloth = ground.cloth((self.height, self.width), rng)

    @property
    def width(self) -> int:
        """Pixels across."""
        return round(self.layout.width_mm * self.px_per_mm)

    @property
    def height(self) -> int:
        """Pixels down."""
        return round(self.layout.height_mm * self.px_per_mm)

    def calibration(self) -> Calibration:
        """The view as a calibration of the undisturbed camera would give it."""
        wide, tall = float(self.width), float(self.height)
        corners = [(0.0, 0.0), (wide, 0.0), (wide, tall), (0.0, tall)]
        return from_corners(corners, (self.width, self.height), self.layout)

    def frame(self, lying: Mapping[str, Sequence[str]]) -> Image:
        """The next picture. ``lying`` says which cards lie in each region, lowest first: codes as ``KH``,
        ``face_down`` or ``cut_card``; regions of other names are left out."""
        self._frames += 1
        if self.faults.frozen and self._frozen is not None:
            return self._frozen
        rng = np.random.default_rng((self.seed, 1, self._frames))
        if self.faults.black:
            noise = rng.normal(2, 1.5, (self.height, self.width, 3))
            return np.clip(noise, 0, 255).astype(np.uint8)
        picture = develop(*self._laid(lying, rng), rng, self.faults.light)
        if self.faults.defocus_px > 0:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self.faults.defocus_px), np.uint8)
        self._frozen = picture
        return picture

    def _laid(self, lying: Mapping[str, Sequence[str]], rng: Rng) -> tuple[Image, Mask]:
        right, down = self.faults.moved_px
        lens: Matrix = np.array([[1, 0, right], [0, 1, down], [0, 0, 1]], np.float64)
        stage = Stage(self._cloth.copy(), lens)
        regions = {region.name: region for region in self.layout.region}
        for name, codes in lying.items():
            region = regions.get(self.faults.wrong_box.get(name, name))
            if region is not None:
                for card in self._hand_of(region, codes):
                    stage.lay(card, self._deck)
        if rng.random() < self.faults.hand:
            size = round(2.5 * self.layout.card.width_mm * self.px_per_mm)
            x, y = rng.uniform(0, self.width - size), rng.uniform(0, self.height - size)
            place = np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)
            stage.paste(ground.hand(rng, size), place, -1, 0, 0.4)
        return stage.picture, (stage.owner > 0).astype(np.float32)

    def _hand_of(self, region: Region, codes: Sequence[str]) -> list[Placed]:
        width_px = self.layout.card.width_mm * self.px_per_mm
        middle = np.array(region.polygon_mm).mean(axis=0) * self.px_per_mm
        lean = np.random.default_rng((self.seed, 2, *region.name.encode())).uniform(-8, 8)
        first = -(len(codes) - 1) / 2
        cards = []
        for number, code in enumerate(codes):
            step = (first + number) * width_px
            x, y = float(middle[0]) + FAN_STEP * step, float(middle[1]) + FAN_DROP * step
            cards.append(Placed(code, x, y, width_px, lean + 1.5 * number, region.name))
        return cards
