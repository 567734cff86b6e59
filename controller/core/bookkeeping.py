"""Numbering, opening and closing of verdicts: the one place where a judgement becomes a fact."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controller.core.facts import TableHeld, TableResumed, ViolationRaised, ViolationResolved
from controller.core.game import Outcome
from controller.core.state import TableState
from controller.core.verdicts import Finding, OpenVerdict, Settled, Severity


def holds(state: TableState) -> tuple[OpenVerdict, ...]:
    """The verdicts that hold the table, oldest first."""
    return tuple(v for v in state.verdicts if v.severity is Severity.HOLD)


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
    """Record a judgement. Only holding and open ones get a number and change the state."""
    number = ""
    if finding.severity in {Severity.HOLD, Severity.OPEN}:
        if any(_same(v, finding) for v in state.verdicts):
            return state
        if finding.key:
            state = close_key(state, finding.key, "superseded", facts, resume=False)
        number = f"v{state.verdict_count + 1}"
    facts.append(
        ViolationRaised(
            number,
            finding.code,
            finding.severity,
            finding.expected,
            finding.actual,
            evidence,
            finding.corrections,
        )
    )
    if not number:
        return state
    first_hold = finding.severity is Severity.HOLD and not holds(state)
    opened = OpenVerdict(
        number,
        finding.code,
        finding.severity,
        finding.expected,
        finding.actual,
        finding.corrections,
        finding.key,
    )
    if first_hold:
        facts.append(TableHeld(number, finding.code, f"expected {finding.expected}; came: {finding.actual}"))
    return replace(state, verdicts=(*state.verdicts, opened), verdict_count=state.verdict_count + 1)


def close_key(state: TableState, key: str, how: str, facts: list[Any], *, resume: bool = True) -> TableState:
    """Close every open verdict of this matter."""
    for verdict in state.verdicts:
        if verdict.key == key:
            state = close(state, verdict, how, "", facts, resume=resume)
    return state


def close(
    state: TableState, verdict: OpenVerdict, how: str, actor: str, facts: list[Any], *, resume: bool = True
) -> TableState:
    """Close one verdict; the table resumes when it was the last that held it."""
    was_held = bool(holds(state))
    state = replace(state, verdicts=tuple(v for v in state.verdicts if v.id != verdict.id))
    facts.append(ViolationResolved(verdict.id, verdict.code, how))
    if resume and was_held and not holds(state):
        facts.append(TableResumed(actor))
    return state


def _same(verdict: OpenVerdict, finding: Finding) -> bool:
    return bool(finding.key) and (verdict.key, verdict.code, verdict.expected, verdict.actual) == (
        finding.key,
        finding.code,
        finding.expected,
        finding.actual,
    )
