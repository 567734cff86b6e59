"""What a demo comes to: planted and found, record and subscriber compared, one line a check."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from controller.app.audit import Audit
from controller.bus.history import History
from controller.cli.faults import counted
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader
from controller.journal.verify import verify

UNALIGNED = "SHOE_UNALIGNED"
"""What each death of the controller must raise while a shoe is loaded that keeps nothing."""
ENDED = frozenset({"round.settled", "round.voided", "deal.score_recorded", "deal.voided"})
"""What ends a round, in any game of a demo."""
SILENT = "SOURCE_SILENT"
"""What a camera that did not see a card in time raises: a matter of the machine that draws its pictures."""
BAD_LINES = frozenset({UNALIGNED, "EXTRA_CARD", "CARD_DISPUTED", "CARD_UNSEEN", "CHIPS_UNSEEN"})
"""What a bad line may raise besides: the table asks a person about what it may have missed or heard too late."""
SWALLOWED = frozenset({"TABLE_HELD", "NO_SUCH_STAKE"})
"""What an act under way at a death may meet when the table comes back held."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that had to hold, and what was found."""

    name: str
    ok: bool
    found: str


@dataclass(frozen=True, slots=True)
class Played:
    """What really happened on the stage. ``expected`` are the codes that the planted deviations must raise."""

    rounds_wanted: int
    rounds: int
    cards: int
    planted: tuple[str, ...]
    expected: Counter[str]
    deaths: int
    exit_status: int
    remarks: tuple[str, ...]
    laid: int = 0
    """cards that came to lie in hands under a camera; 0 without one"""
    faults: Mapping[str, int] = field(default_factory=dict)
    """what the wires suffered, by the name of the rate"""


def checks(played: Played, journal: Path, archive: Path) -> tuple[Check, ...]:
    """Judge a demo by its journal and by the archive that an independent subscriber wrote. Files are named without
    their folder, which is long and the same for all."""
    try:
        with JournalReader(journal) as reader:
            events = [(e.sequence, e.hash, e.type, e.data()) for e in reader.events()]
            journal_id = reader.journal_id
    except JournalError as error:
        return (Check("journal", False, _without(journal.parent, str(error))),)
    told = [(kind, data) for _, _, kind, data in events]
    codes, swallowed = _raised(told)
    cards = sum(kind == "card.drawn" or _named(kind, data) for _, _, kind, data in events)
    settled = sum(kind in ENDED for _, _, kind, _ in events)
    report = verify(journal, None, fold_check=Audit(journal))
    kept, findings = archived(archive, journal_id)
    recorded = [(sequence, digest) for sequence, digest, _, _ in events]
    return (
        Check("rounds", played.rounds == played.rounds_wanted == settled, f"{played.rounds} dealt, {settled} settled"),
        Check("cards", cards == played.cards, f"{played.cards} left the shoe, {cards} on record"),
        _deviations(played, codes, swallowed),
        *_camera(played, told),
        Check(
            "controller",
            played.exit_status == 0,
            f"killed {_times(played.deaths)}, at the end stopped with exit status {played.exit_status}",
        ),
        Check("journal", report.ok, _without(journal.parent, report.lines()[0])),
        Check(
            "subscriber",
            kept == recorded and not findings,
            f"{len(kept)} of {len(recorded)} events by sequence and hash" + "".join(f"; {f}" for f in findings[:3]),
        ),
    )


def _without(folder: Path, text: str) -> str:
    """The text with the files of this folder by their names alone."""
    return text.replace(f"{folder}/", "")


def archived(path: Path, journal_id: str) -> tuple[list[tuple[int, str]], list[str]]:
    """Sequence and hash of what the subscriber stored of this journal, and what contradicted it."""
    if not path.exists():
        return [], ["no archive was written"]
    try:
        history = History(path)
    except sqlite3.Error as error:
        return [], [f"the archive cannot be read: {error}"]
    try:
        return [(s, h) for s, h, _ in history.events(journal_id)], [f.what for f in history.findings()]
    finally:
        history.close()


def _named(kind: str, data: dict[str, Any]) -> bool:
    """Whether a supervisor has named a card that no source read."""
    return kind == "supervisor.override" and data["correction"] == "name_card"


def _raised(events: Sequence[tuple[str, dict[str, Any]]]) -> tuple[Counter[str], int]:
    """Codes of all verdicts but those that only say that the dealer went on while the table waited for the alignment
    after a death: an act under way then is refused, and done again; and how many those were."""
    codes: Counter[str] = Counter()
    unaligned: set[str] = set()
    swallowed = 0
    for kind, data in events:
        if kind == "violation.raised" and data["code"] != SILENT:
            if data["code"] == UNALIGNED:
                unaligned.add(str(data["verdict"]))
            if unaligned and data["code"] in SWALLOWED:
                swallowed += 1
            else:
                codes[str(data["code"])] += 1
        elif kind == "violation.resolved":
            unaligned.discard(str(data["verdict"]))
    return codes, swallowed


def _camera(played: Played, events: Sequence[tuple[str, dict[str, Any]]]) -> tuple[Check, ...]:
    """What the camera saw of the cards that came to lie in hands; a card that was moved is seen at both places."""
    if not played.laid:
        return ()
    seen = sum(kind == "card.shown" for kind, _ in events)
    late = sum(kind == "violation.raised" and data["code"] == SILENT for kind, data in events)
    text = f"{played.laid} cards laid in hands, {seen} sightings"
    return (Check("camera", seen > 0, text + (f"; silent about some in time, told {_times(late)}" if late else "")),)


def _deviations(played: Played, codes: Counter[str], swallowed: int) -> Check:
    wanted = played.expected + Counter({UNALIGNED: played.deaths})
    missing, more = wanted - codes, codes - wanted
    lines = Counter({code: count for code, count in more.items() if code in BAD_LINES and played.faults})
    more -= lines
    died = f" ({played.deaths} because the controller died)" if played.deaths else ""
    text = f"{len(played.planted)} planted, {wanted.total()} verdicts wanted{died}, {codes.total()} raised"
    if swallowed:
        text += f", {swallowed} acts refused while the table was being aligned"
    if lines:
        text += f"; raised by bad lines {_listed(lines)}"
    if missing:
        text += f"; missing {_listed(missing)}"
    if more:
        text += f"; not planted {_listed(more)}"
    return Check("deviations", not missing and not more, text)


def _times(count: int) -> str:
    return {0: "never", 1: "once, and back in the same round"}.get(count, f"{count} times")


def _listed(codes: Counter[str]) -> str:
    return ", ".join(f"{code} x{count}" if count > 1 else code for code, count in sorted(codes.items()))


def summary_table(found: Sequence[Check], played: Played) -> Table:
    """The checks as a table, with what was planted below."""
    table = Table(title="What the demo came to", box=box.SIMPLE_HEAVY, title_style="bold", show_header=False)
    table.add_column(style="bold")
    table.add_column()
    table.add_column(overflow="fold")
    for check in found:
        mark = Text("ok", "green") if check.ok else Text("WRONG", "bold white on red")
        table.add_row(check.name, mark, Text(check.found))
    table.add_row("faults", Text(""), Text(counted(played.faults), "dim"))
    table.add_row("planted", Text(""), Text(", ".join(played.planted) or "nothing", "dim"))
    for remark in played.remarks:
        table.add_row("remark", Text(""), Text(remark, "yellow"))
    return table
