"""The SQLite file of the deck register: its tables, how it is opened, and what its errors mean."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

APPLICATION_ID: Final = 0x54574452
"""``TWDR`` in the header of the file."""
VERSION: Final = 1
BUSY_TIMEOUT_S: Final = 5.0

TABLES: Final = """
CREATE TABLE deck (
    code TEXT PRIMARY KEY,
    began_us INTEGER NOT NULL,
    complete_us INTEGER,
    retired_us INTEGER
) STRICT;
CREATE TABLE card (
    uid TEXT PRIMARY KEY,
    deck TEXT NOT NULL REFERENCES deck (code),
    face TEXT NOT NULL,
    read_us INTEGER NOT NULL,
    replaced_us INTEGER
) STRICT;
CREATE UNIQUE INDEX one_card_a_face ON card (deck, face) WHERE replaced_us IS NULL;
"""


class RegisterError(Exception):
    """The deck register cannot do this. The text is one line: what, where, what to do."""


def open_file(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open the register, or make it where there is none. Raises RegisterError."""
    if not create and not path.exists():
        raise RegisterError(f"deck register {path}: there is none; `tablewatch decks enrol` makes one")
    if path.is_dir():
        raise RegisterError(f"deck register {path}: it is a directory; name a file")
    with errors_named(path):
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


@contextlib.contextmanager
def errors_named(path: Path) -> Iterator[None]:
    """Errors of SQLite, and values in it that nothing of ours wrote, become a RegisterError."""
    try:
        yield
    except ValueError as error:
        # a damaged file: faces that are no card, and texts or messages that are not UTF-8
        raise RegisterError(f"deck register {path}: {_meaning('SQLITE_CORRUPT')}") from error
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "") or type(error).__name__
        raise RegisterError(f"deck register {path}: {_meaning(name)} ({name})") from error


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    application, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    )
    is_blank = not application and not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if not is_blank and application != APPLICATION_ID:
        raise RegisterError(f"deck register {path}: this is another kind of database; name another file")
    if version > VERSION:
        raise RegisterError(f"deck register {path}: a newer tablewatch made it (version {version}); update this one")
    # Faces and tags stand in an index, too: so a byte that was changed in one of both places is noticed.
    if not is_blank and connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
        raise RegisterError(f"deck register {path}: {_meaning('SQLITE_CORRUPT')}")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    if is_blank:
        connection.execute("BEGIN IMMEDIATE")
        for statement in TABLES.split(";")[:-1]:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")


def _meaning(name: str) -> str:
    for prefix, meaning in (
        ("SQLITE_FULL", "the disk is full; free space"),
        ("SQLITE_READONLY", "it is read-only; make the file and its folder writable"),
        ("SQLITE_CANTOPEN", "it cannot be opened; check the path and its permissions"),
        ("SQLITE_BUSY", "another program holds it locked; stop that program"),
        ("SQLITE_NOTADB", "the file is not a database; name another file"),
        ("SQLITE_CORRUPT", "the file is damaged; restore it from a copy or enrol the decks anew"),
    ):
        if name.startswith(prefix):
            return meaning
    return "reading or writing failed; check the disk"
