"""The cursor's file, the signing key's file and seals."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.errors import KeyFileError
from controller.journal.outbox import Outbox
from controller.journal.sealing import new_secret, opens, seal_text
from controller.journal.signing import load_or_make_key, signature_valid


def test_the_cursor_outlives_its_process(tmp_path: Path) -> None:
    file = tmp_path / "x.cursor"
    outbox = Outbox(file, "J1")
    assert (outbox.sequence, outbox.note) == (0, "")
    outbox.advance(7)
    outbox.advance(5)
    assert Outbox(file, "J1").sequence == 0
    outbox.flush()
    outbox.flush()
    assert Outbox(file, "J1").sequence == 7
    outbox.rewind(3)
    outbox.flush()
    assert Outbox(file, "J1").sequence == 3


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"journalid":"J2","sequence":9}', '{"journalid":"J1","sequence":"9"}', "[" * 99_999],
)
def test_a_useless_cursor_costs_duplicates_only(tmp_path: Path, content: str) -> None:
    file = tmp_path / "x.cursor"
    file.write_text(content)
    outbox = Outbox(file, "J1")
    assert outbox.sequence == 0
    assert "everything is published again" in outbox.note


def test_a_key_is_made_once_and_private(tmp_path: Path) -> None:
    file = tmp_path / "journal.key"
    signer = load_or_make_key(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_or_make_key(file).public_key == signer.public_key
    assert [entry.name for entry in tmp_path.iterdir()] == ["journal.key"]
    signature = signer.sign(b"x")
    assert signature_valid(signer.public_key, signature, b"x")
    assert not signature_valid(signer.public_key, signature, b"y")
    assert not signature_valid("zz", signature, b"x")
    assert not signature_valid(signer.public_key, "", b"x")


def test_a_bad_key_is_one_clear_line(tmp_path: Path) -> None:
    file = tmp_path / "journal.key"
    file.write_text("no key")
    file.chmod(0o600)
    with pytest.raises(KeyFileError, match="restore it"):
        load_or_make_key(file)
    file.chmod(0o644)
    with pytest.raises(KeyFileError, match="chmod 600"):
        load_or_make_key(file)
    with pytest.raises(KeyFileError, match="check the path"):
        load_or_make_key(tmp_path)  # a folder
    with pytest.raises(KeyFileError, match="check the path"):
        load_or_make_key(tmp_path / "none" / "x.key")


def test_a_seal_opens_with_its_own_salt_only() -> None:
    secret = new_secret("7D")
    assert opens(secret.sealed, secret.salt, "7D")
    assert not opens(secret.sealed, secret.salt, "8D")
    assert not opens(secret.sealed, new_secret("7D").salt, "7D")
    assert not opens(secret.sealed, "no salt", "7D")
    assert not opens("ü", secret.salt, "7D")
    assert seal_text("7D", "00" * 16) == seal_text("7D", "00" * 16)
