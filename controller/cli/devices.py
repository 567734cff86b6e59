"""``tablewatch devices``: what is plugged in, and who it says it is."""

from __future__ import annotations

import queue
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from controller.app.config import DeviceSection, TableConfig, load_config
from controller.app.devices import make_driver
from controller.cli.guard import ExitCode
from controller.cli.screen import output
from controller.core.words import clean
from drivers.api import Driver, LineSettings, Report
from drivers.messages import DeviceIdentified, LineFault, LinkChanged, LinkState
from drivers.native.factory import LINE
from drivers.native.hello import Hello
from drivers.native.probe import ask_identity
from drivers.ports import PortError, open_port
from drivers.session import DeviceSession

STOP_S = 20.0


def devices(
    table: Annotated[
        Path | None, typer.Argument(help="A table's TABLE.toml: ask its devices.", show_default=False)
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask every port who is there (native link).")] = False,
    port: Annotated[list[str] | None, typer.Option("--port", help="Ask only this port.", show_default=False)] = None,
    wait_s: Annotated[float, typer.Option("--wait", min=0.2, max=60, help="Seconds to wait for answers.")] = 3.0,
) -> None:
    """List serial ports and what is known about them, or ask a table's devices who they are."""
    if table is not None:
        ok = _configured(load_config(table), wait_s)
    elif port:
        ok = _asked(port, wait_s)
    else:
        ok = _present(wait_s if ask else None)
    if not ok:
        raise typer.Exit(ExitCode.WRONG)


def _present(wait_s: float | None) -> bool:
    screen = output()
    found = sorted(list_ports.comports(), key=lambda info: str(info.device))
    if not found:
        screen.print("no serial port is present; a device server is asked by --port socket://HOST:PORT")
        return True
    rows = _table("port", "is", "write in TABLE.toml", *(("who is there",) if wait_s else ()))
    for info in found:
        usb = _usb_url(info)
        who = (_who(info.device, wait_s),) if wait_s else ()
        rows.add_row(clean(info.device), clean(info.description or "?"), clean(usb or info.device), *who)
    screen.print(rows, soft_wrap=False)
    return True


def _asked(ports: list[str], wait_s: float) -> bool:
    rows = _table("port", "who is there")
    answers = [_who(url, wait_s) for url in ports]
    for url, answer in zip(ports, answers, strict=True):
        rows.add_row(clean(url), answer)
    output().print(rows, soft_wrap=False)
    return all(answer.style == "green" for answer in answers)


def _usb_url(info: ListPortInfo) -> str:
    if info.vid is None or info.pid is None:
        return ""
    serial_number = f":{info.serial_number}" if info.serial_number else ""
    return f"usb:{info.vid:04x}:{info.pid:04x}{serial_number}"


def _who(url: str, wait_s: float) -> Text:
    try:
        port = open_port(url, LINE)
    except PortError as error:
        return Text(clean(error.reason, 300), "red")
    try:
        hello = ask_identity(port, wait_s)
    except PortError as error:
        return Text(clean(error.reason, 300), "red")
    finally:
        port.close()
    if hello is None:
        return Text("no native device answers; try `tablewatch console` with another driver", "yellow")
    return Text(_introduced(hello), "green")


def _introduced(hello: Hello) -> str:
    kind = hello.device_class.name.lower().replace("_", " ")
    simulated = ", a simulator" if hello.identified().simulated else ""
    return f"{kind} {hello.serial} ({hello.model}, firmware {hello.firmware}, boot {hello.boot & 0xFFFF}{simulated})"


@dataclass(slots=True)
class _Heard:
    """What one configured device has said so far."""

    section: DeviceSection
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
        """Name, port, link, and who it says it is or what is in the way."""
        state = "no answer" if self.link is None else self.link.value
        style = {"up": "green", "suspect": "yellow"}.get(state, "red")
        who = self.identity
        said = f"{who.model} {who.serial}, firmware {who.firmware}" if who else self.reason
        said = "; ".join(self.faults) if self.faults else said
        section = self.section
        return (
            section.name,
            f"{section.kind}/{section.driver}",
            clean(section.port),
            Text(state, style),
            clean(said, 300),
        )


def _configured(config: TableConfig, wait_s: float) -> bool:
    inbox: queue.SimpleQueue[tuple[str, Report]] = queue.SimpleQueue()
    heard: dict[str, _Heard] = {}
    sessions: list[DeviceSession] = []
    for index, section in enumerate(config.device):
        driver, line = make_driver(section, f"device.{index}", config.table.simulation)
        heard[section.name] = _Heard(section)
        sessions.append(_session(section, driver, line, inbox))
    try:
        for session in sessions:
            session.start()
        until_s = time.monotonic() + wait_s
        while (left_s := until_s - time.monotonic()) > 0 and not all(h.decided for h in heard.values()):
            try:
                name, report = inbox.get(timeout=left_s)
            except queue.Empty:
                break
            heard[name].take(report)
    finally:
        for session in sessions:
            session.stop(STOP_S)
    rows = _table("device", "driver", "port", "link", "says")
    for each in heard.values():
        rows.add_row(*each.row())
    output().print(rows, soft_wrap=False)
    return all(each.link is LinkState.UP for each in heard.values())


def _session(
    section: DeviceSection, driver: Driver, line: LineSettings, inbox: queue.SimpleQueue[tuple[str, Report]]
) -> DeviceSession:
    def put(name: str, report: Report) -> None:
        inbox.put((name, report))

    return DeviceSession(section.name, section.port, driver, put, line=line)


def _table(*columns: str) -> Table:
    rows = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="cyan")
    for column in columns:
        rows.add_column(column, overflow="fold")
    return rows
