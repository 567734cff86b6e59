"""Checking a whole journal without trusting whoever held the file: it names the first bad row and what is
wrong.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from controller.journal.chain import (
    ChainError,
    StoredEvent,
    event_id,
    genesis_hash,
    source_of,
)
from controller.journal.checkpoint import CHECKPOINT, checkpoint_fault
from controller.journal.errors import JournalError, one_line
from controller.journal.reader import JournalReader, connect_read_only
from controller.journal.sealing import opens
from controller.journal.signing import signature_valid, tip_message


@dataclass(frozen=True, slots=True)
class Finding:
    """Something is wrong. ``sequence`` is the event's, 0 when it is not about one event."""

    sequence: int
    what: str

    def line(self) -> str:
        """One line for a person."""
        return f"event {self.sequence}: {self.what}" if self.sequence else self.what


STARTED = "system.started"
START_TOLERANCE_US = 60_000_000
"""Older programs took the time of a start twice, before and after a wait for the disk."""

FoldCheck = Callable[[Iterator[StoredEvent]], Iterable[Finding]]
"""Given all events in order, says where folding them contradicts them (states of checkpoints, impossible
events).
"""


UNSIGNED = "no signature was checked: no checkpoint names a key and none was given"


@dataclass(slots=True)
class Report:
    """What was checked and found. ``pinned``: the checkpoints' key was given from outside, not taken from
    the file.
    """

    path: Path
    journal_id: str = ""
    table: str = ""
    events: int = 0
    head_hash: str = ""
    starts: dict[int, int] = field(default_factory=dict)
    """time in microseconds of each ``system.started`` in the chain, by epoch"""
    last_epoch: int = 0
    checkpoints: int = 0
    public_key: str = ""
    pinned: bool = False
    findings: list[Finding] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """True when nothing is wrong."""
        return not self.findings

    def lines(self) -> list[str]:
        """The report for a person: a summary, then the findings, the first bad row first."""
        key = "given key" if self.pinned else "key taken from the journal itself" if self.public_key else UNSIGNED
        head = f"journal {self.path}: {self.events} events of {self.table or 'no table'}"
        state = "intact" if self.ok else "NOT intact"
        return [
            f"{head}, {self.checkpoints} checkpoints ({key}): {state}",
            *(finding.line() for finding in self.findings),
        ]


def verify(
    path: Path,
    public_key: str | None = None,
    *,
    fold_check: FoldCheck | None = None,
    expected_head: tuple[int, str] | None = None,
) -> Report:
    """Check the journal in ``path``: file, chain, ids, columns, checkpoints, tip, starts and seals.

    ``public_key`` pins the signer (64 hexadecimal digits); without it the first checkpoint's key is
    believed, which finds every change but that of somebody who signs the whole journal anew.
    ``expected_head`` is sequence and hash of an event known from elsewhere (an archive). Never raises for a
    bad file: that is a finding.
    """
    report = Report(path, public_key=public_key or "", pinned=public_key is not None)
    try:
        reader = JournalReader(path)
    except JournalError as error:
        report.findings.append(Finding(0, str(error)))
        return report
    with reader:
        report.journal_id, report.table = reader.journal_id, f"{reader.site}/{reader.table}"
        try:
            report.findings.extend(_chain_findings(reader, report, expected_head))
            if report.ok and fold_check is not None:
                report.findings.extend(fold_check(reader.events()))
        except JournalError as error:
            report.findings.append(Finding(report.events + 1, f"cannot be read: {error}"))
    report.findings.extend(_file_findings(report))
    return report


def _chain_findings(reader: JournalReader, report: Report, expected: tuple[int, str] | None) -> Iterator[Finding]:
    """Walk the chain; stops at the first bad row, because everything after it hangs in the air."""
    before = (0, genesis_hash(reader.journal_id))
    epoch = 0
    for event in reader.events():
        what = _event_fault(event, reader, before, epoch) or _checkpoint_fault(event, reader, report, before)
        if what:
            yield Finding(before[0] + 1 if event.sequence != before[0] + 1 else event.sequence, what)
            return
        if expected is not None and event.sequence == expected[0] and event.hash != expected[1]:
            yield Finding(event.sequence, f"its hash is {event.hash}, elsewhere it is known as {expected[1]}")
            return
        if event.type == STARTED:
            report.starts.setdefault(event.epoch, event.time_us)
        before, epoch = (event.sequence, event.hash), event.epoch
        report.last_epoch = epoch
        report.events, report.head_hash = before
    if expected is not None and expected[0] > before[0]:
        yield Finding(before[0] + 1, f"is missing: the journal is known to have reached event {expected[0]}")


def _event_fault(event: StoredEvent, reader: JournalReader, before: tuple[int, str], epoch: int) -> str:
    if event.sequence != before[0] + 1:
        return f"is missing: event {event.sequence} follows event {before[0]}"
    try:
        envelope = event.checked()
    except ChainError as error:
        return str(error)
    expected = {
        "id": event_id(reader.journal_id, event.sequence),
        "journalid": reader.journal_id,
        "source": source_of(reader.site, reader.table),
    }
    for name, value in expected.items():
        if envelope.get(name) != value:
            return f"its {name} is {envelope.get(name)}, this journal's would be {value}"
    if envelope.get("prevhash") != before[1]:
        return f"its prevhash is not the hash of event {before[0]}"
    return f"epoch {event.epoch} follows epoch {epoch}" if event.epoch < epoch else ""


def _checkpoint_fault(event: StoredEvent, reader: JournalReader, report: Report, before: tuple[int, str]) -> str:
    if event.type != CHECKPOINT:
        return ""
    data = event.parsed().get("data")
    if not isinstance(data, dict):
        return "the checkpoint has no data"
    report.public_key = report.public_key or str(data.get("public_key"))
    report.checkpoints += 1
    return checkpoint_fault(data, reader.journal_id, before, report.public_key)


def _file_findings(report: Report) -> Iterator[Finding]:
    """What stands beside the chain: the file itself, the tip, the starts, the seals."""
    try:
        connection = connect_read_only(report.path)
    except sqlite3.Error as error:
        yield Finding(0, f"the file cannot be opened: {one_line(error)}")
        return
    try:
        for (verdict,) in connection.execute("PRAGMA integrity_check(5)"):
            if verdict != "ok":
                yield Finding(0, f"the file is damaged: {one_line(verdict)}")
        if report.ok:
            yield from _tip_findings(connection, report)
        yield from _start_findings(connection, report)
        for sealed, salt, content in connection.execute("SELECT sealed, salt, content FROM secrets"):
            if not opens(sealed, salt, content):
                yield Finding(0, f"the secret behind seal {sealed} was changed")
    except sqlite3.Error as error:
        yield Finding(0, f"the file is damaged: {one_line(error)}")
    finally:
        connection.close()


def _start_findings(connection: sqlite3.Connection, report: Report) -> Iterator[Finding]:
    """The table of starts lies outside the chain; what the chain says of them must agree with it."""
    rows = dict(connection.execute("SELECT epoch, time_us FROM starts ORDER BY epoch").fetchall())
    if list(rows) != list(range(1, len(rows) + 1)):
        yield Finding(0, "the starts are not counted one by one: a row of them is missing")
    elif report.last_epoch > len(rows):
        yield Finding(
            0, f"the starts: the chain reaches {report.last_epoch}, they end at {len(rows)}: a row was removed"
        )
    for epoch, time_us in report.starts.items():
        if epoch in rows and abs(rows[epoch] - time_us) > START_TOLERANCE_US:
            yield Finding(0, f"start {epoch} has another time in the table of starts than in the chain")


def _tip_findings(connection: sqlite3.Connection, report: Report) -> Iterator[Finding]:
    row = connection.execute("SELECT sequence, hash, signature FROM tip").fetchone()
    if row is None:
        yield Finding(report.events + 1, "the journal's tip was removed: events may be missing after the last one")
        return
    sequence, digest, signature = row
    if sequence > report.events:
        yield Finding(report.events + 1, f"is missing: the journal's tip says it reached event {sequence}")
    elif sequence < report.events or (report.events and digest != report.head_hash):
        yield Finding(report.events, "is not the event that the journal's tip names")
    elif report.public_key:
        message = tip_message(report.journal_id, sequence, digest)
        if not signature_valid(report.public_key, signature, message):
            yield Finding(report.events + 1, "may be missing: the journal's tip is not signed by the table's key")
