"""Enrolment: 52 faces checked, what it took kept in a file, faces that cannot be told apart refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.enrol import FIRST_MARK, Enrolment, compared, contact_sheet, load_enrolment, save_enrolment
from vision.errors import VisionError
from vision.faces import FACES
from vision.group import Group
from vision.judge import judge
from vision.models import mark
from vision.readings import Kind
from vision.recognizer import Recognizer, Settings
from vision.score import Score, Truth
from vision.sets import Example, mark_example, rendered
from vision.showing import code_of, finished, take_boxes, take_pictures
from vision.synth.deck import Deck
from vision.synth.draw import Print, draw_deck
from vision.synth.exam import Exam
from vision.synth.light import EASY, develop
from vision.synth.scene import Placed, Stage

STYLE = Print(rank_font="serif", rank_height=0.16, suit_height=0.13, left=0.1, rank_stretch=0.7)


def shown(deck: Deck, face: str, seed: int = 1) -> np.ndarray:
    stage = Stage(np.full((300, 260, 3), (60, 110, 50), np.uint8), np.eye(3))
    stage.lay(Placed(face, 130, 150, 120, 5.0), deck)
    return develop(stage.picture, (stage.owner > 0).astype(np.float32), np.random.default_rng(seed), EASY)


@pytest.fixture(scope="module")
def jumbo() -> Deck:
    return draw_deck(STYLE, "serif")


@pytest.fixture(scope="module")
def enrolled(jumbo: Deck) -> Enrolment:
    pictures = [(f"{face}.jpg", shown(jumbo, face)) for face in FACES]
    return finished("serif", take_pictures(Recognizer(Settings()), pictures))


def test_all_52_are_taken_and_seen(enrolled: Enrolment) -> None:
    assert enrolled.faces == FACES
    assert enrolled.missing == ()
    assert enrolled.shape is not None
    assert contact_sheet(enrolled).shape[0] > 400


def test_the_enrolled_deck_is_read(enrolled: Enrolment, jumbo: Deck) -> None:
    reader = Recognizer(Settings(card_width_px=110, deck=enrolled))
    score = Score()
    for example in rendered(jumbo, Exam(), 3, seed=21):
        mark_example(score, example, reader.read(example.picture))
    assert score.silent == 0
    assert score.exact >= 0.95 * score.readable


def test_the_masters_forbid_what_the_network_misreads(enrolled: Enrolment, jumbo: Deck) -> None:
    corners, _ = Recognizer(Settings(card_width_px=120)).corners(shown(jumbo, "4D", seed=5))
    certain = np.full(52, 1e-5, np.float32)
    certain[FACES.index("AH")] = 0.999
    for corner in corners:
        assert judge(Group((compared(enrolled, corner),))).face == "4D"
        misread = compared(enrolled, replace(corner, chances=certain))
        assert judge(Group((misread,))).kind is Kind.UNKNOWN
        assert judge(Group((misread, misread))).kind is Kind.UNKNOWN
        wavering = compared(enrolled, replace(corner, chances=corner.chances * np.float32(0.5)))
        assert judge(Group((wavering,))).kind is Kind.UNKNOWN


def test_missing_faces_are_named(jumbo: Deck) -> None:
    pictures = [(f"{face}.jpg", shown(jumbo, face)) for face in FACES[:-2]]
    with pytest.raises(VisionError, match="2 of 52 faces did not come: QC KC; show them too"):
        finished("serif", take_pictures(Recognizer(Settings()), pictures))


def test_a_face_that_looks_like_another_is_refused(jumbo: Deck) -> None:
    twice = replace(jumbo, faces={**jumbo.faces, "9C": jumbo.faces["6C"]})
    pictures = [(f"{face}.jpg", shown(twice, face)) for face in FACES]
    with pytest.raises(VisionError, match="cannot be told apart: 9C looks like 6C"):
        finished("serif", take_pictures(Recognizer(Settings()), pictures))


def test_labelled_index_boxes_enrol_what_they_show(jumbo: Deck) -> None:
    faces = FACES[::3]
    shown_boxes = take_boxes(Recognizer(Settings()), [boxed(jumbo, face) for face in faces])
    enrolment = finished("boxes", shown_boxes, whole=False)
    assert enrolment.faces == faces
    assert len(enrolment.missing) == 52 - len(faces)


def boxed(deck: Deck, face: str) -> Example:
    stage = Stage(np.full((300, 260, 3), (60, 110, 50), np.uint8), np.eye(3))
    stage.lay(Placed(face, 130, 150, 120, 5.0), deck)
    (card,) = stage.truth()
    boxes = tuple(Truth(face, ((i.x, i.y),), i.height_px / 2, i.height_px / 2) for i in card.indices)
    return Example(face, stage.picture, boxes, by_index=True)


def test_a_picture_without_a_card_is_said(jumbo: Deck) -> None:
    pictures = [("KH.png", np.full((300, 300, 3), 80, np.uint8)), ("sheet.png", np.full((300, 300, 3), 80, np.uint8))]
    taken = take_pictures(Recognizer(Settings()), pictures)
    assert taken.troubles[0].startswith("KH.png: the two indices of one card are not seen")
    assert taken.troubles[1].startswith("sheet.png: no card in it is read at both ends")
    with pytest.raises(VisionError, match="52 of 52 faces did not come"):
        finished("serif", taken)


def test_a_card_that_fills_the_picture_is_taken(jumbo: Deck) -> None:
    face = np.ascontiguousarray(jumbo.faces["4S"][..., :3])
    alone = np.asarray(cv2.resize(face, (256, 358)), np.uint8)
    taken = take_pictures(Recognizer(Settings()), [("4S.png", alone)])
    assert taken.troubles == []
    assert len(taken.corners["4S"]) == 2


def test_an_enrolment_is_kept_in_a_file(enrolled: Enrolment, tmp_path: Path) -> None:
    save_enrolment(tmp_path / "deck.npz", enrolled)
    again = load_enrolment(tmp_path / "deck.npz")
    assert again.faces == enrolled.faces
    assert again.shape == enrolled.shape
    assert np.array_equal(again.ranks, enrolled.ranks)
    assert np.array_equal(again.patches, enrolled.patches)
    assert again.weights == enrolled.weights == mark()


def test_a_deck_enrolled_with_other_weights_is_refused(enrolled: Enrolment, tmp_path: Path) -> None:
    with pytest.raises(VisionError, match="the deck serif was enrolled with other weights: enrol it again"):
        Recognizer(Settings(deck=replace(enrolled, weights="0123456789ab")))
    save_enrolment(tmp_path / "deck.npz", enrolled)
    with np.load(tmp_path / "deck.npz") as data:
        before = {key: data[key] for key in data if key != "weights"}
    np.savez(tmp_path / "before.npz", **before)
    assert load_enrolment(tmp_path / "before.npz").weights == FIRST_MARK


def test_files_that_are_no_enrolment_are_refused(enrolled: Enrolment, tmp_path: Path) -> None:
    path = tmp_path / "deck.npz"
    for data in (b"", b"PK\x03\x04 broken", b"text"):
        path.write_bytes(data)
        with pytest.raises(VisionError, match="not an enrolment"):
            load_enrolment(path)
    np.savez(path, faces=np.array(["XX"]))
    with pytest.raises(VisionError, match="not an enrolment"):
        load_enrolment(path)
    save_enrolment(path, replace(enrolled, precision=enrolled.precision * np.float32("nan")))
    with pytest.raises(VisionError, match="damaged"):
        load_enrolment(path)
    save_enrolment(path, enrolled)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(VisionError, match="not an enrolment"):
        load_enrolment(path)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("KH.jpg", "KH"),
        ("10d.png", "TD"),
        ("as_2.jpg", "AS"),
        ("sheet.jpg", ""),
        ("ahoy.png", ""),
        ("a/b/2C.jpg", "2C"),
    ],
)
def test_files_are_named_after_faces(name: str, code: str) -> None:
    assert code_of(name) == code
