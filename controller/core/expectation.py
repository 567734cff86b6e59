"""The expectation: what must or may come next, and what is owed. Screens, MQTT and tests read the same answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from controller.core.records import quick


class Kind(StrEnum):
    """What sort of thing is expected."""

    CARD = "card"
    DECISION = "decision"
    WAGER = "wager"
    PROCEDURE = "procedure"
    PAYMENT = "payment"
    COMMAND = "command"


@quick
@dataclass(frozen=True, slots=True)
class Expected:
    """One thing that may come next. ``box`` 0 is the dealer or the table; ``options`` are the words allowed (keys of
    the console, corrections); ``text`` is one line for a person."""

    kind: Kind
    text: str
    box: int = 0
    hand: int = 0
    person: int = 0
    options: tuple[str, ...] = ()
    amount_minor: int = 0


@quick
@dataclass(frozen=True, slots=True)
class Due:
    """What one bet of one person is owed and what has moved. ``bet`` is ``main``, ``main:2`` (second hand),
    ``insurance``, ``side:<name>``. Amounts are net to the bettor's side of the table, the stake not counted:
    positive, the house pays; negative, the house takes."""

    box: int
    person: int
    bet: str
    stake_minor: int
    owed_minor: int
    moved_minor: int
    outcome: str
    waived_minor: int = 0

    @property
    def difference_minor(self) -> int:
        """What still has to move, same sign as ``owed_minor``."""
        return self.owed_minor - self.moved_minor - self.waived_minor
