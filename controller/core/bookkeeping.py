"""Numbering, opening and closing of verdicts: the one place where a judgement becomes a fact."""

from __future__ import annotations

from typing import Any, Final

from controller.core.facts import CommandExecuted, TableHeld, TableResumed, ViolationRaised, ViolationResolved
from controller.core.game import Outcome
from controller.core.records import replace
from controller.core.state import TableState
from controller.core.verdicts import NEW_SHOE, VOID_ROUND, Finding, OpenVerdict, Settled, Severity

MOST_OPEN: Final = 40
"""Open verdicts a table keeps; one more holds it until everything starts anew. A table in play has a handful."""


def holds(state: TableState) -> tuple[OpenVerdict, ...]:
    """The verdicts that hold the table, oldest first."""
    return tuple([v for v in state.verdicts if v.severity is Severity.HOLD]) if state.verdicts else ()


def absorb(state: TableState, outcome: Outcome, evidence: str, facts: list[Any]) -> TableState:
    """Take a game's answer into the table: its facts first, then its judgements. Appends to ``facts``."""
    facts.extend(outcome.facts)
    if outcome.state is not state.game:
        state = replace(state, game=outcome.state)
    for finding in outcome.findings:
        if isinstance(finding, Settled):
            state = close_key(state, finding.key, "put_right", facts)
        else:
            state = raise_finding(state, finding, evidence, facts)
    return state


def raise_finding(state: TableState, finding: Finding, evidence: str, facts: list[Any]) -> TableState:
    """Record a judgement. Only holding and open ones get a number and change the state; the same one twice is one."""
    if finding.severity not in {Severity.HOLD, Severity.OPEN}:
        facts.append(_raised("", finding, evidence))
        return state
    if any(_same(v, finding) for v in state.verdicts):
        return state
    if finding.key:
        state = close_key(state, finding.key, "superseded", facts)
    if len(state.verdicts) < MOST_OPEN:
        return _open(state, finding, evidence, facts)
    facts.append(_raised("", finding, evidence))
    return state if any(v.code == _TOO_MANY.code for v in state.verdicts) else _open(state, _TOO_MANY, "", facts)


def close_key(state: TableState, key: str, how: str, facts: list[Any]) -> TableState:
    """Close every open verdict of this matter."""
    for verdict in state.verdicts:
        if verdict.key == key:
            state = close(state, verdict, how, facts)
    return state


def close_all(state: TableState, how: str, facts: list[Any]) -> TableState:
    """Close every open verdict."""
    for verdict in state.verdicts:
        state = close(state, verdict, how, facts)
    return state


def close(state: TableState, verdict: OpenVerdict, how: str, facts: list[Any]) -> TableState:
    """Close one verdict."""
    facts.append(ViolationResolved(verdict.id, verdict.code, how))
    return replace(state, verdicts=tuple(v for v in state.verdicts if v.id != verdict.id))


def say_held(before: TableState, after: TableState, facts: list[Any]) -> None:
    """Say it when an input has stopped the table or set it free; by whom, when its last fact is a command's."""
    now = holds(after)
    if now and not holds(before):
        first = now[0]
        facts.append(TableHeld(first.id, first.code, f"expected {first.expected}; came: {first.actual}"))
    elif not now and holds(before):
        last = facts[-1] if facts else None
        facts.append(TableResumed(last.actor if isinstance(last, CommandExecuted) else ""))


_TOO_MANY: Final = Finding(
    "TOO_MANY_VERDICTS",
    Severity.HOLD,
    f"at most {MOST_OPEN} matters open at once",
    "one more, which is on record without a number",
    (VOID_ROUND, NEW_SHOE),
)


def _open(state: TableState, finding: Finding, evidence: str, facts: list[Any]) -> TableState:
    number = f"v{state.verdict_count + 1}"
    facts.append(_raised(number, finding, evidence))
    opened = OpenVerdict(
        number,
        finding.code,
        finding.severity,
        finding.expected,
        finding.actual,
        finding.corrections,
        finding.key,
    )
    return replace(state, verdicts=(*state.verdicts, opened), verdict_count=state.verdict_count + 1)


def _raised(number: str, finding: Finding, evidence: str) -> ViolationRaised:
    return ViolationRaised(
        number,
        finding.code,
        finding.severity,
        finding.expected,
        finding.actual,
        evidence,
        finding.corrections,
    )


def _same(verdict: OpenVerdict, finding: Finding) -> bool:
    return bool(finding.key) and (verdict.key, verdict.code, verdict.expected, verdict.actual) == (
        finding.key,
        finding.code,
        finding.expected,
        finding.actual,
    )
