"""The journal's one writer: SQLite in WAL mode, synchronous FULL, one explicit transaction an append."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from controller.clock import now_us
from controller.journal.chain import (
    ChainError,
    EventDraft,
    Origin,
    StoredEvent,
    genesis_hash,
    new_journal_id,
    open_envelope,
    seal,
    valid_name,
)
from controller.journal.ddl import SCHEMA_VERSION, create_statements
from controller.journal.errors import (
    JournalCorruptError,
    JournalError,
    JournalForeignError,
    JournalIoError,
    JournalLocationError,
    one_line,
    translate,
)
from controller.journal.lock import WriterLock
from controller.journal.reader import JournalReader, Snapshot, Tip, check_format, require_file
from controller.journal.sealing import Secret
from controller.journal.signing import Signer, signature_valid, tip_message

TAIL_EVENTS = 1000
"""How many events at the end are checked on open; `verify` checks all of them."""
KEPT_SNAPSHOTS = 4


class Journal(JournalReader):
    """The writer of a journal, which is also a reader of it.

    Appending belongs to one thread; the reading methods may be called from any. After a failed append every
    further one raises the first reason again: what is on the disk is known only after opening the file
    anew.
    """

    def __init__(self, path: Path, lock: WriterLock, connection: sqlite3.Connection, signer: Signer | None) -> None:
        """For `open` alone."""
        super().__init__(path)
        self._lock = lock
        self._connection = connection
        self._signer = signer
        self._failed: JournalError | None = None
        self._writing = True
        self._epoch = 0
        opened = os.stat(path)
        self._file = (opened.st_dev, opened.st_ino)
        self._tip = Tip(0, genesis_hash(self.journal_id))

    @classmethod
    def open(
        cls, path: Path, site: str, table: str, *, signer: Signer | None = None, max_bytes: int | None = None
    ) -> Self:
        """Open the journal of a table, or make it, after checking it: the file, its owner, the chain of its
        tail.

        ``signer`` signs the tip at every commit, so that a tail cut off is found. ``max_bytes`` limits the
        file. Raises a JournalError with one line for a person, ValueError for a site or table that is not
        an id.
        """
        valid_name(site, "site")
        valid_name(table, "table")
        _require_place(path)
        lock = WriterLock(path)
        with contextlib.ExitStack() as undo:
            undo.callback(lock.release)
            try:
                connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
                undo.callback(connection.close)
                _prepare(connection, path, site, table, signer)
                if max_bytes is not None:
                    (page_size,) = connection.execute("PRAGMA page_size").fetchone()
                    connection.execute(f"PRAGMA max_page_count = {max(1, max_bytes // page_size)}")
                journal = cls(path, lock, connection, signer)
                undo.callback(JournalReader.close, journal)
                journal._accept(site, table)
            except sqlite3.Error as error:
                raise translate(error, path) from error
            undo.pop_all()
        return journal

    @property
    def tip(self) -> Tip:
        """The last event that is committed."""
        return self._tip

    @property
    def epoch(self) -> int:
        """The number of this start, 0 before `start`."""
        return self._epoch

    def start(self, at_us: int | None = None) -> int:
        """Count this start of the controller durably; returns the epoch, 1 for a journal's first start. ``at_us`` is
        its time (UTC, default: now), that of the event which puts it into the chain, see `verify`."""
        at_us = now_us() if at_us is None else at_us
        with self._transaction() as connection:
            (last,) = connection.execute("SELECT COALESCE(MAX(epoch), 0) FROM starts").fetchone()
            connection.execute("INSERT INTO starts VALUES (?, ?)", (last + 1, at_us))
        self._epoch = int(last) + 1
        return self._epoch

    def append(
        self,
        drafts: Iterable[EventDraft],
        *,
        secrets: Iterable[Secret] = (),
        snapshot: Snapshot | None = None,
    ) -> tuple[StoredEvent, ...]:
        """Append events in one transaction; when it returns they are on the disk.

        ``secrets`` are what the seals in the drafts hide. Raises ValueError for a draft that breaks a limit
        and a JournalError when the commit failed; then nothing of it was kept. Needs `start` first.
        """
        if not self._epoch:
            raise RuntimeError("Journal.start comes before the first append")
        self._still_there()
        origin = Origin(self.journal_id, self.site, self.table, self._epoch)
        tip, events = self._tip, []
        for draft in drafts:
            event = seal(draft, origin, tip.sequence + 1, tip.hash)
            tip = Tip(event.sequence, event.hash)
            events.append(event)
        rows = [(e.sequence, e.event_id, e.type, e.time_us, e.epoch, e.hash, e.envelope) for e in events]
        with self._transaction() as connection:
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            connection.executemany(
                "INSERT INTO secrets VALUES (?, ?, ?)", [(s.sealed, s.salt, s.content) for s in secrets]
            )
            if snapshot is not None:
                self._keep(connection, snapshot)
            connection.execute(
                "UPDATE tip SET sequence = ?, hash = ?, signature = ?",
                (tip.sequence, tip.hash, self._sign(tip)),
            )
        self._tip = tip
        return tuple(events)

    def _still_there(self) -> None:
        """Raise JournalLocationError when the file that is written is no longer the one at the path."""
        try:
            now = os.stat(self.path)
        except OSError:
            now = None
        if now is None or (now.st_dev, now.st_ino) != self._file:
            raise JournalLocationError(
                f"journal {self.path}: the file was removed or exchanged while it was written; put it back, start again"
            )

    def close(self) -> None:
        """Close the file and free it for another writer; calling it again does nothing."""
        super().close()
        if self._writing:
            self._writing = False
            self._connection.close()
            self._lock.release()

    def _accept(self, site: str, table: str) -> None:
        """Check whose journal this is, and the end of it."""
        if (self.site, self.table) != (site, table):
            raise JournalForeignError(
                f"journal {self.path}: it belongs to table {self.site}/{self.table}, not "
                f"{site}/{table}; name its own file"
            )
        (verdict, *_rest) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise JournalCorruptError(
                f"journal {self.path}: the file is damaged ({one_line(verdict)}); run `tablewatch verify`"
            )
        self._tip = self._checked_tail()
        row = self._connection.execute("SELECT sequence, hash, signature FROM tip").fetchone()
        if row is None or row[:2] != (self._tip.sequence, self._tip.hash):
            reached = "nothing" if row is None else f"event {row[0]}"
            raise JournalCorruptError(
                f"journal {self.path}: it ends at event {self._tip.sequence}, its tip says {reached}; "
                "run `tablewatch verify`"
            )
        if self._signer is None:
            return
        message = tip_message(self.journal_id, self._tip.sequence, self._tip.hash)
        if not signature_valid(self._signer.public_key, row[2], message):
            raise JournalCorruptError(
                f"journal {self.path}: its tip is not signed by this table's key; restore the key or "
                "run `tablewatch verify`"
            )

    def _checked_tail(self) -> Tip:
        head = self.head()
        tip: Tip | None = None if head > TAIL_EVENTS else Tip(0, genesis_hash(self.journal_id))
        for event in self.events(max(1, head - TAIL_EVENTS + 1)):
            try:
                envelope = open_envelope(event.envelope)
            except ChainError as error:
                raise JournalCorruptError(
                    f"journal {self.path}: event {event.sequence}: {error}; run `tablewatch verify`"
                ) from error
            linked = tip is None or (envelope.get("prevhash"), event.sequence) == (tip.hash, tip.sequence + 1)
            if not linked or envelope["hash"] != event.hash or envelope.get("id") != event.event_id:
                raise JournalCorruptError(
                    f"journal {self.path}: event {event.sequence} does not follow the one before; run "
                    "`tablewatch verify`"
                )
            tip = Tip(event.sequence, event.hash)
        if tip is None:
            raise JournalIoError(f"journal {self.path}: its end could not be read; check the disk")
        return tip

    def _sign(self, tip: Tip) -> str:
        return self._signer.sign(tip_message(self.journal_id, tip.sequence, tip.hash)) if self._signer else ""

    @staticmethod
    def _keep(connection: sqlite3.Connection, snapshot: Snapshot) -> None:
        connection.execute(
            "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)",
            (snapshot.sequence, snapshot.sha256, snapshot.state),
        )
        connection.execute(
            "DELETE FROM snapshots WHERE sequence NOT IN (SELECT sequence FROM snapshots ORDER BY "
            "sequence DESC LIMIT ?)",
            (KEPT_SNAPSHOTS,),
        )

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        if self._failed is not None:
            raise self._failed
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield self._connection
            self._connection.execute("COMMIT")
        except BaseException as error:
            # A full disk may already have rolled back; there is nothing more to do about a failing rollback.
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                self._failed = translate(error, self.path)
                raise self._failed from error
            raise


def _require_place(path: Path) -> None:
    """Raise a JournalError unless ``path`` is absent, empty or begins as a SQLite database does."""
    try:
        taken = path.is_dir() or (path.exists() and path.stat().st_size > 0)
    except OSError as error:
        raise JournalLocationError(f"journal {path}: {error.strerror}; check the path and its permissions") from error
    if taken:
        require_file(path)


def _prepare(connection: sqlite3.Connection, path: Path, site: str, table: str, signer: Signer | None) -> None:
    """Set the durability and make the tables of a new file; check the format of an old one before touching
    it.
    """
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables:
        check_format(connection, path)
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise JournalLocationError(f"journal {path}: its file system cannot do a write-ahead log; use a local disk")
    connection.execute("PRAGMA synchronous = FULL")
    if tables:
        return
    journal_id = new_journal_id(now_us() // 1000)
    genesis = genesis_hash(journal_id)
    connection.executescript("BEGIN IMMEDIATE;" + create_statements())
    meta = {
        "journalid": journal_id,
        "site": site,
        "table": table,
        "schema": str(SCHEMA_VERSION),
        "created_us": str(now_us()),
    }
    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    signature = signer.sign(tip_message(journal_id, 0, genesis)) if signer else ""
    connection.execute("INSERT INTO tip VALUES (1, 0, ?, ?)", (genesis, signature))
    connection.execute("COMMIT")
