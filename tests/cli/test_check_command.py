"""``tablewatch check``: what it prints and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]

TABLE = """
[table]
site = "lv1"
id = "bj-012"
ruleset = "armenian"
[rules]
box_min = 1000
[journal]
path = "table.journal"
[broker]
urls = ["mqtt://localhost"]
[[device]]
name = "shoe"
kind = "shoe"
driver = "angel-eye"
port = "socket://localhost:4001"
options = { silence_limit_s = 20 }
[[staff]]
id = "12"
role = "supervisor"
card = "S1"
"""


@pytest.fixture
def table_toml(tmp_path: Path) -> Path:
    path = tmp_path / "TABLE.toml"
    path.write_text(TABLE)
    return path


def test_a_good_configuration_is_shown(cli: Cli, table_toml: Path) -> None:
    code, out, err = cli("check", table_toml)
    assert (code, err) == (0, "")
    said = [" ".join(line.split()) for line in out.splitlines()]
    assert said[0] == "table lv1/bj-012, blackjack, money in EUR"
    assert said[1].startswith("rules armenian: Blackjack, Armenian regulation (")
    assert said[2:5] == [
        "box_min = 1000 at this table",
        f"journal {table_toml.parent / 'table.journal'} (new)",
        "broker mqtt://localhost",
    ]
    assert said[5:7] == [
        "shoe shoe: angel-eye at socket://localhost:4001 silence_limit_s=20",
        "supervisor 12 (card)",
    ]
    assert said[-1] == f"{table_toml}: a table can run with this"
    assert any(line.startswith("warning: device: the table has no console, no bets") for line in said)


def test_every_fault_is_a_line_and_the_end_counts_them(cli: Cli, table_toml: Path) -> None:
    table_toml.write_text(TABLE.replace("armenian", "atlantis").replace("angel-eye", "\\u001b[2J"))
    code, out, err = cli("check", table_toml)
    assert (code, out) == (2, "")
    assert "\x1b" not in err
    assert err.splitlines()[-1] == f"tablewatch: 2 to put right in {table_toml}"
    assert len(err.splitlines()) == 3


def test_a_missing_file_is_one_line(cli: Cli, tmp_path: Path) -> None:
    code, _, err = cli("check", tmp_path / "no.toml")
    assert code == 2
    assert err.startswith(f"{tmp_path / 'no.toml'}: cannot be read")
