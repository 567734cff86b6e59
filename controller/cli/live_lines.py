"""The live view's lines: shoe gauge, what comes next, verdicts, what is owed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.panel import Panel
from rich.text import Text

from controller.cli import payload
from controller.cli.live_wrap import wrapped
from controller.core.words import bettor, money, signed

MARGIN: Final = 7
"""Columns before the lines that go on with what a badge began."""

_MARGIN: Final = " " * MARGIN
_WAYS: Final = f"{_MARGIN}ways out: "
_BETWEEN: Final = "   "
_ALARM: Final = "bold white on red"


def shoe_view(shoe: Mapping[str, Any], shoes: Mapping[str, Any], width: int) -> Panel:
    """How far the shoe is dealt, with a mark where the cut card lies; where there are spares, which shoe is in use and
    what the others are called. ``shoe`` is of the game's view, ``shoes`` that part of ``state``."""
    number, total = payload.whole(shoe, "number"), payload.whole(shoe, "cards")
    seen = shoe.get("cut_card_seen") is True
    line = _dealt(shoe, width) if total > 0 else Text("not loaded", "dim")
    line.no_wrap, line.overflow = True, "ellipsis"
    spares = payload.texts(shoes, "spares")
    away = set(payload.texts(shoes, "offline"))
    title = f"shoe {number}" if number else "shoe"
    if spares:
        title += f" · {', '.join(payload.texts(shoes, 'in_use'))}"
    named = ", ".join(f"{name} (offline)" if name in away else name for name in spares)
    return Panel(
        line,
        title=title,
        title_align="left",
        subtitle=f"spare: {named}" if spares else None,
        subtitle_align="left",
        border_style="yellow" if seen else "blue",
        height=3,
    )


def _dealt(shoe: Mapping[str, Any], width: int) -> Text:
    drawn, total = payload.whole(shoe, "drawn"), payload.whole(shoe, "cards")
    cut_at, seen = payload.whole(shoe, "cut_card_at"), shoe.get("cut_card_seen") is True
    said = f" {drawn}/{total}"
    if cut_at:
        said += " last round" if seen else f" cut {cut_at}"
    bar = gauge(drawn, total, cut_at, max(8, width - 4 - len(said)))
    return bar.append(said, "bold yellow" if seen else "")


def gauge(drawn: int, total: int, cut_at: int, width: int) -> Text:
    """A bar of ``width`` columns: what is drawn, what is left, and the cut card."""
    full = max(0, min(width, round(width * drawn / total)))
    bar = Text("█" * full + "░" * (width - full), "blue")
    if 0 < cut_at <= total:
        at = min(width - 1, width * cut_at // total)
        bar = bar[:at] + Text("┃", "bold yellow") + bar[at + 1 :]
    return bar


def shoe_lines(shoes: Mapping[str, Any], width: int) -> list[Text]:
    """What to do about a shoe in use that is away; nothing while it is there. ``shoes`` is that part of ``state``."""
    advice = payload.text(shoes, "advice")
    return wrapped(Text.assemble((" shoe ", _ALARM), (f" {advice}", "bold")), width, MARGIN) if advice else []


def signed_lines(signed_ones: list[Mapping[str, Any]], width: int) -> list[Text]:
    """Commands that wait for a second person: what is meant, by whom, and the request that is approved."""
    return [text for each in signed_ones for text in wrapped(_signed(each), width, MARGIN)]


def _signed(command: Mapping[str, Any]) -> Text:
    """``void-round v3 by 12: a second person approves 7-0c1d``."""
    parts = [payload.text(command, key) for key in ("name", "verdict", "correction", "card")]
    meant = " ".join(part for part in parts if part)
    line = Text.assemble((" sign ", "black on yellow"), (f" {meant}", "bold"), f" by {payload.text(command, 'actor')}")
    return line.append(f": a second person approves {payload.text(command, 'request')}".rstrip())


def next_lines(expected: list[Mapping[str, Any]], width: int) -> list[Text]:
    """What comes next, most likely first; its keys on lines of their own."""
    if not expected:
        return []
    first, *others = expected
    line = Text.assemble((" next ", "black on cyan"), (f" {payload.text(first, 'text')}", "bold"))
    for other in others[:2]:
        line.append(f"  or {payload.text(other, 'text')}", "dim")
    keys = "  ".join(payload.texts(first, "options"))
    keyed = wrapped(Text(_MARGIN + keys, "cyan"), width, MARGIN) if keys else []
    return [*wrapped(line, width, MARGIN), *keyed]


def verdict_lines(verdict: Mapping[str, Any], width: int, *, ways_first: bool = False) -> list[Text]:
    """An open verdict with what would settle it, all of it, on as many lines of ``width`` columns as it takes; with
    ``ways_first`` the ways out stand before what came and what was expected."""
    hold = payload.text(verdict, "severity") == "hold"
    badge = (" HELD " if hold else " open ", _ALARM if hold else "black on yellow")
    name = f" {payload.text(verdict, 'id')} {payload.text(verdict, 'code')}"
    title = Text.assemble(badge, (name, "bold"))
    came = f"came: {payload.text(verdict, 'actual')}"
    wanted = wrapped(Text(f"{_MARGIN}expected: {payload.text(verdict, 'expected')}"), width, MARGIN)
    ways = _ways_out(payload.mappings(verdict, "corrections"), width)
    if ways_first:
        return [title, *ways, *wrapped(Text(_MARGIN + came), width, MARGIN), *wanted]
    return [*wrapped(title.append(f"  {came}", "not bold"), width, MARGIN), *wanted, *ways]


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


def dues_lines(dues: list[Mapping[str, Any]], width: int) -> list[Text]:
    """What still has to move, a line each where it fits; what has moved as owed is not shown."""
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
        lines += wrapped(line, width, MARGIN)
    return lines
