"""A round of two players with hidden hands, as text and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from controller.cli.rounds_seats import SEATS, SeatRound
from controller.cli.rounds_text import verdict_text, when_text
from controller.cli.screen import card_style, styled
from controller.core.words import line
from controller.journal.chain import time_text


def seat_round_text(played: SeatRound) -> RenderableType:
    """A round as a person reads it."""
    head = Text.assemble((f"Round {played.round}", "bold cyan"), ("   " + when_text(played), "dim"))
    opening = [f"seat {played.dealer} deals"]
    opening += [f"{played.turn_up} is turned up"] * bool(played.turn_up)
    below: list[RenderableType] = [
        styled(line("; ".join([*opening, *played.bids]))),
        *([_tricks(played)] if played.tricks else []),
        *[styled(line(text)) for text in played.declarations],
        *([Text(played.given_up)] if played.given_up else []),
        *map(verdict_text, played.verdicts),
        *map(styled, played.lines),
        _result(played),
    ]
    return Group(head, *[Padding(part, (0, 0, 0, 2), expand=False) for part in below], Text())


def seat_round_json(played: SeatRound) -> dict[str, Any]:
    """A round as a JSON object (docs/cli.md)."""
    return {
        "kind": "round",
        "round": played.round,
        "events": [played.first, played.last],
        "from": time_text(played.from_us),
        "to": time_text(played.to_us),
        "dealer": played.dealer,
        "turn_up": played.turn_up,
        "bids": played.bids,
        "taker": played.taker,
        "contract": played.contract,
        "declarations": played.declarations,
        "tricks": [asdict(trick) for trick in played.tricks],
        "given_up": played.given_up or None,
        "status": played.status,
        "card_points": played.card_points,
        "combinations": played.combinations,
        "blot": played.blot,
        "points": played.points,
        "totals": played.totals,
        "verdicts": [asdict(verdict) for verdict in played.verdicts],
        "lines": [said.text for said in played.lines],
        "finished": played.finished,
        "void": played.void,
    }


def _tricks(played: SeatRound) -> Table:
    """A row for each seat, a column for each trick: the lead is marked ``▸``, the winning card underlined."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    table.add_column("trick", no_wrap=True)
    for trick in played.tricks:
        table.add_column(str(trick.number), no_wrap=True)
    for seat in SEATS:
        cells = [Text(f"seat {seat}")]
        for trick in played.tricks:
            card = trick.cards[seat - 1]
            style = card_style(card) + (" underline" if trick.winner == seat else "")
            cells.append(Text("▸" if trick.leader == seat else " ") + Text(card, style))
        table.add_row(*cells)
    table.add_row(Text("points", "dim"), *[Text(f"{t.points} to {t.winner}", "dim") for t in played.tricks])
    return table


def _result(played: SeatRound) -> Text:
    if played.void is not None:
        return Text("void" + (f": {played.void}" if played.void else ""), "bold yellow")
    if played.points is None:
        return Text("not finished", "bold yellow")
    parts = [f"{played.status}: {_both(played.points)} points", f"cards {_both(played.card_points)}"]
    parts += [
        f"{name} {_both(pair)}"
        for name, pair in (("combinations", played.combinations), ("Blot", played.blot))
        if pair is not None and any(pair)
    ]
    if played.totals is not None:
        parts.append(f"the match stands at {_both(played.totals)}")
    return Text("; ".join(parts) + ("" if played.finished else "; cards not collected yet"), "green")


def _both(pair: tuple[int, int] | None) -> str:
    return "" if pair is None else f"{pair[0]} to {pair[1]}"
