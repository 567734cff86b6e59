"""A configuration's faults are all told at once, each with file, key and what to do; a good one has none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

import controller.rulesets
from controller.app.check import examine, problems
from controller.journal.signing import load_or_make_key
from controller.journal.store import Journal

GOOD = """
[table]
site = "lv1"
id = "bj-012"
ruleset = "armenian"

[journal]
path = "table.journal"

[broker]
urls = ["mqtt://localhost"]

[[device]]
name = "shoe"
kind = "shoe"
driver = "angel-eye"
port = "socket://localhost:4001"

[[device]]
name = "console"
kind = "console"
driver = "native"
port = "socket://localhost:4002"

[[device]]
name = "bets"
kind = "bets"
driver = "native"
port = "socket://localhost:4003"

[[staff]]
id = "12"
role = "supervisor"
card = "S1"
"""

NOBODY = 65534
SHIPPED = Path(controller.rulesets.__path__[0]) / "blackjack"
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write TABLE.toml: the good one with pieces of text exchanged."""

    def make(*changes: tuple[str, str], more: str = "") -> Path:
        text = GOOD
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "TABLE.toml"
        path.write_text(text + more)
        return path

    return make


def told(path: Path) -> list[str]:
    """The problems without the file's name, which each of them begins with."""
    found = problems(path)
    assert all(line.startswith(f"{path}: ") and "\n" not in line for line in found), found
    return [line.removeprefix(f"{path}: ") for line in found]


def test_a_good_configuration_has_no_problem(write: Write) -> None:
    checked = examine(write())
    assert checked.problems == ()
    assert checked.config is not None
    assert checked.rules is not None
    assert checked.warnings == ("rule set armenian: " + checked.warnings[0].partition(": ")[2],)


def test_everything_wrong_is_told_at_once(write: Write, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path = write(
        ('id = "bj-012"', 'id = "BJ 012"\nsit = "x"'),
        ('path = "table.journal"', 'path = "folder"'),
        ("mqtt://localhost", "http://localhost"),
        ('driver = "angel-eye"', 'driver = "angel-ear"'),
        ("socket://localhost:4002", "socket://localhost"),
        ('driver = "native"', 'driver = "native"\noptions = { serail = "1" }'),
        ('card = "S1"', 'public_key = "12"'),
        ("[table]", "[rules]\nbox_mni = 5\nboxes = 12\n[table]"),
    )
    found = told(path)
    for part in (
        "table.sit: unknown key; did you mean site?",
        "table.id: String should match pattern",
        f"journal.path: {tmp_path / 'folder'} is a directory",
        "broker.urls.0: broker 'http://localhost': not a broker's URL",
        "device.0.driver: 'angel-ear' is not installed; installed: angel-eye",
        "device.1.port: socket://localhost: write socket://HOST:PORT",
        "device.1.options: ",
        "staff.0.public_key: 12: not a public key",
    ):
        assert any(line.startswith(part) for line in found), (part, found)
    repaired = write(("[table]", "[rules]\nbox_mni = 5\nboxes = 12\n[table]"))
    assert told(repaired) == [
        "rules.boxes: Input should be less than or equal to 9 (is 12)",
        "rules.box_mni: unknown key; did you mean box_min?",
    ]


def test_unknown_game_and_rule_set_name_the_known_ones(write: Write) -> None:
    (line,) = told(write(('ruleset = "armenian"', 'ruleset = "armenain"')))
    assert line.startswith("table.ruleset: no rule set 'armenain'; shipped: ")
    assert "armenian" in line
    assert line.endswith("; or a path to a .toml")
    (line,) = told(write(('ruleset = "armenian"', 'ruleset = "armenian"\ngame = "faro"')))
    assert line.startswith("table.game: 'faro' is not installed; installed: ")
    assert "blackjack" in line


def test_limits_that_do_not_fit_together_name_the_rules(write: Write) -> None:
    assert told(write(("[table]", "[rules]\nbox_min = 5000\nbox_max = 100\n[table]"))) == [
        "rules.box_min 5000 is above box_max 100"
    ]


def test_a_journal_of_another_table_and_what_is_no_journal(write: Write, tmp_path: Path) -> None:
    path = write()
    Journal.open(tmp_path / "table.journal", "lv1", "bj-013").close()
    assert told(path) == [
        f"journal.path: {tmp_path / 'table.journal'} belongs to table lv1/bj-013, not lv1/bj-012; name another"
    ]
    (tmp_path / "table.journal").write_text("hello")
    assert told(path) == [f"journal {tmp_path / 'table.journal'}: the file is not a SQLite database; name another file"]


def test_a_rule_set_of_the_house_lies_beside_the_configuration(write: Write, tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text((SHIPPED / "armenian.toml").read_text())
    checked = examine(write(('ruleset = "armenian"', 'ruleset = "house.toml"')))
    assert checked.problems == ()
    assert checked.rules is not None
    assert checked.rules.name == "house"


def test_each_file_of_a_table_is_an_own_one(write: Write, tmp_path: Path) -> None:
    path = write(
        ('path = "table.journal"', 'path = "table.journal"\nkey = "./table.journal"'),
        ('driver = "angel-eye"', f'driver = "angel-eye"\ntrace = "{tmp_path}/table.journal"'),
    )
    taken = f"{tmp_path}/table.journal is the file of journal.path already; name another file"
    assert told(path) == [f"journal.key: {taken}", f"device.0.trace: {taken}"]


def test_a_device_or_a_pipe_is_no_journal(write: Write, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    fault = "is a device or a pipe; name an ordinary file"
    assert told(write(("table.journal", "pipe"))) == [f"journal.path: {tmp_path}/pipe {fault}"]
    assert told(write(("table.journal", "/dev/null")))[0] == f"journal.path: /dev/null {fault}"


def test_the_journal_of_a_running_table_is_fine(write: Write, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "table.journal", "lv1", "bj-012"):
        assert told(write()) == []


def test_a_missing_folder_and_an_open_key(write: Write, tmp_path: Path) -> None:
    assert told(write(("table.journal", "no/table.journal"))) == [
        f"journal.path: {tmp_path / 'no'} is not a folder; make it or name another path",
        f"journal.key: {tmp_path / 'no'} is not a folder; make it or name another path",
    ]
    load_or_make_key(tmp_path / "table.key")
    (tmp_path / "table.key").chmod(0o644)
    (line,) = told(write())
    assert "others may read it" in line


def test_a_folder_that_cannot_be_written(write: Write) -> None:
    text = write().read_text()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "TABLE.toml"
        path.write_text(text)
        Path(name).chmod(0o555)
        before = os.geteuid()
        # root may write everywhere
        os.seteuid(before or NOBODY)
        try:
            found = told(path)
        finally:
            os.seteuid(before)
            Path(name).chmod(0o755)
    assert found == [
        f"journal.path: {name} cannot be written; change its permissions or name another path",
        f"journal.key: {name} cannot be written; change its permissions or name another path",
    ]


def test_two_people_with_one_key_are_one_person(write: Write) -> None:
    key = "ab" * 32
    staff = f'[[staff]]\nid = "13"\nrole = "dealer"\npublic_key = "{key}"\n'
    assert told(write(('card = "S1"', f'public_key = "{key}"'), more=staff)) == [
        "staff 13 has the public_key of 12; each needs an own one"
    ]


def test_what_the_owner_should_know_is_a_warning(write: Write, tmp_path: Path) -> None:
    path = write(
        ('ruleset = "armenian"', 'ruleset = "armenian"\nsimulation = true'),
        ('urls = ["mqtt://localhost"]', "embedded = false\ninsecure_lab = true"),
        ('role = "supervisor"\ncard = "S1"', 'role = "dealer"'),
        ('kind = "bets"', 'kind = "console"'),
        ("socket://localhost:4001", str(tmp_path / "tty")),
    )
    checked = examine(path)
    assert checked.problems == ()
    assert [warning.partition(":")[0] for warning in checked.warnings] == [
        "rule set armenian",
        "broker.insecure_lab",
        "broker",
        "device.0.port",
        "device",
        "table.simulation",
        "staff.0",
        "staff",
    ]


ODD = b"table = 1\ndevice = 2\nstaff = [3]\nrules = 4\njournal = []"


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[table", ODD])
def test_what_is_no_configuration_is_told_in_lines(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "TABLE.toml"
    path.write_bytes(content)
    assert told(path)


def test_a_directory_and_a_missing_file(tmp_path: Path) -> None:
    assert problems(tmp_path) == (f"{tmp_path}: it is a directory; name a TOML file",)
    (line,) = problems(tmp_path / "gone.toml")
    assert line.startswith(f"{tmp_path / 'gone.toml'}: cannot be read")


def test_looking_makes_nothing(write: Write, tmp_path: Path) -> None:
    path = write()
    examine(path)
    assert [item.name for item in tmp_path.iterdir()] == ["TABLE.toml"]


def test_a_cameras_faults_are_told_with_all_others(write: Write, tmp_path: Path) -> None:
    camera = '[camera]\nname = "{name}"\nsource = "{source}"\ncalibration = "absent.json"\n'
    found = told(write(more=camera.format(name="eye", source="rtsp://eye:secret@10.3.0.30/live")))
    assert [line.split(": ")[0] for line in found] == ["camera.source", "camera.calibration"]
    assert "TABLEWATCH_CAMERA_PASSWORD" in found[0]
    assert found[1].startswith(f"camera.calibration: {tmp_path}/absent.json: cannot be read")
    assert any(
        "device name shoe is used twice" in line for line in told(write(more=camera.format(name="shoe", source="0")))
    )


def test_a_wrong_key_does_not_hide_what_stands_twice(write: Write) -> None:
    more = '[sources]\nsettle_on = "both"\n[camera]\nname = "shoe"\nsource = "0"\ncalibration = "absent.json"\n'
    found = told(write(more=more))
    assert sum("sources.settle_on" in line for line in found) == 1
    assert [line for line in found if "used twice" in line] == ["device name shoe is used twice; each needs an own one"]


def test_a_camera_that_is_not_there_or_is_a_file_is_a_warning(write: Write, tmp_path: Path) -> None:
    camera = '[camera]\nsource = "{source}"\ncalibration = "absent.json"\n'
    (tmp_path / "table.mp4").touch()
    away = examine(write(more=camera.format(source="/dev/video987"))).warnings
    assert "camera.source: /dev/video987 is not there now; plug in camera" in away
    file = examine(write(more=camera.format(source="table.mp4"))).warnings
    assert f"camera.source: {tmp_path}/table.mp4 is looked at once and then ends; for trials" in file
