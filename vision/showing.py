"""Taking the faces of a deck from pictures of them, each shown once or several on a sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from vision.corners import Corner
from vision.enrol import LEAST_ENROL_PX, Enrolment, enrol, shape_from
from vision.errors import VisionError
from vision.faces import FACES, is_face
from vision.geometry import CardShape
from vision.group import Group, grouped
from vision.judge import judge
from vision.models import mark
from vision.patches import Image
from vision.readings import Kind
from vision.recognizer import Recognizer
from vision.score import Truth
from vision.sets import Example


@dataclass(slots=True)
class Shown:
    """What was taken so far: the mark of the weights it was read with, corners by face, the shapes of cards seen, and
    what could not be used, in words."""

    weights: str
    corners: dict[str, list[Corner]] = field(default_factory=dict)
    shapes: list[CardShape] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def add(self, face: str, group: Group) -> None:
        """Take the ends of one card."""
        self.corners.setdefault(face, []).extend(group.corners)


def code_of(name: str) -> str:
    """The face that a file is named after (``KH.jpg``, ``10H.png``, ``ks_2.jpg``), or ``""``."""
    stem = Path(name).stem.upper().replace("10", "T")
    return stem[:2] if is_face(stem[:2]) and not stem[2:3].isalpha() else ""


CLOSE_UP = (0.0, 0.9, 0.7, 0.5, 0.35)
"""Widths of a card shown alone, by the picture's shorter side, at which its indices are looked for in turn until both
are found; 0: as where nothing is known."""


def _pairs(recognizer: Recognizer, picture: Image) -> tuple[list[Group], CardShape | None]:
    """The cards of which both indices are seen, and the shape of the cards."""
    for share in CLOSE_UP:
        corners, _ = recognizer.corners(picture, share * min(picture.shape[:2]), keep_doubtful=True)
        groups, shape = grouped(corners)
        pairs = [group for group in groups if len(group.corners) == 2]
        if pairs:
            return pairs, shape
    return [], None


def take_named(shown: Shown, recognizer: Recognizer, picture: Image, face: str, name: str) -> None:
    """Take one card whose face is known. What cannot be used is noted in words."""
    pairs, shape = _pairs(recognizer, picture)
    if not pairs:
        shown.troubles.append(f"{name}: the two indices of one card are not seen: show {face} whole, flat and sharp")
        return
    best = max(pairs, key=lambda g: min(c.heat * (1 - c.none) for c in g.corners))
    if min(c.pose.height_px for c in best.corners) < LEAST_ENROL_PX:
        shown.troubles.append(f"{name}: {face} is too small in the picture: show it nearer")
        return
    shown.add(face, best)
    if shape is not None:
        shown.shapes.append(shape)


def take_sheet(shown: Shown, recognizer: Recognizer, picture: Image, name: str) -> None:
    """Take every card of a picture that the recognizer reads at both ends; the rest is noted in words."""
    corners, _ = recognizer.corners(picture)
    groups, shape = grouped(corners)
    taken = 0
    for group in groups:
        verdict = judge(group)
        if len(group.corners) == 2 and verdict.kind is Kind.CARD:
            shown.add(verdict.face, group)
            taken += 1
    if shape is not None and taken:
        shown.shapes.append(shape)
    if not taken:
        shown.troubles.append(f"{name}: no card in it is read at both ends: name the file after its face, as KH.jpg")


SURE = 0.9
"""An index that the network surely reads as another face is not taken for the label's."""


def _take_boxes(shown: Shown, recognizer: Recognizer, picture: Image, boxes: Iterable[Truth]) -> None:
    """Take indices whose places are labelled."""
    corners, _ = recognizer.corners(picture, keep_doubtful=True)
    for box in boxes:
        if not is_face(box.code):
            continue
        near = [c for c in corners if math.dist((c.pose.x, c.pose.y), box.spots[0]) < box.reach_px]
        if near:
            best = min(near, key=lambda c: math.dist((c.pose.x, c.pose.y), box.spots[0]))
            if best.face == box.code or best.chance < SURE:
                shown.corners.setdefault(box.code, []).append(best)
    _, shape = grouped([c for c in corners if c.none < 0.5])
    if shape is not None:
        shown.shapes.append(shape)


def finished(name: str, shown: Shown, whole: bool = True) -> Enrolment:
    """The enrolment of what was shown. Raises VisionError where faces are missing or alike (``whole``); otherwise
    those that are alike are left out."""
    missing = [face for face in FACES if face not in shown.corners]
    if whole and missing:
        raise VisionError(f"{name}: {len(missing)} of 52 faces did not come: {' '.join(missing)}; show them too")
    enrolment = enrol(name, shown.corners, shape_from(shown.shapes), refuse=whole)
    return replace(enrolment, weights=shown.weights)


def take_boxes(recognizer: Recognizer, examples: Iterable[Example]) -> Shown:
    """What pictures show in which the places of indices are labelled."""
    shown = Shown(mark(recognizer.settings.weights))
    for example in examples:
        _take_boxes(shown, recognizer, example.picture, example.truths)
    return shown


def take_pictures(recognizer: Recognizer, pictures: Iterable[tuple[str, Image]]) -> Shown:
    """What pictures by name show: one named after a face shows that face, any other is a sheet."""
    shown = Shown(mark(recognizer.settings.weights))
    for label, picture in pictures:
        face = code_of(label)
        if face:
            take_named(shown, recognizer, picture, face, label)
        else:
            take_sheet(shown, recognizer, picture, label)
    return shown
