"""Decks of the registries as pictures: drawn once into a folder and read back from there."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.synth.deck import Deck, Image, IndexPlace
from vision.synth.draw import Print, draw_back
from vision.train.sources import FOREIGN_RANKS, FOREIGN_SHEETS, Source, read_picture


def _union(first: Image, second: Image) -> Image:
    tall, wide = min(first.shape[0], second.shape[0]), min(first.shape[1], second.shape[1])
    return np.asarray(np.maximum(first[:tall, :wide], second[:tall, :wide]), np.uint8)


def index_place(faces: dict[str, Image]) -> IndexPlace:
    """Where the index lies, from the ink in the upper left corners of the four aces (which have no other ink there).
    Raises VisionError where there is none."""
    corner = None
    for suit in "SHDC":
        ace = faces["A" + suit]
        wide, tall = round(0.24 * ace.shape[1]), round(0.4 * ace.shape[0])
        margin = round(0.025 * ace.shape[1])
        part = ace[margin:tall, margin:wide, :3].astype(np.int16)
        paper = np.median(part.reshape(-1, 3), axis=0)
        ink = (np.abs(part - paper).max(axis=2) > 70).astype(np.uint8)
        corner = ink if corner is None else _union(corner, ink)
    assert corner is not None
    rows = np.flatnonzero(corner.sum(axis=1) > 0) + margin
    columns = np.flatnonzero(corner.sum(axis=0) > 0) + margin
    if not len(rows):
        raise VisionError("no index in the corners of the aces")
    unit = faces["AS"].shape[1]
    height = (rows[-1] + 1 - rows[0]) / unit
    middle_x, middle_y = (columns[0] + columns[-1] + 1) / 2 / unit, (rows[0] + rows[-1] + 1) / 2 / unit
    return IndexPlace(float(middle_x), float(middle_y), float(height), float(columns[-1] + 1 - columns[0]) / unit)


def load(name: str, folder: Path, plain_back: Image) -> Deck:
    """A deck from its folder of pictures; ``plain_back`` where it has no back of its own."""
    faces = {path.stem: read_picture(path) for path in sorted(folder.glob("*.png"))}
    back = faces.pop("back", plain_back)
    back = np.asarray(cv2.resize(back, faces["AS"].shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
    jokers = {code: faces.pop(code) for code in list(faces) if code.startswith("joker")}
    place = index_place(faces)
    sheet = name.removeprefix("gnome-")
    if sheet in FOREIGN_SHEETS:
        other = FOREIGN_RANKS.get(sheet, "JQ")
        jokers |= {f"foreign-{code}": faces.pop(code) for code in list(faces) if code[0] in other}
    return Deck(name, faces, back, place, jokers)


def draw_all(decks: Iterable[Source], cache: Path, progress: Callable[[str], None]) -> list[str]:
    """Draw every deck that is not yet in ``cache``; the names of all. ``progress`` is told each name. A deck is there
    whole or not at all, also where a run was stopped. Raises VisionError, before any is drawn, with the commands that
    bring what is missing."""
    decks = list(decks)
    wanted = [deck for deck in decks if not (cache / deck.name / "AS.png").exists()]
    lacking = [(deck, file) for deck in wanted for file in deck.files if not file.exists()]
    if lacking:
        bring = "; ".join(dict.fromkeys(deck.brought_by for deck, _ in lacking))
        raise VisionError(f"{lacking[0][1]} is missing, the art of {lacking[0][0].name}: {bring}")
    cache.mkdir(parents=True, exist_ok=True)
    for deck in wanted:
        progress(deck.name)
        with tempfile.TemporaryDirectory(dir=cache, prefix=".drawing-") as scratch:
            drawn = Path(scratch) / deck.name
            drawn.mkdir()
            deck.draw(drawn)
            drawn.rename(cache / deck.name)
    return [deck.name for deck in decks]


def deck_from(cache: Path | None, name: str) -> Deck:
    """A rasterised deck by name. Raises VisionError with one line where it is not there."""
    if cache is None or not (cache / name / "AS.png").exists():
        known = sorted(path.parent.name for path in cache.glob("*/AS.png")) if cache else []
        have = f"there are {', '.join(known)}" if known else "give --art FOLDER, made by `tablewatch vision train`"
        raise VisionError(f"deck {name} is not rasterised: {have}")
    return load(name, cache / name, draw_back(Print()))
