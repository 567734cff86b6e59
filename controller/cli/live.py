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
from controller.cli.live_boxes import boxes_view, dealer_view
from controller.cli.live_lines import dues_lines, next_lines, shoe_view, verdict_lines
from controller.cli.live_seats import deal_view, seats_view
from controller.cli.live_sight import sight_lines
from controller.cli.screen import styled
from controller.core.words import Line

WIDE: Final = 110
"""From so many columns on, events stand beside what is due instead of below it."""
MAX_LIST: Final = 6
"""Lines of one list (verdicts, dues) at most; the rest is counted."""

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
    state = picture.state
    view = payload.mapping(state, "view")
    boxes = seats_view(view, width) if payload.mappings(view, "seats") else boxes_view(state, view, width)
    column = width // 2 - 2 if width >= WIDE else width
    held, due = _due(state, column)
    footer = _footer(picture, width)
    rows = [
        Layout(_header(picture, width), size=1),
        Layout(_top(view, width), size=3),
        Layout(boxes.content, size=boxes.height),
    ]
    room = height - 1 - 3 - boxes.height - len(footer)
    if width >= WIDE:
        both = Layout(size=max(1, room))
        both.split_row(
            Layout(Padding(_titled("what is due", due, width // 2), (0, 1, 0, 0))),
            Layout(_events(picture, room - 1, width - width // 2)),
        )
        rows.append(both)
    else:
        space = min(len(due), max(2, held, room - 3), max(2, room))
        if space:
            rows.append(Layout(Group(*due[:space]), size=space))
        rows.append(Layout(_events(picture, room - space - 1, width), size=max(1, room - space)))
    rows.append(Layout(Group(*footer), size=len(footer)))
    root = Layout()
    root.split_column(*rows)
    return root


def _header(picture: Picture, width: int) -> RenderableType:
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


def _top(view: Mapping[str, Any], width: int) -> RenderableType:
    both = Layout()
    seats = bool(payload.mappings(view, "seats"))
    left_width = max(26, width // (2 if seats else 3))
    left = deal_view(view) if seats else dealer_view(payload.mapping(view, "dealer"))
    both.split_row(
        Layout(left, size=left_width),
        Layout(shoe_view(payload.mapping(view, "shoe"), width - left_width)),
    )
    return both


def _due(state: Mapping[str, Any], width: int) -> tuple[int, list[Text]]:
    """What stands out first: verdicts, then what comes next, then what is owed; and how many of these lines are of the
    first hold, which is shown whole."""
    verdicts = payload.mappings(state, "verdicts")
    holds = [verdict for verdict in verdicts if payload.text(verdict, "severity") == "hold"]
    first = verdict_lines(holds[0], width) if holds else []
    others = [text for verdict in verdicts if verdict not in holds[:1] for text in verdict_lines(verdict, width)]
    return len(first), [
        *first,
        *_short(others),
        *next_lines(payload.mappings(state, "expected")),
        *_short(dues_lines(payload.mappings(state, "dues"))),
    ]


def _short(lines: list[Text]) -> list[Text]:
    if len(lines) <= MAX_LIST:
        return lines
    return [*lines[: MAX_LIST - 1], Text(f"      and {len(lines) - MAX_LIST + 1} more", "dim")]


def _titled(title: str, lines: list[Text], width: int) -> RenderableType:
    for text in lines:
        text.truncate(max(1, width - 2), overflow="ellipsis")
    return Group(Rule(title, style="dim", align="left"), *lines)


def _events(picture: Picture, room: int, width: int) -> RenderableType:
    shown = [styled(line) for line in picture.lines[-max(0, room) :]] if room > 0 else []
    for text in shown:
        text.pad_left(1)
    return _titled("events", shown, width + 2)


def _footer(picture: Picture, width: int) -> list[RenderableType]:
    rows: list[RenderableType] = []
    if picture.done_permille is not None:
        rows.append(_progress(picture.progress, picture.done_permille, width))
    elif picture.progress:
        rows.append(Text(f" {picture.progress}", "magenta", no_wrap=True, overflow="ellipsis"))
    rows += sight_lines(payload.mapping(picture.state, "sources"))
    rows.append(_devices(picture))
    return rows


def _devices(picture: Picture) -> Text:
    offline = set(payload.texts(picture.state, "offline"))
    names = [payload.text(device, "name") for device in payload.mappings(picture.meta, "devices")]
    names += [name for name in sorted(offline) if name not in names]
    line = Text(" ", no_wrap=True, overflow="ellipsis")
    for name in names:
        down = name in offline
        line.append("○ " if down else "● ", "bold red" if down else "green").append(f"{name}  ", "red" if down else "")
    line.append("● " if picture.broker_ok else "○ ", "green" if picture.broker_ok else "bold red")
    line.append(f"broker: {picture.broker}  ", "" if picture.broker_ok else "red")
    sequence = payload.whole(picture.state, "as_of")
    if sequence:
        line.append(f"event {sequence}  start {payload.whole(picture.state, 'epoch')}", "dim")
    if picture.reason:
        line.append(f"  {picture.reason}", "yellow")
    return line


def _progress(text: str, done_permille: int, width: int) -> Text:
    room = min(24, width // 4)
    full = max(0, min(room, room * done_permille // 1000))
    bar = Text(" ", no_wrap=True, overflow="ellipsis")
    return bar.append("━" * full, "magenta").append("─" * (room - full), "dim").append(f" {text}", "magenta")
