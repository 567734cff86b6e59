"""Measuring: what counts as what, bugs planted in the recognizer that the figures must show, sets and reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import VisionError
from vision.evaluate import BUGS, NO_LIMITS, measure
from vision.named import named_set
from vision.readings import Kind, Reading, Reason, Sighting
from vision.recognizer import Recognizer, Settings
from vision.report import write_report
from vision.score import Score, Truth, mark
from vision.sets import Example
from vision.synth.deck import Deck


def at(x: float, face: str = "", kind: Kind = Kind.CARD, guess: str = "") -> Reading:
    quad = ((x - 5, 0.0), (x + 5, 0.0), (x + 5, 14.0), (x - 5, 14.0))
    return Reading(kind, quad, face, 990, (Reason.UNSURE,) if kind is Kind.UNKNOWN else (), guess=guess)


def truth(x: float, code: str, readable: bool = True) -> Truth:
    return Truth(code, ((x, 7.0),), 5.0, 10.0, readable)


def scored(truths: list[Truth], *readings: Reading) -> Score:
    score = Score()
    mark(score, "p", truths, Sighting(readings, 100, 20))
    return score


def test_exact_misread_abstained_and_phantom_are_told_apart() -> None:
    truths = [truth(10, "KH"), truth(30, "6S"), truth(50, "AC"), truth(70, "2D")]
    score = scored(truths, at(11, "KH"), at(30, "9S"), at(50, kind=Kind.UNKNOWN), at(90, "JJ"))
    assert (score.exact, score.misread, score.abstained, score.phantom) == (1, 1, 2, 1)
    assert (score.readable, score.accepted, score.silent) == (4, 3, 2)
    assert score.weak() == {"6/9": 1}


def test_unreadable_cards_count_only_when_misread() -> None:
    hidden = [truth(10, "KH", readable=False), truth(30, "KD", readable=False), truth(50, "KS", readable=False)]
    score = scored(hidden, at(10, "KH"), at(30, "QD"))
    assert (score.readable, score.exact, score.misread, score.abstained) == (0, 0, 1, 0)


def test_a_card_read_on_a_back_is_a_misread_and_backs_are_counted() -> None:
    score = scored([truth(10, "face_down"), truth(30, "face_down")], at(10, "KH"), at(30, kind=Kind.FACE_DOWN))
    assert (score.misread, score.backs, score.backs_found, score.blanks) == (1, 2, 1, 2)


def test_the_number_of_cards_is_judged() -> None:
    assert scored([truth(10, "KH")], at(10, "KH")).count_errors == 0
    assert scored([truth(10, "KH")], at(10, "KH"), at(60, kind=Kind.UNKNOWN)).count_errors == 1
    assert scored([truth(10, "KH")]).count_errors == 1


def test_the_bound_is_three_over_n_without_an_error() -> None:
    score = Score(accepted=3000)
    assert score.bound_permille() == pytest.approx(1.0)
    assert Score().bound_permille() == 1000
    assert Score(accepted=1000, misread=10).bound_permille() > 10


def examples(name: str) -> Iterator[Example]:
    return named_set(name, lambda _: pytest.fail("no art")).examples


@pytest.fixture(scope="module")
def clean(recognizer: Recognizer) -> Score:
    return measure(examples("rendered:scenes=2,seed=4"), recognizer.read).score


def test_nothing_planted_is_clean(clean: Score) -> None:
    assert clean.silent == 0
    assert clean.exact >= 0.95 * clean.readable


def test_a_table_at_rest_settles(recognizer: Recognizer) -> None:
    one = measure(examples("rendered:scenes=1,seed=4,frames=4"), recognizer.read).score
    assert one.exact == 0
    many = measure(examples("rendered:scenes=1,seed=4,frames=7"), recognizer.read).score
    assert many.silent == 0
    assert many.exact >= 0.9 * many.readable


@pytest.mark.parametrize("bug", ["labels", "suits"])
def test_a_planted_bug_ruins_the_figures(bug: str, recognizer: Recognizer, clean: Score) -> None:
    score = measure(examples("rendered:scenes=2,seed=4"), recognizer.read, bug).score
    assert score.exact == 0
    assert score.silent >= 0.95 * clean.accepted


def test_a_threshold_of_zero_ruins_the_figures() -> None:
    name = "rendered:fans,hard,85,scenes=4,seed=4"
    strict, open_to_all = Settings(card_width_px=85), Settings(card_width_px=85, limits=NO_LIMITS)
    before = measure(examples(name), Recognizer(strict).read).score
    after = measure(examples(name), Recognizer(open_to_all).read, "threshold").score
    assert after.silent >= before.silent + 5
    assert after.abstained < before.abstained


def test_an_unknown_bug_and_unknown_words_are_refused(recognizer: Recognizer) -> None:
    with pytest.raises(VisionError, match=", ".join(BUGS)):
        measure(examples("rendered:scenes=1"), recognizer.read, "gremlin")
    for wrong in ("rendered:soft", "rendered:scenes=0", "rendered:3000", "rendered:scenes=99999", "rendered:seed=x"):
        with pytest.raises(VisionError, match="is not known"):
            examples(wrong)
    with pytest.raises(VisionError, match="no such folder"):
        examples("nowhere")


def write_set(folder: Path, labels: object) -> None:
    cv2.imwrite(str(folder / "a.png"), np.full((400, 600, 3), 70, np.uint8))
    (folder / "labels.json").write_text(labels if isinstance(labels, str) else json.dumps(labels))


CORNERS = [[100, 100], [200, 100], [200, 240], [100, 240]]


def test_a_folder_of_pictures_is_measured_and_reported(tmp_path: Path, recognizer: Recognizer) -> None:
    write_set(tmp_path, {"a.png": [{"card": "KH", "corners": CORNERS}]})
    measured = measure(examples(str(tmp_path)), recognizer.read)
    assert (measured.score.readable, measured.score.abstained) == (1, 1)
    pictures = {("<set>", mistake): picture for mistake, picture in measured.pictures.items()}
    write_report(tmp_path / "r.html", {"<set>": measured.score}, pictures)
    text = (tmp_path / "r.html").read_text()
    assert "&lt;set&gt;" in text
    assert text.count("data:image/jpeg;base64,") == 1
    assert "abstained: KH → nothing" in text


@pytest.mark.parametrize(
    "labels",
    [
        "{",
        "[]",
        "{}",
        {"a.png": [{"card": "KH"}]},
        {"a.png": 5},
        {"b.png": []},
        {"a.png": [{"card": "KH", "corners": 1}]},
    ],
)
def test_labels_that_cannot_be_used_are_one_line(labels: object, tmp_path: Path, recognizer: Recognizer) -> None:
    write_set(tmp_path, labels)
    with pytest.raises(VisionError, match=str(tmp_path)):
        measure(examples(str(tmp_path)), recognizer.read)


def test_a_deck_of_art_is_asked_for_by_name(deck: Deck) -> None:
    asked: list[str] = []

    def decks(name: str) -> Deck:
        asked.append(name)
        return deck

    found = named_set("rendered:deck=kde-standard,90,scenes=1", decks)
    assert (found.card_width_px, found.enrolled, asked) == (90, None, ["kde-standard"])
    assert len(list(found.examples)) == 1


def test_a_rendered_deck_is_enrolled_before() -> None:
    found = named_set("rendered:enrolled,scenes=1,seed=4", lambda _: pytest.fail("no art"))
    assert found.enrolled is not None
    assert found.enrolled.missing == ()
    score = measure(found.examples, Recognizer(Settings(card_width_px=110, deck=found.enrolled)).read).score
    assert score.silent == 0
    assert score.exact >= 0.95 * score.readable


def test_scores_add_up() -> None:
    both = scored([truth(10, "KH"), truth(80, "7C")], at(10, "KH"))
    before = both.exact
    both.add(scored([truth(10, "KH")], at(10, "KD")))
    assert (before, both.exact, both.abstained, both.misread, both.pictures) == (1, 1, 1, 1, 2)
    assert both.confused["KH", "KD"] == 1
    assert [mistake.kind for mistake in both.mistakes] == ["abstained", "misread"]
