"""What must be found against what was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from controller.app.scenario.bench import Recorded
from controller.app.scenario.look import Look
from controller.app.scenario.model import Expect, Found, OnRecord, Step, Waiting
from controller.core.verdicts import OpenVerdict, Severity

NOTHING: Final = "nothing"
MOST_SHOWN: Final = 30
"""Events shown when the one that must be on record is not."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A key of the scenario that does not hold: what it must be and what it is, as text."""

    key: str
    expected: str
    found: str


@dataclass(slots=True)
class Happened:
    """What went on record in a stretch of a scenario."""

    events: list[Recorded] = field(default_factory=list)

    @property
    def verdicts(self) -> tuple[Found, ...]:
        """Every verdict raised, in order."""
        raised = (e.data for e in self.events if e.type == "violation.raised")
        return tuple(Found(str(d["code"]), Severity(d["severity"])) for d in raised)

    @property
    def rejections(self) -> tuple[str, ...]:
        """Why commands were rejected."""
        return tuple(str(e.data["reason"]) for e in self.events if e.type == "command.rejected")


def judge_step(step: Step, happened: Happened) -> Iterator[Mismatch]:
    """Verdicts and rejections of a step: those that it names, in order, and none else."""
    found = happened.verdicts
    if len(found) != len(step.find) or not all(map(_is, step.find, found)):
        yield Mismatch("find", _list(step.find), _list(found))
    reasons = happened.rejections
    if step.rejected is None and reasons:
        yield Mismatch("rejected", NOTHING, _list(reasons))
    elif step.rejected is not None and not any(step.rejected in reason for reason in reasons):
        yield Mismatch("rejected", step.rejected, _list(reasons))


def judge(expect: Expect, look: Look, happened: Happened, net: Mapping[str, int]) -> Iterator[Mismatch]:
    """Every key that is given and does not hold."""
    if expect.phase is not None and expect.phase != look.phase:
        yield Mismatch("phase", expect.phase, look.phase)
    if expect.next is not None and expect.next != look.next[: len(expect.next)]:
        yield Mismatch("next", _list(expect.next), _list(look.next))
    if expect.decisions is not None and _sets(expect.decisions) != _sets(look.decisions):
        yield Mismatch("decisions", _hands(expect.decisions), _hands(look.decisions))
    for key, wanted, found in (
        ("owed", _without_zero(expect.owed), look.owed),
        ("returns", _without_zero(expect.returns), look.returns),
        ("net", _without_zero(expect.net), _without_zero(net)),
    ):
        if wanted is not None and wanted != found:
            yield Mismatch(key, _amounts(wanted), _amounts(found or {}))
    yield from _judge_waiting("holds", expect.holds, look.waiting(Severity.HOLD))
    yield from _judge_waiting("open", expect.open, look.waiting(Severity.OPEN))
    for hand, cards in (expect.cards or {}).items():
        there = look.cards.get(hand, ())
        if cards != there:
            yield Mismatch(f"cards {hand}", " ".join(cards) or NOTHING, " ".join(there) or NOTHING)
    for path, value in (expect.view or {}).items():
        yield from _judge_view(path, value, look)
    if expect.journal is not None:
        yield from _judge_journal(expect.journal, happened.events)


def _judge_view(path: str, value: object, look: Look) -> Iterator[Mismatch]:
    try:
        found = look.at(path)
    except LookupError as error:
        yield Mismatch(f"view {path}", repr(value), str(error.args[0]))
        return
    if found != value:
        yield Mismatch(f"view {path}", repr(value), repr(found))


def _judge_waiting(key: str, wanted: Sequence[Waiting] | None, there: Sequence[OpenVerdict]) -> Iterator[Mismatch]:
    if wanted is None:
        return
    found = [Waiting(v.code, tuple(c.kind for c in v.corrections)) for v in there]
    same = len(wanted) == len(found) and all(
        w.code == f.code and (not w.corrections or set(w.corrections) == set(f.corrections))
        for w, f in zip(wanted, found, strict=True)
    )
    if not same:
        yield Mismatch(key, _list(wanted), _list(found))


def _judge_journal(wanted: Sequence[OnRecord], events: Sequence[Recorded]) -> Iterator[Mismatch]:
    ahead = iter(events)
    for record in wanted:
        if not any(_matches(record, event) for event in ahead):
            near = [e for e in events if e.type == record.type] or events
            shown = [_event_text(e) for e in near[-MOST_SHOWN:]]
            yield Mismatch("journal", str(record), _list(shown))
            return


def _matches(record: OnRecord, event: Recorded) -> bool:
    return event.type == record.type and all(event.data.get(name) == value for name, value in record.fields)


def _is(wanted: Found, found: Found) -> bool:
    return wanted.code == found.code and wanted.severity in {None, found.severity}


def _event_text(event: Recorded) -> str:
    return str(OnRecord(event.type, tuple(event.data.items())))


def _sets(hands: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    return {hand: set(words) for hand, words in hands.items()}


def _without_zero(amounts: Mapping[str, int] | None) -> dict[str, int] | None:
    return None if amounts is None else {key: minor for key, minor in amounts.items() if minor}


def _list(items: Sequence[Any]) -> str:
    return ", ".join(str(item) for item in items) or NOTHING


def _hands(hands: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{hand}: {' '.join(words)}" for hand, words in hands.items()) or NOTHING


def _amounts(amounts: Mapping[str, int]) -> str:
    return ", ".join(f"{key}: {minor:+d}" for key, minor in sorted(amounts.items())) or NOTHING
