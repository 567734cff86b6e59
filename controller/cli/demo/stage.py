"""The stage of a demo or a campaign: a folder, a configuration, and the processes that play in it.

Controller and archive are processes of their own, started as a person would start them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from drivers.shoes.angel_eye.copies import SPAN_MS

STOP_S = 20.0
SITE, TABLE = "demo", "bj-1"
TABLES = {"blackjack": TABLE, "blot": "blot-1"}
"""The table of each game that is played on a stage."""

_CONFIG = """\
# Made by tablewatch demo: a {game} table whose devices are simulated.
[table]
site = "{site}"
id = "{table}"
game = "{game}"
ruleset = "armenian"
currency = "EUR"
simulation = true

[journal]
path = "table.sqlite"

[broker]
{broker}
[[device]]
name = "shoe"
kind = "shoe"
driver = "angel-eye"
options = {{{shoe_options}}}
port = "{shoe}"

[[device]]
name = "console"
kind = "console"
driver = "native"
port = "{console}"

[[device]]
name = "bets"
kind = "bets"
driver = "native"
port = "{bets}"
"""
_STAFF = """
[[staff]]
id = "{id}"
role = "{role}"
card = "{card}"
"""


@dataclass(frozen=True, slots=True)
class Staff:
    """A person of the simulated house."""

    id: str
    role: str
    card: str


def write_config(
    folder: Path,
    ports: dict[str, str],
    staff: Sequence[Staff],
    *,
    mqtt_port: int = 0,
    broker_url: str = "",
    game: str = "blackjack",
    more: str = "",
    shoe_options: str = "",
    speed: float = 1.0,
) -> Path:
    """Write TABLE.toml for devices at these ports (``shoe``, ``console``, ``bets``); returns its path. ``game`` is one
    of `TABLES`, ``more`` are further sections, ``shoe_options`` the inside of a TOML inline table, ``speed`` that of
    the people and of the shoe."""
    shoe_options = ", ".join(filter(None, (_copies_at(speed), shoe_options)))
    broker = f'urls = ["{broker_url}"]\n' if broker_url else f"embedded_port = {mqtt_port}\n"
    text = _CONFIG.format(site=SITE, table=TABLES[game], game=game, broker=broker, shoe_options=shoe_options, **ports)
    text += "".join(_STAFF.format(id=s.id, role=s.role, card=s.card) for s in staff)
    text += more
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def _copies_at(speed: float) -> str:
    """The option of a shoe faster than one of metal, as TOML: a card that follows the last one sooner would come among
    the copies of that one and be in doubt."""
    return f"copies_within_ms = {int(SPAN_MS / speed)}" if speed > 1 else ""


@dataclass(slots=True)
class Actor:
    """A process of the stage: started, killed or stopped, and started again. Its output goes to a log file.

    ``command`` are the arguments of `tablewatch`; ``launcher`` replaces the plain start (a script that changes
    something first).
    """

    command: Sequence[str]
    log: Path
    launcher: Sequence[str] = ("-c", "from controller.cli.main import main; main()")
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0

    def start(self) -> None:
        """Start the process; its output is appended to the log."""
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, *self.launcher, *self.command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "NO_COLOR": "1", **self.environment},
            )
        self.starts += 1

    @property
    def running(self) -> bool:
        """True while the process lives."""
        return self.process is not None and self.process.poll() is None

    def kill(self) -> None:
        """End it as a crash would (SIGKILL)."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> int:
        """Ask it to end (SIGTERM) and wait; returns the exit status, -9 when it had to be killed."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return -9

    def last_lines(self, count: int = 12) -> str:
        """The end of its log, for a person who wants to know why it ended."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines() if self.log.exists() else []
        return "\n".join(lines[-count:])


def wait_for(condition: Callable[[], bool], timeout_s: float, every_s: float = 0.05) -> bool:
    """Wait until ``condition()`` is true; False when it was not in time."""
    until_s = time.monotonic() + timeout_s
    while time.monotonic() < until_s:
        if condition():
            return True
        time.sleep(every_s)
    return condition()
