"""``tablewatch devices``: what is plugged in, and who it says it is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from controller.app.config import load_config
from controller.cli.devices_configured import configured, rows_of
from controller.cli.guard import ExitCode
from controller.cli.screen import output
from controller.core.words import clean
from drivers.native.factory import LINE
from drivers.native.hello import Hello
from drivers.native.probe import ask_identity
from drivers.ports import PortError, open_port


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
        ok = configured(load_config(table), wait_s)
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
    rows = rows_of("port", "is", "write in TABLE.toml", *(("who is there",) if wait_s else ()))
    for info in found:
        usb = _usb_url(info)
        who = (_who(info.device, wait_s),) if wait_s else ()
        rows.add_row(clean(info.device), clean(info.description or "?"), clean(usb or info.device), *who)
    screen.print(rows, soft_wrap=False)
    return True


def _asked(ports: list[str], wait_s: float) -> bool:
    rows = rows_of("port", "who is there")
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
