"""devices, console, trace and sim on real ptys and TCP ports."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from bench import waiting
from controller.cli.guard import ExitCode
from controller.cli.main import run
from drivers.messages import KeyPressed
from firmware_sim.clock import RealClock
from firmware_sim.console import SimConsole
from firmware_sim.shoe import AngelEyeShoe, ShoeCard
from firmware_sim.wire import Firmware, FirmwareRunner, PtyWire, TcpWire

DEADLINE_S = 60.0
Plug = Callable[[str, Firmware], str]
wait_for = partial(waiting.until, patience_s=DEADLINE_S)


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    """Puts simulated devices on ptys; answers their paths."""
    runners: list[FirmwareRunner] = []

    def plug(name: str, firmware: Firmware) -> str:
        runners.append(FirmwareRunner(firmware, PtyWire(tmp_path / name), RealClock()))
        return str(tmp_path / name)

    yield plug
    for runner in runners:
        assert runner.stop()


@pytest.fixture
def shoe(plug: Plug) -> Iterator[str]:
    """A shoe from which a card is drawn now and then."""
    firmware = AngelEyeShoe([ShoeCard(8, "S")] * 500)
    path, stopping = plug("shoe", firmware), threading.Event()

    def draw() -> None:
        while not stopping.wait(0.4):
            firmware.draw()

    thread = threading.Thread(target=draw)
    thread.start()
    yield path
    stopping.set()
    thread.join()


def test_console_climbs_the_ladder_to_the_events(shoe: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["console", shoe, "-d", "shoe/angel-eye", "--for", "40", "--count", "2"]) == ExitCode.OK
    said = capsys.readouterr().out
    assert "CardDrawn rank=8 suit=S" in said
    for rung in ("the port is open", "bytes come", "telegrams come", "events come"):
        assert f"yes  {rung}" in said
    assert "frames_in" in said


def test_console_says_where_the_way_ends(shoe: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["console", shoe, "-d", "reader/barcode", "--for", "3"]) == ExitCode.WRONG
    said = capsys.readouterr().out
    assert "yes  bytes come" in said
    assert "no   telegrams come" in said
    assert "not yet: telegrams come. Look at: line settings" in said


def test_console_of_a_port_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "none")
    assert run(["console", path, "-d", "shoe/native", "--for", "0.3"]) == ExitCode.WRONG
    said = capsys.readouterr().out
    assert "there is no such port" in said
    assert "no   the port is open" in said
    assert "counted: nothing" in said


def test_console_does_not_acknowledge_unless_told_to(plug: Plug, capsys: pytest.CaptureFixture[str]) -> None:
    device = SimConsole()
    device.press_key("hit", box=3)
    path = plug("console", device)
    assert run(["console", path, "-d", "console/native", "--for", "40", "--count", "1"]) == ExitCode.OK
    said = " ".join(capsys.readouterr().out.split())
    assert "KeyPressed key=hit box=3" in said
    assert "not acknowledged: a native device sends eight and waits" in said
    assert device.acked == 0
    assert run(["console", path, "-d", "console/native", "--for", "8", "--acknowledge"]) == ExitCode.OK
    assert device.acked == 1
    assert "not acknowledged" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["-d", "shoe"], "'shoe' is no driver; installed: shoe/angel-eye, shoe/native, console/native"),
        (["-d", "shoe/other"], "'other' is not installed; installed: angel-eye, native"),
        (["-d", "shoe/angel-eye", "-o", "silence"], "'silence' is not key=value"),
        (["-d", "shoe/angel-eye", "-o", "silence_limit_s=0"], "silence_limit_s is 0"),
        (["-d", "reader/pn532", "-o", "poll_ms=1.5"], "poll_ms is 1.5"),
    ],
)
def test_a_wrong_driver_or_option_is_named(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["console", "/dev/null", *arguments]) == ExitCode.USAGE
    assert reason in " ".join(capsys.readouterr().err.split())


def test_a_recorded_trace_plays_back_the_same(shoe: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "shoe.trace"
    assert (
        run(["trace", "record", shoe, str(file), "-d", "shoe/angel-eye", "--for", "40", "--count", "3"]) == ExitCode.OK
    )
    live = [line.partition("  ")[2] for line in capsys.readouterr().out.splitlines() if "CardDrawn" in line]
    assert run(["trace", "play", str(file), "-d", "shoe/angel-eye", "--events"]) == ExitCode.OK
    again = [line.partition("  ")[2] for line in capsys.readouterr().out.splitlines() if "CardDrawn" in line]
    assert again == live
    assert len(live) >= 2
    assert run(["trace", "play", str(file), "-d", "shoe/angel-eye", "--events", "--json"]) == ExitCode.OK
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["message"] for row in rows] == ["CardDrawn"] * len(live)
    assert rows[0]["data"]["rank"] == 8


@pytest.mark.parametrize(("content", "reason"), [("", "an empty trace"), ("hello\n", "line 1: not a line of a trace")])
def test_a_file_that_is_no_trace_is_named(
    content: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.trace"
    file.write_text(content)
    assert run(["trace", "play", str(file), "-d", "shoe/angel-eye"]) == ExitCode.CANNOT
    assert f"{file}" in (error := capsys.readouterr().err)
    assert reason in error


def test_a_trace_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = str(tmp_path / "no" / "x.trace")
    assert run(["trace", "record", "/dev/null", where, "-d", "shoe/angel-eye", "--for", "1"]) == ExitCode.CANNOT
    assert where in capsys.readouterr().err


def test_devices_asks_a_port_who_is_there(
    plug: Plug, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "240")
    path = plug("console", SimConsole("CN-77"))
    assert run(["devices", "--port", path, "--wait", "20"]) == ExitCode.OK
    assert "console CN-77 (TW-CONSOLE, firmware 1.0.0, boot 1, a simulator)" in " ".join(
        capsys.readouterr().out.split()
    )


def test_devices_says_when_nobody_answers(shoe: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    none = str(tmp_path / "none")
    assert run(["devices", "--port", shoe, "--port", none, "--wait", "0.5"]) == ExitCode.WRONG
    said = " ".join(capsys.readouterr().out.split())
    assert "no native device answers" in said
    assert "there is no such port" in said


def test_devices_lists_what_is_present(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["devices"]) == ExitCode.OK
    said = capsys.readouterr().out
    assert "port" in said


SIX = ("--for", "40", "--count", "6", "--acknowledge")
ONE = ("--for", "40", "--count", "1")
CONFIG = """
[table]
site = "h"
id = "t"
ruleset = "armenian"
simulation = true
[journal]
path = "j.sqlite"
[[device]]
name = "keys"
kind = "console"
driver = "native"
port = "{console}"
[[device]]
name = "gone"
kind = "bets"
driver = "native"
port = "{none}"
"""


def test_devices_of_a_table(plug: Plug, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    device = SimConsole("CN-77")
    device.record(KeyPressed("hit"))
    config = tmp_path / "table.toml"
    config.write_text(CONFIG.format(console=plug("console", device), none=tmp_path / "none"))
    assert run(["devices", str(config), "--wait", "40"]) == ExitCode.WRONG
    rows = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert any("keys console/native" in row and "up TW-CONSOLE CN-77" in row for row in rows)
    assert any("gone bets/native" in row and "down" in row for row in rows)
    assert device.acked == 0


def test_the_camera_of_a_table_is_listed(plug: Plug, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "table.toml"
    text = CONFIG.format(console=plug("console", SimConsole("CN-77")), none=tmp_path / "none")
    config.write_text(text + '[camera]\nsource = "http://127.0.0.1:1/stream"\ncalibration = "none.json"\n')
    assert run(["devices", str(config), "--wait", "5"]) == ExitCode.WRONG
    (row,) = [" ".join(r.split()) for r in capsys.readouterr().out.splitlines() if r.startswith("camera")]
    assert row.startswith("camera camera http://127.0.0.1:1/")
    assert "no answer camera.calibration:" in row


def test_a_recording_of_nothing_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    none, file = tmp_path / "none", tmp_path / "t.trace"
    assert run(["trace", "record", str(none), str(file), "-d", "shoe/angel-eye", "--for", "0.3"]) == ExitCode.WRONG
    out = " ".join(capsys.readouterr().out.split())
    assert f"nothing was recorded in {file}: not one byte came" in out
    assert "plays it back" not in out


def test_a_driver_that_is_not_installed_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["console", "/dev/ttyS0", "-d", "shoe/angel"]) == ExitCode.USAGE
    assert "--driver: 'angel' is not installed; installed: " in " ".join(capsys.readouterr().err.split())


def simulate(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "from controller.cli.main import main; main()", "sim", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_sim_on_a_pty_says_what_is_true_and_the_driver_hears_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "shoe"
    sim = simulate("shoe", "--dialect", "native", "--pty", str(path), "--acts", "6", "--pace", "3", "--seed", "2")
    try:
        wait_for(path.is_symlink)
        assert run(["console", str(path), "-d", "shoe/native", *SIX]) == ExitCode.OK
        heard = [line.split("  ")[1] for line in capsys.readouterr().out.splitlines() if "[native:" in line]
        said, _ = sim.communicate(timeout=DEADLINE_S)
    finally:
        sim.kill()
        sim.wait()
    true = [line.removeprefix("true: ") for line in said.splitlines() if line.startswith("true: ")]
    assert heard == true[:6]
    assert len(heard) == 6
    assert sim.returncode == 0
    assert "6 acts" in said
    assert "faults: none" in said


def test_a_port_goes_with_its_simulator(tmp_path: Path) -> None:
    path = tmp_path / "shoe"
    sim = simulate("shoe", "--pty", str(path))
    try:
        assert sim.stdout is not None
        while "waiting for a host" not in sim.stdout.readline():
            assert sim.poll() is None
        assert path.is_symlink()
        sim.terminate()
        said, _ = sim.communicate(timeout=DEADLINE_S)
    finally:
        sim.kill()
        sim.wait()
    assert (sim.returncode, path.is_symlink()) == (0, False)
    assert "stopped" in said
    assert "Traceback" not in said


def test_sim_on_tcp_ends_by_ctrl_c(capsys: pytest.CaptureFixture[str]) -> None:
    sim = simulate("reader", "--dialect", "rdm6300", "--tcp", "0")
    try:
        assert sim.stdout is not None
        first = sim.stdout.readline()
        url = first.split(" at ")[1].split(";")[0]
        assert url.startswith("socket://127.0.0.1:")
        assert run(["console", url, "-d", "reader/rdm6300", "-o", "position=box-1", *ONE]) == ExitCode.OK
        assert "TagSeen position=box-1" in capsys.readouterr().out
        sim.send_signal(signal.SIGINT)
        said, _ = sim.communicate(timeout=DEADLINE_S)
    finally:
        sim.kill()
        sim.wait()
    assert "stopped" in said
    assert sim.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["reader", "--tcp", "0", "--dialect", "xx"], ExitCode.USAGE, "allowed: barcode, pn532, rdm6300"),
        (["shoe"], ExitCode.USAGE, "give either --pty PATH or --tcp PORT"),
        (["shoe", "--pty", "a", "--tcp", "1"], ExitCode.USAGE, "give either --pty PATH or --tcp PORT"),
        (["shoe", "--tcp", "0", "--faults", "awful"], ExitCode.USAGE, "name a fault profile"),
        (["shoe", "--pty", "a", "--rfc2217"], ExitCode.USAGE, "--rfc2217: is spoken over TCP: give --tcp PORT"),
        (["shoe", "--pty", "/none/such/place"], ExitCode.CANNOT, "/none/such/place: No such file or directory"),
    ],
)
def test_sim_names_what_is_wrong(
    arguments: list[str], code: ExitCode, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sim", *arguments]) == code
    assert reason in " ".join(capsys.readouterr().err.split())


def test_sim_does_not_replace_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "precious"
    file.write_text("x")
    assert run(["sim", "shoe", "--pty", str(file)]) == ExitCode.CANNOT
    assert "there is a file already" in capsys.readouterr().err
    assert file.read_text() == "x"


def test_sim_does_not_take_the_path_of_another_simulator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wire = PtyWire(tmp_path / "shoe")
    target = wire.path.readlink()
    try:
        assert run(["sim", "shoe", "--pty", str(wire.path)]) == ExitCode.CANNOT
        assert f"{wire.path}: leads to {target} already; end what has that" in capsys.readouterr().err
        assert wire.path.readlink() == target
    finally:
        wire.close()


def test_sim_on_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    wire = TcpWire()
    try:
        port = wire.url.rpartition(":")[2]
        assert run(["sim", "shoe", "--tcp", port]) == ExitCode.CANNOT
        assert f"TCP port {port}: Address already in use; choose another one" in capsys.readouterr().err
    finally:
        wire.close()
