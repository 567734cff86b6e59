"""An endless supply of decks: the art of the registries, the same with indices printed anew, and drawn ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from vision.faces import FACES
from vision.synth.deck import FACE_WIDTH_PX, Deck, Image, blank, rounded
from vision.synth.draw import Print, both_ends, draw_back, draw_deck, print_index, reprint
from vision.synth.light import Rng
from vision.train import art
from vision.train.backs import varied_back

HELD_OUT = ("gnome-anglo_poker", "kde-standard", "npm-younestouati")
"""Decks no weight is ever fitted to: they measure."""

FONTS = Path("/usr/share/fonts")

FONT_PACKAGES = {
    "fonts-dejavu": ("dejavu",),
    "fonts-liberation2": ("liberation", "liberation2"),
    "fonts-freefont-ttf": ("freefont",),
    "fonts-lato": ("lato",),
    "fonts-bebas-neue": ("bebas-neue",),
    "fonts-cantarell": ("cantarell",),
}
"""Debian packages that rank letters are taken from, and their folders under ``/usr/share/fonts/*``."""

BOGUS_RANKS = (*"BBBBBВВDDDVVVRRR111ДДДДДДДДППТТЖФЮXLZWYFENUUUUUGGOOOP00000?", "11", "11", "12", "12", "12", "13", "15")
"""Letters of German, French and Cyrillic packs, the likest to a Latin rank (B to 8, U to J) most often, and others."""

BACK_INKS = ((150, 60, 30), (30, 30, 160), (40, 40, 40), (60, 120, 40))
BOGUS_SUITS = ("★", "●", "■", "▲", "☀", "+", "@", "&", "✚")


def font_files() -> dict[str, list[str]]:
    """The upright fonts of each package of `FONT_PACKAGES`; none where it is not installed."""
    return {
        package: [
            str(path)
            for folder in folders
            for kind in ("truetype", "opentype")
            for path in sorted((FONTS / kind / folder).glob("*.?tf"))
            if not any(word in path.stem for word in ("Italic", "Oblique", "Hairline", "Thin", "Mono", "Math"))
        ]
        for package, folders in FONT_PACKAGES.items()
    }


def fonts() -> list[str]:
    """Upright fonts to print ranks in: those built into OpenCV and the installed ones."""
    return ["sans", "serif", "uni", *(path for files in font_files().values() for path in files)]


def random_print(rng: Rng, names: Sequence[str]) -> Print:
    """A style of print within what card makers do, jumbo indices included."""
    jumbo = rng.random() < 0.4
    rank = rng.uniform(0.17, 0.3) if jumbo else rng.uniform(0.1, 0.18)
    suit = rank * rng.uniform(0.6, 1.05)
    paper = tuple(int(v) for v in np.clip(rng.normal(244, 7) + rng.normal(0, 4, 3), 200, 255))
    red = (int(rng.uniform(10, 110)), int(rng.uniform(10, 110)), int(rng.uniform(170, 250)))
    black = tuple(int(v) for v in rng.uniform(0, 80) + rng.uniform(0, 15, 3))
    inks = {}
    if rng.random() < 0.08:
        inks = {"D": (int(rng.uniform(150, 255)), 90, 20), "C": (30, int(rng.uniform(90, 150)), 20)}
    signs = dict(zip("SHDC", "♠♥♦♣", strict=True))
    return Print(
        rank_font=str(rng.choice(names)),
        suit_font=str(rng.choice(["uni", "sans", *(n for n in names if "DejaVu" in n or "FreeS" in n)])),
        weight=int(rng.choice([300, 400, 600, 800])),
        rank_height=rank,
        rank_stretch=rng.uniform(0.55, 1.15),
        suit_height=suit,
        suit_stretch=rng.uniform(0.8, 1.2),
        gap=rank * rng.uniform(0.08, 0.35),
        left=max(0.055, rank * rng.uniform(0.42, 0.6)) + rng.uniform(0.01, 0.03),
        top=rng.uniform(0.03, 0.09),
        aspect=rng.choice([1.4, 1.4, 1.56, 1.36]),
        paper=(paper[0], paper[1], paper[2]),
        red=red,
        black=(black[0], black[1], black[2]),
        back=BACK_INKS[int(rng.integers(len(BACK_INKS)))],
        suit_signs=signs,
        suit_inks=inks,
    )


def bogus_faces(style: Print, rng: Rng, count: int) -> dict[str, Image]:
    """Cards that no shoe holds: other letters, other suits, letters without a suit."""
    cards = {}
    for number in range(count):
        card = blank(style.paper, style.aspect)
        rank, suit = str(rng.choice(BOGUS_RANKS)), str(rng.choice(list("♠♥♦♣")))
        if rng.random() < 0.4:
            rank, suit = str(rng.choice(list("A23456789JQK"))), str(rng.choice(BOGUS_SUITS))
        try:
            print_index(card, rank, suit, style)
        except ValueError:
            continue
        card = both_ends(card)
        cv2.circle(card, (FACE_WIDTH_PX // 2, card.shape[0] // 2), 70, (60, 120, int(rng.integers(0, 255)), 255), -1)
        cards[f"bogus-{number}"] = rounded(card, 15)
    return cards


class Supply:
    """Decks for training, a fresh one at every call; deterministic in the generator it is given."""

    def __init__(self, cache: Path, names: Sequence[str]) -> None:
        """``cache`` holds the rasterised art (see `art.draw_all`), ``names`` are the decks that may be used."""
        back = draw_back(Print())
        self.art = [art.load(name, cache / name, back) for name in names if name not in HELD_OUT]
        self.fonts = fonts()

    def next(self, rng: Rng) -> Deck:
        """A deck: art as it is, art with another index, or drawn; most with a back of their own."""
        deck = self._faces(rng)
        return replace(deck, back=varied_back(deck.back, rng)) if rng.random() < 0.75 else deck

    def _faces(self, rng: Rng) -> Deck:
        whole = [deck for deck in self.art if len(deck.faces) == len(FACES)]
        roll = rng.random()
        if roll < 0.4:
            return whole[int(rng.integers(len(whole)))]
        if roll < 0.47:
            foreign = [deck for deck in self.art if deck.foreign]
            return foreign[int(rng.integers(len(foreign)))]
        style = random_print(rng, self.fonts)
        body = whole[int(rng.integers(len(whole)))]
        deck = reprint(body, style, "reprinted") if roll < 0.85 else draw_deck(style)
        return Deck(deck.name, deck.faces, deck.back, deck.index, bogus_faces(style, rng, 4))
