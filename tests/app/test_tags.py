"""The tags a running table knows: looked up without waiting, fresh after an enrolment, kept while the file is away."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.waiting import until
from controller.app.deckregister import DeckRegister
from controller.app.deckregister_file import RegisterError
from controller.app.tags import KnownTags
from controller.core.cards import DECK, Card


def uid(number: int, prefix: str = "04") -> str:
    return f"{prefix}{number:06X}"


def now_us() -> int:
    return 1_900_000_000_000_000


def enrol(path: Path, deck: str, prefix: str = "04") -> None:
    with DeckRegister(path, now_us, create=True) as register:
        register.begin(deck)
        for number in range(len(DECK)):
            register.enrol(deck, uid(number, prefix))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    enrol(tmp_path / "decks.sqlite", "RED-1")
    return tmp_path / "decks.sqlite"


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def tags(path: Path, said: list[str]) -> Iterator[KnownTags]:
    with KnownTags(path, said.append) as known:
        yield known


def test_tags_of_the_register_are_cards_at_once(tags: KnownTags) -> None:
    assert [tags.card_of(uid(number)) for number in range(len(DECK))] == list(DECK)
    assert tags.card_of("04FFFFFF") is None


def test_a_deck_enrolled_while_the_table_runs_is_known_soon(tags: KnownTags, path: Path) -> None:
    assert tags.card_of(uid(0, "08")) is None
    enrol(path, "BLUE-1", "08")
    until(lambda: tags.card_of(uid(0, "08")) is Card("AS"), "the new deck is known")


def test_a_retired_deck_is_no_longer_cards(tags: KnownTags, path: Path) -> None:
    with DeckRegister(path, now_us) as register:
        register.retire("RED-1")
    until(lambda: tags.card_of(uid(0)) is None, "the retired deck is no deck any more")


def test_a_locked_file_makes_nobody_wait(tags: KnownTags, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        began_s = time.thread_time()
        assert [tags.card_of(uid(number)) for number in range(len(DECK))] == list(DECK)
        assert tags.card_of("04FFFFFF") is None
        assert time.thread_time() - began_s < 5
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_a_register_that_is_lost_is_told_once_and_what_was_known_stays(
    tags: KnownTags, path: Path, said: list[str]
) -> None:
    path.write_bytes(b"no database at all" * 400)
    until(lambda: said, "the trouble is told")
    assert tags.card_of(uid(0)) is Card("AS")
    assert len(said) == 1
    assert said[0].startswith(f"deck register {path}: ")
    assert said[0].endswith("; the tags known so far stay")


def test_no_register_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RegisterError, match="there is none; `tablewatch decks enrol` makes one"):
        KnownTags(tmp_path / "none.sqlite", print)
