"""What ``tablewatch devices TABLE.toml`` asks: every device of a table through its own driver, and its camera."""

from __future__ import annotations

import queue
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.table import Table
from rich.text import Text

from controller.app.camera.session import CameraSession
from controller.app.camera.settings import eye_settings
from controller.app.config import CameraSection, ConfigError, TableConfig
from controller.app.devices import make_driver
from controller.cli.screen import output
from controller.core.words import clean
from drivers.api import Report
from drivers.messages import DeviceIdentified, LineFault, LinkChanged, LinkState
from drivers.session import DeviceSession, Sink

STOP_S: Final = 20.0
CAMERA_S: Final = 20.0
"""A camera's process loads its networks first: it is waited for at least so long."""
_Inbox = queue.SimpleQueue[tuple[str, Report]]


@dataclass(slots=True)
class _Heard:
    """What one configured device has said so far."""

    name: str
    kind: str
    port: str
    patience_s: float
    link: LinkState | None = None
    reason: str = ""
    identity: DeviceIdentified | None = None
    faults: list[str] = field(default_factory=list)

    @property
    def decided(self) -> bool:
        """Whether waiting longer would tell nothing new."""
        return self.link is LinkState.UP or bool(self.faults)

    def take(self, report: Report) -> None:
        """Look at a report; nothing is acknowledged."""
        match report.message:
            case LinkChanged(state, reason):
                self.link, self.reason = state, reason
            case DeviceIdentified() as identified:
                self.identity = identified
            case LineFault(code, reason):
                self.faults.append(f"{code}: {reason}")
            case _:
                pass

    def row(self) -> tuple[Text | str, ...]:
        """Name, kind, port, link, and who it says it is or what is in the way."""
        state = "no answer" if self.link is None else self.link.value
        style = {"up": "green", "suspect": "yellow"}.get(state, "red")
        who = self.identity
        said = f"{who.model} {who.serial}, firmware {who.firmware}" if who else self.reason
        said = "; ".join(self.faults) if self.faults else said
        return self.name, self.kind, clean(self.port), Text(state, style), clean(said, 300)


def configured(config: TableConfig, wait_s: float) -> bool:
    """Ask each of them for ``wait_s`` (a camera for `CAMERA_S` at least) and print a row each; whether all are there.
    Raises ConfigError for a driver or an option."""
    inbox: _Inbox = queue.SimpleQueue()
    heard: dict[str, _Heard] = {}
    sessions: list[DeviceSession | CameraSession] = []
    for index, section in enumerate(config.device):
        driver, line = make_driver(section, f"device.{index}", config.table.simulation)
        heard[section.name] = _Heard(section.name, f"{section.kind}/{section.driver}", section.port, wait_s)
        sessions.append(DeviceSession(section.name, section.port, driver, _into(inbox), line=line))
    if config.camera is not None:
        heard[config.camera.name], eye = _camera(config.camera, max(wait_s, CAMERA_S), inbox)
        sessions += eye
    _listen(sessions, heard, inbox)
    rows = rows_of("device", "driver", "port", "link", "says")
    for each in heard.values():
        rows.add_row(*each.row())
    output().print(rows, soft_wrap=False)
    return all(each.link is LinkState.UP for each in heard.values())


def _camera(section: CameraSection, patience_s: float, inbox: _Inbox) -> tuple[_Heard, Sequence[CameraSession]]:
    """The camera, and its session where its settings can be used."""
    heard = _Heard(section.name, "camera", section.source, patience_s)
    try:
        return heard, (CameraSession(section.name, eye_settings(section), _into(inbox)),)
    except ConfigError as error:
        heard.faults += error.problems
        return heard, ()


def _into(inbox: _Inbox) -> Sink:
    def put(name: str, report: Report) -> None:
        inbox.put((name, report))

    return put


def _listen(sessions: Sequence[DeviceSession | CameraSession], heard: Mapping[str, _Heard], inbox: _Inbox) -> None:
    """Run them until each has said what it is, or its patience is over."""
    began_s = time.monotonic()
    try:
        for session in sessions:
            session.start()
        while waiting := [each.patience_s for each in heard.values() if not each.decided]:
            left_s = began_s + max(waiting) - time.monotonic()
            try:
                name, report = inbox.get(timeout=max(left_s, 0.0))
            except queue.Empty:
                return
            heard[name].take(report)
    finally:
        for session in sessions:
            session.stop(STOP_S)


def rows_of(*columns: str) -> Table:
    """An empty table with these headings."""
    rows = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="cyan")
    for column in columns:
        rows.add_column(column, overflow="fold")
    return rows
