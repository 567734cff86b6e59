"""The deck register: enrolment card by card, refusals, replacement, what a tag is, files that are none."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.app.deckregister import DeckRegister
from controller.app.deckregister_file import RegisterError
from controller.core.cards import DECK, Card


def uid(number: int, prefix: str = "04") -> str:
    return f"{prefix}{number:06X}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "decks.sqlite"


def now_us() -> int:
    return 1_900_000_000_000_000


@pytest.fixture
def register(path: Path) -> Iterator[DeckRegister]:
    with DeckRegister(path, now_us, create=True) as made:
        yield made


def enrol(register: DeckRegister, deck: str, prefix: str = "04", count: int = 52) -> None:
    register.begin(deck)
    for number in range(count):
        register.enrol(deck, uid(number, prefix))


def test_a_deck_is_enrolled_in_order_and_then_its_tags_are_cards(register: DeckRegister) -> None:
    assert register.begin("RED-1") is Card("AS")
    for number, card in enumerate(DECK):
        enrolled = register.enrol("RED-1", uid(number))
        assert (enrolled.card, enrolled.number) == (card, number + 1)
        assert enrolled.following is (DECK[number + 1] if number < 51 else None)
        assert register.face_of(uid(number)) is (None if number < 51 else card)
    assert [register.face_of(uid(number)) for number in range(52)] == list(DECK)
    (status,) = register.decks()
    assert (status.cards, status.replaced, status.complete_us, status.playable) == (52, 0, now_us(), True)
    assert register.begin("RED-1") is None
    with pytest.raises(RegisterError, match="deck RED-1 is complete"):
        register.enrol("RED-1", uid(99))


def test_enrolment_goes_on_where_it_stopped(register: DeckRegister, path: Path) -> None:
    enrol(register, "RED-1", count=20)
    register.close()
    with DeckRegister(path, now_us) as again:
        assert again.begin("RED-1") is DECK[20]
        assert again.face_of(uid(3)) is None
        assert again.decks()[0].cards == 20


def test_a_tag_is_refused_that_is_known_from_another_deck_or_from_this_one(register: DeckRegister) -> None:
    enrol(register, "RED-1")
    register.begin("BLUE-1")
    with pytest.raises(RegisterError, match="tag 04000002 is the 3♠ of deck RED-1: take another card"):
        register.enrol("BLUE-1", uid(2))
    register.enrol("BLUE-1", uid(0, "08"))
    with pytest.raises(RegisterError, match="tag 08000000 is the A♠ of deck BLUE-1"):
        register.enrol("BLUE-1", uid(0, "08"))
    assert register.begin("BLUE-1") is DECK[1]


def test_a_replaced_card_is_never_a_card_again(register: DeckRegister) -> None:
    enrol(register, "RED-1")
    old = register.replace("RED-1", Card("KD"), uid(100))
    assert (old.uid, old.card, old.replaced_us) == (uid(38), Card("KD"), now_us())
    assert register.face_of(uid(38)) is None
    assert register.face_of(uid(100)) is Card("KD")
    assert (register.decks()[0].cards, register.decks()[0].replaced) == (52, 1)
    with pytest.raises(RegisterError, match="was the K♦ of deck RED-1"):
        register.replace("RED-1", Card("2S"), uid(38))
    assert register.face_of(uid(1)) is Card("2S")
    kings = [entry.uid for entry in register.entries("RED-1") if entry.card is Card("KD")]
    assert kings == [uid(38), uid(100)]


def test_a_retired_deck_is_not_played_and_its_tags_stay_taken(register: DeckRegister) -> None:
    enrol(register, "RED-1")
    register.retire("RED-1")
    assert register.face_of(uid(0)) is None
    assert not register.decks()[0].playable
    with pytest.raises(RegisterError, match="retired already"):
        register.retire("RED-1")
    with pytest.raises(RegisterError, match="retired; enrol the cards under a new code"):
        register.begin("RED-1")
    register.begin("RED-2")
    with pytest.raises(RegisterError, match="of deck RED-1"):
        register.enrol("RED-2", uid(0))


def test_what_is_not_there_is_named(register: DeckRegister) -> None:
    enrol(register, "RED-1", count=3)
    for ask in (register.retire, register.entries):
        with pytest.raises(RegisterError, match="deck X is unknown; known are: RED-1"):
            ask("X")
    with pytest.raises(RegisterError, match="K♦ was never enrolled"):
        register.replace("RED-1", Card("KD"), uid(9))
    with pytest.raises(RegisterError, match="deck 'a b'"):
        register.begin("a b")
    for bad in ("", "04", "04a1b2c3", "04A1B2C"):
        with pytest.raises(RegisterError, match="is no tag"):
            register.enrol("RED-1", bad)


def test_all_entries_are_in_order_of_deck_and_card(register: DeckRegister) -> None:
    enrol(register, "RED-1", "08", 2)
    enrol(register, "BLUE-1", "04", 2)
    assert [(entry.deck, entry.card.text) for entry in register.entries()] == [
        ("BLUE-1", "AS"),
        ("BLUE-1", "2S"),
        ("RED-1", "AS"),
        ("RED-1", "2S"),
    ]


def test_two_processes_share_a_register(register: DeckRegister, path: Path) -> None:
    with DeckRegister(path, now_us) as other:
        enrol(register, "RED-1")
        assert other.face_of(uid(0)) is Card("AS")
        other.replace("RED-1", Card("AS"), uid(70))
    assert register.face_of(uid(70)) is Card("AS")


def test_files_that_are_no_register_are_named(tmp_path: Path) -> None:
    other, text, newer = tmp_path / "other.sqlite", tmp_path / "text", tmp_path / "newer.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE t (a)")
    database.close()
    text.write_text("not a database at all, but long enough to be looked at as one by SQLite " * 20)
    DeckRegister(newer, now_us, create=True).close()
    with sqlite3.connect(newer) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    for path, reason in (
        (tmp_path / "none.sqlite", "there is none"),
        (tmp_path, "it is a directory"),
        (other, "another kind of database"),
        (text, "not a database"),
        (newer, "a newer tablewatch made it"),
    ):
        with pytest.raises(RegisterError, match=reason) as caught:
            DeckRegister(path, now_us)
        assert str(path) in str(caught.value)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RegisterError, match="cannot be opened"):
        DeckRegister(tmp_path / "none" / "decks.sqlite", now_us, create=True)


def test_a_register_that_another_program_holds_is_named(
    register: DeckRegister, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.app.deckregister_file.BUSY_TIMEOUT_S", 0.05)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(RegisterError, match="another program holds it locked"):
            DeckRegister(path, now_us)
    finally:
        holder.close()
