"""Journals in a temporary folder for the journal's tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.journal.chain import EventDraft
from controller.journal.checkpoint import write_checkpoint
from controller.journal.signing import Signer, load_or_make_key
from controller.journal.store import Journal

TIME_US = 1_767_268_800_123_456


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table one.journal"


@pytest.fixture
def signer(tmp_path: Path) -> Signer:
    return load_or_make_key(tmp_path / "journal.key")


@pytest.fixture
def draft() -> Callable[[int], EventDraft]:
    def make(number: int) -> EventDraft:
        return EventDraft("card.dealt", {"box": number, "card": "7D"}, TIME_US + number, correlation="round-1")

    return make


@pytest.fixture
def journal(path: Path, signer: Signer) -> Iterator[Journal]:
    with Journal.open(path, "lv1", "bj-012", signer=signer) as opened:
        opened.start()
        yield opened


@pytest.fixture
def closed(path: Path, signer: Signer, draft: Callable[[int], EventDraft]) -> Path:
    """A closed journal of 12 events: 5, a checkpoint (6), 5 more (7..11), a checkpoint (12)."""
    with Journal.open(path, "lv1", "bj-012", signer=signer) as opened:
        opened.start()
        for first in (1, 6):
            for number in range(first, first + 5):
                opened.append([draft(number)])
            write_checkpoint(opened, signer, b'{"round":%d}' % first, TIME_US + first + 5)
    return path


@pytest.fixture
def tamper(closed: Path) -> Callable[[str], None]:
    """Run SQL on the closed journal as somebody who holds the file would: triggers dropped first."""

    def run(script: str) -> None:
        connection = sqlite3.connect(closed, isolation_level=None)
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")]
        for name in names:
            connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(script)
        connection.close()

    return run
