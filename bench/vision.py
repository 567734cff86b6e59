"""``python -m bench.vision``: the recognizer beside the classical way on the same frames, accuracy and time.

Processor time on one thread is printed beside the time on the clock: on a machine that does other work only the first
says what a look costs. Decks of art are used with ``--art`` (made by ``tablewatch vision train``), else drawn ones.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from bench import classical
from bench.stamp import commit, machine
from vision.calibrate import Calibration, from_points
from vision.errors import VisionError
from vision.layout import Layout, Region
from vision.patches import Image
from vision.readings import Sighting
from vision.recognizer import Recognizer, Settings
from vision.score import Score
from vision.sets import Example, mark_example, rendered
from vision.synth.deck import Deck
from vision.synth.draw import Print, draw_deck
from vision.synth.exam import Exam
from vision.table import TableReader
from vision.train.art import deck_from

STYLES = {"drawn sans": Print(), "drawn serif": Print(rank_font="serif", rank_stretch=0.7, rank_height=0.13)}
REGIONS_PX = ((60, 1300), (580, 1300), (1100, 1300), (1620, 1300), (2140, 1300), (2660, 1300), (1500, 300))
"""Upper left corners of the seven regions of the large frame."""

REGION_PX = (620, 620)


def cpu_ms() -> float:
    """Processor time of this process in milliseconds."""
    return time.process_time() * 1000


def timed(read: Callable[[Image], Sighting]) -> Callable[[Image], Sighting]:
    """A reader whose sightings carry processor time instead of time on the clock."""

    def look(picture: Image) -> Sighting:
        start = cpu_ms()
        sighting = read(picture)
        return replace(sighting, look_ms=cpu_ms() - start)

    return look


def scored(examples: Sequence[Example], read: Callable[[Image], Sighting]) -> Score:
    """The score of a reader over examples, the first of them read once before for warmth."""
    score = Score()
    read(examples[0].picture)
    for example in examples:
        mark_example(score, example, read(example.picture))
    return score


def row(table: Table, name: str, way: str, score: Score) -> None:
    """One line of figures."""
    cards = max(1, score.readable)
    table.add_row(
        *(name, way, str(score.readable), f"{100 * score.exact / cards:.1f} %"),
        *(f"{score.silent} of {score.accepted}", f"{score.bound_permille() / 10:.2f} %"),
        *(f"{score.percentile_ms(50):.1f} ms", f"{score.percentile_ms(95):.1f} ms"),
    )


def accuracy(decks: Sequence[Deck], scenes: int, seed: int) -> Table:
    """Both ways on the same frames of every deck. The classical way has the first deck's templates, which is another
    than it is shown, and then the shown deck's own."""
    table = Table(title="The recognizer and the classical way, 1280 × 720, one look, processor time")
    for heading in ("frames", "way", "cards", "exact", "silent misreads", "at most (95 %)", "p50", "p95"):
        table.add_column(heading)
    other = classical.templates_of(decks[0])
    for deck in decks[1:]:
        own = classical.templates_of(deck)
        for fans in (False, True):
            for hard in (False, True):
                name = f"{deck.name}, {'fans' if fans else 'separate'}, {'hard' if hard else 'easy'}"
                examples = list(rendered(deck, Exam(110, fans, hard), scenes, seed))
                recognizer = Recognizer(Settings(card_width_px=110))
                row(table, name, "recognizer", scored(examples, timed(recognizer.read)))
                row(table, "", "contours, other deck", scored(examples, timed(lambda p: classical.read(p, other))))
                row(table, "", "contours, own deck", scored(examples, timed(lambda p: classical.read(p, own))))  # noqa: B023
    return table


def large_frame(deck: Deck, seed: int) -> tuple[Image, Calibration]:
    """A frame of 3840 × 2160 with a hand in each of seven regions, and the view of its table (1 mm is 2 pixels)."""
    frame = np.full((2160, 3840, 3), (60, 110, 50), np.uint8)
    wide, tall = REGION_PX
    for number, (left, top) in enumerate(REGIONS_PX):
        (example,) = list(rendered(deck, Exam(134, fans=True, clutter=False), number + 1, seed))[-1:]
        frame[top : top + tall, left : left + wide] = example.picture[50 : 50 + tall, 300 : 300 + wide]
    square = ((0, 0), (250, 0), (250, 250), (0, 250))
    regions = [
        Region(name=f"box{n}", polygon_mm=tuple((x / 2 + right, y / 2 + down) for right, down in square))
        for n, (x, y) in enumerate(REGIONS_PX)
    ]
    layout = Layout(width_mm=1920, height_mm=1080, region=tuple(regions))
    pixels = np.array([[0.0, 0], [3840, 0], [3840, 2160], [0, 2160]])
    return frame, from_points(pixels, pixels / 2, (3840, 2160), layout)


def times(deck: Deck, seed: int, looks: int) -> Table:
    """A look at a frame with twelve cards, a look at the large frame, memory."""
    table = Table(title="What a look costs", show_header=True)
    for heading in ("what", "processor p50", "processor p95", "clock p50", "clock p95"):
        table.add_column(heading)
    examples = list(rendered(deck, Exam(110, clutter=False, blanks=0), 4, seed))
    frame, view = large_frame(deck, seed)
    picture, cards = examples[0].picture, len(examples[0].truths)
    reader = TableReader(Recognizer(), view)
    one, two = (Recognizer(Settings(card_width_px=110, threads=threads)) for threads in (1, 2))
    jobs: list[tuple[str, Callable[[], object]]] = [
        (f"1280 × 720, {cards} cards, one thread", lambda: one.read(picture)),
        (f"1280 × 720, {cards} cards, two threads", lambda: two.read(picture)),
        ("3840 × 2160, seven regions, one thread", lambda: reader.read(frame)),
    ]
    for name, job in jobs:
        cpu, clock = [], []
        job()
        for _ in range(looks):
            cpu_start, start = cpu_ms(), time.perf_counter()
            job()
            cpu.append(cpu_ms() - cpu_start)
            clock.append((time.perf_counter() - start) * 1000)
        figures = [f"{np.percentile(values, p):.1f} ms" for values in (cpu, clock) for p in (50, 95)]
        table.add_row(name, *figures)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    table.add_row("peak memory of this process", f"{peak_mb:.0f} MB", "", "", "")
    return table


def main() -> int:
    """Measure and print; 0, or 1 where the art is not there."""
    parser = argparse.ArgumentParser(prog="python -m bench.vision", description=__doc__)
    parser.add_argument("--art", type=Path, help="folder of rasterised decks")
    parser.add_argument("--decks", default="", help="names with commas; the first has the classical templates")
    parser.add_argument("--scenes", type=int, default=5, help="frames of each kind (default: %(default)s)")
    parser.add_argument("--looks", type=int, default=40, help="looks for the times (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1001, help="of the frames (default: %(default)s)")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    console = Console()
    try:
        named = [deck_from(given.art, name) for name in given.decks.split(",") if name]
    except VisionError as error:
        console.print(str(error), markup=False)
        return 1
    decks = named or [draw_deck(style, name) for name, style in STYLES.items()]
    console.print(f"{machine()}, commit {commit()}, seed {given.seed}", markup=False)
    console.print(times(decks[-1], given.seed, given.looks))
    console.print(accuracy(decks, given.scenes, given.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
