"""``tablewatch console`` and ``tablewatch trace``: one device's wire decoded as it comes, recorded, and played back."""

from __future__ import annotations

import json
import queue
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from controller.cli.drive import BaudOption, Deadline, DriverOption, OptionsOption, make_driver, port_url, report_line
from controller.cli.guard import CannotError, ExitCode
from controller.cli.screen import Screen, output
from controller.core.words import clean
from drivers.api import Driver, LineSettings, LinkCounters, Report
from drivers.messages import LineFault, LinkChanged, LinkState
from drivers.replay import replay
from drivers.session import DeviceSession
from drivers.trace import TraceChunk, read_trace

trace = typer.Typer(
    help="Record a device's bytes with times, or play them back.", no_args_is_help=True, rich_markup_mode=None
)

PATIENCE_S: Final = 5.0
"""After so long without a rung of the ladder something is said about it."""
STOP_S: Final = 20.0
ForOption = Annotated[float | None, typer.Option("--for", min=0.1, help="Seconds; default: until Ctrl-C.")]
CountOption = Annotated[int | None, typer.Option("--count", min=1, help="Stop after so many events.")]
AcknowledgeOption = Annotated[
    bool, typer.Option("--acknowledge", help="Tell a native device that its events are safe; then a table misses them.")
]
RUNGS: Final = (
    ("the port is open", "see the line above: the port, its name, or who else has it"),
    (
        "bytes come",
        "cable, power, the transmit line, another host at the device server, and whether the device has anything to "
        "say (draw a card)",
    ),
    ("telegrams come", "line settings (--baud), the driver, noise, or two devices on one line"),
    ("events come", "the device talks but nothing happened yet: draw a card, press a key, lay a tag"),
)

KEPT: Final = (
    "these events are not acknowledged: a native device sends eight and waits; with --acknowledge it goes on, and a "
    "table never hears of them"
)
RECORDED: Final = 2
"""Rungs after which a recording has something in it: bytes came."""


@dataclass(slots=True)
class Ladder:
    """How far the way from the port to the events is known to work."""

    reached: int = 0
    events: int = 0
    _was_open: bool = False

    def take(self, report: Report) -> None:
        """Look at a report."""
        self.events += bool(report.identity)
        if isinstance(report.message, LinkChanged):
            self._was_open = self._was_open or report.message.state is LinkState.UP

    def climb(self, counters: LinkCounters) -> list[str]:
        """Rungs reached since the last time, in words."""
        holds = (
            self._was_open or counters.bytes_in > 0 or counters.bytes_out > 0,
            counters.bytes_in > 0,
            counters.frames_in > 0,
            self.events > 0,
        )
        before = self.reached
        while self.reached < len(RUNGS) and holds[self.reached]:
            self.reached += 1
        return [RUNGS[at][0] for at in range(before, self.reached)]

    def missing(self) -> str:
        """What the next rung needs; empty when all are reached."""
        if self.reached == len(RUNGS):
            return ""
        name, look_at = RUNGS[self.reached]
        return f"not yet: {name}. Look at: {look_at}"


def console(
    port: Annotated[str, typer.Argument(help="Path, pyserial URL, or usb:VID:PID[:SERIAL].", show_default=False)],
    driver: DriverOption,
    option: OptionsOption = None,
    baud: BaudOption = None,
    seconds: ForOption = None,
    count: CountOption = None,
    acknowledge: AcknowledgeOption = False,
) -> None:
    """Show a device's messages as they come, and where on the way from the port they stop."""
    made, line = make_driver(driver, option, baud)
    reached = _follow(port_url(port), made, line, Deadline(seconds), count, acknowledge=acknowledge)
    if reached < len(RUNGS) - 1:
        raise typer.Exit(ExitCode.WRONG)


@trace.command("record")
def record(
    port: Annotated[str, typer.Argument(help="Path, pyserial URL, or usb:VID:PID[:SERIAL].", show_default=False)],
    file: Annotated[Path, typer.Argument(help="The file for the bytes; it is appended to.", show_default=False)],
    driver: DriverOption,
    option: OptionsOption = None,
    baud: BaudOption = None,
    seconds: ForOption = None,
    count: CountOption = None,
    acknowledge: AcknowledgeOption = False,
) -> None:
    """Record every byte of a port with its time; the driver talks to the device as it would at a table."""
    try:
        file.open("a", encoding="ascii").close()
    except OSError as error:
        raise CannotError(f"{file}: {error.strerror}; name a file that can be written") from None
    made, line = make_driver(driver, option, baud)
    reached = _follow(port_url(port), made, line, Deadline(seconds), count, file=file, acknowledge=acknowledge)
    if reached < RECORDED:
        output().print(Text(f"nothing was recorded in {file}: not one byte came", "yellow"))
        raise typer.Exit(ExitCode.WRONG)
    output().print(f"recorded in {file}; `tablewatch trace play {file} --driver {driver}` plays it back")


@trace.command("play")
def play(
    file: Annotated[Path, typer.Argument(help="A recorded trace.", show_default=False)],
    driver: DriverOption,
    option: OptionsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a report.")] = False,
    events: Annotated[bool, typer.Option("--events", help="Only what happened at the device.")] = False,
) -> None:
    """Play a recorded trace into a driver and show its reports."""
    made, _line = make_driver(driver, option)
    chunks = _chunks(file)
    screen = output()
    began = datetime.fromtimestamp(chunks[0].at_ms / 1000, UTC)
    for at_ms, report in replay(made, chunks):
        if report.identity or not events:
            at = began + timedelta(milliseconds=at_ms)
            screen.print(json.dumps(_json(at_ms, report)) if as_json else report_line(report, at))
    if not as_json:
        screen.print(_counted(made.counters))


def _chunks(file: Path) -> list[TraceChunk]:
    try:
        chunks = list(read_trace(file))
    except ValueError as error:
        raise CannotError(str(error)) from None
    if not chunks:
        raise CannotError(f"{file}: an empty trace; record one with `tablewatch trace record`")
    return chunks


def _json(at_ms: int, report: Report) -> dict[str, Any]:
    return {
        "at_ms": at_ms,
        "message": type(report.message).__name__,
        "identity": report.identity,
        "data": asdict(report.message),
    }


def _follow(
    port: str,
    driver: Driver,
    line: LineSettings,
    deadline: Deadline,
    count: int | None,
    *,
    acknowledge: bool,
    file: Path | None = None,
) -> int:
    """Run a session until the deadline, so many events, or Ctrl-C; print what it says; how many rungs were reached."""
    inbox: queue.SimpleQueue[Report] = queue.SimpleQueue()
    session = DeviceSession("device", port, driver, lambda _name, report: inbox.put(report), line=line, trace=file)
    screen, ladder, hint, kept = output(), Ladder(), Deadline(PATIENCE_S), False
    session.start()
    try:
        while not deadline.over and (count is None or ladder.events < count):
            try:
                report = inbox.get(timeout=0.1)
            except queue.Empty:
                report = None
            if report is not None:
                _show(screen, report)
                ladder.take(report)
                if report.reliable and acknowledge:
                    session.committed(report.identity)
                kept = kept or (report.reliable and not acknowledge)
            if climbed := ladder.climb(driver.counters):
                hint = Deadline(PATIENCE_S)
                screen.print(Text("; ".join(climbed), "green"))
            if hint.over and ladder.missing():
                hint = Deadline(PATIENCE_S * 6)
                screen.print(Text(ladder.missing(), "yellow"))
    except KeyboardInterrupt:
        screen.print("stopped")
    finally:
        session.stop(STOP_S)
    ladder.climb(driver.counters)
    if kept:
        screen.print(Text(KEPT, "yellow"))
    _summary(screen, ladder, driver.counters)
    return ladder.reached


def _show(screen: Screen, report: Report) -> None:
    style = "red" if isinstance(report.message, LineFault) else "bold" if report.identity else "dim"
    screen.print(Text(report_line(report), style))


def _summary(screen: Screen, ladder: Ladder, counters: LinkCounters) -> None:
    for at, (name, _look_at) in enumerate(RUNGS):
        reached = at < ladder.reached
        screen.print(Text(f"{'yes' if reached else 'no ':3}  {name}", "green" if reached else "red"))
    if ladder.missing():
        screen.print(Text(ladder.missing(), "yellow"))
    screen.print(_counted(counters))


def _counted(counters: LinkCounters) -> str:
    numbers = {name: value for name, value in asdict(counters).items() if name != "extra"} | counters.extra
    counted = ", ".join(f"{name} {value}" for name, value in numbers.items() if value)
    return clean(f"counted: {counted or 'nothing'}", 1000)
