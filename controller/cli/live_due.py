"""What is due at a table, as the live view's lines: what a person must act on first and whole, then the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rich.text import Text

from controller.cli import payload
from controller.cli.live_lines import dues_lines, next_lines, shoe_lines, signed_lines, verdict_lines

MAX_OWED: Final = 6
"""Lines of what is owed at most; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Due:
    """``must`` are the lines that somebody waits for: they are shown whole, whatever else has to give way; ``more``
    are shown as far as there is room."""

    must: list[Text]
    more: list[Text]

    def fitted(self, room: int) -> list[Text]:
        """As many lines as fit into ``room``, the last of them with the number of those left out; just as much room as
        ``must`` takes is given to it alone."""
        lines = [*self.must, *self.more]
        if len(lines) <= room or room == len(self.must):
            return lines[: max(0, room)]
        return [*lines[: max(0, room - 1)], *_counted(len(lines) - room + 1)][: max(0, room)]


def due_of(state: Mapping[str, Any], width: int, room: int) -> Due:
    """What is due by the ``state`` on the bus, for ``room`` lines of ``width`` columns at most. The first hold comes
    first, then a shoe that is away and a command that waits for a second person; what comes next must be seen while
    nothing holds the table. The ways out come before a hold's texts where these are longer than the screen."""
    due = _due(state, width, ways_first=False)
    return due if len(due.must) <= room else _due(state, width, ways_first=True)


def _due(state: Mapping[str, Any], width: int, *, ways_first: bool) -> Due:
    verdicts = payload.mappings(state, "verdicts")
    first = next((verdict for verdict in verdicts if payload.text(verdict, "severity") == "hold"), None)
    others = [text for verdict in verdicts if verdict is not first for text in verdict_lines(verdict, width)]
    coming = next_lines(payload.mappings(state, "expected"), width)
    must = [
        *(verdict_lines(first, width, ways_first=ways_first) if first is not None else []),
        *shoe_lines(payload.mapping(state, "shoes"), width),
        *signed_lines(payload.mappings(state, "signed"), width),
    ]
    owed = _short(dues_lines(payload.mappings(state, "dues"), width))
    if first is None:
        return Due([*must, *coming], [*others, *owed])
    return Due(must, [*others, *coming, *owed])


def due_already(state: Mapping[str, Any], reason: str) -> bool:
    """True where the reason of a table's status is among what is due: a hold, or a shoe that is away."""
    return bool(payload.mapping(state, "held")) or reason == payload.text(payload.mapping(state, "shoes"), "advice")


def _short(lines: list[Text]) -> list[Text]:
    if len(lines) <= MAX_OWED:
        return lines
    return [*lines[: MAX_OWED - 1], *_counted(len(lines) - MAX_OWED + 1)]


def _counted(left: int) -> list[Text]:
    return [Text(f"      and {left} more", "dim")]
