"""What keeps a table from starting is one clear line and an exit code; nothing on the disk is touched by it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from controller.journal.reader import JournalReader
from controller.journal.signing import load_or_make_key

USAGE, CANNOT = 2, 3


def test_a_broken_toml_is_named_with_its_place(house: Any) -> None:
    path = house.configure()
    path.write_text(path.read_text(encoding="utf-8").replace('id = "bj-1"', 'id = "bj-1'), encoding="utf-8")
    process = house.run()
    assert process.complaint().startswith(f"{path}: not TOML: ")
    assert "line 3" in process.text
    assert process.ends() == USAGE
    assert not house.journal.exists()


def test_every_fault_of_a_configuration_is_a_line_of_its_own(house: Any) -> None:
    path = house.configure(broker="embeded = true\nurls = 5")
    process = house.run()
    assert process.ends() == USAGE
    lines = [line for line in process.text.splitlines() if line]
    assert len(lines) == 2
    assert all(line.startswith(f"tablewatch: {path}: broker.") for line in lines)
    assert "did you mean embedded?" in process.text


def test_a_directory_as_journal(house: Any) -> None:
    house.configure(journal=house.folder)
    process = house.run()
    assert process.ends() == USAGE
    assert process.lines("^tablewatch: ") == [
        f"tablewatch: {house.toml}: journal.path: {house.folder} is a directory; name a file",
    ]


def test_a_file_that_is_no_journal_is_left_as_it_is(house: Any) -> None:
    precious = house.folder / "thesis.txt"
    precious.write_text("Four years of work. " * 100, encoding="utf-8")
    house.configure(journal=precious)
    process = house.run()
    assert process.complaint().endswith(f"journal {precious}: the file is not a SQLite database; name another file")
    assert process.ends() == USAGE
    assert precious.read_text(encoding="utf-8") == "Four years of work. " * 100


def test_a_missing_folder_of_the_journal(house: Any) -> None:
    house.configure(journal=house.folder / "nowhere" / "table.sqlite")
    process = house.run()
    assert process.ends() == USAGE
    assert process.lines("^tablewatch: ") == [
        f"tablewatch: {house.toml}: journal.{key}: {house.folder}/nowhere is not a folder; make it or name another path"
        for key in ("path", "key")
    ]


def test_the_journal_of_another_table_is_left_as_it_is(house: Any) -> None:
    path = house.configure()
    first = house.run()
    first.says("console is online|console.*online")
    assert first.stop() == 0
    path.write_text(path.read_text(encoding="utf-8").replace('id = "bj-1"', 'id = "bj-2"'), encoding="utf-8")
    before = hashlib.sha256(house.journal.read_bytes()).hexdigest()
    process = house.run()
    assert process.complaint() == (
        f"{house.toml}: journal.path: {house.journal} belongs to table lv1/bj-1, not lv1/bj-2; name another"
    )
    assert process.ends() == USAGE
    assert hashlib.sha256(house.journal.read_bytes()).hexdigest() == before


def test_a_journal_that_another_controller_writes(house: Any) -> None:
    house.configure()
    first = house.run()
    first.says("console.*online")
    second = house.run()
    line = second.complaint()
    assert line.startswith(f"journal {house.journal}: process ")
    assert line.endswith("is writing it; stop that process or name another journal")
    assert second.ends() == CANNOT
    house.lay_chips(3)
    house.acknowledged()
    assert first.stop() == 0
    house.is_whole()


def without_power_over_permissions() -> Sequence[str]:
    """Words that start a program to which permissions apply: root's do not, unless that power is taken away."""
    return ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()


def test_a_read_only_folder(house: Any) -> None:
    folder = house.folder / "sealed"
    folder.mkdir()
    load_or_make_key(folder / "table.key")
    house.configure(journal=folder / "table.sqlite")
    folder.chmod(0o555)
    process = house.run(before=without_power_over_permissions())
    line = process.complaint()
    assert line == (
        f"{house.toml}: journal.path: {folder} cannot be written; change its permissions or name another path"
    )
    assert process.ends() == USAGE
    house.lay_chips(3)
    folder.chmod(0o755)
    again = house.run()
    house.acknowledged()
    assert again.stop() == 0
    house.is_whole()


def test_a_read_only_journal(house: Any) -> None:
    house.configure()
    first = house.run()
    first.says("console.*online")
    assert first.stop() == 0
    for path in (house.journal, house.folder / "table.sqlite.lock"):
        path.chmod(0o444)
    process = house.run(before=without_power_over_permissions())
    line = process.complaint()
    assert line.endswith(f"journal.path: {house.journal} cannot be read and written; change its permissions")
    assert process.ends() == USAGE
    for path in (house.journal, house.folder / "table.sqlite.lock"):
        path.chmod(0o644)
    house.lay_chips(3)
    again = house.run()
    house.acknowledged()
    assert again.stop() == 0
    house.is_whole()


def test_a_missing_port_is_said_once_and_the_table_takes_it_when_it_is_there(house: Any) -> None:
    house.configure()
    house.table.unplug("bets")
    process = house.run()
    line = process.says("no such port")
    assert f"{house.folder}/bets: there is no such port; is it plugged in?" in line
    house.lay_chips(3)
    house.table.replug("bets")
    house.acknowledged()
    assert process.stop() == 0
    assert "Traceback" not in process.text
    assert len(process.lines("no such port")) == 2, "once as the link's state and once as its fault"
    house.is_whole()


REFUSED = (
    ('role = "dealer"', 'role = "dealer"\npublic_key = "zz"', "staff.0.public_key: 4711: not a public key"),
    ('driver = "angel-eye"', 'driver = "angel-ear"', "device.0.driver: 'angel-ear' is not installed"),
    ("table.sqlite", "", "journal.path: names no file"),
    ("table.sqlite", "a\\u0000b", "journal.path: names no file"),
    ("table.sqlite", "x" * 300, "File name too long"),
    ("{shoe}", "hwgrep://(", "device.0.port: hwgrep://(: hwgrep:// leads to no device"),
    ("{shoe}", "alt:///dev/ttyS0?class=No", "alt:// leads to no device"),
    ("{shoe}", "spy://", "write spy:// and the path of a port"),
    ("simulation = true", "simulation = " + "[" * 3000 + "]" * 3000, "nested too deeply"),
)


@pytest.mark.parametrize(("old", "new", "fault"), REFUSED, ids=[line for _, _, line in REFUSED])
def test_run_refuses_what_check_refuses_in_the_same_words(house: Any, old: str, new: str, fault: str) -> None:
    path = house.configure(journal=Path("table.sqlite"))
    text = path.read_text(encoding="utf-8")
    old = old.replace("{shoe}", f"{house.folder}/shoe")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    check, run = house.tablewatch("check", str(path)), house.run()
    assert (check.ends(), run.ends()) == (USAGE, USAGE)
    told = [line for line in check.text.splitlines() if not line.endswith(f" to put right in {path}")]
    assert fault in check.text
    assert [line.removeprefix("tablewatch: ") for line in run.text.splitlines()] == told
    assert sorted(item.name for item in house.folder.glob("*.sqlite*")) == []


def test_ports_that_another_controller_has_are_refused_before_anything_is_written(house: Any) -> None:
    house.configure()
    first = house.run()
    first.says("console.*online")
    journal = house.folder / "second.sqlite"
    house.configure(journal=journal)
    second = house.run()
    line = second.complaint()
    assert line.startswith(f"{house.folder}/shoe: in use by ")
    assert line.endswith(f"(pid {first.pid}); end it first")
    assert second.ends() == CANNOT
    with JournalReader(journal) as reader:
        assert reader.head() == 0
    house.lay_chips(3)
    house.acknowledged()
    assert first.stop() == 0


HOLDER = """
import os, sys, time
descriptor = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(house: Any) -> Any:
    """Another program that has the console's port open."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(house.folder / "console")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    yield process
    process.communicate()


def test_a_port_in_use_names_who_has_it_and_is_taken_when_it_is_free(house: Any, holder: Any) -> None:
    house.configure()
    process = house.run()
    line = process.says("in use by")
    assert f"{house.folder}/console: in use by " in line
    assert str(holder.pid) in line
    house.table.press("hit", box=1)
    holder.communicate()
    house.acknowledged()
    assert process.stop() == 0
    assert "Traceback" not in process.text
    house.is_whole()


def test_a_file_in_place_of_a_port(house: Any) -> None:
    house.configure()
    house.table.unplug("bets")
    Path(house.folder / "bets").write_text("not a port", encoding="utf-8")
    process = house.run()
    process.says("bets: is a file, not a serial port")
    house.table.press("hit", box=1)
    house.acknowledged()
    assert process.stop() == 0
    assert (house.folder / "bets").read_text(encoding="utf-8") == "not a port"
    (house.folder / "bets").unlink()
