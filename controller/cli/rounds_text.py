"""How a round is printed: a heading, the hands and bets, the verdicts, the result; and the same as JSON."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from controller.cli.rounds import BetRow, HandRow, Round
from controller.cli.rounds_seats import SeatRound
from controller.cli.rounds_verdicts import VerdictRow
from controller.cli.screen import cards_text, styled
from controller.core.words import money, signed
from controller.journal.chain import time_text

_VERDICT_STYLES = {"note": "dim", "refused": "yellow", "open": "bold yellow", "hold": "bold red"}


def round_text(played: Round) -> RenderableType:
    """A round as a person reads it."""
    parts: list[RenderableType] = [
        Text.assemble((f"Round {played.round}", "bold cyan"), ("   " + when_text(played), "dim"))
    ]
    below: list[RenderableType] = [
        _table(played),
        *map(verdict_text, played.verdicts),
        *map(styled, played.lines),
        _result(played),
    ]
    parts += [Padding(part, (0, 0, 0, 2), expand=False) for part in below]
    return Group(*parts, Text())


def round_json(played: Round) -> dict[str, Any]:
    """A round as a JSON object (docs/cli.md)."""
    hands = [asdict(hand) for hand in _players(played)]
    dealer = played.hands.get((0, 1))
    return {
        "kind": "round",
        "currency": played.currency,
        "round": played.round,
        "events": [played.first, played.last],
        "from": time_text(played.from_us),
        "to": time_text(played.to_us),
        "hands": hands,
        "dealer": {"cards": dealer.cards if dealer else [], "total": dealer.total if dealer else ""},
        "bets": [asdict(bet) for bet in _sorted_bets(played)],
        "verdicts": [asdict(verdict) for verdict in played.verdicts],
        "lines": [line.text for line in played.lines],
        "finished": played.finished,
        "void": played.void,
        "returned_minor": played.returned_minor,
        "house_minor": played.house_minor,
    }


def when_text(played: Round | SeatRound) -> str:
    """When a round was played, and which events it has."""
    start = datetime.fromtimestamp(played.from_us / 1_000_000, UTC)
    end = datetime.fromtimestamp(played.to_us / 1_000_000, UTC)
    return f"{start:%Y-%m-%d %H:%M:%S} – {end:%H:%M:%S} UTC   events {played.first}–{played.last}"


def _players(played: Round) -> list[HandRow]:
    return [played.hands[key] for key in sorted(played.hands) if key[0] != 0]


def _sorted_bets(played: Round) -> list[BetRow]:
    return [played.bets[key] for key in sorted(played.bets)]


def _table(played: Round) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    for heading in ("", "cards", "total", "decisions", "bet"):
        table.add_column(heading, no_wrap=heading != "decisions")
    for heading in ("stake", "owed", "moved"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("outcome", no_wrap=True)
    bets = _sorted_bets(played)
    for hand in _players(played):
        mine = [bet for bet in bets if bet.box == hand.box and _hand_of(bet.bet) == hand.hand]
        name = f"box {hand.box}" + (f"/{hand.hand}" if hand.hand > 1 else "")
        _add(table, [name, cards_text(hand.cards), hand.total, ", ".join(hand.decisions)], mine)
    seen = {(hand.box, hand.hand) for hand in _players(played)}
    for bet in bets:
        if (bet.box, _hand_of(bet.bet)) not in seen:
            _add(table, [f"box {bet.box}", "", "", ""], [bet])
    dealer = played.hands.get((0, 1))
    if dealer is not None:
        _add(table, ["dealer", cards_text(dealer.cards), dealer.total, ""], [])
    return table


def _hand_of(bet: str) -> int:
    """The number of the hand a bet stands on: ``main:2`` is the second; insurance and side bets go to the first."""
    name, _, number = bet.partition(":")
    return int(number) if name in {"main", "double"} and number.isdecimal() else 1


def _add(table: Table, first: list[str | Text], bets: list[BetRow]) -> None:
    """A hand's row with its first bet, then a row for each further one."""
    blank: list[str | Text] = ["", "", "", ""]
    table.add_row(*first, *(_bet_cells(bets[0]) if bets else ()))
    for bet in bets[1:]:
        table.add_row(*blank, *_bet_cells(bet))


def _bet_cells(bet: BetRow) -> tuple[str | Text, ...]:
    name = bet.bet + (f" (person {bet.person})" if bet.person > 1 else "")
    owed = "" if bet.owed_minor is None else signed(bet.owed_minor)
    wrong = bet.owed_minor is not None and bet.owed_minor != bet.moved_minor
    moved = Text(signed(bet.moved_minor), "bold red" if wrong else "")
    return name, money(bet.stake_minor), owed, moved if bet.moved_minor or wrong else "", bet.outcome


def verdict_text(verdict: VerdictRow) -> Text:
    """A verdict and how it ended, on one line."""
    head = " ".join(filter(None, (verdict.verdict, verdict.code)))
    text = f"! {head} ({verdict.severity}): expected {verdict.expected}; came: {verdict.actual}"
    ending = f" → {verdict.how}" if verdict.how else " → still open" if verdict.verdict else ""
    return Text(text + ending, _VERDICT_STYLES.get(verdict.severity, ""))


def _result(played: Round) -> Text:
    if played.void is not None:
        reason = f": {played.void}" if played.void else ""
        return Text(f"void{reason}; {money(played.returned_minor, played.currency)} go back", "bold yellow")
    if played.house_minor is not None:
        house, staked = signed(played.house_minor), money(played.total_minor(), played.currency)
        text = f"house {house} of {staked} staked"
        return Text(text + ("" if played.finished else "; cards not collected yet"), "green")
    return Text("not finished", "bold yellow")
