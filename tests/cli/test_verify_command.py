"""``tablewatch verify`` on whole, changed, cut, foreign and impossible journals."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.journal.chain import EventDraft
from controller.journal.checkpoint import write_checkpoint
from controller.journal.signing import load_or_make_key
from controller.journal.store import Journal

Cli = Callable[..., tuple[int, str, str]]


def edit(path: Path, sql: str, *parameters: object) -> None:
    """Change the file as somebody who holds it would: triggers dropped first."""
    connection = sqlite3.connect(path, isolation_level=None)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(sql, parameters)
    connection.close()


def test_a_whole_journal_is_intact(cli: Cli, played: Any) -> None:
    code, out, err = cli("verify", played.path, "--key", played.public_key)
    assert (code, err) == (0, "")
    assert "2 checkpoints (given key): intact" in out
    assert f"{played.journal.head()} events folded again; the state is the signed one at 2 checkpoints" in out


def test_without_a_key_it_says_whose_key_it_believed(cli: Cli, played: Any) -> None:
    code, out, _ = cli("verify", played.path)
    assert code == 0
    assert f"signed with {played.public_key}; give it as --key" in out


def test_an_empty_journal_is_intact_and_nothing_vouches_for_it(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "new.journal"
    Journal.open(path, "lv1", "bj-012").close()
    code, out, _ = cli("verify", path)
    assert code == 0
    assert "no signature was checked: no checkpoint names a key and none was given" in out
    assert "nothing vouches for it: give the key from the topic meta as --key" in out
    code, out, _ = cli("verify", path, "--key", "ab" * 32)
    assert code == 1
    assert "the journal's tip is not signed by the table's key" in out


def test_a_start_with_another_time_than_in_the_chain_is_found(cli: Cli, played: Any) -> None:
    played.journal.close()
    edit(played.path, "UPDATE starts SET time_us = 0")
    code, out, _ = cli("verify", played.path)
    assert code == 1
    assert "start 1 has another time in the table of starts than in the chain" in out


def test_the_first_changed_row_is_named(cli: Cli, played: Any) -> None:
    row = next(event.sequence for event in played.journal.events() if event.type == "card.dealt")
    played.journal.close()
    changed = "CAST(replace(CAST(envelope AS TEXT), '\"KD\"', '\"KH\"') AS BLOB)"
    edit(played.path, f"UPDATE events SET envelope = {changed} WHERE type = 'card.dealt'")
    code, out, _ = cli("verify", played.path)
    assert code == 1
    assert "NOT intact" in out
    assert f"event {row}: the hash is" in out


def test_a_cut_tail_is_found(cli: Cli, played: Any) -> None:
    head = played.journal.head()
    played.journal.close()
    edit(played.path, "DELETE FROM events WHERE sequence = ?", head)
    code, out, _ = cli("verify", played.path)
    assert code == 1
    assert f"event {head}: is missing" in out


def test_a_journal_cut_in_the_middle_of_the_file_is_found(cli: Cli, played: Any) -> None:
    played.journal.close()
    whole = played.path.read_bytes()
    played.path.write_bytes(whole[: len(whole) // 2])
    code, out, err = cli("verify", played.path)
    assert (code, err) == (1, "")
    assert "damaged" in out


def test_a_fact_the_rules_do_not_conclude_is_found_though_its_chain_is_whole(cli: Cli, played: Any) -> None:
    lie = EventDraft("card.dealt", {"box": 1, "hand": 1, "card": "AS", "total": "21"}, played.at_us)
    (event,) = played.journal.append([lie])
    code, out, _ = cli("verify", played.path)
    assert code == 1
    assert f"event {event.sequence}: the record says card.dealt" in out
    assert "this version concludes nothing" in out


def test_a_checkpoint_over_another_state_is_found_though_its_signature_is_good(cli: Cli, played: Any) -> None:
    state = b'{"another":"state"}'
    signer = load_or_make_key(played.path.with_suffix(".key"))
    event = write_checkpoint(played.journal, signer, state, played.at_us)
    code, out, _ = cli("verify", played.path, "--key", played.public_key)
    assert code == 1
    assert f"event {event.sequence}: the checkpoint signs the state {hashlib.sha256(state).hexdigest()[:12]}" in out


def test_another_key_is_found(cli: Cli, played: Any) -> None:
    code, out, _ = cli("verify", played.path, "--key", "ab" * 32)
    assert code == 1
    assert "signed with another key" in out


def test_an_input_of_a_newer_version_is_named(cli: Cli, played: Any) -> None:
    (event,) = played.journal.append([EventDraft("card.drawn", {"device": "shoe", "card": "XX"}, played.at_us)])
    code, out, _ = cli("verify", played.path)
    assert code == 1
    assert f"event {event.sequence}: card.drawn" in out


def test_an_unknown_event_type_alone_is_no_fault(cli: Cli, played: Any) -> None:
    played.journal.append([EventDraft("camera.looked", {"x": [1]}, played.at_us)])
    assert cli("verify", played.path)[0] == 0


def test_a_record_that_names_no_rules_says_so(cli: Cli, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "odd.journal", "lv1", "bj-012") as journal:
        journal.start()
        journal.append([EventDraft("card.dealt", {"box": 1}, 1_767_268_800_000_000)])
    code, out, _ = cli("verify", tmp_path / "odd.journal")
    assert code == 1
    assert "event 1: cannot be folded: no rule set is named" in out


def test_a_game_that_is_not_installed_says_so(cli: Cli, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "odd.journal", "lv1", "bj-012") as journal:
        journal.start()
        journal.append([EventDraft("rules.changed", {"game": "faro"}, 1_767_268_800_000_000)])
    code, out, _ = cli("verify", tmp_path / "odd.journal")
    assert code == 1
    assert "'faro' is not installed; installed: blackjack" in out


@pytest.mark.parametrize("content", [b"", b"not a journal at all\n", b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_journal_cannot_be_verified(cli: Cli, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    code, out, err = cli("verify", tmp_path / "x")
    assert (code, out) == (3, "")
    assert "the file is not a SQLite database; name another file" in err


def test_a_database_of_another_program_cannot_be_verified(cli: Cli, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "x")
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    code, out, err = cli("verify", tmp_path / "x")
    assert (code, out) == (3, "")
    assert "a database of another program" in err


def test_a_directory_and_a_missing_file_cannot_be_verified(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("verify", tmp_path)
    assert (code, out) == (3, "")
    assert err == f"tablewatch: journal {tmp_path}: it is a directory; name a file\n"
    code, _, err = cli("verify", tmp_path / "gone")
    assert code == 3
    assert "there is no such file" in err


@pytest.mark.parametrize("key", ["12", ""])
def test_a_malformed_key_is_a_usage_error(cli: Cli, played: Any, key: str) -> None:
    code, _, err = cli("verify", played.path, "--key", key)
    assert code == 2
    assert "a public key has 64 hexadecimal digits" in err
