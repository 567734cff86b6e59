"""What is no card is not read as one; the same drawing with a known rank is."""

from __future__ import annotations

import pytest

from bench import negatives
from bench.negatives import CARD_PX, letters, things
from vision.recognizer import Recognizer, Settings


@pytest.fixture(scope="module")
def recognizer() -> Recognizer:
    return Recognizer(Settings(card_width_px=CARD_PX))


def test_foreign_letters_are_no_cards_where_known_ranks_are_read(recognizer: Recognizer) -> None:
    foreign = letters(recognizer, ("B", "Д"), ("sans",), 1, title="foreign")
    known = letters(recognizer, ("A", "7"), ("sans",), 1, title="known")
    assert (foreign.shown, foreign.wrong) == (16, 0)
    assert known.shown == 16
    assert known.wrong >= 14


def test_chips_sleeves_and_print_are_no_cards(recognizer: Recognizer) -> None:
    assert things(recognizer, 4, 1).wrong == 0


def test_a_font_that_is_no_file_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["negatives", "--fonts", "sans", "none.ttf"])
    with pytest.raises(SystemExit):
        negatives.main()
    assert "no font file: none.ttf; name a file" in capsys.readouterr().err
