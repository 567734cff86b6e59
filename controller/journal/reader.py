"""Reading a journal: any number of readers, each with its own connection, while one process writes."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.journal.chain import MAX_WHOLE, StoredEvent
from controller.journal.ddl import APPLICATION_ID, SCHEMA_VERSION
from controller.journal.errors import JournalCorruptError, JournalFormatError, JournalLocationError, translate
from controller.journal.sealing import Secret

_COLUMNS = "sequence, id, type, time_us, epoch, hash, envelope"
_MAGIC = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True)
class Tip:
    """The last event: its number (0 in an empty journal) and hash (then the genesis hash)."""

    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state that the fold had reached after event ``sequence``: a cache, worth what its signed checkpoint
    says.
    """

    sequence: int
    sha256: str
    state: bytes


class JournalReader:
    """A reader of the journal in the file ``path``. Its methods may be called from any thread.

    Every method raises a JournalError when the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        """Open. Raises JournalLocationError or JournalFormatError when there is no journal of ours at
        ``path``.
        """
        require_file(path)
        self.path = path
        self._read_lock = threading.Lock()
        try:
            self._read_connection = connect_read_only(path)
        except sqlite3.Error as error:
            raise translate(error, path) from error
        try:
            check_format(self._read_connection, path)
            meta = dict(self._read_connection.execute("SELECT key, value FROM meta"))
            self.journal_id: str = meta["journalid"]
            self.site: str = meta["site"]
            self.table: str = meta["table"]
        except sqlite3.Error as error:
            self._read_connection.close()
            raise translate(error, path) from error
        except KeyError as error:
            self._read_connection.close()
            raise JournalCorruptError(f"journal {path}: its meta table lacks {error}; restore a backup") from error
        except JournalFormatError:
            self._read_connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; calling it again does nothing."""
        with self._read_lock:
            self._read_connection.close()

    def head(self) -> int:
        """The sequence of the last event, 0 in an empty journal."""
        return int(self._rows("SELECT COALESCE(MAX(sequence), 0) FROM events")[0][0])

    def read(self, after: int, limit: int) -> tuple[StoredEvent, ...]:
        """At most ``limit`` events that follow event ``after``, in order."""
        sql = f"SELECT {_COLUMNS} FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?"
        return tuple(event_of(row) for row in self._rows(sql, after, limit))

    def events(self, first: int = 1, last: int | None = None, batch: int = 500) -> Iterator[StoredEvent]:
        """The events ``first`` to ``last`` inclusive (default: to the end), read ``batch`` at a time."""
        after = first - 1
        while last is None or after < last:
            limit = batch if last is None else min(batch, last - after)
            events = self.read(after, limit)
            yield from events
            if len(events) < limit:
                return
            after = events[-1].sequence

    def last_of_type(self, event_type: str, through: int | None = None) -> StoredEvent | None:
        """The newest event of a short type (``round.opened``), up to and with event ``through``, or None."""
        sql = f"SELECT {_COLUMNS} FROM events WHERE type = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1"
        rows = self._rows(sql, event_type, MAX_WHOLE if through is None else through)
        return event_of(rows[0]) if rows else None

    def secret(self, sealed: str) -> Secret | None:
        """What opens a seal, or None if this journal never sealed it."""
        rows = self._rows("SELECT sealed, salt, content FROM secrets WHERE sealed = ?", sealed)
        return Secret(*rows[0]) if rows else None

    def snapshots(self) -> tuple[Snapshot, ...]:
        """The kept snapshots, newest first, unchecked (see `checkpoint.trusted_snapshot`)."""
        rows = self._rows("SELECT sequence, sha256, state FROM snapshots ORDER BY sequence DESC")
        return tuple(Snapshot(*row) for row in rows)

    def _rows(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        with self._read_lock:
            try:
                return self._read_connection.execute(sql, parameters).fetchall()
            except sqlite3.Error as error:
                raise translate(error, self.path) from error


def event_of(row: tuple[int, str, str, int, int, str, bytes]) -> StoredEvent:
    """The event a row of the table ``events`` holds."""
    return StoredEvent(*row)


def require_file(path: Path) -> None:
    """Raise a JournalError unless ``path`` is a file that begins as a SQLite database does."""
    if path.is_dir():
        raise JournalLocationError(f"journal {path}: it is a directory; name a file")
    try:
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
    except FileNotFoundError as error:
        raise JournalLocationError(f"journal {path}: there is no such file; check the path") from error
    except OSError as error:
        raise JournalLocationError(f"journal {path}: {error.strerror}; check the path and its permissions") from error
    if start != _MAGIC:
        raise JournalFormatError(f"journal {path}: the file is not a SQLite database; name another file")


def connect_read_only(path: Path) -> sqlite3.Connection:
    """A connection that cannot write. A file without a write-ahead log on a read-only disk is opened as
    unchanging.
    """
    uri = path.absolute().as_uri()
    connection = _connect(uri + "?mode=ro")
    with contextlib.suppress(sqlite3.Error):
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        return connection
    if path.with_name(path.name + "-wal").exists():
        return connection
    connection.close()
    return _connect(uri + "?mode=ro&immutable=1")


def check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Raise JournalFormatError unless the database is a journal of a version that this program knows."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise JournalFormatError(f"journal {path}: a database of another program; name another file")
    if version > SCHEMA_VERSION:
        raise JournalFormatError(
            f"journal {path}: format {version}, this program knows up to {SCHEMA_VERSION}; install a newer tablewatch"
        )


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=5.0)
