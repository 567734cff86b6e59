"""What the vision tests share: one recognizer, one drawn deck, and the photographs where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.recognizer import Recognizer, Settings
from vision.synth.deck import Deck
from vision.synth.draw import draw_deck

PHOTOGRAPHS = Path(__file__).resolve().parents[3] / "shared" / "photos"


@pytest.fixture(scope="session")
def deck() -> Deck:
    return draw_deck()


@pytest.fixture(scope="session")
def recognizer() -> Recognizer:
    return Recognizer(Settings(card_width_px=110))


@pytest.fixture
def photographs() -> Path:
    if not PHOTOGRAPHS.is_dir():
        pytest.skip(f"the photographs are not at {PHOTOGRAPHS}")
    return PHOTOGRAPHS
