"""What simulated rounds brought, in whole numbers that can be added up over shoes, jobs and machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from controller.core.expectation import Due

MAIN: Final = "main"


@dataclass(slots=True)
class Sum:
    """How often something was, what was staked on it and what it brought (minor units, the player's sign)."""

    times: int = 0
    staked_minor: int = 0
    net_minor: int = 0

    def add(self, times: int, staked_minor: int, net_minor: int) -> None:
        """Count more of it."""
        self.times += times
        self.staked_minor += staked_minor
        self.net_minor += net_minor


@dataclass(slots=True)
class Tally:
    """Sums over rounds. ``outcomes`` by bet (``main``, ``insurance``, ``bonus``, ``side:<name>``) and outcome;
    ``decisions`` by word. The standard error is taken over shoes, because rounds of one shoe depend on each other:
    ``net2``, ``net_played`` and ``played2`` are sums over shoes of products of a shoe's net (without side bets) and its
    box-rounds."""

    stake_minor: int
    rounds: int = 0
    box_rounds: int = 0
    shoes: int = 0
    net_minor: int = 0
    net2: int = 0
    net_played: int = 0
    played2: int = 0
    outcomes: dict[tuple[str, str], Sum] = field(default_factory=dict)
    decisions: Counter[str] = field(default_factory=Counter)
    _shoe_net: int = 0
    _shoe_played: int = 0

    def begin_shoe(self) -> None:
        """A fresh shoe."""
        self._shoe_net = self._shoe_played = 0

    def decision(self, word: str) -> None:
        """A player decided."""
        self.decisions[word] += 1

    def round(self, dues: Iterable[Due]) -> None:
        """A round is over: what every bet is owed."""
        self.rounds += 1
        for due in dues:
            kind, _, rest = due.bet.partition(":")
            if due.bet == MAIN:
                self._shoe_played += 1
            if kind == "side":
                kind = f"{kind}:{rest}"
            else:
                self._shoe_net += due.owed_minor
            key = (kind, due.outcome)
            found = self.outcomes.get(key)
            if found is None:
                found = self.outcomes[key] = Sum()
            found.times += 1
            found.staked_minor += due.stake_minor
            found.net_minor += due.owed_minor

    def end_shoe(self) -> None:
        """The shoe is dealt."""
        net, played = self._shoe_net, self._shoe_played
        self.shoes += 1
        self.box_rounds += played
        self.net_minor += net
        self.net2 += net * net
        self.net_played += net * played
        self.played2 += played * played

    def add(self, other: Tally) -> None:
        """Take in another tally of the same stake."""
        for name in ("rounds", "box_rounds", "shoes", "net_minor", "net2", "net_played", "played2"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for key, more in other.outcomes.items():
            self.outcomes.setdefault(key, Sum()).add(more.times, more.staked_minor, more.net_minor)
        self.decisions.update(other.decisions)

    @property
    def expectation_percent(self) -> float:
        """The player's expectation in percent of the first stake, bonuses and insurance counted, side bets not."""
        return 100 * self.net_minor / (self.box_rounds * self.stake_minor)

    @property
    def error_percent(self) -> float | None:
        """Standard error of the expectation, in percent of the first stake; None of a single shoe, which says nothing
        about how far shoes differ."""
        if self.shoes < 2:
            return None
        mean = self.net_minor / self.box_rounds
        spread = self.net2 - 2 * mean * self.net_played + mean * mean * self.played2
        return 100 * sqrt(max(0.0, spread) * self.shoes / (self.shoes - 1)) / (self.box_rounds * self.stake_minor)

    def bets(self) -> tuple[str, ...]:
        """The kinds of bets that were seen, the main bet first."""
        return tuple(sorted({bet for bet, _ in self.outcomes}, key=lambda bet: (bet != MAIN, bet)))

    def of(self, bet: str) -> Sum:
        """All outcomes of a kind of bet together."""
        whole = Sum()
        for (kind, _), found in self.outcomes.items():
            if kind == bet:
                whole.add(found.times, found.staked_minor, found.net_minor)
        return whole
