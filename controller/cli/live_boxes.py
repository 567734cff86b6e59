"""The live view's upper half: the boxes side by side and the dealer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rich.align import Align
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.cli import payload
from controller.cli.screen import cards_text
from controller.core.words import money, signed

MAX_BOX_WIDTH: Final = 20
MIN_BOX_WIDTH: Final = 11
"""Three cards and a frame."""
ROOMY: Final = 14
"""From so many columns on, a box keeps a margin inside its frame."""

_TOTALS: Final = {"bust": "red", "blackjack": "bold green", "stood": "", "surrendered": "dim"}
_OUTCOMES: Final = {"win": "green", "blackjack": "bold green", "lose": "red", "bust": "red", "push": "yellow"}


@dataclass(frozen=True, slots=True)
class Boxes:
    """The row of boxes and how many lines it takes."""

    content: RenderableType
    height: int


@dataclass(frozen=True, slots=True)
class Size:
    """Columns of a box with its frame, lines in it, and the columns kept free inside the frame on either side."""

    width: int
    lines: int
    margin: int


def boxes_view(state: Mapping[str, Any], view: Mapping[str, Any], width: int) -> Boxes:
    """All boxes in play, side by side; as many as fit, that whose turn it is among them, the rest counted."""
    boxes = payload.mappings(view, "boxes")
    if not boxes:
        return Boxes(Panel(Align.center(Text(_empty(state), "dim")), style="dim"), 3)
    fitting = max(1, width // MIN_BOX_WIDTH)
    last = max(fitting, next((place for place, box in enumerate(boxes, 1) if _decides(box)), 0))
    shown = boxes[last - fitting : last]
    each = min(MAX_BOX_WIDTH, width // len(shown))
    dues = payload.mappings(state, "dues")
    margin = 0 if each < ROOMY else 1
    room = each - 2 - 2 * margin
    contents = [_box_lines(box, [due for due in dues if due.get("box") == box.get("box")], room) for box in shown]
    inner = max(len(lines) for lines in contents)
    grid = Table.grid()
    for _box in shown:
        grid.add_column(width=each)
    panels = [
        _panel(box, lines, Size(each, inner, margin), len(boxes) - fitting if box is shown[-1] else 0)
        for box, lines in zip(shown, contents, strict=True)
    ]
    grid.add_row(*panels)
    return Boxes(Align.center(grid), inner + 2)


def dealer_view(dealer: Mapping[str, Any]) -> Panel:
    """The dealer's cards and total."""
    line = cards_text([*payload.cards(dealer, "cards"), *["▮"] * min(payload.whole(dealer, "face_down"), 2)])
    total = payload.text(dealer, "total")
    if total:
        line.append(f"  {total}", _total_style(total))
    line.no_wrap, line.overflow = True, "ellipsis"
    return Panel(line, title="dealer", title_align="left", border_style="blue", height=3)


def _empty(state: Mapping[str, Any]) -> str:
    if payload.text(state, "service") != "open":
        return f"the table is {(payload.text(state, 'service') or 'not heard of yet').replace('_', ' ')}"
    return "no bets"


def _panel(box: Mapping[str, Any], lines: list[Text], size: Size, beyond: int) -> Panel:
    turn = _decides(box)
    number = payload.whole(box, "box")
    more = f"+{beyond} more" if beyond > 0 else None
    return Panel(
        Group(*lines),
        title=f"▶ {number}" if turn else f"{number}",
        title_align="left",
        subtitle=more,
        width=size.width,
        height=size.lines + 2,
        padding=(0, size.margin),
        border_style="bold bright_yellow" if turn else "green",
    )


def _decides(box: Mapping[str, Any]) -> bool:
    return any(hand.get("turn") is True for hand in payload.mappings(box, "hands"))


def _box_lines(box: Mapping[str, Any], dues: list[Mapping[str, Any]], width: int) -> list[Text]:
    lines: list[Text] = []
    hands = payload.mappings(box, "hands")
    for hand in hands:
        lines += _hand_lines(hand, len(hands) > 1, width)
    lines.append(_stake(payload.mappings(box, "mains"), hands))
    insured = sum(payload.whole(stake, "amount_minor") for stake in payload.mappings(box, "insurance"))
    if insured:
        lines.append(Text(f"ins {money(insured)}", "yellow"))
    lines += _outcomes(dues, width)
    for line in lines:
        line.no_wrap, line.overflow = True, "ellipsis"
    return lines


def _hand_lines(hand: Mapping[str, Any], several: bool, width: int) -> list[Text]:
    cards = payload.cards(hand, "cards")
    mark = "▸" if several and hand.get("turn") is True else " " if several else ""
    a_line = max(1, (width + 1 - len(mark)) // 3)
    rows = [cards[start : start + a_line] for start in range(0, len(cards), a_line)] or [[]]
    lines = [Text(mark, "bold bright_yellow") + cards_text(row) for row in rows]
    total = Text(mark and " ").append(payload.text(hand, "total"), _total_style(payload.text(hand, "total")))
    asked = payload.text(hand, "asked")
    if asked:
        total.append(f" {asked}", "italic cyan")
    if cards and several and len(lines[-1]) + len(total) + 1 <= width:
        lines[-1].append(" ").append_text(total)
        return lines
    return [*lines, total] if cards else lines


def _stake(mains: list[Mapping[str, Any]], hands: list[Mapping[str, Any]]) -> Text:
    laid = [stake for hand in hands for stake in payload.mappings(hand, "stakes")]
    amounts = [payload.whole(stake, "amount_minor") + payload.whole(stake, "raise_minor") for stake in laid]
    amount = sum(amounts) or sum(payload.whole(stake, "amount_minor") for stake in mains)
    people = f" ({len(mains)})" if len(mains) > 1 else ""
    return Text(f"{money(amount)}{people}", "yellow")


def _outcomes(dues: list[Mapping[str, Any]], width: int) -> list[Text]:
    """What the box's decided bets come to; in words too where there is room."""
    decided = [due for due in dues if payload.text(due, "outcome") not in {"", "open"}]
    if not decided:
        return []
    outcomes = {payload.text(due, "outcome") for due in decided}
    outcome = outcomes.pop() if len(outcomes) == 1 else ""
    owed = sum(payload.whole(due, "owed_minor") for due in decided)
    said = f"{outcome} {signed(owed)}".strip()
    style = _OUTCOMES.get(outcome, "green" if owed > 0 else "red" if owed < 0 else "yellow")
    return [Text(said if len(said) <= width else signed(owed), style)]


def _total_style(total: str) -> str:
    return _TOTALS.get(total.partition(" ")[0], "bold")
