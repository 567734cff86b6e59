"""The live view's lines: shoe gauge, what comes next, verdicts, what is owed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.panel import Panel
from rich.text import Text

from controller.cli import payload
from controller.core.words import bettor, money, signed

_MARGIN: Final = " " * 7
_WAYS: Final = f"{_MARGIN}ways out: "
_BETWEEN: Final = "   "


def shoe_view(shoe: Mapping[str, Any], width: int) -> Panel:
    """How far the shoe is dealt, with a mark where the cut card lies."""
    number, total = payload.whole(shoe, "number"), payload.whole(shoe, "cards")
    title = f"shoe {number}" if number else "shoe"
    if total <= 0:
        return Panel(Text("not loaded", "dim"), title=title, title_align="left", border_style="blue", height=3)
    drawn, cut_at = payload.whole(shoe, "drawn"), payload.whole(shoe, "cut_card_at")
    seen = shoe.get("cut_card_seen") is True
    said = f" {drawn}/{total}"
    if cut_at:
        said += " last round" if seen else f" cut {cut_at}"
    bar = gauge(drawn, total, cut_at, max(8, width - 4 - len(said)))
    line = bar.append(said, "bold yellow" if seen else "")
    line.no_wrap, line.overflow = True, "ellipsis"
    return Panel(line, title=title, title_align="left", border_style="yellow" if seen else "blue", height=3)


def gauge(drawn: int, total: int, cut_at: int, width: int) -> Text:
    """A bar of ``width`` columns: what is drawn, what is left, and the cut card."""
    full = max(0, min(width, round(width * drawn / total)))
    bar = Text("█" * full + "░" * (width - full), "blue")
    if 0 < cut_at <= total:
        at = min(width - 1, width * cut_at // total)
        bar = bar[:at] + Text("┃", "bold yellow") + bar[at + 1 :]
    return bar


def next_lines(expected: list[Mapping[str, Any]]) -> list[Text]:
    """What comes next, most likely first, on one line; its keys on another."""
    if not expected:
        return []
    first, *others = expected
    line = Text.assemble((" next ", "black on cyan"), (f" {payload.text(first, 'text')}", "bold"))
    for other in others[:2]:
        line.append(f"  or {payload.text(other, 'text')}", "dim")
    lines = [line]
    options = payload.texts(first, "options")
    if options:
        lines.append(Text("       " + "  ".join(options), "cyan"))
    for text in lines:
        text.no_wrap, text.overflow = True, "ellipsis"
    return lines


def verdict_lines(verdict: Mapping[str, Any], width: int) -> list[Text]:
    """An open verdict with what would settle it; the ways out take as many lines of ``width`` columns as they need."""
    hold = payload.text(verdict, "severity") == "hold"
    badge = (" HELD " if hold else " open ", "bold white on red" if hold else "black on yellow")
    name = f" {payload.text(verdict, 'id')} {payload.text(verdict, 'code')}"
    lines = [
        Text.assemble(badge, (name, "bold"), f"  came: {payload.text(verdict, 'actual')}"),
        Text(f"{_MARGIN}expected: {payload.text(verdict, 'expected')}"),
        *_ways_out(payload.mappings(verdict, "corrections"), width),
    ]
    for text in lines:
        text.no_wrap, text.overflow = True, "ellipsis"
    return lines


def _ways_out(corrections: list[Mapping[str, Any]], width: int) -> list[Text]:
    """The ways out by the number that is keyed for them; a line is broken between two ways, never within one."""
    rows: list[str] = []
    for number, way in enumerate(corrections, 1):
        said = f"{number} {payload.text(way, 'kind')}" + (" + card" if way.get("needs_card") is True else "")
        if rows and len(rows[-1]) + len(_BETWEEN) + len(said) <= width:
            rows[-1] += _BETWEEN + said
        else:
            rows.append((" " * len(_WAYS) if rows else _WAYS) + said)
    return [Text(row, "cyan") for row in rows]


def dues_lines(dues: list[Mapping[str, Any]]) -> list[Text]:
    """What still has to move, a line each; what has moved as owed is not shown."""
    lines: list[Text] = []
    for due in dues:
        left = payload.whole(due, "owed_minor") - payload.whole(due, "moved_minor")
        if not left:
            continue
        verb, style = ("pay", "green") if left > 0 else ("take", "red")
        whose = bettor(payload.whole(due, "box"), payload.whole(due, "person"), payload.text(due, "bet"))
        badge = ("      ", "") if lines else (" owed ", "black on green")
        line = Text.assemble(badge, (f" {verb} {money(left)}", f"bold {style}"), f" {whose}")
        moved = payload.whole(due, "moved_minor")
        detail = f" ({payload.text(due, 'outcome')} {signed(payload.whole(due, 'owed_minor'))}"
        line.append(detail + (f", moved {signed(moved)})" if moved else ")"), "dim")
        line.no_wrap, line.overflow = True, "ellipsis"
        lines.append(line)
    return lines
