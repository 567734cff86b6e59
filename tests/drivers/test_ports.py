"""Opening ports: what a person is told when it cannot be done, and that nothing stays open."""

from __future__ import annotations

import contextlib
import gc
import os
import pty
import select
import socket
import struct
import subprocess
import sys
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from serial.tools import list_ports

from bench import waiting
from drivers.api import LineSettings
from drivers.port_holders import YOUNGER_S, holders, is_recycled
from drivers.ports import Port, PortError, PortFault, check_url, find_usb, open_port, refuse_taken

LINE = LineSettings(4800)


@pytest.fixture
def pair() -> Iterator[tuple[int, str]]:
    """The master's file descriptor and the path of a raw pty."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    os.close(slave)
    yield master, path
    os.close(master)


@pytest.fixture
def opened(pair: tuple[int, str]) -> Iterator[Port]:
    """The port at that path, open."""
    port = open_port(pair[1], LINE)
    yield port
    port.close()


def refusal(url: str, line: LineSettings = LINE) -> PortError:
    """Why the port cannot be opened; one line."""
    with pytest.raises(PortError) as caught:
        open_port(url, line)
    assert "\n" not in str(caught.value)
    return caught.value


def test_bytes_go_both_ways_over_a_pty(pair: tuple[int, str], opened: Port) -> None:
    os.write(pair[0], bytes(range(256)))
    received = b""
    while len(received) < 256:
        received += opened.read(1000)
    assert received == bytes(range(256))
    opened.write(b"\x00\x0a\x0d\x03\xff")
    assert os.read(pair[0], 10) == b"\x00\x0a\x0d\x03\xff"


def test_parity_that_a_pty_does_not_have_is_survived(pair: tuple[int, str]) -> None:
    port = open_port(pair[1], LineSettings(4800, 7, "E", 2))
    os.write(pair[0], b"\xb8")
    assert port.read(1000) == b"\xb8"
    port.close()


def test_nothing_there_is_nothing_read(opened: Port) -> None:
    assert opened.read(1) == b""


def test_a_wake_up_ends_the_wait(opened: Port) -> None:
    wake, ring = os.pipe()
    os.write(ring, b"w")
    assert opened.read(60_000, wake) == b""
    os.close(wake)
    os.close(ring)


def test_a_vanished_device_is_lost(pair: tuple[int, str]) -> None:
    master, slave = pty.openpty()
    path = os.ttyname(slave)
    os.close(slave)
    port = open_port(path, LINE)
    os.close(master)
    with pytest.raises(PortError) as caught:
        port.read(1000)
    assert caught.value.fault is PortFault.LOST
    gone = "the device is gone: unplugged, switched off, or its program ended"
    assert caught.value.reason == f"{path}: connection lost: {gone}"
    port.close()


def test_a_second_opener_is_told_who_has_it(pair: tuple[int, str], opened: Port) -> None:
    error = refusal(pair[1])
    assert error.fault is PortFault.IN_USE
    assert f"(pid {os.getpid()})" in error.reason


@contextlib.contextmanager
def another_process(path: str, lock: str) -> Iterator[int]:
    """Another process has the port open, with a lock or with ``no lock``; its pid."""
    script = (
        "import sys, serial; lock = sys.argv[2] == 'lock' or None; "
        "port = serial.Serial(sys.argv[1], exclusive=lock); print('open', flush=True); sys.stdin.read(); port.close()"
    )
    arguments = [sys.executable, "-c", script, path, lock]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        other.stdout.readline()
        yield other.pid
        other.stdin.close()
        other.wait(20)


def test_another_process_is_named_whether_it_locks_the_port_or_not(pair: tuple[int, str]) -> None:
    for lock in ("lock", "no lock"):
        with another_process(pair[1], lock) as pid:
            error = refusal(pair[1])
        assert error.fault is PortFault.IN_USE
        assert f"(pid {pid})" in error.reason
        assert "end it first" in error.reason
    open_port(pair[1], LINE).close()


def test_a_child_that_is_not_yet_its_own_program_does_not_have_the_port(pair: tuple[int, str]) -> None:
    """A controller starts its broker while a port is opened: until its exec the child has every file of the parent."""
    script = (
        "import os, sys, serial; from drivers.port_holders import holders; port = serial.Serial(sys.argv[1]); "
        "end, begin = os.pipe(); child = os.fork(); child or (os.close(begin), os.read(end, 1), os._exit(0)); "
        "print(*(holder.pid == os.getpid() for holder in holders(sys.argv[1]))); os.close(begin); os.waitpid(child, 0)"
    )
    arguments = [sys.executable, "-c", script, pair[1]]
    said = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=True)
    assert said.stdout.split() == ["True"], said.stderr


def test_a_port_that_another_process_keeps_for_itself_is_refused_before_it_is_opened(pair: tuple[int, str]) -> None:
    with another_process(pair[1], "lock") as pid, pytest.raises(PortError) as caught:
        refuse_taken(pair[1])
    assert caught.value.fault is PortFault.IN_USE
    assert f"(pid {pid}); end it first" in caught.value.reason
    refuse_taken(pair[1])
    with another_process(pair[1], "no lock"):
        refuse_taken(pair[1])


@pytest.mark.parametrize("url", ["/dev/ttyNothing", "socket://127.0.0.1:9", "usb:dead:beef", "rfc2217://127.0.0.1:9"])
def test_a_port_that_is_away_or_behind_tcp_is_not_taken(url: str) -> None:
    refuse_taken(url)


def test_our_own_port_is_not_taken(pair: tuple[int, str], opened: Port) -> None:
    refuse_taken(pair[1])


def test_holders_of_a_port_nobody_has(pair: tuple[int, str]) -> None:
    assert holders(pair[1]) == ()


def test_a_link_to_a_pty_that_was_given_to_another_program(tmp_path: Path) -> None:
    """What a simulator leaves that is killed: a link, whose target the system soon gives to somebody else."""
    path = tmp_path / "shoe"
    master, slave = pty.openpty()
    name = os.ttyname(slave)
    path.symlink_to(name)
    made_s = path.lstat().st_ctime
    open_port(str(path), LINE).close()
    for end in (master, slave):
        os.close(end)
    waiting.until(lambda: time.time() > made_s + 1.2 * YOUNGER_S, "the clock goes on")
    taken: list[int] = []
    while not taken or os.ttyname(taken[-1]) != name:
        taken += pty.openpty()
    try:
        error = refusal(str(path))
        assert (error.fault, is_recycled(name)) == (PortFault.MISSING, False)
        assert f"{path}: leads to {name}, which is another program's by now" in error.reason
    finally:
        for end in taken:
            os.close(end)


def test_missing_directory_file_and_device_that_is_no_port(tmp_path: Path) -> None:
    assert refusal("/dev/ttyNO99").fault is PortFault.MISSING
    assert "is it plugged in?" in refusal(str(tmp_path / "gone")).reason
    assert "is a directory" in refusal(str(tmp_path)).reason
    (tmp_path / "file").write_text("")
    assert "is a file" in refusal(str(tmp_path / "file")).reason
    assert refusal("/dev/null").fault is PortFault.NOT_A_PORT


def test_refused_and_unknown_hosts() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        for scheme in ("socket", "rfc2217"):
            error = refusal(f"{scheme}://127.0.0.1:{port}")
            assert error.fault is PortFault.REFUSED
            assert f"127.0.0.1:{port}" in error.reason
    assert refusal("socket://no-such-host.invalid:4001").fault is PortFault.UNREACHABLE


@pytest.mark.parametrize(
    "url",
    [
        "",
        "\0",
        "socket://host",
        "socket://:4001",
        "socket://host:port",
        "socket://host:99999",
        "rfc2217://host",
        "warp://host:1",
        "usb:",
        "usb:0403",
        "usb:0403:xyz",
        "usb:0403:12345",
    ],
)
def test_a_url_that_names_no_port(url: str) -> None:
    assert refusal(url).fault is PortFault.BAD_URL


@pytest.mark.parametrize("url", ["/dev/ttyUSB0", "socket://h:1", "rfc2217://h:1", "usb:0403:6001", "usb:0403:6001:A:B"])
def test_a_url_that_could_name_a_port(url: str) -> None:
    check_url(url)


def test_a_usb_identity_is_looked_up_at_every_opening(monkeypatch: pytest.MonkeyPatch, pair: tuple[int, str]) -> None:
    """There is no USB adapter here, so the list of them is the one thing replaced; the port behind it is real."""

    def plugged(*ports: tuple[str, int, str]) -> None:
        found = [SimpleNamespace(device=device, vid=0x403, pid=pid, serial_number=sn) for device, pid, sn in ports]
        monkeypatch.setattr(list_ports, "comports", lambda: found)

    plugged(("/dev/ttyUSB0", 0x6001, "A1"), (pair[1], 0x6001, "A2"), ("/dev/ttyACM0", 0x6015, "A3"))
    open_port("usb:0403:6001:A2", LINE).close()
    assert find_usb("usb:0403:6015") == "/dev/ttyACM0"
    assert "/dev/ttyUSB0" in refusal("usb:403:6001").reason
    assert "add the serial number" in refusal("usb:403:6001").reason
    plugged((pair[1], 0x6001, "A1"))
    open_port("usb:0403:6001:A1", LINE).close()
    missing = refusal("usb:0403:6001:A2")
    assert missing.fault is PortFault.MISSING
    assert f"present: {pair[1]}" in missing.reason


def test_a_spied_port_is_the_port(pair: tuple[int, str], tmp_path: Path) -> None:
    port = open_port(f"spy://{pair[1]}", LINE)
    os.write(pair[0], b"\x05")
    assert port.read(1000) == b"\x05"
    port.close()
    assert "is a directory" in refusal(f"spy://{tmp_path}").reason


def test_tcp_keeps_alive_and_a_peer_that_leaves_is_lost() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = open_port(f"socket://127.0.0.1:{server.getsockname()[1]}", LINE)
        peer, _address = server.accept()
        connection = port._device._socket  # type: ignore[attr-defined]
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        peer.sendall(b"\x05\x31")
        assert port.read(1000) == b"\x05\x31"
        peer.close()
        with pytest.raises(PortError) as caught:
            port.read(1000)
        port.close()
    assert caught.value.fault is PortFault.LOST


def test_a_raw_tcp_port_opened_as_rfc_2217_is_told_apart() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        error = refusal(f"rfc2217://127.0.0.1:{server.getsockname()[1]}?timeout=0.3")
    assert error.fault is PortFault.FAILED
    assert "a raw TCP port wants socket://" in error.reason


def test_a_connection_that_the_peer_reset_is_closed_without_a_leak() -> None:
    """pyserial forgets to close a socket whose shutdown fails; a leak is a ResourceWarning, which fails the test."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = open_port(f"socket://127.0.0.1:{server.getsockname()[1]}", LINE)
        peer, _address = server.accept()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        peer.close()
        with pytest.raises(PortError):
            port.read(1000)
        port.close()
        del port
        gc.collect()


def test_a_far_end_that_takes_nothing_is_lost(pair: tuple[int, str], opened: Port) -> None:
    with pytest.raises(PortError) as caught:
        opened.write(b"x" * 1_000_000)
    assert caught.value.fault is PortFault.LOST
    assert select.select([pair[0]], [], [], 0)[0]
