"""The journal's writer and readers on real files."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.journal.chain import EventDraft, genesis_hash, open_envelope
from controller.journal.errors import (
    JournalBusyError,
    JournalCorruptError,
    JournalError,
    JournalForeignError,
    JournalFormatError,
    JournalFullError,
    JournalIoError,
    JournalLocationError,
)
from controller.journal.reader import JournalReader
from controller.journal.sealing import new_secret
from controller.journal.signing import Signer
from controller.journal.space import disk_space
from controller.journal.store import Journal

Draft = Callable[[int], EventDraft]


def test_events_come_back_in_order_and_chained(journal: Journal, draft: Draft) -> None:
    events = journal.append([draft(1), draft(2)]) + journal.append([draft(3)])
    assert [event.sequence for event in events] == [1, 2, 3]
    assert journal.read(0, 10) == events
    assert journal.read(1, 1) == events[1:2]
    assert tuple(journal.events(2, 3, batch=1)) == events[1:]
    assert journal.head() == 3
    previous = genesis_hash(journal.journal_id)
    for event in events:
        assert open_envelope(event.envelope)["prevhash"] == previous
        previous = event.hash
    assert journal.tip == (type(journal.tip))(3, previous)


def test_a_journal_goes_on_after_closing(path: Path, signer: Signer, draft: Draft) -> None:
    for epoch in (1, 2, 3):
        with Journal.open(path, "lv1", "bj-012", signer=signer) as journal:
            assert journal.start() == epoch
            journal.append([draft(epoch)])
            assert [event.epoch for event in journal.events()] == list(range(1, epoch + 1))


def test_a_killed_writer_leaves_what_it_committed(path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from controller.journal.chain import EventDraft\n"
        "from controller.journal.store import Journal\n"
        "journal = Journal.open(Path(sys.argv[1]), 'lv1', 'bj-012'); journal.start()\n"
        "journal.append([EventDraft('card.dealt', {'n': n}, n) for n in range(7)])\n"
        "journal._connection.execute('BEGIN IMMEDIATE')\n"
        "journal._connection.execute('UPDATE tip SET sequence = 99')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    with Journal.open(path, "lv1", "bj-012") as journal:
        assert journal.head() == 7
        assert journal.start() == 2


def test_one_writer_and_many_readers(journal: Journal, path: Path, draft: Draft) -> None:
    with pytest.raises(JournalBusyError, match=f"process {os.getpid()} is writing"):
        Journal.open(path, "lv1", "bj-012")
    with JournalReader(path) as reader:
        journal.append([draft(1)])
        assert reader.head() == 1
        assert (reader.journal_id, reader.site, reader.table) == (journal.journal_id, "lv1", "bj-012")


def test_readers_in_other_threads_see_whole_transactions(journal: Journal, path: Path, draft: Draft) -> None:
    heads: list[int] = []
    stop = threading.Event()

    def follow() -> None:
        with JournalReader(path) as reader:
            while not stop.is_set() or reader.head() != heads[-1]:
                heads.append(reader.head())

    thread = threading.Thread(target=follow)
    thread.start()
    for number in range(30):
        journal.append([draft(number)] * 4)
    stop.set()
    thread.join()
    assert heads == sorted(heads)
    assert heads[-1] == 120
    assert all(head % 4 == 0 for head in heads)


def test_last_of_type(journal: Journal, draft: Draft) -> None:
    opened = journal.append([EventDraft("round.opened", {"n": 1}, 1), EventDraft("round.opened", {"n": 2}, 2)])
    journal.append([draft(1)])
    assert journal.last_of_type("round.opened") == opened[1]
    assert journal.last_of_type("round.voided") is None


def test_secrets_stay_out_of_the_envelope(journal: Journal) -> None:
    secret = new_secret("7D")
    (event,) = journal.append([EventDraft("card.dealt", {"card": None, "sealed": secret.sealed}, 1)], secrets=[secret])
    assert b'"7D"' not in event.envelope
    assert secret.salt.encode() not in event.envelope
    assert journal.secret(secret.sealed) == secret
    assert journal.secret("other") is None


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET type = 'x.y'",
        "DELETE FROM events",
        "INSERT OR REPLACE INTO events SELECT * FROM events",
        "INSERT INTO events SELECT sequence + 5, id || 'x', type, time_us, epoch, hash, envelope FROM events",
        "UPDATE meta SET value = 'x'",
        "DELETE FROM starts",
        "INSERT INTO starts VALUES (9, 0)",
    ],
)
def test_sql_itself_refuses_to_change_the_record(journal: Journal, path: Path, draft: Draft, sql: str) -> None:
    journal.append([draft(1)])
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(sql)
    connection.close()


def test_a_bad_draft_leaves_the_journal_usable(journal: Journal, draft: Draft) -> None:
    with pytest.raises(ValueError, match="float"):
        journal.append([draft(1), EventDraft("card.dealt", {"x": 0.5}, 1)])
    assert journal.head() == 0
    journal.append([draft(1)])


def test_append_needs_a_start(path: Path, draft: Draft) -> None:
    with Journal.open(path, "lv1", "bj-012") as journal, pytest.raises(RuntimeError, match="start"):
        journal.append([draft(1)])


def _append_without_end(journal: Journal, draft: Draft) -> None:
    for number in range(10_000):
        journal.append([draft(number)])


def test_full_journal_refuses_and_keeps_its_first_reason(path: Path, draft: Draft) -> None:
    with Journal.open(path, "lv1", "bj-012", max_bytes=200_000) as journal:
        journal.start()
        with pytest.raises(JournalFullError, match="free space") as caught:
            _append_without_end(journal, draft)
        written = journal.tip.sequence
        with pytest.raises(JournalFullError) as again:
            journal.append([draft(1)])
        assert again.value is caught.value
        assert journal.head() == written
    with Journal.open(path, "lv1", "bj-012") as journal:
        assert journal.start() == 2
        assert len(journal.append([draft(1)])) == 1


def test_a_failing_disk_is_one_clear_line(path: Path) -> None:
    code = (
        "import resource, sys; from pathlib import Path\n"
        "from controller.journal.chain import EventDraft\n"
        "from controller.journal.errors import JournalError\n"
        "from controller.journal.store import Journal\n"
        "journal = Journal.open(Path(sys.argv[1]), 'lv1', 'bj-012'); journal.start()\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))\n"
        "try:\n"
        "    while True: journal.append([EventDraft('card.dealt', {'n': 1}, 1)])\n"
        "except JournalError as error: print(type(error).__name__, journal.head(), error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True)
    name, head, line = done.stdout.strip().split(" ", 2)
    assert name == JournalIoError.__name__
    assert "\n" not in line
    with Journal.open(path, "lv1", "bj-012") as journal:
        assert journal.head() == int(head)


def _directory(path: Path) -> None:
    path.mkdir()


def _text(path: Path) -> None:
    path.write_text("not a journal, and longer than a header of SQLite")


def _foreign_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE x (y)")
    connection.close()


def _newer(path: Path) -> None:
    with Journal.open(path, "lv1", "bj-012"):
        pass
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 2")
    connection.close()


def _other_table(path: Path) -> None:
    with Journal.open(path, "lv1", "bj-013"):
        pass


def _torn(path: Path) -> None:
    with Journal.open(path, "lv1", "bj-012"):
        pass
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


@pytest.mark.parametrize(
    ("spoil", "kind", "words"),
    [
        (_directory, JournalLocationError, "directory; name a file"),
        (_text, JournalFormatError, "not a SQLite database"),
        (_foreign_database, JournalFormatError, "another program"),
        (_newer, JournalFormatError, "install a newer"),
        (_other_table, JournalForeignError, "lv1/bj-013, not lv1/bj-012"),
        (_torn, JournalCorruptError, "damaged"),
    ],
)
def test_an_unusable_file_is_one_clear_line(
    path: Path, spoil: Callable[[Path], None], kind: type[JournalError], words: str
) -> None:
    spoil(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(kind, match=words) as caught:
        Journal.open(path, "lv1", "bj-012")
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_a_missing_folder_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(JournalLocationError, match="does not exist; create it"):
        Journal.open(tmp_path / "none" / "x.journal", "lv1", "bj-012")
    with pytest.raises(JournalLocationError, match="no such file"):
        JournalReader(tmp_path / "x.journal")


def test_names_are_checked(path: Path) -> None:
    with pytest.raises(ValueError, match="table 'BJ 1' is not an id"):
        Journal.open(path, "lv1", "BJ 1")


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE events SET envelope = replace(envelope, '7D', '8D') WHERE sequence = 9", "event 9: the hash is"),
        ("DELETE FROM events WHERE sequence = 12", "ends at event 11, its tip says event 12"),
        ("DELETE FROM events WHERE sequence = 8", "event 9 does not follow"),
        ("DELETE FROM tip", "its tip says nothing"),
        ("UPDATE tip SET signature = substr(signature, 2) || '0'", "not signed by this table's key"),
        ("UPDATE tip SET signature = ''", "not signed by this table's key"),
    ],
)
def test_a_tampered_tail_is_found_on_open(
    tamper: Callable[[str], None], closed: Path, signer: Signer, sql: str, words: str
) -> None:
    tamper(sql.replace("replace(envelope, '7D', '8D')", "CAST(replace(CAST(envelope AS TEXT), '7D', '8D') AS BLOB)"))
    with pytest.raises(JournalCorruptError, match=words):
        Journal.open(closed, "lv1", "bj-012", signer=signer)


def test_disk_space_is_probed(path: Path) -> None:
    space = disk_space(path)
    assert space.free_bytes > 0
    assert disk_space(path, low_bytes=space.free_bytes * 1000).low
    with pytest.raises(JournalIoError, match="does not answer"):
        disk_space(path / "nowhere" / "x")


def test_a_journal_that_is_removed_while_it_is_written_takes_nothing_more(journal: Journal, draft: Draft) -> None:
    journal.append([draft(1)])
    journal.path.unlink()
    with pytest.raises(JournalLocationError, match="removed or exchanged"):
        journal.append([draft(2)])


def test_a_link_to_a_journal_is_the_same_journal(journal: Journal, tmp_path: Path) -> None:
    link = tmp_path / "link.journal"
    link.symlink_to(journal.path)
    with pytest.raises(JournalBusyError):
        Journal.open(link, "lv1", "bj-012")
