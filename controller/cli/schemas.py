"""``tablewatch schemas``: what outsiders rely on, written from the event classes, and the check that it is so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from controller import __version__
from controller.app.bus import command_specs
from controller.app.notes import NOTES
from controller.app.payloads import Counters, MetaPayload, state_model
from controller.app.plugins import GAMES, load_game, names
from controller.app.record import REVEALED, SEALABLE
from controller.bus.schema import differences, generate, vanished
from controller.cli.guard import CannotError, ExitCode
from controller.cli.screen import complain, output
from controller.core.codec import INPUT_TYPES, Codec

IDENTITY: Final = {
    "type": "string",
    "description": "the device's own identity of this event, unique for ever; only on events that a device reported",
}
"""The member that an input's data has on record beside those of its class."""
SEAL: Final = {
    "type": "string",
    "pattern": "^[0-9a-f]{64}$",
    "description": "salted hash of a card whose face is secret until it is shown (docs/journal.md, Seals)",
}
SALT: Final = {"type": "string", "pattern": "^[0-9a-f]{32}$", "description": "with the face it makes the seal"}
_SECRET: Final = {
    "if": {"required": ["sealed"]},
    "then": {"properties": {"card": {"const": None}}},
    "else": {"properties": {"card": {"type": "string"}}},
}
"""The face of a card is left out where its seal stands, and nowhere else."""
DEFAULT_FOLDER: Final = Path("docs/schemas")


def schemas(
    folder: Annotated[Path, typer.Argument(help="Where to write them.")] = DEFAULT_FOLDER,
    check: Annotated[
        Path | None,
        typer.Option("--check", help="Write nothing; name what differs in this folder.", show_default=False),
    ] = None,
) -> None:
    """Write or check the schemas of events and topics. Schemas of events that there are no more are deleted."""
    try:
        if check is not None:
            _check(check)
            return
        folder.mkdir(parents=True, exist_ok=True)
        written = documents()
        gone = vanished(folder, written)
        for path in gone:
            path.unlink()
        for name, text in written.items():
            (folder / name).write_text(text, encoding="utf-8")
        output().print(f"{len(written)} documents written to {folder}" + _and_deleted(gone))
    except (FileExistsError, NotADirectoryError) as error:
        raise CannotError(f"{check or folder}: not a folder; name one") from error


def _and_deleted(gone: Sequence[Path]) -> str:
    return f"; deleted, of no event type any more: {', '.join(path.name for path in gone)}" if gone else ""


def documents() -> dict[str, str]:
    """Every document by file name: the events of all installed games."""
    events: dict[str, Any] = {cls.TYPE: cls for cls in NOTES}
    games = [load_game(name) for name in names(GAMES)]
    for game in games:
        codec = Codec.of(game)
        events |= {**codec.inputs, **codec.facts}
    views = tuple(game.view_type for game in games)
    payloads = {"meta": MetaPayload, "state": state_model(views), "tele": Counters}
    made = generate(events, payloads, __version__, command_specs())
    for cls in INPUT_TYPES:
        _amend(made, cls.TYPE, {"identity": IDENTITY})
    for cls in SEALABLE:
        _amend(made, cls.TYPE, {"sealed": SEAL}, _SECRET)
    _amend(made, REVEALED, {"sealed": SEAL, "salt": SALT})
    return made


def _amend(made: dict[str, str], event: str, members: dict[str, Any], rule: dict[str, Any] | None = None) -> None:
    """Add to an event's schema what the record adds to the members of its class."""
    document: dict[str, Any] = json.loads(made[f"{event}.json"])
    properties = document.setdefault("properties", {})
    if rule is not None:
        properties["card"] = {**properties["card"], "type": ["string", "null"]}
    properties |= members
    made[f"{event}.json"] = json.dumps(document | (rule or {}), indent=2, sort_keys=True) + "\n"


def _check(folder: Path) -> None:
    if not folder.is_dir():
        raise NotADirectoryError(folder)
    wrong = differences(folder, documents())
    if wrong:
        complain(*wrong)
        complain(f"tablewatch: {len(wrong)} documents differ; run `tablewatch schemas {folder}`")
        raise typer.Exit(ExitCode.WRONG)
    output().print(f"{folder}: as generated")
