"""Which events of a journal follow which: the chain an archive keeps, and rivals that claim a place in it.

A hash proves what an event says, not who said it. What proves the table is its signed checkpoint: everything before one
is confirmed and stays. After it the longest chain counts, and what contradicts it is kept aside, since it may turn out
to be the true one.
"""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from typing import Final

from controller.bus.wire import from_json
from controller.journal.checkpoint import CHECKPOINT, checkpoint_fault

MAX_EVENT_BYTES: Final = 256 * 1024
MAX_EVENT_DEPTH: Final = 34
MOST_RIVALS: Final = 1024
"""Events kept aside of one journal; more are dropped, and the table sends its own again."""
TABLES: Final = """
CREATE TABLE IF NOT EXISTS rivals (
    journalid TEXT NOT NULL, sequence INTEGER NOT NULL, hash TEXT NOT NULL, envelope BLOB NOT NULL,
    PRIMARY KEY (journalid, sequence, hash)
) STRICT;
CREATE TABLE IF NOT EXISTS confirmed (journalid TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS signers (
    site TEXT NOT NULL, name TEXT NOT NULL, public_key TEXT NOT NULL, PRIMARY KEY (site, name)
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Link:
    """A stored event: its place, its hash, and its bytes."""

    sequence: int
    hash: str
    envelope: bytes

    @property
    def prevhash(self) -> str:
        """The hash of the event that it follows."""
        return str(self._content()["prevhash"])

    def checkpoint(self) -> dict[str, object] | None:
        """The data of a checkpoint, None for any other event."""
        content = self._content()
        data = content.get("data")
        return data if content.get("type") == f"tablewatch.{CHECKPOINT}" and isinstance(data, dict) else None

    def _content(self) -> dict[str, object]:
        return from_json(self.envelope, MAX_EVENT_BYTES, MAX_EVENT_DEPTH)


def genesis_of(journal_id: str) -> str:
    """The ``prevhash`` of a journal's first event (docs/journal.md)."""
    return hashlib.sha256(f"tablewatch-journal-1\n{journal_id}".encode()).hexdigest()


class Lineage:
    """The chain of one journal in an archive's file, within the caller's transaction. ``findings`` collects what
    contradicts it, as sequence and text."""

    def __init__(self, connection: sqlite3.Connection, journal_id: str) -> None:
        self._db = connection
        self._id = journal_id
        self.findings: list[tuple[int, str]] = []

    def store(self, event: Link) -> None:
        """Keep an event in its place, or aside when another one has that place already."""
        kept = self._at(event.sequence)
        if kept is None:
            self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (self._id, *_row(event)))
        elif kept.hash != event.hash and event.hash not in {rival.hash for rival in self._rivals(event.sequence)}:
            self.findings.append((event.sequence, f"another event of this number came, {event.hash}"))
            self._set_aside(event)

    def follow(self) -> None:
        """Bring the chain as far as the stored events go, and over to rivals that prove better."""
        while True:
            self._extend()
            path = self._better_path()
            if not path:
                return
            self._take(path)

    def undisputed(self) -> int:
        """The last event that no rival beside the chain disputes: what may be acknowledged."""
        done, _ = self._reached()
        return min((fork.sequence - 1 for fork in self._forks(done)), default=done)

    def _extend(self) -> None:
        done, digest = self._reached()
        start = done
        while (link := self._following(done, digest)) is not None:
            done, digest = link.sequence, link.hash
            self._confirm(link)
        if done != start:
            self._set_reached(done, digest)

    def _following(self, done: int, digest: str) -> Link | None:
        """The stored event that follows; one that has its place and does not is put aside."""
        link = self._at(done + 1)
        if link is not None and link.prevhash == digest:
            return link
        right = next((rival for rival in self._rivals(done + 1) if rival.prevhash == digest), None)
        if link is not None:
            self.findings.append((done + 1, f"event {link.hash} does not follow event {done}"))
            self._displace(link)
        if right is not None:
            self._settle(right)
        return right

    def _better_path(self) -> list[Link]:
        """The way from a fork that is to be taken instead of the chain: one that a checkpoint confirms, or a longer
        one; empty when there is none."""
        done, _ = self._reached()
        paths = [self._path(fork, done) for fork in self._forks(done)]
        confirmed = [path for path in paths if any(self._fault(link) == "" for link in path)]
        longer = sorted((path for path in paths if path[-1].sequence > done), key=lambda path: path[-1].sequence)
        return next(iter(confirmed), longer[-1] if longer else [])

    def _forks(self, done: int) -> list[Link]:
        """Rivals that follow an event of the chain, in the place of one that is not confirmed yet."""
        rows = self._db.execute(
            "SELECT sequence, hash, envelope FROM rivals WHERE journalid = ? AND sequence BETWEEN ? AND ?"
            " ORDER BY sequence, hash",
            (self._id, self._confirmed() + 1, done),
        )
        return [rival for rival in (Link(*row) for row in rows) if rival.prevhash == self._hash_of(rival.sequence - 1)]

    def _path(self, fork: Link, done: int) -> list[Link]:
        path = [fork]
        while True:
            last = path[-1]
            candidates = self._rivals(last.sequence + 1)
            beyond = self._at(last.sequence + 1) if last.sequence + 1 > done else None
            found = next((c for c in (*candidates, *([beyond] if beyond else ())) if c.prevhash == last.hash), None)
            if found is None:
                return path
            path.append(found)

    def _take(self, path: list[Link]) -> None:
        """Make this path the chain; what stood in its place, and all that followed that, is put aside."""
        done, _ = self._reached()
        first = path[0]
        self.findings.append((first.sequence, f"event {first.hash} takes the place of the one kept until now"))
        for sequence in range(first.sequence, done + 1):
            kept = self._at(sequence)
            if kept is not None:
                self._displace(kept)
        for link in path:
            if self._at(link.sequence) is None:
                self._settle(link)
        self._set_reached(first.sequence - 1, self._hash_of(first.sequence - 1))

    def _confirm(self, link: Link) -> None:
        """A checkpoint of the table's own key confirms everything up to it: no rival has a place there any more."""
        data = link.checkpoint()
        if data is None:
            return
        if not self._signer():
            site, name = self._db.execute("SELECT site, name FROM journals WHERE journalid = ?", (self._id,)).fetchone()
            claimed = str(data.get("public_key"))
            if checkpoint_fault(data, self._id, (link.sequence - 1, link.prevhash), claimed) == "":
                self._db.execute("INSERT INTO signers VALUES (?, ?, ?)", (site, name, claimed))
        fault = self._fault(link)
        if fault:
            self.findings.append((link.sequence, fault))
        if fault != "":
            return
        self._db.execute("INSERT OR REPLACE INTO confirmed VALUES (?, ?)", (self._id, link.sequence))
        self._db.execute("DELETE FROM rivals WHERE journalid = ? AND sequence <= ?", (self._id, link.sequence))

    def _fault(self, link: Link) -> str | None:
        """What is wrong with a checkpoint by the table's key, empty for nothing; None for another event, or while that
        key is not known."""
        data, signer = link.checkpoint(), self._signer()
        if data is None or not signer:
            return None
        return checkpoint_fault(data, self._id, (link.sequence - 1, link.prevhash), signer)

    def _signer(self) -> str:
        row = self._db.execute(
            "SELECT public_key FROM signers JOIN journals USING (site, name) WHERE journalid = ?", (self._id,)
        ).fetchone()
        return str(row[0]) if row else ""

    def _reached(self) -> tuple[int, str]:
        done, digest = self._db.execute(
            "SELECT contiguous, hash FROM journals WHERE journalid = ?", (self._id,)
        ).fetchone()
        return int(done), str(digest)

    def _set_reached(self, done: int, digest: str) -> None:
        self._db.execute("UPDATE journals SET contiguous = ?, hash = ? WHERE journalid = ?", (done, digest, self._id))

    def _confirmed(self) -> int:
        row = self._db.execute("SELECT sequence FROM confirmed WHERE journalid = ?", (self._id,)).fetchone()
        return int(row[0]) if row else 0

    def _hash_of(self, sequence: int) -> str:
        link = self._at(sequence) if sequence else None
        return link.hash if link else genesis_of(self._id)

    def _at(self, sequence: int) -> Link | None:
        row = self._db.execute(
            "SELECT sequence, hash, envelope FROM events WHERE journalid = ? AND sequence = ?", (self._id, sequence)
        ).fetchone()
        return Link(*row) if row else None

    def _rivals(self, sequence: int) -> list[Link]:
        rows = self._db.execute(
            "SELECT sequence, hash, envelope FROM rivals WHERE journalid = ? AND sequence = ? ORDER BY hash",
            (self._id, sequence),
        )
        return [Link(*row) for row in rows]

    def _set_aside(self, link: Link) -> None:
        """Keep an event that has no place; not where the chain is confirmed, nor beyond the limit."""
        (many,) = self._db.execute("SELECT COUNT(*) FROM rivals WHERE journalid = ?", (self._id,)).fetchone()
        if link.sequence > self._confirmed() and many < MOST_RIVALS:
            self._db.execute("INSERT OR IGNORE INTO rivals VALUES (?, ?, ?, ?)", (self._id, *_row(link)))

    def _displace(self, link: Link) -> None:
        self._db.execute("DELETE FROM events WHERE journalid = ? AND sequence = ?", (self._id, link.sequence))
        self._set_aside(link)

    def _settle(self, link: Link) -> None:
        self._db.execute(
            "DELETE FROM rivals WHERE journalid = ? AND sequence = ? AND hash = ?", (self._id, link.sequence, link.hash)
        )
        self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (self._id, *_row(link)))


def _row(link: Link) -> tuple[int, str, bytes]:
    return link.sequence, link.hash, link.envelope
