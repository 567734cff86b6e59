"""``python -m bench.negatives``: what must never be read as a card: foreign indices, chips, sleeves, print, patterns.

Foreign cards are drawn (`vision.synth.draw`) with letters and numbers of other decks in each font given, the four
suits of one on a picture, in easy and in hard light. The same drawing with a rank that the recognizer knows is printed
beside them: were nothing accepted there either, the figure would say nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.stamp import commit, machine
from vision.errors import VisionError
from vision.patches import Image
from vision.recognizer import Recognizer, Settings
from vision.synth import ground
from vision.synth.deck import blank, rounded
from vision.synth.draw import SUIT_SIGNS, Print, both_ends, draw_deck, print_index
from vision.synth.exam import lit
from vision.synth.scene import Placed, Stage

FOREIGN: Final = ("В", "Д", "D", "B", "V", "R", "U", "O", "П", "1", "0", "11", "12", "Т", "F", "P")
"""Indices of Russian, German and French decks, and numbers that no card has."""
KNOWN: Final = ("A", "7", "Q")
"""Indices that are read: the control."""
BUILT_IN: Final = ("sans", "serif", "italic", "uni")
"""Fonts that OpenCV brings."""
SHAPE_PX: Final = (480, 640)
CARD_PX: Final = 120
PLACES: Final = ((130, 150), (300, 150), (470, 150), (300, 350))
"""Middles of the four cards of a picture."""
Rng = np.random.Generator


@dataclass(slots=True)
class Tally:
    """Cards shown, and faces accepted by what was printed."""

    shown: int = 0
    accepted: Counter[str] = field(default_factory=Counter)

    @property
    def wrong(self) -> int:
        """How many were accepted."""
        return sum(self.accepted.values())


def foreign_cards(text: str, font: str, rng: Rng) -> dict[str, Image]:
    """Four cards with this index, one a suit, by letter and suit; empty where the font lacks a sign."""
    cards = {}
    for suit in SUIT_SIGNS.values():
        style = Print(
            rank_font=font,
            rank_height=float(rng.uniform(0.11, 0.2)),
            suit_height=0.11,
            left=float(rng.uniform(0.08, 0.12)),
            rank_stretch=float(rng.uniform(0.7, 1)),
        )
        card = blank((244, 247, 248), 1.4)
        try:
            print_index(card, text, suit, style)
        except ValueError:
            continue
        cards[text + suit] = rounded(both_ends(card), 15)
    return cards


def letters(recognizer: Recognizer, texts: Sequence[str], fonts: Sequence[str], seed: int, *, title: str) -> Tally:
    """Every text in every font, in easy and in hard light."""
    rng, tally, drawn = np.random.default_rng(seed), Tally(), draw_deck()
    for text, font in track([(t, f) for t in texts for f in fonts], title, console=Console(stderr=True)):
        cards = foreign_cards(text, font, rng)
        deck = replace(drawn, foreign=cards)
        for hard in (False, True) if cards else ():
            stage = Stage(ground.cloth(SHAPE_PX, rng), np.eye(3))
            for code, (x, y) in zip(cards, PLACES, strict=False):
                stage.lay(Placed(code, x, y, CARD_PX, float(rng.uniform(0, 360))), deck)
            read = recognizer.read(lit(stage, hard, rng)).cards()
            tally.shown += len(cards)
            tally.accepted.update(f"{text} as {card.face}" for card in read)
    return tally


def things(recognizer: Recognizer, pictures: int, seed: int) -> Tally:
    """Pictures of chips, sleeves, print and patterns, with no card in them."""
    rng, tally = np.random.default_rng(seed), Tally()
    for n in track(range(pictures), "chips, sleeves, print", console=Console(stderr=True)):
        stage = Stage(ground.pattern(SHAPE_PX, rng) if n % 2 else ground.cloth(SHAPE_PX, rng), np.eye(3))
        for _ in range(5):
            ground.print_on(stage.picture, rng)
        for at in range(12):
            place = np.array([[1, 0, rng.uniform(0, 600)], [0, 1, rng.uniform(0, 440)], [0, 0, 1]])
            stage.paste(ground.chip(rng, 34) if at < 8 else ground.hand(rng, 150), place, -1, 0, 0.3)
        tally.shown += 1
        tally.accepted.update(str(card.face) for card in recognizer.read(lit(stage, n % 3 == 0, rng)).cards())
    return tally


def _row(table: Table, name: str, tally: Tally) -> None:
    which = ", ".join(f"{face} ({times})" for face, times in tally.accepted.most_common(6))
    table.add_row(name, f"{tally.shown:,}", f"{tally.wrong:,}", which)


def main() -> int:
    """Measure and print; 0, or 1 when it could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.negatives", description=__doc__)
    parser.add_argument("--fonts", nargs="+", default=["sans", "serif"], help="font files (default: OpenCV's own two)")
    parser.add_argument("--pictures", type=int, default=100, help="without a card (default: %(default)s)")
    parser.add_argument("--weights", type=Path, help="a folder of networks (default: those of the package)")
    parser.add_argument("--seed", type=int, default=77, help="of letters, places and light (default: %(default)s)")
    given = parser.parse_args()
    missing = [font for font in given.fonts if font not in BUILT_IN and not Path(font).is_file()]
    if missing:
        parser.error(f"no font file: {', '.join(missing)}; name a file, or one of {', '.join(BUILT_IN)}")
    console = Console()
    cv2.setNumThreads(1)
    try:
        recognizer = Recognizer(Settings(card_width_px=CARD_PX, weights=given.weights))
        table = Table(title="What is no card")
        for column in ("shown", "n", "accepted", "as"):
            table.add_column(column, justify="left" if column in {"shown", "as"} else "right")
        _row(table, "foreign cards", letters(recognizer, FOREIGN, given.fonts, given.seed, title="foreign cards"))
        _row(table, "pictures without cards", things(recognizer, given.pictures, given.seed))
        _row(table, "control: known ranks", letters(recognizer, KNOWN, given.fonts, given.seed, title="control"))
    except (VisionError, OSError) as error:
        console.print(f"bench: {error}", style="red", markup=False)
        return 1
    console.print(table)
    console.print(f"seed {given.seed}, {len(given.fonts)} fonts, commit {commit()}\n{machine()}", markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
