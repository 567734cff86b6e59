"""The live view of a table: a pure picture of its ``state`` on the bus, at any size from 60 columns and 16 lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.layout import Layout
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from controller.cli import payload
from controller.cli.live_boxes import Boxes, boxes_view, dealer_view
from controller.cli.live_due import Due, due_already, due_of
from controller.cli.live_lines import shoe_view
from controller.cli.live_seats import deal_view, seats_view
from controller.cli.live_sight import sight_lines
from controller.cli.live_wrap import wrapped
from controller.cli.screen import styled
from controller.core.words import Line

WIDE: Final = 110
"""From so many columns on, events stand beside what is due instead of below it."""
TOP: Final = 3
"""Lines of dealer and shoe."""
FEWEST_EVENTS: Final = 3
"""Lines that the events get before what is due beyond what must be done."""

_STATUS: Final = {"ready": "black on green", "held": "bold white on red", "degraded": "black on yellow"}


@dataclass(frozen=True, slots=True)
class Picture:
    """What the live view shows. ``state`` and ``meta`` are the payloads of these topics as they came, ``lines`` the
    newest narrated lines, oldest first; ``status`` and ``reason`` are of the topic ``status``; ``broker`` is one line
    about the connection; ``progress`` is one line about a demo, ``done_permille`` how far it is (None: no demo)."""

    site: str
    table: str
    state: Mapping[str, Any]
    meta: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    status: str = ""
    reason: str = ""
    broker: str = "not connected yet"
    broker_ok: bool = False
    progress: str = ""
    done_permille: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture that fits itself to the screen it is printed on."""

    picture: Picture

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Lay the picture out for the size of ``options``."""
        width, height = options.max_width, options.height or options.size.height
        yield _layout(self.picture, width, height)


def render(picture: Picture) -> Frame:
    """The picture as something Rich prints; the same picture always looks the same."""
    return Frame(picture)


def _layout(picture: Picture, width: int, height: int) -> Layout:
    """Header and footer, and between them what is due. What somebody must act on is never cut: where it would not fit,
    dealer and shoe give way, then the boxes."""
    state = picture.state
    view = payload.mapping(state, "view")
    boxes = seats_view(view, width) if payload.mappings(view, "seats") else boxes_view(state, view, width)
    wide = width >= WIDE
    footer = _footer(picture, width)
    room = height - 1 - len(footer)
    due = due_of(state, width // 2 - 2 if wide else width, room - wide)
    upper = _upper(_top(picture, view, width), boxes, room - len(due.must) - wide)
    room -= sum(part.height for part in upper)
    lower = _beside(picture, due, room, width) if wide else _below(picture, due, room, width)
    root = Layout()
    root.split_column(
        Layout(_header(picture), size=1),
        *[Layout(part.content, size=part.height) for part in upper],
        *lower,
        Layout(Group(*footer), size=len(footer)),
    )
    return root


def _upper(top: Boxes, boxes: Boxes, room: int) -> list[Boxes]:
    """What of the upper half fits into so many lines."""
    choices = ([top, boxes], [boxes], [top])
    return next((parts for parts in choices if sum(part.height for part in parts) <= room), [])


def _beside(picture: Picture, due: Due, room: int, width: int) -> list[Layout]:
    both = Layout(size=max(1, room))
    left = Group(_rule("what is due"), *due.fitted(room - 1))
    both.split_row(Layout(Padding(left, (0, 1, 0, 0))), Layout(_events(picture, room - 1, width - width // 2)))
    return [both]


def _below(picture: Picture, due: Due, room: int, width: int) -> list[Layout]:
    lines = due.fitted(min(room, max(len(due.must), 2, room - FEWEST_EVENTS)))
    rows = [Layout(Group(*lines), size=len(lines))] if lines else []
    left = room - len(lines)
    return [*rows, Layout(_events(picture, left - 1, width), size=left)] if left > 0 else rows


def _header(picture: Picture) -> RenderableType:
    state = picture.state
    left = Text(f" {picture.site}/{picture.table}", "bold")
    round_id = payload.text(state, "round")
    for part in (payload.text(state, "rules"), f"round {round_id}" if round_id else "", payload.text(state, "phase")):
        if part:
            left.append(f" · {part}", "cyan")
    if payload.mapping(picture.meta, "rules") and picture.meta.get("insecure_lab") is True:
        left.append(" · INSECURE LAB", "bold red")
    status = picture.status or "no status"
    right = Text.assemble((f" {status.upper()} ", _STATUS.get(status, "black on white")))
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right", no_wrap=True)
    grid.add_row(left, right)
    return grid


def _top(picture: Picture, view: Mapping[str, Any], width: int) -> Boxes:
    both = Layout()
    seats = bool(payload.mappings(view, "seats"))
    left_width = max(26, width // (2 if seats else 3))
    left = deal_view(view) if seats else dealer_view(payload.mapping(view, "dealer"))
    shoes = payload.mapping(picture.state, "shoes")
    both.split_row(
        Layout(left, size=left_width),
        Layout(shoe_view(payload.mapping(view, "shoe"), shoes, width - left_width)),
    )
    return Boxes(both, TOP)


def _rule(title: str) -> Rule:
    return Rule(title, style="dim", align="left")


def _events(picture: Picture, room: int, width: int) -> RenderableType:
    shown = [styled(line) for line in picture.lines[-max(0, room) :]] if room > 0 else []
    for text in shown:
        text.pad_left(1)
        text.truncate(max(1, width), overflow="ellipsis")
    return Group(_rule("events"), *shown)


def _footer(picture: Picture, width: int) -> list[RenderableType]:
    rows: list[RenderableType] = []
    if picture.done_permille is not None:
        rows.append(_progress(picture.progress, picture.done_permille, width))
    elif picture.progress:
        rows.append(Text(f" {picture.progress}", "magenta", no_wrap=True, overflow="ellipsis"))
    rows += sight_lines(payload.mapping(picture.state, "sources"), width)
    rows += wrapped(_devices(picture, width), width, 1)
    return rows


def _devices(picture: Picture, width: int) -> Text:
    """Devices and broker; the last event's number where it does not ask for a line of its own."""
    offline = set(payload.texts(picture.state, "offline"))
    names = [payload.text(device, "name") for device in payload.mappings(picture.meta, "devices")]
    names += [name for name in sorted(offline) if name not in names]
    line = Text(" ")
    for name in names:
        down = name in offline
        line.append("○ " if down else "● ", "bold red" if down else "green").append(f"{name}  ", "red" if down else "")
    line.append("● " if picture.broker_ok else "○ ", "green" if picture.broker_ok else "bold red")
    line.append(f"broker: {picture.broker}  ", "" if picture.broker_ok else "red")
    sequence = payload.whole(picture.state, "as_of")
    counted = f"event {sequence}  start {payload.whole(picture.state, 'epoch')}"
    if sequence and line.cell_len + len(counted) <= width:
        line.append(counted, "dim")
    if picture.reason and not due_already(picture.state, picture.reason):
        line.append(f"  {picture.reason}", "yellow")
    return line


def _progress(text: str, done_permille: int, width: int) -> Text:
    room = min(24, width // 4)
    full = max(0, min(room, room * done_permille // 1000))
    bar = Text(" ", no_wrap=True, overflow="ellipsis")
    return bar.append("━" * full, "magenta").append("─" * (room - full), "dim").append(f" {text}", "magenta")
