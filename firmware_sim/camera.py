"""A camera above the simulated table: what lies there as pictures, with the faults that cameras and light have.

Needs the extra ``vision``. The same seed gives the same pictures, frame for frame.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from firmware_sim.camera_scene import Things, bare_table, hands_of, pile
from vision.calibrate import Calibration, from_corners
from vision.layout import Layout
from vision.patches import Image
from vision.synth import ground
from vision.synth.deck import Deck
from vision.synth.draw import draw_deck
from vision.synth.light import EASY, HARD, Light, Mask, develop
from vision.synth.scene import Matrix, Stage, project, tilted

TILT_DEG = 3.0
"""How far the camera leans from straight above, towards the dealer."""

NOISE_PLANES = 4
"""Planes of sensor noise, shifted anew for every frame: fresh noise would cost more than all the rest of a frame."""


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
    """A camera above a table laid out in millimetres, ``px_per_mm`` pixels to each in the middle of the picture."""

    def __init__(
        self, layout: Layout, px_per_mm: float = 2.0, seed: int = 1, deck: Deck | None = None, tilt_deg: float = 0.0
    ) -> None:
        """``deck`` is what the cards look like; a drawn one without it. ``tilt_deg`` leans the camera."""
        self.layout, self.px_per_mm, self.seed = layout, px_per_mm, seed
        self.faults = CameraFaults()
        self._deck = deck or draw_deck()
        self._lens = tilted((self.height, self.width), tilt_deg, 0.0)
        self._bare = bare_table(layout, px_per_mm, self._lens, seed)
        self._noise = _noise_planes((self.height, self.width), seed)
        self._taken: tuple[object, Image] | None = None
        self._frozen: Image | None = None
        self._frames = 0

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
        corners = project(self._lens, np.array([(0.0, 0.0), (wide, 0.0), (wide, tall), (0.0, tall)]))
        return from_corners([(float(x), float(y)) for x, y in corners], (self.width, self.height), self.layout)

    def frame(
        self, lying: Mapping[str, Sequence[str]], chips: Mapping[str, int] | None = None, hands: Collection[str] = ()
    ) -> Image:
        """The next picture. ``lying`` says which cards lie in each region, lowest first: codes as ``KH``,
        ``face_down`` or ``cut_card``; ``chips`` how many lie before each region, ``hands`` over which regions a hand
        is. Regions of other names are left out."""
        self._frames += 1
        if self.faults.frozen and self._frozen is not None:
            return self._frozen
        rng = np.random.default_rng((self.seed, 1, self._frames))
        if self.faults.black:
            noise = rng.normal(2, 1.5, (self.height, self.width, 3))
            return np.clip(noise, 0, 255).astype(np.uint8)
        where = {self.faults.wrong_box.get(name, name): tuple(codes) for name, codes in lying.items()}
        things = Things(where, dict(chips or {}), frozenset(hands), self._passing(rng))
        picture = self._with_noise(self._seen(things), rng)
        if self.faults.defocus_px > 0:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self.faults.defocus_px), np.uint8)
        self._frozen = picture
        return picture

    def _passing(self, rng: np.random.Generator) -> tuple[float, float] | None:
        """Where a hand passes over the table, as shares of the picture's sides."""
        if rng.random() >= self.faults.hand:
            return None
        return float(rng.random()), float(rng.random())

    def _seen(self, things: Things) -> Image:
        """The table in its light without the sensor's noise; drawn again only when something changed."""
        key = (things, self.faults)
        if self._taken is None or self._taken[0] != key:
            light = replace(self.faults.light, noise=0.5)
            self._taken = (key, develop(*self._laid(things), np.random.default_rng((self.seed, 3)), light))
        return self._taken[1]

    def _laid(self, things: Things) -> tuple[Image, Mask]:
        right, down = self.faults.moved_px
        moved: Matrix = np.array([[1, 0, right], [0, 1, down], [0, 0, 1]], np.float64)
        bare = self._bare if (right, down) == (0, 0) else _moved(self._bare, moved)
        stage = Stage(bare.copy(), moved @ self._lens)
        for region in self.layout.region:
            pile(stage, region, things.chips.get(region.name, 0), self.px_per_mm, self.layout)
            for card in hands_of(region, things.lying.get(region.name, ()), self.px_per_mm, self.layout, self.seed):
                stage.lay(card, self._deck)
        size = round(2.5 * self.layout.card.width_mm * self.px_per_mm)
        for x, y in things.hand_places(self.layout, self.px_per_mm, (self.width, self.height), size):
            place = np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)
            stage.paste(ground.hand(np.random.default_rng((self.seed, 4)), size), place, -1, 0, 0.4)
        return stage.picture, (stage.owner > 0).astype(np.float32)

    def _with_noise(self, picture: Image, rng: np.random.Generator) -> Image:
        plane = self._noise[int(rng.integers(NOISE_PLANES))]
        shifted = np.roll(plane, (int(rng.integers(self.height)), int(rng.integers(self.width))), (0, 1))
        seen = cv2.addWeighted(picture.astype(np.int16), 1.0, shifted, self.faults.light.noise / 2, 0, dtype=cv2.CV_8U)
        return np.asarray(seen, np.uint8)


def _moved(picture: Image, matrix: Matrix) -> Image:
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _noise_planes(shape: tuple[int, int], seed: int) -> list[npt.NDArray[np.int16]]:
    """Planes of noise of standard deviation 2 levels, whole numbers as a sensor gives them."""
    rng = np.random.default_rng((seed, 2))
    return [np.round(rng.normal(0, 2, (*shape, 3))).astype(np.int16) for _ in range(NOISE_PLANES)]
