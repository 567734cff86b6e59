"""TABLE.toml: what is wrong is said all at once, with file, key, what is allowed, and the nearest known key."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.bus import endpoints_of
from controller.app.config import ConfigError, load_config

GOOD = """
[table]
site = "lv1"
id = "bj-1"
ruleset = "armenian"
[journal]
path = "table.sqlite"
[[device]]
name = "shoe"
kind = "shoe"
driver = "angel-eye"
port = "/dev/ttyUSB0"
trace = "shoe.trace"
[[staff]]
id = "4711"
role = "dealer"
card = "D1"
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def problems(path: Path) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    return caught.value.problems


def test_relative_paths_are_relative_to_the_file_and_the_key_lies_beside_the_journal(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, GOOD))
    assert config.journal.path == tmp_path / "table.sqlite"
    assert config.journal.key == tmp_path / "table.key"
    assert config.device[0].trace == tmp_path / "shoe.trace"
    assert config.broker.urls == ()


def test_an_absolute_path_stays(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere" / "j.sqlite"
    config = load_config(write(tmp_path, GOOD.replace('"table.sqlite"', f'"{elsewhere}"\nkey = "/etc/t.key"')))
    assert (config.journal.path, config.journal.key) == (elsewhere, Path("/etc/t.key"))


def test_every_fault_is_said_at_once_with_file_and_key(tmp_path: Path) -> None:
    text = GOOD.replace('site = "lv1"', 'site = "Las Vegas"').replace('role = "dealer"', 'role = "boss"')
    text = text.replace("[journal]", "[journl]").replace('kind = "shoe"', 'kind = "shoes"')
    path = write(tmp_path, text)
    found = problems(path)
    assert all(problem.startswith(f"{path}: ") and "\n" not in problem for problem in found)
    keys = {problem.removeprefix(f"{path}: ").split(":")[0] for problem in found}
    assert keys == {"table.site", "journal", "journl", "device.0.kind", "staff.0.role"}
    role = next(problem for problem in found if "staff.0.role" in problem)
    assert "'supervisor'" in role
    assert "'boss'" in role


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("[journl]\nx = 1", "did you mean journal?"),
        ("[broker]\nurl = []", "broker.url: unknown key; did you mean urls?"),
        ("[broker]\nembeded = true", "broker.embeded: unknown key; did you mean embedded?"),
        ("[broker]\nzzz = true", "known keys: archives, embedded, embedded_port, insecure_lab, urls"),
    ],
)
def test_an_unknown_key_names_the_nearest_known_one(tmp_path: Path, wrong: str, right: str) -> None:
    (found,) = problems(write(tmp_path, GOOD + wrong))
    assert right in found


def test_a_name_port_or_staff_card_may_not_stand_twice(tmp_path: Path) -> None:
    device = GOOD[GOOD.index("[[device]]") : GOOD.index("[[staff]]")]
    name, port = problems(write(tmp_path, GOOD + device))
    assert "device name shoe is used twice" in name
    assert "device port /dev/ttyUSB0 is used twice" in port
    renamed = device.replace('name = "shoe"', 'name = "second"')
    (found,) = problems(write(tmp_path, GOOD + renamed))
    assert "device port /dev/ttyUSB0 is used twice" in found
    staff = GOOD[GOOD.index("[[staff]]") :].replace("4711", "4712")
    (found,) = problems(write(tmp_path, GOOD + staff))
    assert "staff card D1 is used twice" in found
    both = problems(write(tmp_path, GOOD + renamed + staff))
    assert [line.split(": ")[1].split(" is ")[0] for line in both] == ["device port /dev/ttyUSB0", "staff card D1"]


def test_a_broken_toml_names_line_and_column(tmp_path: Path) -> None:
    path = write(tmp_path, '[table]\nsite = "lv1\n')
    (found,) = problems(path)
    assert found.startswith(f"{path}: not TOML: ")
    assert "line 2" in found


def test_what_is_no_text_file_is_said_in_one_line(tmp_path: Path) -> None:
    (missing,) = problems(tmp_path / "no.toml")
    assert missing == f"{tmp_path}/no.toml: cannot be read: No such file or directory"
    (folder,) = problems(tmp_path)
    assert folder == f"{tmp_path}: it is a directory; name a TOML file"
    latin = tmp_path / "latin.toml"
    latin.write_bytes('site = "Zürich"'.encode("latin-1"))
    assert problems(latin) == (f"{latin}: not UTF-8 text (byte 9)",)


def test_a_password_comes_from_the_environment_and_never_from_the_url(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLEWATCH_MQTT_PASSWORD", "s3cret")
    config = load_config(write(tmp_path, GOOD + '[broker]\nurls = ["mqtt://table@127.0.0.1:1884"]\n'))
    (endpoint,) = endpoints_of(config)
    assert (endpoint.user, endpoint.password, endpoint.port) == ("table", "s3cret", 1884)
    assert "s3cret" not in repr(endpoint)
    assert "s3cret" not in str(endpoint)
    assert "s3cret" not in repr(config)


def test_every_broker_url_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    urls = '["mqtt://u:pw@localhost", "http://x", "mqtt://10.0.0.1", "mqtt://localhost"]'
    config = load_config(write(tmp_path, GOOD + f"[broker]\nurls = {urls}\n"))
    with pytest.raises(ConfigError) as caught:
        endpoints_of(config)
    first, second, third = caught.value.problems
    assert first.startswith("broker.urls.0: ")
    assert "TABLEWATCH_MQTT_PASSWORD" in first
    assert "pw" not in first.replace("TABLEWATCH_MQTT_PASSWORD", "").split("localhost")[0]
    assert "mqtt://host:port" in second
    assert "insecure_lab" in third
