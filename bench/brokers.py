"""Brokers that can be killed: a mosquitto of one's own, without persistence, so what it knew dies with it; and the
nats-server that a controller starts for itself."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.bus.broker import free_port
from controller.bus.endpoint import Endpoint
from controller.bus.nats import BINARY, HOST
from controller.cli.demo.stage import wait_for

READY_S = 20.0
PLACES = f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin"
"""Debian keeps mosquitto in /usr/sbin, which is not on an ordinary user's path."""


class BrokerMissingError(RuntimeError):
    """mosquitto is not installed or does not start. The text is one line: what, and what to do."""


class Mosquitto:
    """A broker on loopback. ``extra`` are more lines of its configuration; ``anonymous`` False refuses everybody."""

    def __init__(self, folder: Path, *, anonymous: bool = True, extra: str = "") -> None:
        """Take a free port and keep it. Raises BrokerMissingError."""
        found = shutil.which("mosquitto", path=PLACES)
        if found is None:
            raise BrokerMissingError("mosquitto is not installed; apt-get install mosquitto")
        self.port = free_port()
        self._program = found
        self._log = folder / "mosquitto.log"
        self._config = folder / "mosquitto.conf"
        allow = "true" if anonymous else "false"
        self._config.write_text(
            f"listener {self.port} {HOST}\nallow_anonymous {allow}\npersistence false\nset_tcp_nodelay true\n"
            f"max_inflight_messages 1000\nmax_queued_messages 20000\n{extra}",
            encoding="ascii",
        )
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def endpoint(self) -> Endpoint:
        """Where it listens."""
        return Endpoint(HOST, self.port)

    @property
    def url(self) -> str:
        """The same for a configuration."""
        return f"mqtt://{HOST}:{self.port}"

    def start(self) -> None:
        """Start it and wait until it listens. Raises BrokerMissingError with its last words."""
        with self._log.open("ab") as out:
            self._process = subprocess.Popen([self._program, "-c", self._config], stdout=out, stderr=out)
        if not wait_for(self._listens, READY_S, 0.01):
            words = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise BrokerMissingError(f"mosquitto does not listen on port {self.port}: {words[-1:]}; see {self._log}")

    def hang(self) -> None:
        """Stop it without ending it: connections stay open, and nothing is answered until it is killed."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self.port)) == 0


class ControllersOwn:
    """The broker that the controller with this journal starts and starts again; here it is only killed."""

    url = ""
    """none: the controller is configured with `port`"""

    def __init__(self, journal: Path) -> None:
        """Take a free port for it."""
        self.port = free_port()
        self._pid_file = journal.with_name(f"{journal.name}.broker") / "nats.pid"

    @property
    def endpoint(self) -> Endpoint:
        """Where it listens."""
        return Endpoint(HOST, self.port)

    def start(self) -> None:
        """Nothing: that is the controller's business."""

    def kill(self) -> None:
        """End it as a crash would, if it runs."""
        with contextlib.suppress(OSError, ValueError):
            pid = int(self._pid_file.read_text(encoding="ascii"))
            if BINARY.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
