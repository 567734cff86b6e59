"""Verdicts of a round as they stand on record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.core.words import clean


@dataclass(slots=True)
class VerdictRow:
    """A verdict of the round and how it ended (empty: it is open, or nothing had to be done)."""

    verdict: str
    code: str
    severity: str
    expected: str
    actual: str
    how: str = ""


def take_verdict(verdicts: list[VerdictRow], event_type: str, data: Mapping[str, Any]) -> None:
    """Add a raised verdict, or say how one was resolved; other events change nothing. Raises KeyError for data of
    another version."""
    match event_type:
        case "violation.raised":
            words = (clean(data[key]) for key in ("verdict", "code", "severity", "expected", "actual"))
            verdicts.append(VerdictRow(*words))
        case "violation.resolved":
            for verdict in verdicts:
                if verdict.verdict == data["verdict"]:
                    verdict.how = clean(data["how"]).replace("_", " ")
        case _:
            return
