"""A game's work on one input: what its functions hand from one to the next until the outcome is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from controller.core.game import Outcome
from controller.core.verdicts import NEW_SHOE, VOID_ROUND, Correction, Finding, Settled, Severity


class _State(Protocol):
    @property
    def voidable(self) -> bool:
        """True while a round may be void."""
        ...


R = TypeVar("R")
S = TypeVar("S", bound=_State)


@dataclass(slots=True)
class Work(Generic[R, S]):
    """One input in the works: the rules, the state as it becomes, whether verdicts hold the table already, and what has
    been concluded so far."""

    rules: R
    state: S
    held: bool = False
    facts: list[Any] = field(default_factory=list)
    findings: list[Finding | Settled] = field(default_factory=list)

    def refuse(self, code: str, expected: str, actual: str, *corrections: Correction) -> None:
        """Conclude that the input is not accepted."""
        self.findings.append(Finding(code, Severity.REFUSED, expected, actual, corrections))

    def note(self, code: str, expected: str, actual: str) -> None:
        """Conclude that something was off and is harmless."""
        self.findings.append(Finding(code, Severity.NOTE, expected, actual))

    def hold(self, code: str, expected: str, actual: str, *corrections: Correction, key: str) -> None:
        """Conclude that the table waits for a supervisor, with what may be chosen: voiding an open round always may,
        and a new shoe where nothing else is offered."""
        ways = (*corrections, VOID_ROUND) if self.state.voidable else corrections
        self.findings.append(Finding(code, Severity.HOLD, expected, actual, ways or (NEW_SHOE,), key))

    def keep_open(self, code: str, expected: str, actual: str, *corrections: Correction, key: str) -> None:
        """Conclude that something is to be put right, while play goes on."""
        self.findings.append(Finding(code, Severity.OPEN, expected, actual, corrections, key))

    @property
    def refused(self) -> bool:
        """True when something was refused so far."""
        return any(isinstance(f, Finding) and f.severity is Severity.REFUSED for f in self.findings)

    @property
    def only_refused(self) -> bool:
        """True when something was refused and nothing else was found."""
        refused = [isinstance(f, Finding) and f.severity is Severity.REFUSED for f in self.findings]
        return bool(refused) and all(refused)

    @property
    def stopped(self) -> bool:
        """True when the table is held, or will be by what was concluded here."""
        if not self.findings:
            return self.held
        return self.held or any(isinstance(f, Finding) and f.severity is Severity.HOLD for f in self.findings)

    def outcome(self) -> Outcome:
        """The game's answer."""
        return Outcome(self.state, self.facts, self.findings)
