"""Voting over frames: locking, contradiction, motion, cards that go; and the composition check."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.compose import checked, full_shoe
from vision.readings import Kind, Reading, Reason, Sighting
from vision.track import Tracker

STILL = np.full((180, 320, 3), 60, np.uint8)
QUAD = ((50.0, 50.0), (110.0, 50.0), (110.0, 134.0), (50.0, 134.0))
KING = Reading(Kind.CARD, QUAD, "KH", 990, width_px=60)
UNSURE = Reading(Kind.UNKNOWN, QUAD, reasons=(Reason.UNSURE,), guess="KH", width_px=60)


def look(tracker: Tracker, time_ms: int, *readings: Reading, picture: np.ndarray = STILL) -> tuple[Reading, ...]:
    return tracker.update(picture, Sighting(readings, 320, 180, time_ms)).readings


def test_five_looks_over_300_ms_lock_a_card() -> None:
    tracker = Tracker()
    answers = [look(tracker, time_ms, KING)[0] for time_ms in range(0, 481, 80)]
    assert [answer.kind for answer in answers] == [Kind.UNKNOWN] * 4 + [Kind.CARD] * 3
    assert answers[0].reasons == (Reason.SETTLING,)
    assert answers[-1].face == "KH"


def test_many_looks_in_a_short_time_are_not_enough() -> None:
    tracker = Tracker()
    answers = [look(tracker, time_ms, KING)[0].kind for time_ms in range(0, 290, 20)]
    assert set(answers) == {Kind.UNKNOWN}


def test_a_contradiction_starts_again() -> None:
    tracker = Tracker()
    for time_ms in (0, 80, 160):
        look(tracker, time_ms, KING)
    (answer,) = look(tracker, 240, replace(KING, face="KD"))
    assert answer.reasons == (Reason.DISAGREEMENT,)
    for time_ms in (320, 400, 480):
        assert look(tracker, time_ms, KING)[0].kind is Kind.UNKNOWN


def test_abstaining_looks_do_not_vote_but_too_many_hinder() -> None:
    tracker = Tracker()
    times = range(0, 2000, 80)
    mostly = [look(tracker, t, KING if n % 3 else UNSURE)[0].kind for n, t in enumerate(times)]
    assert mostly[-1] is Kind.CARD
    tracker = Tracker()
    rarely = [look(tracker, t, UNSURE if n % 3 else KING)[0].kind for n, t in enumerate(times)]
    assert set(rarely) == {Kind.UNKNOWN}


LEANING = replace(UNSURE, confidence_permille=870)


def test_looks_that_lean_to_the_face_of_the_best_agree_with_it() -> None:
    tracker = Tracker()
    answers = [look(tracker, t, KING if t == 240 else LEANING)[0] for t in range(0, 720, 80)]
    assert [answer.kind for answer in answers] == [Kind.UNKNOWN] * 4 + [Kind.CARD] * 5
    assert (answers[-1].face, answers[-1].confidence_permille) == ("KH", 990)


def test_leaning_alone_settles_nothing_and_leaning_elsewhere_hinders() -> None:
    tracker = Tracker()
    assert {look(tracker, t, LEANING)[0].kind for t in range(0, 1500, 80)} == {Kind.UNKNOWN}
    elsewhere, covered = replace(LEANING, guess="KD"), replace(LEANING, reasons=(Reason.COVERED,))
    for other in (elsewhere, covered):
        tracker = Tracker()
        looks = [(KING, LEANING, other, other, other)[n % 5] for n in range(25)]
        assert {look(tracker, 80 * n, seen)[0].kind for n, seen in enumerate(looks)} == {Kind.UNKNOWN}


def test_a_locked_card_changes_only_after_motion() -> None:
    tracker = Tracker()
    for time_ms in range(0, 500, 80):
        look(tracker, time_ms, KING)
    other = replace(KING, face="KD")
    for time_ms in range(500, 1000, 80):
        assert look(tracker, time_ms, other)[0].face == "KH"
    hand = STILL.copy()
    hand[40:140, 40:120] = 200
    (moving,) = look(tracker, 1080, other, picture=hand)
    assert moving.reasons == (Reason.MOVING,)
    look(tracker, 1160, other, picture=STILL)
    settled = [look(tracker, t, other)[0] for t in range(1240, 1700, 80)]
    assert settled[-1].face == "KD"


def test_a_card_taken_away_is_forgotten() -> None:
    tracker = Tracker()
    for time_ms in range(0, 500, 80):
        look(tracker, time_ms, KING)
    assert len(look(tracker, 560)) == 1
    assert look(tracker, 1200) == ()


@pytest.mark.parametrize("kind", [Kind.FACE_DOWN, Kind.CUT_CARD])
def test_backs_and_cut_cards_lock_too(kind: Kind) -> None:
    tracker = Tracker()
    back = Reading(kind, QUAD, confidence_permille=900, width_px=60)
    answers = [look(tracker, time_ms, back)[0] for time_ms in range(0, 481, 80)]
    assert answers[-1].kind is kind
    assert answers[-1].face == ""


def test_what_the_shoe_cannot_hold_is_not_accepted() -> None:
    weaker = replace(KING, confidence_permille=950)
    kings = (KING, weaker, replace(KING, confidence_permille=999))
    left = checked(kings, full_shoe(2))
    assert [reading.kind for reading in left] == [Kind.CARD, Kind.UNKNOWN, Kind.CARD]
    assert left[1].reasons == (Reason.NOT_IN_SHOE,)
    assert left[1].guess == "KH"
    assert checked(kings, full_shoe(3)) == kings
    assert [reading.kind for reading in checked((KING,), {})] == [Kind.UNKNOWN]
