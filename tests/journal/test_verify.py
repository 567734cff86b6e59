"""Whatever is done to a journal's file, verify finds it and names the first bad row."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.journal.chain import StoredEvent, canonical_json
from controller.journal.checkpoint import trusted_snapshot
from controller.journal.reader import JournalReader
from controller.journal.signing import Signer, checkpoint_message, load_or_make_key, tip_message
from controller.journal.verify import Finding, verify

Tamper = Callable[[str], None]
CHANGED = "CAST(replace(CAST(envelope AS TEXT), '7D', '8D') AS BLOB)"


def test_an_untouched_journal_is_intact(closed: Path, signer: Signer) -> None:
    report = verify(closed, signer.public_key)
    assert report.ok
    assert (report.events, report.checkpoints, report.pinned, report.table) == (12, 2, True, "lv1/bj-012")
    assert verify(closed).ok
    assert report.lines() == [f"journal {closed}: 12 events of lv1/bj-012, 2 checkpoints (given key): intact"]


@pytest.mark.parametrize(
    ("sql", "sequence", "words"),
    [
        (f"UPDATE events SET envelope = {CHANGED} WHERE sequence = 3", 3, "the content gives"),
        ("UPDATE events SET time_us = time_us + 1 WHERE sequence = 4", 4, "time_us"),
        ("UPDATE events SET type = 'card.burned' WHERE sequence = 2", 2, "the column type"),
        ("UPDATE events SET epoch = 2 WHERE sequence = 5", 5, "the column epoch"),
        ("UPDATE events SET hash = 'ab' WHERE sequence = 5", 5, "the column hash"),
        ("UPDATE events SET id = 'x' WHERE sequence = 5", 5, "the column id"),
        ("UPDATE events SET envelope = X'7B' WHERE sequence = 7", 7, "not JSON"),
        ("DELETE FROM events WHERE sequence = 8", 8, "is missing: event 9 follows event 7"),
        ("DELETE FROM events WHERE sequence = 1", 1, "is missing"),
        ("DELETE FROM events WHERE sequence > 6", 7, "is missing: the journal's tip says it reached event 12"),
        ("DELETE FROM events WHERE sequence > 6; UPDATE tip SET sequence = 6", 6, "tip"),
        ("DELETE FROM events; UPDATE tip SET sequence = 0", 1, "may be missing"),
        ("DELETE FROM events WHERE sequence = 12; DELETE FROM tip", 12, "tip was removed"),
        (
            "UPDATE events SET sequence = 100 WHERE sequence = 4; UPDATE events SET sequence = 4 WHERE "
            "sequence = 9;"
            "UPDATE events SET sequence = 9 WHERE sequence = 100",
            4,
            "the column sequence says 0000000000000004, the envelope 0000000000000009",
        ),
        ("UPDATE meta SET value = 'lv2' WHERE key = 'site'", 1, "its source is"),
        ("UPDATE meta SET value = '01J' WHERE key = 'journalid'", 1, "its id is"),
        ("INSERT INTO starts VALUES (5, 0)", 0, "starts"),
        ("DELETE FROM starts", 0, "the starts: the chain reaches 1, they end at 0"),
        ("INSERT INTO secrets VALUES ('ab', '00', '7D')", 0, "secret behind seal ab"),
    ],
)
def test_a_change_is_named(tamper: Tamper, closed: Path, signer: Signer, sql: str, sequence: int, words: str) -> None:
    tamper(sql)
    first = verify(closed, signer.public_key).findings[0]
    assert first.sequence == sequence
    assert words in first.what


def rechain(path: Path, change: Callable[[dict[str, object]], None], signer: Signer | None = None) -> None:
    """Forge consistently: change events, then make every hash, column and the tip fit again, as far as one
    can.
    """
    connection = sqlite3.connect(path, isolation_level=None)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    previous = None
    for sequence, envelope in connection.execute("SELECT sequence, envelope FROM events ORDER BY sequence").fetchall():
        value = json.loads(envelope)
        value["prevhash"] = previous or value["prevhash"]
        change(value)
        data = value["data"]
        if signer and value["type"] == "tablewatch.system.checkpoint":
            data |= {"hash": previous, "public_key": signer.public_key}
            message = checkpoint_message(value["journalid"], data["through"], str(previous), data["state_sha256"])
            data["signature"] = signer.sign(message)
        del value["hash"]
        value["hash"] = previous = hashlib.sha256(canonical_json(value)).hexdigest()
        connection.execute(
            "UPDATE events SET hash = ?, envelope = ? WHERE sequence = ?", (previous, canonical_json(value), sequence)
        )
    signature = signer.sign(tip_message(str(value["journalid"]), sequence, str(previous))) if signer else "00" * 64
    connection.execute("UPDATE tip SET hash = ?, signature = ?", (previous, signature))
    connection.close()


def richer(sequence: str) -> Callable[[dict[str, object]], None]:
    def change(value: dict[str, object]) -> None:
        if value["sequence"] == sequence:
            value["data"] = {"box": 1, "card": "AS"}

    return change


@pytest.mark.parametrize("pinned", [True, False])
def test_a_forged_chain_fails_at_the_first_checkpoint(closed: Path, signer: Signer, pinned: bool) -> None:
    rechain(closed, richer("0000000000000003"))
    first = verify(closed, signer.public_key if pinned else None).findings[0]
    assert (first.sequence, "of other content" in first.what) == (6, True)


def test_a_forged_chain_signed_by_another_key_fails_against_the_known_key(
    closed: Path, signer: Signer, tmp_path: Path
) -> None:
    thief = load_or_make_key(tmp_path / "thief.key")
    rechain(closed, richer("0000000000000003"), thief)
    assert verify(closed, thief.public_key).ok
    assert verify(closed, signer.public_key).findings[0].sequence == 6
    assert "signed with another key" in verify(closed, signer.public_key).findings[0].what


def test_a_forged_end_after_the_last_checkpoint_fails_at_the_tip(closed: Path, signer: Signer, tamper: Tamper) -> None:
    tamper("DELETE FROM events WHERE sequence = 12; UPDATE tip SET sequence = 11")
    rechain(closed, richer("0000000000000011"))
    first = verify(closed, signer.public_key).findings[0]
    assert first == Finding(12, "may be missing: the journal's tip is not signed by the table's key")


def test_an_archive_knows_a_rollback(closed: Path, signer: Signer) -> None:
    with JournalReader(closed) as reader:
        known = reader.read(2, 1)[0].hash
    assert verify(closed, expected_head=(3, known)).ok
    assert verify(closed, expected_head=(3, "ab")).findings[0].sequence == 3
    late = verify(closed, expected_head=(20, known)).findings[0]
    assert (late.sequence, late.what) == (13, "is missing: the journal is known to have reached event 20")


def test_the_fold_has_its_say(closed: Path) -> None:
    def fold(events: Iterator[StoredEvent]) -> list[Finding]:
        return [Finding(event.sequence, "impossible") for event in events if event.data().get("box") == 4]

    report = verify(closed, fold_check=fold)
    assert report.findings == [Finding(4, "impossible")]
    assert "NOT intact" in report.lines()[0]
    assert report.lines()[1] == "event 4: impossible"


@pytest.mark.parametrize("offset", [0, 20, 100, 5000, 9000, -200, -4000])
def test_a_flipped_byte_anywhere_is_reported_in_single_lines(closed: Path, offset: int) -> None:
    data = bytearray(closed.read_bytes())
    data[offset] ^= 0x40
    closed.write_bytes(bytes(data))
    assert all("\n" not in line for line in verify(closed).lines())


def test_a_card_changed_in_the_file_itself_is_found(closed: Path) -> None:
    data = closed.read_bytes()
    changed = data.replace(b'"card":"7D"', b'"card":"7C"', 1)
    assert changed != data
    closed.write_bytes(changed)
    assert not verify(closed).ok


def test_what_is_no_journal_is_a_finding(tmp_path: Path) -> None:
    assert "no such file" in verify(tmp_path / "x").findings[0].what
    assert "directory" in verify(tmp_path).findings[0].what


def test_a_snapshot_is_worth_what_its_checkpoint_says(closed: Path, signer: Signer, tamper: Tamper) -> None:
    with JournalReader(closed) as reader:
        snapshot = trusted_snapshot(reader, signer.public_key)
        assert snapshot is not None
        assert (snapshot.sequence, snapshot.state) == (11, b'{"round":6}')
        assert trusted_snapshot(reader, "00" * 32) is None
    tamper("UPDATE snapshots SET state = X'00' WHERE sequence = 11")
    with JournalReader(closed) as reader:
        older = trusted_snapshot(reader, signer.public_key)
        assert older is not None
        assert older.sequence == 5
