"""The command line as a whole: version, help, exit codes, our own faults, closed pipes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from controller import __version__
from controller.cli import verify
from controller.cli.app import app
from controller.cli.guard import ExitCode

Cli = Callable[..., tuple[int, str, str]]
MAIN = (sys.executable, "-c", "from controller.cli.main import main; main()")
DOCS = Path(__file__).resolve().parents[2] / "docs/cli.md"


def test_version_and_help(cli: Cli) -> None:
    assert cli("--version") == (0, f"tablewatch {__version__}\n", "")
    code, out, _ = cli("--help")
    assert code == 0
    for command in ("run", "check", "verify", "replay", "tail", "command", "keygen", "schemas", "demo"):
        assert re.search(rf"^  {command} ", out, re.MULTILINE)
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0


def test_every_command_and_exit_code_is_in_the_documentation(cli: Cli) -> None:
    page = DOCS.read_text("utf-8")
    _, out, _ = cli("--help")
    commands = re.findall(r"^  (\w+) ", out.partition("Commands:")[2], re.MULTILINE)
    assert all(f"tablewatch {command}" in page for command in commands), commands
    assert all(f"| {int(code)} |" in page for code in ExitCode)


@pytest.mark.parametrize("words", [["fly"], ["verify"], ["verify", "--no"], ["tail", "--count", "x"]])
def test_a_wrong_command_line_says_what_is_wrong(cli: Cli, words: list[str]) -> None:
    code, out, err = cli(*words)
    assert (code, out) == (2, "")
    assert "Error: " in err
    assert "Traceback" not in err


def test_a_fault_of_ours_leaves_its_details(cli: Cli, played: Any, monkeypatch: Any, tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("planted\x1b[2J")

    monkeypatch.setattr(verify, "_checked", fail)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    code, out, err = cli("verify", played.path)
    assert (code, out) == (70, "")
    assert err.startswith(
        "tablewatch: a fault of tablewatch itself: ZeroDivisionError: planted?[2J; the details are in "
    )
    assert err.count("\n") == 1
    (crash,) = tmp_path.glob("tablewatch-*.crash")
    assert str(crash) in err
    assert "Traceback" in crash.read_text()
    code, _, err = cli("--debug", "verify", played.path)
    assert code == 70
    assert "Traceback" in err


def test_interrupted_is_130(cli: Cli, played: Any, monkeypatch: Any) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(verify, "_checked", interrupt)
    assert cli("verify", played.path)[0] == 130


def test_a_reader_that_leaves_ends_it_quietly(played: Any) -> None:
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen(
        [*MAIN, "replay", str(played.path)], stdout=write, stderr=subprocess.PIPE, text=True
    ) as process:
        os.close(write)
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_colour_is_for_terminals_only_and_no_color_is_kept(played: Any) -> None:
    def seen(**environ: str) -> bytes:
        terminal, end = os.openpty()
        with subprocess.Popen(
            [*MAIN, "replay", str(played.path)],
            stdout=end,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **environ},
        ) as process:
            os.close(end)
            found = b""
            while chunk := read(terminal):
                found += chunk
            assert process.wait(30) == 0
        os.close(terminal)
        return found

    def read(terminal: int) -> bytes:
        try:
            return os.read(terminal, 65536)
        except OSError:  # the other end is closed
            return b""

    assert b"\x1b[1;91mK\xe2\x99\xa6" in seen()
    plain = seen(NO_COLOR="1")
    assert b"K\xe2\x99\xa6" in plain
    assert b"\x1b[1;91m" not in plain


def test_a_terminal_without_suits_shows_question_marks(played: Any) -> None:
    done = subprocess.run(
        [*MAIN, "replay", str(played.path)],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"K? to" not in done.stdout
    assert b"K? Q?" in done.stdout
