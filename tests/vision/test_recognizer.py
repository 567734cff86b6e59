"""The recognizer with the shipped weights on rendered tables: what lies there, in which order, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from vision.faces import FACES
from vision.patches import IndexPose
from vision.readings import Kind, Reading, Reason
from vision.recognizer import Recognizer, Settings, doubted, whole
from vision.score import Score
from vision.sets import mark_example, rendered
from vision.synth import ground
from vision.synth.deck import Deck, blank, rounded
from vision.synth.draw import Print, both_ends, draw_back, draw_deck, print_index
from vision.synth.exam import Exam
from vision.synth.scene import Placed, Stage
from vision.table import in_order


def table(deck: Deck, *cards: Placed) -> np.ndarray:
    stage = Stage(ground.cloth((480, 640), np.random.default_rng(3)), np.eye(3))
    for card in cards:
        stage.lay(card, deck)
    return stage.picture


def test_every_face_is_read(recognizer: Recognizer, deck: Deck) -> None:
    read = []
    for start in range(0, 52, 8):
        codes = FACES[start : start + 8]
        cards = [Placed(c, 90 + n % 4 * 150, 120 + n // 4 * 210, 105, 7.0 * n) for n, c in enumerate(codes)]
        read += sorted(reading.face for reading in recognizer.read(table(deck, *cards)).cards())
    assert sorted(read) == sorted(FACES)


@pytest.mark.parametrize("angle", range(0, 360, 30))
def test_any_rotation_is_read(recognizer: Recognizer, deck: Deck, angle: int) -> None:
    (reading,) = recognizer.read(table(deck, Placed("6S", 320, 240, 110, angle))).readings
    assert (reading.kind, reading.face, reading.ends) == (Kind.CARD, "6S", 2)
    assert reading.width_px == pytest.approx(110, rel=0.12)
    assert reading.centre == pytest.approx((320, 240), abs=6)


def test_a_fan_is_read_in_order(recognizer: Recognizer, deck: Deck) -> None:
    cards = [Placed(c, 250 + 32 * n, 200 + 6 * n, 110, 4 * n) for n, c in enumerate(("KH", "5C", "TD"))]
    readings = in_order(recognizer.read(table(deck, *cards)).readings)
    assert [(reading.face, reading.order) for reading in readings] == [("KH", 0), ("5C", 1), ("TD", 2)]


def test_an_index_cut_by_the_edge_of_the_picture_contradicts_nothing(recognizer: Recognizer, deck: Deck) -> None:
    picture = table(deck, Placed("5C", 320, 240, 110, 90))
    (whole_card,) = recognizer.read(picture).readings
    (upper, lower) = sorted(whole_card.indices)
    for edge in range(-8, 9, 4):
        (reading,) = recognizer.read(np.ascontiguousarray(picture[:, : round(lower[0]) + edge])).cards()
        assert (reading.face, reading.ends) in (("5C", 1), ("5C", 2))
        assert upper == pytest.approx(reading.indices[0], abs=3)


def test_whole_means_inside_the_picture() -> None:
    assert whole(IndexPose(20, 20, 0.0, 30), (100, 100))
    assert not whole(IndexPose(20, 10, 0.0, 30), (100, 100))
    assert not whole(IndexPose(98, 50, 0.0, 30), (100, 100))
    assert whole(IndexPose(94, 50, 0.0, 30), (100, 100))
    assert not whole(IndexPose(94, 50, 1.57, 30), (100, 100))


def test_two_equal_cards_side_by_side_are_two(recognizer: Recognizer, deck: Deck) -> None:
    cards = [Placed("9D", 200, 240, 110, 0), Placed("9D", 312, 240, 110, 0)]
    assert [r.face for r in recognizer.read(table(deck, *cards)).readings] == ["9D", "9D"]


def test_easy_scenes_are_exact(recognizer: Recognizer, deck: Deck) -> None:
    score = Score()
    for example in rendered(deck, Exam(), 3, seed=11):
        mark_example(score, example, recognizer.read(example.picture))
    assert score.readable >= 30
    assert score.silent == 0
    assert score.exact >= 0.97 * score.readable


def test_hard_fans_are_never_misread(recognizer: Recognizer, deck: Deck) -> None:
    score = Score()
    for example in rendered(deck, Exam(fans=True, hard=True), 3, seed=12):
        mark_example(score, example, recognizer.read(example.picture))
    assert score.readable >= 50
    assert score.misread == 0
    assert score.exact >= 0.5 * score.readable


NEGATIVES = ("backs", "foreign", "chips", "print", "pattern")


FOREIGN = ("V♦", "V♠", "D♥", "R♣", "Д♠", "D♦", "П♦", "1♣", "J★", "R♠", "D♣", "R♦")
"""Indices of German, French and Cyrillic packs, a joker's, and others that no shoe holds."""


def foreign_cards() -> dict[str, np.ndarray]:
    cards = {}
    for text in FOREIGN:
        card = blank((246, 249, 250), 1.4)
        print_index(card, text[0], text[1], Print())
        cards[text] = rounded(both_ends(card), 15)
    return cards


def negative(kind: str, rng: np.random.Generator) -> np.ndarray:
    stage = Stage(ground.cloth((480, 640), rng), np.eye(3))
    if kind == "backs":
        for n in range(6):
            code = "cut_card" if n == 5 else "face_down"
            stage.lay(Placed(code, 100 + 180 * (n % 3), 120 + 220 * (n // 3), 110, 31.0 * n), draw_deck())
    elif kind == "foreign":
        odd = replace(draw_deck(), foreign=foreign_cards())
        for n, code in enumerate(rng.permutation(FOREIGN)[:6]):
            stage.lay(Placed(str(code), 100 + 180 * (n % 3), 120 + 220 * (n // 3), 110, 17.0 * n), odd)
    elif kind == "chips":
        for n in range(15):
            place = np.array([[1, 0, 30 + 120 * (n % 5)], [0, 1, 40 + 140 * (n // 5)], [0, 0, 1]], np.float64)
            stage.paste(ground.chip(rng, 34), place, -1, 0, 0.3)
    elif kind == "print":
        for _ in range(5):
            ground.print_on(stage.picture, rng)
    else:
        stage.picture = ground.pattern((480, 640), rng)
    return stage.picture


@pytest.mark.parametrize("kind", NEGATIVES)
def test_what_is_no_card_is_not_accepted(recognizer: Recognizer, kind: str) -> None:
    for seed in range(4):
        sighting = recognizer.read(negative(kind, np.random.default_rng(seed)))
        assert [reading.face for reading in sighting.cards()] == []


@pytest.mark.parametrize("shape", [(16, 16), (17, 301), (480, 640)])
def test_an_empty_picture_has_nothing_in_it(recognizer: Recognizer, shape: tuple[int, int]) -> None:
    assert recognizer.read(np.full((*shape, 3), 80, np.uint8)).readings == ()


def test_a_card_too_small_is_not_read(deck: Deck) -> None:
    assert Recognizer(Settings(card_width_px=40)).read(table(deck, Placed("8C", 320, 240, 40, 20))).cards() == ()
    (reading,) = Recognizer(Settings(card_width_px=75)).read(table(deck, Placed("8C", 320, 240, 75, 20))).readings
    assert (reading.kind, reading.guess, reading.reasons) == (Kind.UNKNOWN, "8C", (Reason.TOO_SMALL,))


def test_a_face_down_card_is_found_among_others(recognizer: Recognizer) -> None:
    deck = replace(draw_deck(), back=draw_back(Print(back=(150, 50, 30))))
    cards = [Placed("8C", 180, 240, 110, 0), Placed("face_down", 420, 240, 110, 10)]
    readings = recognizer.read(table(deck, *cards)).readings
    assert sorted(reading.text for reading in readings) == ["8C", "face_down"]


@pytest.mark.parametrize("angle", [0, 30, 45, 80])
def test_a_cut_card_is_told_from_a_back_at_any_angle(recognizer: Recognizer, angle: int) -> None:
    deck = replace(draw_deck(), back=draw_back(Print(back=(150, 50, 30))))
    cards = [
        Placed("8C", 120, 240, 110, 0),
        Placed("cut_card", 310, 240, 110, angle),
        Placed("face_down", 520, 240, 110, angle),
    ]
    readings = recognizer.read(table(deck, *cards)).readings
    assert sorted(reading.text for reading in readings) == ["8C", "cut_card", "face_down"]


def test_the_package_loads_without_anything_of_ours_and_without_a_screen() -> None:
    code = "import sys, vision; print(sorted({m.partition('.')[0] for m in sys.modules} & set(sys.argv[1:])))"
    ours = ("controller", "drivers", "firmware_sim", "torch")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *ours], capture_output=True, text=True, check=True, env={}
    )
    assert done.stdout.strip() == "[]"


def test_pips_inside_a_card_are_not_the_corner_of_another() -> None:
    whole = ((100.0, 100.0), (200.0, 100.0), (200.0, 240.0), (100.0, 240.0))
    card = Reading(Kind.CARD, whole, "TC", 999, ends=2, indices=((110.0, 120.0), (190.0, 220.0)))
    pips = Reading(Kind.CARD, whole, "4C", 970, ends=1, indices=((150.0, 170.0),))
    corner = replace(pips, indices=((108.0, 170.0),))
    assert [reading.kind for reading in doubted([card, pips])] == [Kind.CARD, Kind.UNKNOWN]
    assert doubted([card, corner]) == [card, corner]
    assert doubted([pips]) == [pips]
    blot = replace(pips, kind=Kind.UNKNOWN, face="", confidence_permille=400, reasons=(Reason.UNSURE,))
    assert doubted([card, blot]) == [card]
    assert doubted([blot]) == [blot]
