"""The session's thread: opens, reconnects, stops, passes commands and commits, and blocks with its sink."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from bench import waiting
from drivers.api import Capabilities, LineSettings, LinkCounters, Report
from drivers.messages import CommandResult, DeviceCommand, LineFault, LinkChanged, LinkState, Lock, StaffCardPresented
from drivers.session import Backoff, DeviceSession
from drivers.trace import read_trace
from firmware_sim.ptys import PtyPort

LINE = LineSettings(9600)
QUICK = Backoff(initial_s=0.02, maximum_s=0.1)
DEADLINE_S = 60.0


class EchoDriver:
    """A driver for the tests: each byte is a message with its hex as name; answers, commits and commands go out."""

    def __init__(self) -> None:
        self.capabilities = Capabilities()
        self.counters = LinkCounters()
        self.connections: list[str] = []
        self._output = b""
        self._results: list[Report] = []

    def connected(self, connection: str, now_ms: int) -> Sequence[Report]:
        self.connections.append(connection)
        return [Report(LinkChanged(LinkState.UP, "up"))]

    def disconnected(self, reason: str, now_ms: int) -> Sequence[Report]:
        return []

    def receive(self, data: bytes, now_ms: int) -> Sequence[Report]:
        self._output += data
        return [Report(StaffCardPresented(f"{value:02x}")) for value in data]

    def tick(self, now_ms: int) -> Sequence[Report]:
        results, self._results = self._results, []
        return results

    def outgoing(self) -> bytes:
        output, self._output = self._output, b""
        return output

    def committed(self, identity: str) -> None:
        self._output += identity.encode()

    def command(self, command: DeviceCommand, request: int) -> None:
        self._results.append(Report(CommandResult(request, "done")))


class Heard:
    """A sink that keeps what it is given."""

    def __init__(self) -> None:
        self.messages: list[object] = []

    def __call__(self, name: str, report: Report) -> None:
        assert name == "shoe"
        self.messages.append(report.message)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition; fails after a generous while."""
        waiting.until(condition, lambda: self.messages)

    def until_heard(self, message: object, times: int = 1) -> None:
        """Wait for a message."""
        self.until(lambda: self.messages.count(message) >= times)

    def links(self) -> list[LinkState]:
        """States of the link, in order."""
        return [message.state for message in self.messages if isinstance(message, LinkChanged)]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[PtyPort]:
    """The device's end of a pty."""
    made = PtyPort(tmp_path / "port")
    yield made
    made.close()


Make = Callable[..., DeviceSession]


@pytest.fixture
def heard() -> Heard:
    """What the sessions of this test said."""
    return Heard()


@pytest.fixture
def make(heard: Heard) -> Iterator[Make]:
    """Makes and starts sessions; afterwards all end in time and leave no thread."""
    before = set(threading.enumerate())
    sessions: list[DeviceSession] = []

    def start(url: str, **options: object) -> DeviceSession:
        given: Mapping[str, object] = {"line": LINE, "backoff": QUICK, **options}
        sessions.append(DeviceSession("shoe", url, EchoDriver(), heard, **given))  # type: ignore[arg-type]
        sessions[-1].start()
        return sessions[-1]

    yield start
    assert all(session.stop() for session in sessions)
    assert all(session.ended_by == "" for session in sessions)
    assert set(threading.enumerate()) <= before


def test_bytes_reports_and_answers_pass(make: Make, heard: Heard, port: PtyPort) -> None:
    session = make(str(port.path))
    heard.until_heard(LinkChanged(LinkState.UP, "up"))
    port.write(b"\x05\x31")
    heard.until_heard(StaffCardPresented("31"))
    answer = bytearray()

    def answered(expected: bytes) -> bool:
        answer.extend(port.read())
        return bytes(answer) == expected

    heard.until(lambda: answered(b"\x05\x31"))
    request = session.command(Lock())
    heard.until_heard(CommandResult(request, "done"))
    assert session.command(Lock()) == request + 1
    session.committed("id-7")
    heard.until(lambda: answered(b"\x05\x31id-7"))


def test_a_bug_in_the_sink_ends_the_thread_and_is_named(port: PtyPort, monkeypatch: pytest.MonkeyPatch) -> None:
    escaped: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda ended: escaped.append(ended.exc_value))

    def sink(_name: str, _report: Report) -> None:
        raise ZeroDivisionError("planted\nhere")

    session = DeviceSession("shoe", str(port.path), EchoDriver(), sink, line=LINE)
    assert session.ended_by == ""
    session.start()
    waiting.until(lambda: not session.alive, "the thread ends")
    assert session.ended_by == "ZeroDivisionError: planted here"
    assert [str(error) for error in escaped] == ["planted\nhere"]
    session.committed("id-1")
    assert session.stop()


def test_unplugging_and_plugging_in_again(make: Make, heard: Heard, port: PtyPort) -> None:
    session = make(str(port.path))
    for times in range(1, 4):
        heard.until_heard(LinkChanged(LinkState.UP, "up"), times)
        port.write(bytes((times,)))
        heard.until_heard(StaffCardPresented(f"{times:02x}"))
        port.unplug()
        heard.until(lambda expected=times: heard.links().count(LinkState.DOWN) == expected)  # type: ignore[misc]
        port.replug()
    heard.until_heard(LinkChanged(LinkState.UP, "up"), 4)
    assert heard.links() == [LinkState.UP, LinkState.DOWN] * 3 + [LinkState.UP]
    driver = session.driver
    assert isinstance(driver, EchoDriver)
    assert len(set(driver.connections)) == 4


def test_a_port_that_never_opens_is_said_once_a_reason_and_tried_for_ever(
    make: Make, heard: Heard, tmp_path: Path
) -> None:
    path = tmp_path / "port"
    make(str(path))
    heard.until(lambda: len(heard.messages) == 2)
    assert heard.links() == [LinkState.DOWN]
    time.sleep(0.5)
    assert len(heard.messages) == 2
    path.mkdir()
    heard.until(lambda: len(heard.messages) == 3)
    faults = [message for message in heard.messages if isinstance(message, LineFault)]
    assert [fault.code for fault in faults] == ["port", "port"]
    assert "no such port" in faults[0].reason
    assert "is a directory" in faults[1].reason
    path.rmdir()
    late = PtyPort(path)
    heard.until_heard(LinkChanged(LinkState.UP, "up"))
    late.close()
    heard.until(lambda: heard.messages.count(faults[0]) == 2)


def test_a_command_a_commit_and_a_stop_wake_the_thread(
    make: Make, heard: Heard, port: PtyPort, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shown with ticks a minute apart: nothing waits for the next one."""
    monkeypatch.setattr("drivers.session.TICK_MS", 60_000)
    session = make(str(port.path))
    heard.until_heard(LinkChanged(LinkState.UP, "up"))
    heard.until_heard(CommandResult(session.command(Lock()), "done"))
    session.committed("id")
    answer = bytearray()

    def committed() -> bool:
        answer.extend(port.read())
        return answer == b"id"

    heard.until(committed)
    assert session.stop()


def test_commands_are_answered_while_the_port_is_gone(make: Make, heard: Heard, tmp_path: Path) -> None:
    session = make(str(tmp_path / "gone"), backoff=Backoff(initial_s=30.0))
    heard.until(lambda: len(heard.messages) == 2)
    heard.until_heard(CommandResult(session.command(Lock()), "done"))


def test_it_never_spins(make: Make, heard: Heard, port: PtyPort, tmp_path: Path) -> None:
    """Neither an idle port nor a missing one takes the processor."""
    make(str(port.path))
    make(str(tmp_path / "gone"))
    began_s = time.process_time()
    time.sleep(1.0)
    assert time.process_time() - began_s < 0.6


def test_a_device_server_that_hangs_up_at_once_is_not_stormed(make: Make, heard: Heard) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        make(f"socket://127.0.0.1:{server.getsockname()[1]}", backoff=Backoff(initial_s=0.2, maximum_s=0.4))
        began_s = time.monotonic()
        for _ in range(3):
            server.accept()[0].close()
        assert time.monotonic() - began_s >= 0.2 + 0.4


def test_the_back_off_grows_to_its_limit_with_jitter() -> None:
    backoff = Backoff(initial_s=0.25, maximum_s=5.0, jitter=0.2)
    for attempt, base_s in enumerate((0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0)):
        delays_s = {backoff.delay_s(attempt) for _ in range(50)}
        assert min(delays_s) >= base_s
        assert max(delays_s) <= base_s * 1.2
        assert len(delays_s) > 1
    assert backoff.delay_s(10**6) <= 6.0


def test_stop_in_every_state_leaves_no_thread(make: Make, heard: Heard, port: PtyPort, tmp_path: Path) -> None:
    waiting = make(str(tmp_path / "gone"), backoff=Backoff(initial_s=60.0))
    reading = make(str(port.path))
    heard.until_heard(LinkChanged(LinkState.UP, "up"))
    for session in (waiting, reading):
        assert session.stop()
        assert not session.alive
        assert session.stop()
        session.committed("too late")
    never_started = DeviceSession("shoe", "x", EchoDriver(), heard, line=LINE)
    assert never_started.stop()
    assert heard.links()[-1] is LinkState.DOWN


def test_a_sink_that_blocks_holds_the_reading_and_loses_nothing(port: PtyPort) -> None:
    gate, opened = threading.Event(), threading.Event()
    got: list[str] = []

    def slow_sink(_name: str, report: Report) -> None:
        if isinstance(report.message, LinkChanged):
            opened.set()
        if isinstance(report.message, StaffCardPresented):
            gate.wait(DEADLINE_S)
            got.append(report.message.card_id)

    session = DeviceSession("shoe", str(port.path), EchoDriver(), slow_sink, line=LINE, backoff=QUICK)
    session.start()
    heard = Heard()
    assert opened.wait(DEADLINE_S)
    for value in range(200):
        port.write(bytes((value,)))
    assert len(got) <= 1
    gate.set()
    heard.until(lambda: len(got) == 200)
    assert got == [f"{value:02x}" for value in range(200)]
    assert session.stop()


def test_a_second_session_on_a_port_is_told_and_gets_it_when_it_is_free(
    make: Make, heard: Heard, port: PtyPort
) -> None:
    first = make(str(port.path))
    heard.until_heard(LinkChanged(LinkState.UP, "up"))
    make(str(port.path))
    heard.until(lambda: any(isinstance(m, LineFault) and "in use by" in m.reason for m in heard.messages))
    first.stop()
    heard.until_heard(LinkChanged(LinkState.UP, "up"), 2)


def test_raw_bytes_are_traced(make: Make, heard: Heard, port: PtyPort, tmp_path: Path) -> None:
    path = tmp_path / "wire.trace"
    session = make(str(port.path), trace=path)
    heard.until_heard(LinkChanged(LinkState.UP, "up"))
    port.write(b"\x05")
    heard.until_heard(StaffCardPresented("05"))
    heard.until(lambda: len(list(read_trace(path))) == 3)
    session.stop()
    opened, *chunks = [(chunk.direction, chunk.data) for chunk in read_trace(path)]
    assert chunks == [("<", b"\x05"), (">", b"\x05")]
    assert (opened[0], len(opened[1])) == ("=", 32)


def test_a_trace_that_cannot_be_written_is_said_and_the_device_goes_on(
    make: Make, heard: Heard, port: PtyPort, tmp_path: Path
) -> None:
    make(str(port.path), trace=tmp_path / "no" / "such" / "folder")
    heard.until_heard(LinkChanged(LinkState.UP, "up"))
    port.write(b"\x05\x06")
    heard.until_heard(StaffCardPresented("06"))
    faults = [message for message in heard.messages if isinstance(message, LineFault)]
    assert [fault.code for fault in faults] == ["trace"]
    assert "tracing is off" in faults[0].reason
