"""``tablewatch replay``: the rounds of a journal as a person reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from controller.cli.guard import CannotError, ExitCode
from controller.cli.rounds import Loose, Round, rounds_of
from controller.cli.rounds_seats import SeatRound
from controller.cli.rounds_seats_text import seat_round_json, seat_round_text
from controller.cli.rounds_text import round_json, round_text
from controller.cli.screen import Screen, complain, output, styled
from controller.journal.chain import ChainError, StoredEvent
from controller.journal.reader import JournalReader

NO_EDGE: Final = 1000
"""Columns of a file: long lines stay whole."""


@dataclass(frozen=True, slots=True)
class Until:
    """Where to stop: the last event, or the latest time; None for no limit."""

    sequence: int | None = None
    time_us: int | None = None


def parse_until(text: str) -> Until:
    """``120`` as an event number, ``2026-01-01T12:00`` as a time (UTC unless it has an offset). Raises BadParameter."""
    if not text:
        return Until()
    if text.isdecimal():
        return Until(sequence=int(text[:18]))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is neither an event number nor a time such as 2026-01-01T12:00:00Z", param_hint="--until"
        ) from None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return Until(time_us=int(moment.timestamp() * 1_000_000))


def replay(
    journal: Annotated[Path, typer.Argument(help="The table's journal file.", show_default=False)],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line: rounds, and events outside.")
    ] = False,
    until: Annotated[str, typer.Option("--until", help="Stop after this event number or time.")] = "",
    round_id: Annotated[str, typer.Option("--round", help="Only the round of this number, such as 1-17.")] = "",
) -> None:
    """Print the rounds of a journal for a person."""
    limit = parse_until(until)
    screen = output()
    if not screen.is_terminal:
        screen.width = NO_EDGE
    found = False
    with JournalReader(journal) as reader:
        for item in rounds_of(_events(reader, limit, journal)):
            if round_id and not (isinstance(item, Round | SeatRound) and item.round == round_id):
                continue
            found = True
            if as_json:
                screen.print(json.dumps(_json_of(item), ensure_ascii=False))
            else:
                _show(screen, item)
    if round_id and not found:
        complain(f"tablewatch: journal {journal}: there is no round {round_id}; rounds are numbered like 1-17")
        raise typer.Exit(ExitCode.WRONG)


def _events(reader: JournalReader, limit: Until, path: Path) -> Iterator[StoredEvent]:
    for event in reader.events(last=limit.sequence):
        try:
            event.checked()
        except ChainError as error:
            raise CannotError(f"journal {path}: event {event.sequence}: {error}; run `tablewatch verify`") from None
        if limit.time_us is not None and event.time_us > limit.time_us:
            return
        yield event


def _json_of(item: Round | SeatRound | Loose) -> dict[str, Any]:
    if isinstance(item, Round):
        return round_json(item)
    if isinstance(item, SeatRound):
        return seat_round_json(item)
    return {"kind": "event", "text": item.line.text if item.line else None, "event": item.event.parsed()}


def _show(screen: Screen, item: Round | SeatRound | Loose) -> None:
    if isinstance(item, Round | SeatRound):
        text = round_text(item) if isinstance(item, Round) else seat_round_text(item)
        screen.print(text, soft_wrap=False)
    elif item.line is not None:
        moment = datetime.fromtimestamp(item.event.time_us / 1_000_000, UTC)
        screen.print(Text.assemble((f"{moment:%H:%M:%S} ", "dim"), styled(item.line)))
