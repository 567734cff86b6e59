"""Scenes to measure with: a table of 1280 × 720 with separate cards or fans of one width, in easy or hard light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.faces import FACES
from vision.synth import ground
from vision.synth.deck import Deck, Image
from vision.synth.light import EASY, HARD, Rng, develop
from vision.synth.scene import Placed, Stage, TrueCard, fan, tilted

WIDTH_PX, HEIGHT_PX = 1280, 720


@dataclass(frozen=True, slots=True)
class Exam:
    """One kind of scene. ``fans`` overlapping hands or separate cards; ``hard`` light; ``blanks`` a share of the
    places that hold a back, a cut card or a foreign card; ``clutter`` chips and hands beside the cards."""

    card_width_px: float = 110.0
    fans: bool = False
    hard: bool = False
    blanks: float = 0.06
    clutter: bool = True


def _spots(width_px: float, aspect: float, fans: bool, rng: Rng) -> list[tuple[float, float]]:
    reach = width_px * (aspect * 1.25 if not fans else aspect * 1.25 + 0.9)
    columns, rows = max(1, int(WIDTH_PX / reach)), max(1, int(HEIGHT_PX / reach))
    spots = [
        ((c + 0.5) * WIDTH_PX / columns + rng.normal(0, 2), (r + 0.5) * HEIGHT_PX / rows + rng.normal(0, 2))
        for r in range(rows)
        for c in range(columns)
    ]
    rng.shuffle(spots)
    return spots[:12]


def _code(deck: Deck, rng: Rng, blanks: float) -> str:
    if rng.random() < blanks:
        return str(rng.choice(["face_down", "face_down", "cut_card", *deck.foreign]))
    return str(rng.choice(list(deck.faces)))


def _chip(stage: Stage, rng: Rng, width_px: float, taken: Sequence[tuple[float, float]]) -> None:
    for _ in range(8):
        x, y = rng.uniform(20, WIDTH_PX - 20), rng.uniform(20, HEIGHT_PX - 20)
        if all(np.hypot(x - a, y - b) > 1.6 * width_px for a, b in taken):
            place = np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)
            stage.paste(ground.chip(rng, round(width_px * 0.31)), stage.lens @ place, -1, 0, 0.3)
            return


def set_up(deck: Deck, exam: Exam, rng: Rng) -> Stage:
    """The table laid, not yet lit; for many frames of one table light it again and again."""
    shape = (HEIGHT_PX, WIDTH_PX)
    surface = ground.cloth(shape, rng)
    if rng.random() < 0.5:
        ground.print_on(surface, rng)
    tilt = rng.uniform(8, 25) if exam.hard else rng.uniform(0, 8)
    stage = Stage(surface, tilted(shape, tilt, rng.uniform(0, 360)))
    spots = _spots(exam.card_width_px, deck.aspect, exam.fans, rng)
    for number, at in enumerate(spots):
        if exam.fans:
            codes = [_code(deck, rng, exam.blanks) for _ in range(int(rng.integers(2, 5)))]
            shift = rng.uniform(0.26, 0.4)
            start = (at[0] - 0.15 * exam.card_width_px, at[1] - 0.15 * exam.card_width_px)
            cards = fan(codes, start, exam.card_width_px, rng, f"box{number}", shift)
        else:
            cards = [
                Placed(_code(deck, rng, exam.blanks), *at, exam.card_width_px, rng.uniform(0, 360), f"box{number}")
            ]
        for card in cards:
            stage.lay(card, deck)
    if exam.clutter:
        for _ in range(int(rng.integers(0, 5))):
            _chip(stage, rng, exam.card_width_px, spots)
    return stage


def lit(stage: Stage, hard: bool, rng: Rng, sensor: Rng | None = None) -> Image:
    """One frame of a laid table in a light drawn from ``rng``, with noise drawn from ``sensor``."""
    shine = (stage.owner > 0).astype(np.float32)
    return develop(stage.picture, shine, rng, HARD if hard else EASY, sensor)


def frames(deck: Deck, exam: Exam, seed: tuple[int, ...], count: int) -> tuple[list[Image], list[TrueCard]]:
    """Frames of one table at rest in one light, each with its own noise, and the truth about its cards."""
    stage = set_up(deck, exam, np.random.default_rng((*seed, 0)))
    pictures = [
        lit(stage, exam.hard, np.random.default_rng((*seed, 1)), np.random.default_rng((*seed, 2, number)))
        for number in range(count)
    ]
    return pictures, stage.truth()


PORTRAIT_CARD_PX = 120


def portraits(deck: Deck, seed: int) -> list[tuple[str, Image]]:
    """Each of the 52 faces shown alone in easy light, as for enrolment: the name of its file, the picture."""
    pictures = []
    for number, face in enumerate(FACES):
        rng = np.random.default_rng((seed, 7, number))
        stage = Stage(ground.cloth((300, 260), rng), np.eye(3))
        stage.lay(Placed(face, 130, 150, PORTRAIT_CARD_PX, float(rng.normal(0, 5))), deck)
        pictures.append((f"{face}.png", lit(stage, False, rng)))
    return pictures


def scene(deck: Deck, exam: Exam, rng: Rng) -> tuple[Image, list[TrueCard]]:
    """A picture and the truth about its cards."""
    stage = set_up(deck, exam, rng)
    return lit(stage, exam.hard, rng), stage.truth()
