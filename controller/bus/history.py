"""An archive of many tables' events, independent of any journal: it believes hashes and signatures, not senders."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from controller.bus.lineage import MAX_EVENT_BYTES, MAX_EVENT_DEPTH, TABLES, Lineage, Link, genesis_of
from controller.bus.topics import Topics
from controller.bus.wire import BadJsonError, from_json, to_json
from controller.clock import now_us

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
    """How far a journal is archived: everything up to ``contiguous`` is stored and chained, up to ``undisputed`` with
    no rival; ``next_stored`` is the lowest event beyond a gap, None when there is none; ``confirmed``: a checkpoint of
    the table has been seen in it.
    """

    topics: Topics
    journal_id: str
    contiguous: int
    next_stored: int | None
    undisputed: int = 0
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class HistoryFinding:
    """Something that contradicts what is archived."""

    journal_id: str
    sequence: int
    what: str


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
            self._connection.executescript(_TABLES + TABLES)
        except sqlite3.Error:
            self._connection.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def add(self, topics: Topics, events: Iterable[ArchivedEvent]) -> None:
        """Store a table's events, in any order and more than once, in one transaction that is on the disk
        at the end.

        What contradicts the chain becomes a finding; it counts only when it proves to be the true one (`Lineage`).
        Raises sqlite3.Error; then nothing was stored.
        """
        touched: dict[str, Lineage] = {}
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for event in events:
                lineage = touched.get(event.journal_id) or self._lineage(topics, event.journal_id)
                touched[event.journal_id] = lineage
                lineage.store(Link(event.sequence, event.hash, event.envelope))
            for journal_id, lineage in touched.items():
                lineage.follow()
                for sequence, what in lineage.findings:
                    self.note(HistoryFinding(journal_id, sequence, what))
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _lineage(self, topics: Topics, journal_id: str) -> Lineage:
        self._connection.execute(
            "INSERT OR IGNORE INTO journals VALUES (?, ?, ?, 0, ?)",
            (journal_id, topics.site, topics.table, genesis_of(journal_id)),
        )
        return Lineage(self._connection, journal_id)

    def trust(self, topics: Topics, public_key: str) -> None:
        """The table's checkpoints are signed with this key (64 hexadecimal digits); else the first one that came says
        with which. What another key has confirmed is open again. Raises sqlite3.Error."""
        table = (topics.site, topics.table)
        kept = self._connection.execute("SELECT public_key FROM signers WHERE (site, name) = (?, ?)", table).fetchone()
        if kept == (public_key,):
            return
        self._connection.execute("INSERT OR REPLACE INTO signers VALUES (?, ?, ?)", (*table, public_key))
        self._connection.execute(
            "DELETE FROM confirmed WHERE journalid IN (SELECT journalid FROM journals WHERE (site, name) = (?, ?))",
            table,
        )

    def note(self, finding: HistoryFinding) -> None:
        """Keep a finding; the same one again is counted once."""
        self._connection.execute(
            "INSERT OR IGNORE INTO findings VALUES (?, ?, ?, ?)",
            (finding.journal_id, finding.sequence, finding.what, now_us()),
        )

    def findings(self) -> list[HistoryFinding]:
        """Everything that contradicted the archive, oldest first."""
        rows = self._connection.execute("SELECT journalid, sequence, what FROM findings ORDER BY rowid")
        return [HistoryFinding(*row) for row in rows]

    def progress(self) -> list[Progress]:
        """How far each journal is archived, the newest journal last."""
        rows = self._connection.execute(
            "SELECT site, name, j.journalid, contiguous, (SELECT MIN(sequence) FROM events AS e"
            " WHERE e.journalid = j.journalid AND sequence > contiguous), c.sequence IS NOT NULL,"
            " EXISTS (SELECT 1 FROM rivals AS r WHERE r.journalid = j.journalid)"
            " FROM journals AS j LEFT JOIN confirmed AS c USING (journalid) ORDER BY j.journalid"
        ).fetchall()
        found = []
        for site, name, key, done, beyond, confirmed, disputed in rows:
            undisputed = Lineage(self._connection, key).undisputed() if disputed else done
            found.append(Progress(Topics(site, name), key, done, beyond, undisputed, bool(confirmed)))
        return found

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
