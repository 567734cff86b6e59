"""An archive of many tables' events, independent of any journal: it believes hashes, not senders."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controller.bus.topics import Topics
from controller.bus.wire import BadJsonError, from_json, to_json

MAX_EVENT_BYTES = 256 * 1024
MAX_EVENT_DEPTH = 34

_TABLES = """
CREATE TABLE IF NOT EXISTS events (
    journalid TEXT NOT NULL, sequence INTEGER NOT NULL, hash TEXT NOT NULL, envelope BLOB NOT NULL,
    PRIMARY KEY (journalid, sequence)
) STRICT;
CREATE TABLE IF NOT EXISTS journals (
    journalid TEXT PRIMARY KEY, site TEXT NOT NULL, name TEXT NOT NULL,
    contiguous INTEGER NOT NULL, hash TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS findings (
    journalid TEXT NOT NULL, sequence INTEGER NOT NULL, what TEXT NOT NULL, time_us INTEGER NOT NULL,
    UNIQUE (journalid, sequence, what)
) STRICT;
"""


class BadEventError(ValueError):
    """A payload that is not an event, or not the one its hash names. The text says why."""


@dataclass(frozen=True, slots=True)
class ArchivedEvent:
    """An event whose hash is its own. ``envelope`` are the bytes that came."""

    journal_id: str
    sequence: int
    hash: str
    prevhash: str
    envelope: bytes


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a journal is archived: everything up to ``contiguous`` is stored and chained; ``next_stored``
    is the
    lowest event beyond a gap, None when there is none.
    """

    topics: Topics
    journal_id: str
    contiguous: int
    next_stored: int | None


@dataclass(frozen=True, slots=True)
class HistoryFinding:
    """Something that contradicts what is archived."""

    journal_id: str
    sequence: int
    what: str


def genesis_of(journal_id: str) -> str:
    """The ``prevhash`` of a journal's first event (docs/journal.md)."""
    return hashlib.sha256(f"tablewatch-journal-1\n{journal_id}".encode()).hexdigest()


def read_event(topics: Topics, payload: bytes) -> ArchivedEvent:
    """The event in a payload of a table's ``evt``. Raises BadEventError unless it is whole, canonical and
    that table's.
    """
    try:
        value = from_json(payload, MAX_EVENT_BYTES, MAX_EVENT_DEPTH)
    except BadJsonError as error:
        raise BadEventError(str(error)) from error
    if to_json(value) != payload:
        raise BadEventError("not canonical JSON")
    digest = value.pop("hash", None)
    if digest != hashlib.sha256(to_json(value)).hexdigest():
        raise BadEventError("the hash is not that of the content")
    if value.get("source") != f"/site/{topics.site}/table/{topics.table}":
        raise BadEventError(f"source {str(value.get('source'))[:80]!r} on the topic of {topics.base}")
    journal_id, text, prevhash = value.get("journalid"), value.get("sequence"), value.get("prevhash")
    if not isinstance(journal_id, str) or not isinstance(prevhash, str) or not 1 <= len(journal_id) <= 64:
        raise BadEventError("journalid or prevhash is missing")
    if not isinstance(text, str) or len(text) != 16 or not (text.isascii() and text.isdigit()) or not int(text):
        raise BadEventError("sequence is not 16 digits")
    return ArchivedEvent(journal_id, int(text), str(digest), prevhash, payload)


class History:
    """The archive's SQLite file. Belongs to one thread; others open their own."""

    def __init__(self, path: Path) -> None:
        """Open or make it. Raises sqlite3.Error when that fails."""
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
        try:
            self._connection.execute("PRAGMA journal_mode = WAL").fetchone()
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.executescript(_TABLES)
        except sqlite3.Error:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def add(self, topics: Topics, events: Iterable[ArchivedEvent]) -> None:
        """Store a table's events, in any order and more than once, in one transaction that is on the disk
        at the end.

        What contradicts the chain becomes a finding and is not kept. Raises sqlite3.Error; then nothing was
        stored.
        """
        touched: set[str] = set()
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for event in events:
                self._store(topics, event)
                touched.add(event.journal_id)
            for journal_id in touched:
                self._chain(journal_id)
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def note(self, finding: HistoryFinding) -> None:
        """Keep a finding; the same one again is counted once."""
        self._connection.execute(
            "INSERT OR IGNORE INTO findings VALUES (?, ?, ?, ?)",
            (finding.journal_id, finding.sequence, finding.what, time.time_ns() // 1000),
        )

    def findings(self) -> list[HistoryFinding]:
        """Everything that contradicted the archive, oldest first."""
        rows = self._connection.execute("SELECT journalid, sequence, what FROM findings ORDER BY rowid")
        return [HistoryFinding(*row) for row in rows]

    def progress(self) -> list[Progress]:
        """How far each journal is archived, the newest journal last."""
        rows = self._connection.execute(
            "SELECT site, name, journalid, contiguous, (SELECT MIN(sequence) FROM events AS e"
            " WHERE e.journalid = j.journalid AND sequence > contiguous) FROM journals AS j ORDER BY "
            "journalid"
        )
        return [Progress(Topics(site, name), journal_id, done, beyond) for site, name, journal_id, done, beyond in rows]

    def contiguous(self, journal_id: str) -> int:
        """Everything up to this event is stored and chained; 0 for an unknown journal."""
        row = self._connection.execute("SELECT contiguous FROM journals WHERE journalid = ?", (journal_id,)).fetchone()
        return int(row[0]) if row else 0

    def events(self, journal_id: str, first: int = 1, last: int | None = None) -> list[tuple[int, str, bytes]]:
        """Sequence, hash and envelope of the stored events of a range."""
        rows = self._connection.execute(
            "SELECT sequence, hash, envelope FROM events WHERE journalid = ? AND sequence BETWEEN ? AND ?"
            " ORDER BY sequence",
            (journal_id, first, last if last is not None else 2**62),
        )
        return [(sequence, digest, envelope) for sequence, digest, envelope in rows]

    def _store(self, topics: Topics, event: ArchivedEvent) -> None:
        self._connection.execute(
            "INSERT OR IGNORE INTO journals VALUES (?, ?, ?, 0, ?)",
            (event.journal_id, topics.site, topics.table, genesis_of(event.journal_id)),
        )
        kept = self._connection.execute(
            "SELECT hash FROM events WHERE journalid = ? AND sequence = ?", (event.journal_id, event.sequence)
        ).fetchone()
        if kept is None:
            self._connection.execute(
                "INSERT INTO events VALUES (?, ?, ?, ?)",
                (event.journal_id, event.sequence, event.hash, event.envelope),
            )
        elif kept[0] != event.hash:
            self.note(
                HistoryFinding(event.journal_id, event.sequence, f"another event of this number came, {event.hash}")
            )

    def _chain(self, journal_id: str) -> None:
        done, digest = self._connection.execute(
            "SELECT contiguous, hash FROM journals WHERE journalid = ?", (journal_id,)
        ).fetchone()
        start = done
        while row := self._connection.execute(
            "SELECT hash, envelope FROM events WHERE journalid = ? AND sequence = ?", (journal_id, done + 1)
        ).fetchone():
            if from_json(row[1], MAX_EVENT_BYTES, MAX_EVENT_DEPTH)["prevhash"] != digest:
                # Not kept, so that the right one can still come.
                self._connection.execute(
                    "DELETE FROM events WHERE journalid = ? AND sequence = ?", (journal_id, done + 1)
                )
                self.note(HistoryFinding(journal_id, done + 1, f"event {row[0]} does not follow event {done}"))
                break
            done, digest = done + 1, row[0]
        if done != start:
            self._connection.execute(
                "UPDATE journals SET contiguous = ?, hash = ? WHERE journalid = ?", (done, digest, journal_id)
            )
