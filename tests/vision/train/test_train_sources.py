"""Art from the registries: what is missing is said before anything is drawn; a deck is drawn whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.errors import VisionError
from vision.faces import FACES
from vision.pictures import save
from vision.synth.draw import draw_deck
from vision.train import sources as registries
from vision.train.art import deck_from, draw_all
from vision.train.decks import HELD_OUT
from vision.train.sources import Source, rasterise, sources


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any art."""
    monkeypatch.setattr(registries, "GNOME", tmp_path / "gnome")
    monkeypatch.setattr(registries, "KDE", tmp_path / "kde")
    return tmp_path


def test_a_machine_without_art_is_told_every_command_in_one_line(bare: Path) -> None:
    with pytest.raises(VisionError) as told:
        draw_all(sources(bare / "node_modules"), bare / "art", lambda _: pytest.fail("nothing may be drawn"))
    said = str(told.value)
    assert f"{bare / 'gnome' / 'anglo.svgz'} is missing" in said
    assert said.count("apt-get install gnome-cards-data") == 1
    assert said.count("apt-get install kdegames-card-data-kf5") == 1
    assert "npm install --ignore-scripts @heruka_urgyen/react-playing-cards@0.5.0" in said
    assert "npm install --ignore-scripts @younestouati/playing-cards-standard-deck@3.0.0" in said
    assert "\n" not in said


def test_what_is_drawn_already_needs_no_package(bare: Path) -> None:
    for source in sources(bare):
        (bare / "art" / source.name).mkdir(parents=True)
        (bare / "art" / source.name / "AS.png").touch()
    names = draw_all(sources(bare), bare / "art", lambda _: pytest.fail("nothing is to be drawn"))
    assert set(HELD_OUT) < set(names)


def test_a_deck_stopped_in_the_middle_is_drawn_again(tmp_path: Path) -> None:
    deck, drawn = draw_deck(), list[str]()

    def draw(folder: Path) -> None:
        for face in FACES:
            if face == "7H" and not drawn:
                drawn.append(face)
                raise KeyboardInterrupt
            save(folder / f"{face}.png", deck.faces[face])

    source = Source("mine", draw, (), "")
    with pytest.raises(KeyboardInterrupt):
        draw_all([source], tmp_path, lambda _: None)
    assert list(tmp_path.iterdir()) == []
    assert draw_all([source], tmp_path, lambda _: None) == ["mine"]
    assert len(deck_from(tmp_path, "mine").faces) == 52


def test_no_svg_and_no_librsvg_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.svg").write_text("no drawing\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(VisionError, match="apt-get install librsvg2-bin"):
        rasterise(tmp_path / "a.svg", tmp_path / "a.png")
