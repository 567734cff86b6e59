"""Input of every bad kind, given to the real process: an exit code, lines a person understands, and no traceback."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.journal.chain import canonical_json

MAIN = "from controller.cli.main import main; main()"
USAGE, CANNOT, INTERRUPTED = 2, 3, 130
DEADLINE_S = 60.0

COMMANDS = (
    ("check {deep}", USAGE, "nested too deeply"),
    ("rules check {deep}", USAGE, "nested too deeply"),
    ("tail {deep}", USAGE, "nested too deeply"),
    ("sim shoe --pty {folder}/pty --faults {deep}", USAGE, "nested too deeply"),
    ("check {digits}", USAGE, "a number has thousands of digits"),
    ("rules check {digits}", USAGE, "a number has thousands of digits"),
    ("sim shoe --pty {folder}/pty --faults {digits}", USAGE, "a number has thousands of digits"),
    ("console hwgrep://( -d shoe/angel-eye", USAGE, "hwgrep:// leads to no device"),
    ("verify {folder}", CANNOT, "it is a directory; name a file"),
    ("replay {folder}", CANNOT, "it is a directory; name a file"),
    ("keygen {empty}", USAGE, "name a new file"),
    ("schemas --check {empty}", CANNOT, "not a folder; name one"),
    ("decks list -r {deep}", CANNOT, "the file is not a database"),
)


def tablewatch(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", MAIN, *arguments]
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=DEADLINE_S)


@pytest.mark.parametrize(("words", "code", "said"), COMMANDS, ids=[words for words, _, _ in COMMANDS])
def test_bad_input_is_told_in_a_line(words: str, code: int, said: str, tmp_path: Path) -> None:
    deep, empty = tmp_path / "deep.toml", tmp_path / "empty"
    deep.write_text("a = " + "[" * 5000 + "]" * 5000, encoding="utf-8")
    digits = tmp_path / "digits.toml"
    digits.write_text("a = " + "9" * 6000, encoding="utf-8")
    empty.touch()
    done = tablewatch(*words.format(deep=deep, digits=digits, empty=empty, folder=tmp_path).split())
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


@pytest.mark.parametrize("tampering", ["a list for data", "no JSON", "another type beside it"])
def test_a_tampered_journal_is_named_by_replay(played: Any, tampering: str) -> None:
    played.journal.close()
    connection = sqlite3.connect(played.path)
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    (envelope,) = connection.execute("SELECT envelope FROM events WHERE sequence = 20").fetchone()
    match tampering:
        case "a list for data":
            changed = canonical_json({**json.loads(envelope), "data": ["x"]})
            connection.execute("UPDATE events SET envelope = ? WHERE sequence = 20", (changed,))
        case "no JSON":
            connection.execute("UPDATE events SET envelope = x'ff' WHERE sequence = 20")
        case _:
            connection.execute("UPDATE events SET type = 'card.drawn' WHERE sequence = 20")
    connection.commit()
    connection.close()
    done = tablewatch("replay", str(played.path))
    assert done.returncode == CANNOT
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"tablewatch: journal {played.path}: event 20: ")
    assert line.endswith("; run `tablewatch verify`")


INTERRUPTING = """
import os, signal, sys
class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name == "pydantic":
            os.kill(os.getpid(), signal.SIGINT)
        return None
sys.meta_path.insert(0, Impatient())
"""


def test_an_interruption_while_it_is_loaded_is_quiet() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTING + MAIN, "--version"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "tablewatch: interrupted\n")
    ignoring = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{INTERRUPTING}{MAIN}"
    done = subprocess.run([sys.executable, "-c", ignoring, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
