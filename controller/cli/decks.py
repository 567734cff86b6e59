"""``tablewatch decks``: the register of decks whose cards have tags."""

from __future__ import annotations

import csv
import json
import queue
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from controller.app.deckregister import DeckRegister, DeckStatus, Entry
from controller.app.deckregister_file import RegisterError
from controller.cli.drive import BaudOption, OptionsOption, make_driver, port_url
from controller.cli.guard import CannotError, ExitCode
from controller.cli.screen import Screen, complain, output
from controller.clock import now_us
from controller.core.cards import DECK, Card
from controller.core.words import clean
from drivers.api import Driver, LineSettings
from drivers.messages import Collision, LineFault, ReadFailed, TagSeen
from drivers.session import DeviceSession

app = typer.Typer(help="Which tag is which card of which deck.", no_args_is_help=True, rich_markup_mode=None)

RegisterOption = Annotated[Path, typer.Option("--register", "-r", help="The register's file.")]
DeckArgument = Annotated[str, typer.Argument(help="The deck's code.", show_default=False)]
DriverOption = Annotated[
    str, typer.Option("--driver", "-d", help="The reader's driver, such as reader/pn532.", show_default=False)
]
PortOption = Annotated[str, typer.Option("--port", "-p", help="The reader's port.", show_default=False)]
USUAL = Path("decks.sqlite")
STOP_S = 20.0


@contextmanager
def _register(path: Path, *, create: bool = False) -> Iterator[DeckRegister]:
    """The register, its refusals as one line."""
    try:
        with DeckRegister(path, now_us, create=create) as register:
            yield register
    except RegisterError as error:
        raise CannotError(str(error)) from None


@app.command("enrol")
def enrol(
    deck: DeckArgument,
    port: PortOption,
    driver: DriverOption,
    register: RegisterOption = USUAL,
    option: OptionsOption = None,
    baud: BaudOption = None,
) -> None:
    """Read each card of a new deck once, in the order shown; stopped and begun again, it goes on where it was."""
    screen = output()
    url = port_url(port)
    made, line = make_driver(driver, option, baud)
    if not (driver.startswith("reader/") and made.capabilities.card_identity):
        raise typer.BadParameter(
            f"{driver} reads no tags; name a reader that does, such as reader/pn532", param_hint="--driver"
        )
    with _register(register, create=True) as decks:
        due = decks.begin(deck)
        if due is None:
            raise RegisterError(f"deck {deck} is complete already; `tablewatch decks replace` exchanges a card")
        screen.print(f"deck {deck}: lay one card after the other on the reader, {due.pretty} first; Ctrl-C stops")
        try:
            with _progress(screen, deck, DECK.index(due)) as bar, _tags(url, made, line) as tags:
                _read_all(decks, deck, tags, bar, screen)
        except KeyboardInterrupt:
            done = next(status.cards for status in decks.decks() if status.code == deck)
            screen.print(f"stopped after {done} of {len(DECK)} cards; begin again to go on")
            raise typer.Exit(ExitCode.WRONG) from None
    screen.print(Text(f"deck {deck} is complete: {len(DECK)} cards in {register}", "green"))


@app.command("replace")
def replace(
    deck: DeckArgument,
    card: Annotated[str, typer.Argument(help="The card, such as KD.", show_default=False)],
    uid: Annotated[str, typer.Argument(help="The new card's tag, in hex.", show_default=False)],
    register: RegisterOption = USUAL,
) -> None:
    """A damaged card was exchanged for a new one; the old one is never a card again."""
    try:
        face = Card(card.upper())
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="CARD") from None
    with _register(register) as decks:
        old = decks.replace(deck, face, uid.upper())
    output().print(f"deck {deck}: {face.pretty} is tag {uid.upper()} now, tag {old.uid} is no card any more")


@app.command("retire")
def retire(deck: DeckArgument, register: RegisterOption = USUAL) -> None:
    """A deck is not played any more; its tags stay taken."""
    with _register(register) as decks:
        decks.retire(deck)
    output().print(f"deck {deck} is retired")


@app.command("list")
def list_decks(register: RegisterOption = USUAL) -> None:
    """All decks and what they are good for."""
    with _register(register) as decks:
        known = decks.decks()
    rows = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="cyan")
    for column in ("deck", "cards", "replaced", "begun", "state"):
        rows.add_column(column)
    for deck in known:
        rows.add_row(
            clean(deck.code), f"{deck.cards}/{len(DECK)}", str(deck.replaced), _when(deck.began_us), _state(deck)
        )
    output().print(rows if known else f"no deck in {register}", soft_wrap=False)


@app.command("export")
def export(
    deck: Annotated[str | None, typer.Argument(help="One deck; default: all.", show_default=False)] = None,
    register: RegisterOption = USUAL,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a tag instead of CSV.")] = False,
) -> None:
    """Every tag on record, replaced ones too, as CSV or JSON lines."""
    with _register(register) as decks:
        rows = [_row(entry) for entry in decks.entries(deck)]
    if as_json:
        for row in rows:
            output().print(json.dumps(row))
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("deck", "card", "uid", "read", "replaced"))
    writer.writerows(row.values() for row in rows)


def _row(entry: Entry) -> dict[str, Any]:
    replaced = "" if entry.replaced_us is None else _when(entry.replaced_us)
    return {
        "deck": entry.deck,
        "card": entry.card.text,
        "uid": entry.uid,
        "read": _when(entry.read_us),
        "replaced": replaced,
    }


def _when(at_us: int) -> str:
    return datetime.fromtimestamp(at_us / 1_000_000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _state(deck: DeckStatus) -> Text:
    if deck.retired_us is not None:
        return Text("retired", "dim")
    return Text("in play", "green") if deck.playable else Text("being enrolled", "yellow")


def _progress(screen: Screen, deck: str, done: int) -> Progress:
    columns = (TextColumn(clean(deck)), BarColumn(), MofNCompleteColumn(), TextColumn("next: {task.fields[due]}"))
    bar = Progress(*columns, console=screen, disable=not screen.is_terminal, transient=True)
    bar.add_task("cards", total=len(DECK), completed=done, due=DECK[done].pretty)
    return bar


Tags = queue.SimpleQueue[TagSeen | Collision | ReadFailed | LineFault]


@contextmanager
def _tags(url: str, driver: Driver, line: LineSettings) -> Iterator[Tags]:
    """A session on the reader; what it reads, and what is in the way."""
    tags: Tags = queue.SimpleQueue()
    session = DeviceSession(
        "reader",
        url,
        driver,
        lambda _name, report: (
            tags.put(report.message)
            if isinstance(report.message, TagSeen | Collision | ReadFailed | LineFault)
            else None
        ),
        line=line,
    )
    session.start()
    try:
        yield tags
    finally:
        session.stop(STOP_S)


def _read_all(decks: DeckRegister, deck: str, tags: Tags, bar: Progress, screen: Screen) -> None:
    while True:
        match tags.get():
            case TagSeen(_, uid):
                try:
                    enrolled = decks.enrol(deck, uid)
                except RegisterError as refused:
                    complain(clean(str(refused), 300))
                    continue
                due = enrolled.following
                bar.update(bar.task_ids[0], completed=enrolled.number, due="" if due is None else due.pretty)
                ahead = "" if due is None else f", next {due.pretty}"
                screen.print(f"{enrolled.number:2}/{len(DECK)}  {enrolled.card.pretty}  {uid}{ahead}")
                if due is None:
                    return
            case Collision():
                complain("two cards lie on the reader: take one away")
            case ReadFailed(_, detail):
                complain(clean(detail, 300))
            case LineFault(_, reason):
                complain(clean(reason, 300))
