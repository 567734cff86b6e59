"""The state of a blackjack table from the inspection of the packs to the collection of the cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from controller.core.cards import Card
from controller.core.game import Outcome
from controller.core.shoe import Shoe
from controller.core.verdicts import Correction, Finding, Settled, Severity
from controller.games.blackjack.hand import Box
from controller.games.blackjack.rules import Rules


class Phase(StrEnum):
    """Phases of an open table."""

    INSPECTION = "inspection"
    SHUFFLE = "shuffle"
    CUT = "cut"
    LOAD = "load"
    BURN = "burn"
    BETTING = "betting"
    DEALING = "dealing"
    INSURANCE = "insurance"
    PLAYERS = "players"
    DEALER = "dealer"
    SETTLEMENT = "settlement"
    COLLECTION = "collection"


VOID_ROUND: Final = Correction("void_round", "void the round: every stake goes back")

IN_ROUND: Final = frozenset(
    {Phase.DEALING, Phase.INSURANCE, Phase.PLAYERS, Phase.DEALER, Phase.SETTLEMENT, Phase.COLLECTION}
)
"""Phases in which no first stake may be laid or changed."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place a card goes to: box 0 is the dealer, hand is the hand's number."""

    box: int
    hand: int = 1

    def __str__(self) -> str:
        if self.box == 0:
            return "dealer"
        return f"box {self.box}" + (f" hand {self.hand}" if self.hand > 1 else "")


@dataclass(frozen=True, slots=True)
class Moved:
    """Chips that have moved on a bet, net: positive to the bettor."""

    box: int
    person: int
    bet: str
    net_minor: int


@dataclass(frozen=True, slots=True)
class BlackjackState:
    """Everything about the table's game.

    ``plan`` is the order of the first cards and ``dealt`` how many of it are laid; ``turn`` is (box, hand number) of
    the hand that decides, (0, 0) for none; ``unlaid`` are spots of dealt cards whose laying no sensor has confirmed,
    ``early`` spots where a card was laid that no source had read yet; ``loose`` cards wait for a supervisor, ``kept``
    cards are dealt next; ``unnamed`` counts cards that came out unread and have no name yet; ``on_table`` counts the
    cards of this round outside the shoe; ``to_return`` are refused chips that have not gone back yet.
    """

    phase: Phase = Phase.INSPECTION
    shoe: Shoe | None = None
    shoe_number: int = 0
    round_number: int = 0
    round_open: bool = False
    cut_at: int = 0
    second_cut_at: int = 0
    burned: int = 0
    boxes: tuple[Box, ...] = ()
    dealer: tuple[Card, ...] = ()
    plan: tuple[Spot, ...] = ()
    dealt: int = 0
    turn: tuple[int, int] = (0, 0)
    unlaid: tuple[Spot, ...] = ()
    early: tuple[Spot, ...] = ()
    loose: tuple[Card, ...] = ()
    kept: tuple[Card, ...] = ()
    unnamed: int = 0
    on_table: int = 0
    moved: tuple[Moved, ...] = ()
    to_return: tuple[Moved, ...] = ()

    @property
    def voidable(self) -> bool:
        """True while a round with stakes is not settled."""
        return self.round_open and bool(self.boxes) and self.phase is not Phase.COLLECTION

    @property
    def round_id(self) -> str:
        """``shoe-round``; empty while no round is open."""
        return f"{self.shoe_number}-{self.round_number}" if self.round_open else ""


@dataclass(slots=True)
class Work:
    """One input in the works: the rules, the state as it becomes, and what has been concluded so far."""

    rules: Rules
    state: BlackjackState
    facts: list[Any] = field(default_factory=list)
    findings: list[Finding | Settled] = field(default_factory=list)

    def refuse(self, code: str, expected: str, actual: str) -> None:
        """Conclude that the input is not accepted."""
        self.findings.append(Finding(code, Severity.REFUSED, expected, actual))

    def hold(self, code: str, expected: str, actual: str, *corrections: Correction, key: str = "") -> None:
        """Conclude that the table waits for a supervisor, with what may be chosen; voiding an open round always may."""
        ways = (*corrections, VOID_ROUND) if self.state.voidable else corrections
        self.findings.append(Finding(code, Severity.HOLD, expected, actual, ways, key))

    def outcome(self) -> Outcome:
        """The game's answer."""
        return Outcome(self.state, self.facts, self.findings)
