"""A stock of training pictures with labels, rendered from a seed into a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.synth import ground
from vision.synth.deck import Deck
from vision.synth.light import EASY, HARD, Rng, develop
from vision.synth.scene import BACK_SURFACE, FACE_SURFACE, Placed, Stage, fan, tilted
from vision.train.decks import Supply

SIDE_PX = 640
ENDINGS = (".jpg", ".surface.png", ".json")
SCENES_PER_DECK = 3
BLANK_SHARE = 0.2
"""How many of the cards are backs and cut cards."""


def _codes(deck: Deck, count: int, rng: Rng) -> list[str]:
    pool = list(deck.faces) or ["face_down"]
    codes = []
    for _ in range(count):
        roll = rng.random()
        if deck.foreign and roll < (0.2 if len(deck.faces) == 52 else 0.4):
            codes.append(str(rng.choice(list(deck.foreign))))
        elif roll > 1 - BLANK_SHARE:
            codes.append(str(rng.choice(["face_down", "cut_card"], p=[0.8, 0.2])))
        else:
            codes.append(str(rng.choice(pool)))
    return codes


def _lay_all(stage: Stage, deck: Deck, rng: Rng, width_px: float) -> None:
    step = width_px * rng.uniform(1.7, 2.4)
    spots = [(x, y) for x in np.arange(step / 3, SIDE_PX, step) for y in np.arange(step / 3, SIDE_PX, step)]
    rng.shuffle(spots)
    for number, (x, y) in enumerate(spots[:14]):
        at = (x + rng.normal(0, width_px * 0.15), y + rng.normal(0, width_px * 0.15))
        roll = rng.random()
        if roll < 0.12:
            continue
        if roll < 0.6:
            codes = _codes(deck, int(rng.integers(2, 5)), rng)
            cards = fan(codes, at, width_px, rng, str(number), _shift(deck, rng))
        else:
            cards = [Placed(_codes(deck, 1, rng)[0], *at, width_px, rng.uniform(0, 360), str(number))]
        for card in cards:
            stage.lay(card, deck, rng.uniform(0, 0.5))
        if rng.random() < 0.12:
            _cover(stage, rng, at, width_px)


def _shift(deck: Deck, rng: Rng) -> float:
    """The step of a fan in card widths: any, or one that just shows the index, however large that is."""
    if rng.random() < 0.5:
        return float(rng.uniform(0.2, 0.45))
    # A fan's own step varies from 0.85 of this.
    return (deck.index.x + deck.index.width / 2 + float(rng.uniform(0.0, 0.08))) / 0.85


def _cover(stage: Stage, rng: Rng, at: tuple[float, float], width_px: float) -> None:
    if rng.random() < 0.6:
        thing = ground.chip(rng, max(8, round(width_px * 0.31)))
    else:
        thing = ground.hand(rng, round(width_px * 1.4))
    turn = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = at[0] + rng.normal(0, width_px * 0.7), at[1] + rng.normal(0, width_px * 0.7)
    place = np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]], np.float64)
    stage.paste(thing, stage.lens @ place, -1, 0, 0.3)


def make_scene(deck: Deck, rng: Rng) -> tuple[Stage, dict[str, object]]:
    """One training scene: the stage with its picture developed, and its label as plain data."""
    hard = rng.random() < 0.7
    shape = (SIDE_PX, SIDE_PX)
    surface = ground.pattern(shape, rng) if rng.random() < 0.35 else ground.cloth(shape, rng)
    if rng.random() < 0.5:
        ground.print_on(surface, rng)
    tilt = rng.uniform(0, 28) if hard else rng.uniform(0, 8)
    stage = Stage(surface, tilted(shape, tilt, rng.uniform(0, 360)))
    width_px = float(np.exp(rng.uniform(np.log(62), np.log(190))))
    for _ in range(int(rng.integers(0, 6))):
        _cover(stage, rng, tuple(rng.uniform(0, SIDE_PX, 2)), width_px)
    _lay_all(stage, deck, rng, width_px)
    if rng.random() < 0.25:
        _cover(stage, rng, tuple(rng.uniform(0, SIDE_PX, 2)), width_px * 1.5)
    shine = (stage.owner > 0).astype(np.float32)
    stage.picture = develop(stage.picture, shine, rng, HARD if hard else EASY)
    return stage, {"hard": hard, "cards": [asdict(card) for card in stage.truth()]}


def write_scene(folder: Path, number: int, stage: Stage, label: dict[str, object]) -> None:
    """Write the three files of a scene, the label last and whole or not at all. Raises VisionError where it cannot."""
    kinds = np.where(stage.owner > 0, stage.surface, 0).astype(np.uint8)
    kinds[(kinds != FACE_SURFACE) & (kinds != BACK_SURFACE)] = 0
    small = cv2.resize(kinds, (SIDE_PX // 8, SIDE_PX // 8), interpolation=cv2.INTER_NEAREST)
    quality = [cv2.IMWRITE_JPEG_QUALITY, 97]
    files = (
        cv2.imencode(".jpg", stage.picture, quality)[1].tobytes(),
        cv2.imencode(".png", small)[1].tobytes(),
        json.dumps(label).encode(),
    )
    unfinished = folder / "scene.part"
    for ending, data in zip(ENDINGS, files, strict=True):
        path = folder / f"{number}{ending}"
        try:
            unfinished.write_bytes(data)
            unfinished.replace(path)
        except OSError as error:
            raise VisionError(f"{path}: cannot be written: {error.strerror}; the same command goes on then") from None


def make_stock(supply: Supply, folder: Path, count: int, seed: int, progress: Callable[[int], None]) -> None:
    """Render scenes 0 .. ``count`` - 1 into ``folder`` (``N.jpg``, ``N.surface.png``, ``N.json``); what is already
    there is kept, and scene N is the same however many are made. ``progress`` is told each finished number."""
    folder.mkdir(parents=True, exist_ok=True)
    for block in range(0, count, SCENES_PER_DECK):
        numbers = range(block, min(count, block + SCENES_PER_DECK))
        wanted = [n for n in numbers if not all((folder / f"{n}{ending}").exists() for ending in ENDINGS)]
        if not wanted:
            continue
        deck = supply.next(np.random.default_rng((seed, block)))
        for number in wanted:
            stage, label = make_scene(deck, np.random.default_rng((seed, 1, number)))
            write_scene(folder, number, stage, label)
            progress(number)
