"""The measurement beside blackjack21: both really play, the profile names our functions."""

from __future__ import annotations

import sys

import pytest

from bench import blackjack21


def test_both_are_measured(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["blackjack21", "--seconds", "0.05", "--profiled", "30"])
    assert blackjack21.main() == 0
    said = capsys.readouterr().out
    assert "ours, validated" in said
    assert "controller/core/records.py" in said


def test_rates_are_of_rounds_played() -> None:
    pace = blackjack21.measure(1, 0.05, 1)
    assert pace.ours > 0
    assert pace.ratio == pace.ours / pace.theirs


def test_without_the_package_it_is_said_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "blackjack21", None)
    monkeypatch.setattr("sys.argv", ["blackjack21"])
    assert blackjack21.main() == 1
    assert "blackjack21 is not installed: pip install 'tablewatch[dev]'" in capsys.readouterr().out
