"""What the tests of training share: art drawn here, so that no package of decks is needed; torch where it is."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from vision.pictures import save
from vision.synth.draw import Print, draw_deck

NAMES = ("drawn", "gnome-berlin")
"""Decks of `art`; the second is one of those whose jacks and queens are none of the 52."""


@pytest.fixture(scope="session")
def names() -> Sequence[str]:
    return NAMES


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A work folder with two decks of art."""
    for name, style in zip(NAMES, (Print(), Print(rank_font="serif", rank_height=0.16)), strict=True):
        folder = tmp_path / "work" / "art" / name
        folder.mkdir(parents=True)
        deck = draw_deck(style)
        for code, face in {**deck.faces, "back": deck.back}.items():
            save(folder / f"{code}.png", face)
    return tmp_path / "work"


@pytest.fixture
def torch() -> None:
    """A test that fits needs the extra `train`, which nothing else does and CI does not install."""
    if find_spec("torch") is None:
        pytest.skip("torch is not installed: pip install 'tablewatch[train]'")
