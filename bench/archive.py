"""An independent subscriber as a process of its own: ``python -m bench.archive PORT SITE FILE [--silent]``.

With ``--silent`` it never asks for what it lacks: then only the publisher's cursor stands between a kill and a loss.
"""

from __future__ import annotations

import argparse
import signal
import sqlite3
import threading
from pathlib import Path

from controller.bus.backoff import Backoff
from controller.bus.endpoint import Endpoint
from controller.bus.historian import Historian
from controller.bus.nats import HOST


def stored(path: Path) -> list[tuple[int, str]]:
    """Sequence and hash of every event in the archive, by sequence; empty while there is none. Raises sqlite3.Error."""
    if not path.exists():
        return []
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5.0)
    try:
        return connection.execute("SELECT sequence, hash FROM events ORDER BY journalid, sequence").fetchall()
    finally:
        connection.close()


def main() -> None:
    """Archive until SIGTERM."""
    parser = argparse.ArgumentParser(prog="python -m bench.archive", description="Archive the events of a site.")
    parser.add_argument("port", type=int)
    parser.add_argument("site")
    parser.add_argument("file", type=Path)
    parser.add_argument("--silent", action="store_true", help="never ask for what is missing")
    options = parser.parse_args()
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    historian = Historian(
        (Endpoint(HOST, options.port),),
        options.site,
        options.file,
        ask_gaps=not options.silent,
        backoff=Backoff(0.05, 0.5),
    )
    historian.start()
    stopping.wait()
    historian.stop()


if __name__ == "__main__":
    main()
