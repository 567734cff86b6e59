"""What is wrong with the readers of a configuration and with its deck register."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.check import examine
from controller.app.config import load_config
from controller.app.deckregister import DeckRegister
from controller.core.cards import DECK

TABLE = """
[table]
site = "lv1"
id = "bj-012"
ruleset = "armenian"
[journal]
path = "table.journal"
[broker]
urls = ["mqtt://localhost"]
[[staff]]
id = "12"
role = "supervisor"
card = "S1"
[[device]]
name = "console"
kind = "console"
driver = "native"
port = "socket://localhost:4002"
[[device]]
name = "bets"
kind = "bets"
driver = "native"
port = "socket://localhost:4003"
"""
SHOE = '[[device]]\nname = "shoe"\nkind = "shoe"\ndriver = "angel-eye"\nport = "socket://localhost:4001"\n'
DECKS = '[decks]\npath = "decks.sqlite"\n'


def reader(name: str, driver: str, position: str, port: int) -> str:
    return (
        f'[[device]]\nname = "{name}"\nkind = "reader"\ndriver = "{driver}"\nport = "socket://localhost:{port}"\n'
        f'options = {{ position = "{position}" }}\n'
    )


SWIPE = reader("swipe", "barcode", "swipe", 4011)


@pytest.fixture
def register(tmp_path: Path) -> Path:
    path = tmp_path / "decks.sqlite"
    with DeckRegister(path, lambda: 1, create=True) as decks:
        decks.begin("RED-1")
        for number in range(len(DECK)):
            decks.enrol("RED-1", f"04{number:06X}")
    return path


def told(folder: Path, *parts: str) -> tuple[list[str], list[str]]:
    """Problems without the file's name, and warnings without the one every rule set has."""
    path = folder / "TABLE.toml"
    path.write_text(TABLE + "".join(parts))
    checked = examine(path)
    problems = [line.removeprefix(f"{path}: ") for line in checked.problems]
    return problems, [line for line in checked.warnings if not line.startswith("rule set")]


def test_a_table_with_a_swipe_reader_needs_no_shoe(tmp_path: Path) -> None:
    assert told(tmp_path, SWIPE) == (
        [],
        ["device.2: swipe cannot be locked: a held table is told by the console's lamp and text alone"],
    )


@pytest.mark.parametrize(
    ("more", "other"), [(SHOE, "a shoe"), (reader("second", "barcode", "swipe", 4012), "another swipe reader")]
)
def test_two_sources_that_each_card_leaves_would_count_it_twice(tmp_path: Path, more: str, other: str) -> None:
    problems, _ = told(tmp_path, SWIPE, more)
    assert len(problems) == 1
    assert f"each card would be counted twice, by {other} and by " in problems[0]
    assert "set options.position of" in problems[0]


def test_tags_without_a_register_are_no_cards(tmp_path: Path) -> None:
    tagged = reader("box-3", "pn532", "box-3", 4013)
    assert told(tmp_path, SHOE, tagged)[0] == [
        "device.3: box-3 reads tags, and without [decks] no tag is a card; name the deck register in decks.path"
    ]
    assert told(tmp_path, SHOE, reader("box-3", "barcode", "box-3", 4013)) == ([], [])


def test_a_good_register_is_found_beside_the_configuration(tmp_path: Path, register: Path) -> None:
    assert told(tmp_path, SHOE, reader("box-3", "pn532", "box-3", 4013), DECKS) == ([], [])
    config = load_config(tmp_path / "TABLE.toml")
    assert config.decks is not None
    assert config.decks.path == register


def test_a_register_that_is_none_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, SHOE, DECKS)[0] == [
        f"decks.path: deck register {tmp_path / 'decks.sqlite'}: there is none; `tablewatch decks enrol` makes one"
    ]
    (tmp_path / "decks.sqlite").write_bytes(b"hello" * 500)
    assert "the file is not a database" in told(tmp_path, SHOE, DECKS)[0][0]


def test_a_register_without_a_complete_deck_is_a_warning(tmp_path: Path) -> None:
    with DeckRegister(tmp_path / "decks.sqlite", lambda: 1, create=True) as decks:
        decks.begin("RED-1")
    assert told(tmp_path, SHOE, DECKS) == (
        [],
        ["decks.path: decks.sqlite has no complete deck: `tablewatch decks enrol`"],
    )


TWO = '[sources]\nsettle_on = "two_sources"\n'


def test_two_sources_without_a_second_one_are_warned_of(tmp_path: Path) -> None:
    says = (
        "sources.settle_on: two_sources, and no source sees cards lie: every round is settled on one; "
        "add a reader at a place, or [camera]"
    )
    assert told(tmp_path, SHOE, TWO) == ([], [says])
    assert told(tmp_path, SHOE, reader("burn", "barcode", "burn", 4013), TWO) == ([], [says])
    assert told(tmp_path, SHOE, reader("box-3", "barcode", "box-3", 4013), TWO) == ([], [])
    assert told(tmp_path, SHOE) == ([], [])


def test_a_camera_is_a_second_source(tmp_path: Path) -> None:
    camera = '[camera]\nsource = "0"\ncalibration = "layout.json"\n'
    assert [line for line in told(tmp_path, SHOE, TWO, camera)[1] if line.startswith("sources")] == []
