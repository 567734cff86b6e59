"""What simulated rounds of Blot came to, in whole numbers that can be added up over jobs and machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from controller.games.blot.declarations import BLOT
from controller.games.blot.facts import Bid, ContractMade, Declaration, GivenUp, MatchEnded, RoundScored


@dataclass(slots=True)
class Mean:
    """A number's sum and sum of squares."""

    times: int = 0
    total: int = 0
    squares: int = 0

    def count(self, number: int) -> None:
        """One more of it."""
        self.times += 1
        self.total += number
        self.squares += number * number

    def add(self, other: Mean) -> None:
        """Take in more of it."""
        self.times += other.times
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        """The mean of at least one."""
        return self.total / self.times

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        spread = self.squares / self.times - self.mean**2
        return sqrt(max(0.0, spread) / self.times)


def share_error(times: int, whole: int) -> float:
    """Standard error of the share that ``times`` of ``whole`` is (0..1)."""
    share = times / whole
    return sqrt(share * (1 - share) / whole)


@dataclass(slots=True)
class Tally:
    """Sums over rounds. ``outcomes`` by `outcome`; ``calls`` and ``contracts`` count how the taker came to the contract
    and which it is, ``made`` those of them (by the same word) that were the taker's; ``combinations`` are shown ones by
    kind and size; ``points`` are of a round, for ``taker``, ``other``, ``N`` and ``D``; ``lengths`` are rounds of the
    matches that ended."""

    rounds: int = 0
    won: int = 0
    given_up: int = 0
    blots: int = 0
    contested: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    contracts: Counter[str] = field(default_factory=Counter)
    made: Counter[str] = field(default_factory=Counter)
    combinations: Counter[tuple[str, int]] = field(default_factory=Counter)
    points: dict[str, Mean] = field(default_factory=lambda: {who: Mean() for who in ("taker", "other", "N", "D")})
    lengths: Counter[int] = field(default_factory=Counter)
    _length: int = 0

    def round(self, facts: Iterable[Any], dealer: int) -> None:
        """A round that ``dealer`` dealt is over and recorded; ``facts`` are all of it."""
        bids: list[Bid] = []
        kept = True
        for fact in facts:
            match fact:
                case Bid():
                    bids.append(fact)
                case ContractMade():
                    kept = fact.kept
                case Declaration(step="shown"):
                    self.combinations[fact.kind, fact.size] += 1
                case GivenUp():
                    self.given_up += 1
                case RoundScored():
                    self._scored(fact, dealer, call(bids, kept=kept))
                case MatchEnded():
                    self.lengths[self._length] += 1
                    self._length = 0
                case _:
                    pass

    def _scored(self, fact: RoundScored, dealer: int, called: str) -> None:
        self.rounds += 1
        self._length += 1
        self.outcomes[outcome(fact)] += 1
        self.calls[called] += 1
        self.contracts[fact.contract] += 1
        if fact.winner == fact.taker:
            self.won += 1
            self.made.update((called, fact.contract))
        self.blots += BLOT in fact.blot
        self.contested += any(fact.combinations)
        one, two = fact.points
        taker, other = (one, two) if fact.taker == 1 else (two, one)
        spoke_first, dealt = (two, one) if dealer == 1 else (one, two)
        for who, points in (("taker", taker), ("other", other), ("N", spoke_first), ("D", dealt)):
            self.points[who].count(points)

    def add(self, other: Tally) -> None:
        """Take in another tally."""
        self.rounds += other.rounds
        self.won += other.won
        self.given_up += other.given_up
        self.blots += other.blots
        self.contested += other.contested
        for name in ("outcomes", "calls", "contracts", "made", "combinations", "lengths"):
            getattr(self, name).update(getattr(other, name))
        for who, mean in other.points.items():
            self.points[who].add(mean)

    @property
    def length(self) -> Mean:
        """Rounds of the matches that ended."""
        found = Mean()
        for rounds, times in self.lengths.items():
            found.add(Mean(times, rounds * times, rounds * rounds * times))
        return found


def outcome(scored: RoundScored) -> str:
    """The status of a round; made and failed at equal points are told apart: ``made_at_tie``, ``failed_at_tie``."""
    if scored.status not in {"made", "failed"}:
        return scored.status
    one, two = (scored.cards[seat] + scored.combinations[seat] + scored.blot[seat] for seat in (0, 1))
    return f"{scored.status}_at_tie" if one == two else scored.status


def call(bids: list[Bid], *, kept: bool) -> str:
    """How a taker came to the contract: the speaker, what was bid, and what became of the turned-up card."""
    who = "N" if len(bids) % 2 else "D"
    if bids[-1].bid == "take":
        return f"{who} takes"
    return f"{who} names, card {'kept' if kept else 'left'}"
