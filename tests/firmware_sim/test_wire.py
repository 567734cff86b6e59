"""The far ends of the wires, and what the line does to bytes."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.waiting import until
from drivers.api import LineSettings
from drivers.ports import PortError, open_port
from firmware_sim.clock import RealClock, VirtualClock
from firmware_sim.faults import FaultInjector, Faults, TelegramCopy
from firmware_sim.wire import FirmwareRunner, PtyWire, Rfc2217Wire, TcpWire, Wire

DEADLINE_S = 60.0
LINE = LineSettings(4800, 7, "E", 2)
WIRES = ("pty", "socket", "rfc2217")


@pytest.fixture
def wire(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Wire]:
    """A wire of the kind that the test names."""
    kinds: dict[str, Callable[[], Wire]] = {
        "pty": lambda: PtyWire(tmp_path / "port"),
        "socket": TcpWire,
        "rfc2217": Rfc2217Wire,
    }
    made = kinds[request.param]()
    yield made
    made.close()


class EchoFirmware:
    """Sends back what it hears, and counts its connections and ticks."""

    def __init__(self) -> None:
        self.connections = 0
        self.ticks = 0
        self._output = b""

    def connected(self, now_ms: int) -> None:
        self.connections += 1

    def receive(self, data: bytes, now_ms: int) -> None:
        self._output += data

    def tick(self, now_ms: int) -> None:
        self.ticks += 1

    def outgoing(self) -> bytes:
        output, self._output = self._output, b""
        return output


def exchange(url: str, data: bytes) -> bytes:
    """Open the host's end, send, and read as many bytes as were sent."""
    port = open_port(url, LINE)
    try:
        port.write(data)
        received = b""
        deadline_s = time.monotonic() + DEADLINE_S
        while len(received) < len(data) and time.monotonic() < deadline_s:
            received += port.read(100)
        return received
    finally:
        port.close()


@pytest.mark.parametrize("wire", WIRES, indirect=True)
def test_a_firmware_runs_with_and_without_a_host_and_over_unplugging(wire: Wire) -> None:
    firmware = EchoFirmware()
    runner = FirmwareRunner(firmware, wire, RealClock(10))
    until(lambda: firmware.ticks > 3)
    everything = bytes(range(256))
    assert exchange(wire.url, everything) == everything
    until(lambda: not wire.attached)
    ticks = firmware.ticks
    until(lambda: firmware.ticks > ticks + 3)
    assert exchange(wire.url, b"again") == b"again"
    until(lambda: not wire.attached)
    assert firmware.connections == 2
    wire.unplug()
    with pytest.raises(PortError):
        open_port(wire.url, LINE)
    wire.unplug()
    wire.replug()
    wire.replug()
    assert exchange(wire.url, b"there") == b"there"
    assert runner.stop()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("firmware-")]


@pytest.mark.parametrize("wire", WIRES, indirect=True)
def test_what_is_sent_to_nobody_is_lost(wire: Wire) -> None:
    wire.write(b"lost")
    assert wire.read() == b""
    firmware = EchoFirmware()
    runner = FirmwareRunner(firmware, wire, RealClock())
    assert exchange(wire.url, b"ok") == b"ok"
    assert runner.stop()


def test_an_rfc_2217_server_learns_the_line_settings() -> None:
    wire = Rfc2217Wire()
    runner = FirmwareRunner(EchoFirmware(), wire, RealClock())
    assert exchange(wire.url, b"\xff\xff\x05") == b"\xff\xff\x05"
    assert (wire.line.baudrate, wire.line.bytesize, wire.line.parity, wire.line.stopbits) == (4800, 7, "E", 2)
    assert runner.stop()


def test_a_device_server_turns_a_second_host_away() -> None:
    wire = TcpWire()
    runner = FirmwareRunner(EchoFirmware(), wire, RealClock())
    host, port = wire.url.removeprefix("socket://").split(":")
    with socket.create_connection((host, int(port))) as first, socket.create_connection((host, int(port))) as second:
        second.settimeout(DEADLINE_S)
        assert second.recv(1) == b""
        first.settimeout(DEADLINE_S)
        first.sendall(b"x")
        assert first.recv(1) == b"x"
    assert runner.stop()


def test_a_pty_path_is_the_same_after_plugging_in_again(tmp_path: Path) -> None:
    wire = PtyWire(tmp_path / "port")
    first = wire.path.readlink()
    with first.open("rb", buffering=0):
        wire.unplug()
        assert not wire.path.is_symlink()
        wire.replug()
        assert wire.path.readlink() != first
    wire.close()
    assert not wire.plugged
    assert not wire.attached
    assert list(tmp_path.iterdir()) == []


def copies(number: int) -> list[TelegramCopy]:
    """Three copies of a telegram-like unit that no other number has."""
    return [TelegramCopy(b"\x05%05d\x03" % number, copy, 3) for copy in (1, 2, 3)]


def sent(injector: FaultInjector, units: list[TelegramCopy] | list[bytes]) -> bytes:
    """What an injector makes of units, all pieces together."""
    out = bytearray()
    for unit in units:
        injector.push(unit)
        for _ in range(3):
            out += injector.take()
    for _ in range(100):
        out += injector.take()
    return bytes(out)


def test_the_same_seed_gives_the_same_faults() -> None:
    faults = Faults(7, 0.3, 0.3, 0.2, 0.1, 0.1, 0.3, 0.3, 0.3)
    units = [copy for number in range(50) for copy in copies(number)]
    first, second = FaultInjector(faults), FaultInjector(faults)
    assert sent(first, units) == sent(second, units)
    assert first.counts == second.counts
    other = FaultInjector(Faults(8, 0.3, 0.3, 0.2, 0.1, 0.1, 0.3, 0.3, 0.3))
    assert sent(other, units) != sent(FaultInjector(faults), units)


def test_a_pty_may_come_back_under_another_name(tmp_path: Path) -> None:
    wire = PtyWire(tmp_path / "port")
    for _ in range(3):
        before = wire.path.readlink()
        wire.unplug()
        wire.replug(renamed=True)
        assert wire.path.readlink() != before
        open_port(str(wire.path), LINE).close()
    wire.close()


def test_a_silent_device_server_takes_hosts_and_says_nothing() -> None:
    wire = TcpWire()
    wire.silent = True
    port = open_port(wire.url, LINE)
    try:
        port.write(b"anybody there")
        assert not wire.attached
        assert wire.read() == b""
        wire.write(b"lost")
        wire.silent = False
        until(lambda: wire.attached)
        wire.write(b"back")
        assert port.read(int(DEADLINE_S * 1000)) == b"back"
    finally:
        port.close()
        wire.close()


def test_a_device_server_that_dies_leaves_the_host_connected_until_it_is_back() -> None:
    wire = TcpWire()
    port = open_port(wire.url, LINE)
    try:
        until(lambda: wire.attached)
        wire.vanish()
        assert not wire.attached
        port.write(b"into the void")
        assert port.read(50) == b""
        with pytest.raises(PortError, match="connection refused"):
            open_port(wire.url, LINE)
        wire.replug()
        with pytest.raises(PortError, match="reset by peer"):
            until(lambda: bool(port.read(50)))
        open_port(wire.url, LINE).close()
    finally:
        port.close()
        wire.close()


@pytest.mark.parametrize("intact", [1, 2, 3])
def test_copies_are_damaged_and_so_many_stay_whole(intact: int) -> None:
    injector = FaultInjector(Faults(1, drop_copy=0.6, corrupt_copy=0.6, truncate_copy=0.6, intact_copies=intact))
    for number in range(200):
        group = copies(number)
        assert sent(injector, group).count(group[0]) >= intact
    assert bool(injector.counts) == (intact < 3)


def test_split_and_glue_change_no_byte() -> None:
    injector = FaultInjector(Faults(2, split=0.5, glue=0.5))
    units = [copy for number in range(100) for copy in copies(number)]
    assert sent(injector, units) == b"".join(units)
    assert min(injector.counts["split"], injector.counts["glue"]) > 20


def test_a_split_unit_leaves_in_two_takes() -> None:
    injector = FaultInjector(Faults(2, split=1.0))
    injector.push(b"abcdef")
    first, second = injector.take(), injector.take()
    assert first
    assert second
    assert first + second == b"abcdef"
    assert injector.take() == b""


def test_frames_sent_once_have_rates_of_their_own() -> None:
    frames = [b"%03d" % number for number in range(300)]
    injector = FaultInjector(Faults(3, drop_copy=1.0, corrupt_copy=1.0))
    assert sent(injector, frames) == b"".join(frames)
    injector = FaultInjector(Faults(3, drop_frame=0.2, corrupt_frame=0.2))
    whole = [frame for frame in frames if frame in sent(injector, [frame])]
    damaged = Counter(injector.counts)
    assert 300 - len(whole) == damaged["drop_frame"] + damaged["corrupt_frame"]
    assert min(damaged.values()) > 20


def test_noise_never_begins_anything() -> None:
    injector = FaultInjector(Faults(4, drop_frame=1.0, noise=1.0))
    noise = sent(injector, [b"unit"] * 500)
    assert len(noise) > 500
    assert not set(noise) & {0x00, 0x05, 0x06, 0x15}


def test_a_rate_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"glue is 1\.5"):
        Faults(glue=1.5)


def test_a_virtual_clock_goes_on_by_what_is_slept_and_a_real_one_by_its_speed() -> None:
    virtual = VirtualClock()
    virtual.sleep(1500)
    virtual.sleep(-5)
    assert virtual.now_ms() == 1500
    fast = RealClock(1000)
    began_ms = fast.now_ms()
    fast.sleep(2000)
    assert fast.now_ms() - began_ms >= 2000
    with pytest.raises(ValueError, match="speed"):
        RealClock(0)
