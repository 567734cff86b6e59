"""What can go wrong with a journal: one exception type a decision of the caller, each with one line for a
person.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path


class JournalError(Exception):
    """The journal cannot be used. The text is one line: what, where, what to do."""


class JournalBusyError(JournalError):
    """Another process writes this journal."""


class JournalLocationError(JournalError):
    """The path cannot hold a journal: a directory, a missing folder, no permission."""


class JournalReadOnlyError(JournalError):
    """The file or its file system cannot be written."""


class JournalFullError(JournalError):
    """No space is left on the disk, or the size limit is reached. Nothing of the refused transaction was
    kept.
    """


class JournalIoError(JournalError):
    """The disk failed while reading or writing."""


class JournalForeignError(JournalError):
    """A journal, but of another site or table."""


class JournalFormatError(JournalError):
    """Not a journal at all, or of a newer version of the program."""


class JournalCorruptError(JournalError):
    """The file is damaged, or its chain is broken, or its tail was cut off."""


class KeyFileError(JournalError):
    """The signing key cannot be read, made or trusted."""


def one_line(text: object) -> str:
    """``text`` as one line: SQLite's findings have several."""
    return " ".join(str(text).split())


def translate(error: sqlite3.Error, path: Path) -> JournalError:
    """The JournalError that stands for an error of SQLite on ``path``."""
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith("SQLITE_FULL"):
        return JournalFullError(f"journal {path}: the disk or the size limit is full; free space and start again")
    if name.startswith("SQLITE_READONLY"):
        return JournalReadOnlyError(f"journal {path}: it is read-only; make the file and its folder writable")
    if name.startswith("SQLITE_IOERR"):
        return JournalIoError(f"journal {path}: reading or writing failed ({name}); check the disk and start again")
    if name.startswith("SQLITE_CANTOPEN"):
        return JournalLocationError(f"journal {path}: it cannot be opened; check the path and its permissions")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return JournalBusyError(f"journal {path}: another program holds it locked; stop that program")
    if name.startswith("SQLITE_NOTADB"):
        return JournalFormatError(f"journal {path}: the file is not a SQLite database; name another file")
    if name.startswith("SQLITE_CORRUPT"):
        return JournalCorruptError(f"journal {path}: the file is damaged ({one_line(error)}); run `tablewatch verify`")
    return JournalCorruptError(f"journal {path}: {one_line(error)}; run `tablewatch verify`")
