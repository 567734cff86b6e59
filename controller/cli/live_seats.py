"""The live view's upper half for two players with hidden hands: their seats, the match, contract and trick."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rich.align import Align
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.cli import payload
from controller.cli.live_boxes import Boxes
from controller.cli.screen import card_style, cards_text
from controller.core.words import plural

MAX_SEAT_WIDTH: Final = 44
BACK: Final = "▒▒"
"""A card that nobody has seen."""
LINES: Final = 4
MOST_SEATS: Final = 2

_CONTRACTS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "NT": "no-trump", "AT": "all-trump"}


def seats_view(view: Mapping[str, Any], width: int) -> Boxes:
    """The seats side by side: hand, tricks and points, combinations, the match."""
    seats = payload.mappings(view, "seats")[:MOST_SEATS]
    each = max(3, min(MAX_SEAT_WIDTH, width // len(seats)))
    grid = Table.grid()
    for _seat in seats:
        grid.add_column(width=each)
    grid.add_row(*[_panel(view, seat, number, each) for number, seat in enumerate(seats)])
    return Boxes(Align.center(grid), LINES + 2)


def deal_view(view: Mapping[str, Any]) -> Panel:
    """The turned-up card, the contract, the card that was led."""
    parts = []
    up = payload.text(view, "turn_up")
    if up:
        parts.append(Text("up ", "dim") + _card(up))
    contract = payload.text(view, "contract")
    if contract:
        word = _CONTRACTS.get(contract, contract)
        parts.append(Text(f"seat {payload.whole(view, 'taker')} plays ") + Text(word, f"bold {card_style(word)}"))
    trick = payload.mapping(view, "trick")
    if payload.whole(trick, "number"):
        parts.append(Text(f"trick {payload.whole(trick, 'number')} ", "dim") + _card(payload.text(trick, "led")))
    line = Text(" · ", "dim").join(parts)
    line.no_wrap, line.overflow = True, "ellipsis"
    return Panel(line, title="deal", title_align="left", border_style="blue", height=3)


def _card(written: str) -> Text:
    return cards_text(payload.cards({"card": [written]}, "card"))


def _panel(view: Mapping[str, Any], seat: Mapping[str, Any], place: int, width: int) -> Panel:
    number = payload.whole(seat, "seat")
    turn = bool(number) and payload.whole(view, "turn") == number
    words = [f"{'▶ ' if turn else ''}seat {number}", payload.text(seat, "role")]
    if number and payload.whole(view, "taker") == number:
        words.append("taker")
    lines = [_hand(seat), _count(seat), _combinations(seat), _match(view, place)]
    for line in lines:
        line.no_wrap, line.overflow = True, "ellipsis"
    return Panel(
        Group(*lines),
        title=" · ".join(word for word in words if word),
        title_align="left",
        width=width,
        height=LINES + 2,
        border_style="bold bright_yellow" if turn else "green",
    )


def _hand(seat: Mapping[str, Any]) -> Text:
    """Cards that everybody has seen, then the backs of the others."""
    found = seat.get("cards")
    hidden = sum(card is None for card in found) if isinstance(found, list) else 0
    backs = [Text(BACK, "blue")] * min(hidden, 24)
    shown = payload.cards(seat, "cards")
    return Text(" ").join([*([cards_text(shown)] if shown else []), *backs])


def _count(seat: Mapping[str, Any]) -> Text:
    tricks, points = payload.whole(seat, "tricks"), payload.whole(seat, "points")
    won = plural(tricks, "trick")
    return Text(f"{won}, {points} points" if tricks or points else "")


def _combinations(seat: Mapping[str, Any]) -> Text:
    line = Text(", ".join(payload.texts(seat, "announced")), "italic cyan")
    shown = payload.cards(seat, "shown")
    return line.append(" ").append_text(cards_text(shown)) if shown else line


def _match(view: Mapping[str, Any], place: int) -> Text:
    """What the seat has won: of this round when it is scored, and of the match."""
    match = payload.mapping(view, "match")
    rounds = payload.text(match, "match_by") == "rounds"
    won = _number(match, "wins" if rounds else "totals", place)
    line = Text(f"{won} of {payload.whole(match, 'target')}{' rounds' if rounds else ''}", "yellow")
    score = view.get("score")
    if isinstance(score, list) and len(score) > place:
        line = Text(f"+{_number(view, 'score', place)}  ", "bold green") + line
    if payload.whole(match, "winner") == place + 1:
        line.append("  wins the match", "bold green")
    return line


def _number(value: Mapping[str, Any], key: str, place: int) -> int:
    found = value.get(key)
    return payload.whole({"n": found[place]}, "n") if isinstance(found, list) and len(found) > place else 0
