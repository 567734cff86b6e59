"""A round of two players with hidden hands, collected from its events: bids, tricks, score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from controller.app.narrate import narrate
from controller.cli.rounds_verdicts import VerdictRow, take_verdict
from controller.core.cards import Card
from controller.core.words import Line, clean

SEATS: Final = (1, 2)
TOLD_BY_SEATS: Final = frozenset(
    {
        "deal.opened",
        "deal.packet",
        "deal.turn_up",
        "deal.bid",
        "deal.contract",
        "deal.declaration",
        "deal.trick",
        "deal.given_up",
        "deal.round_scored",
        "deal.score_recorded",
        "deal.reconciled",
        "deal.voided",
        "card.revealed",
        "violation.raised",
        "violation.resolved",
        "table.held",
        "table.resumed",
        "system.checkpoint",
        "system.replay_served",
    }
)
"""Events that the picture of such a round already says, or that are not of it."""


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick: each seat's card, written ``K♦``, who led, who won, and what for."""

    number: int
    leader: int
    cards: tuple[str, str]
    winner: int
    points: int


@dataclass(slots=True)
class SeatRound:
    """A round from its first card to its cards gathered. Pairs have seat 1's number first; ``points`` is None until the
    round is scored, ``totals`` until the score is on the sheet."""

    round: str
    first: int
    last: int
    from_us: int
    to_us: int
    dealer: int = 0
    turn_up: str = ""
    bids: list[str] = field(default_factory=list)
    taker: int = 0
    contract: str = ""
    declarations: list[str] = field(default_factory=list)
    tricks: list[TrickRow] = field(default_factory=list)
    given_up: str = ""
    status: str = ""
    card_points: tuple[int, int] | None = None
    combinations: tuple[int, int] | None = None
    blot: tuple[int, int] | None = None
    points: tuple[int, int] | None = None
    totals: tuple[int, int] | None = None
    verdicts: list[VerdictRow] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    """what else happened meanwhile"""
    void: str | None = None
    finished: bool = False
    currency: str = ""
    """of every amount, as the record has it"""
    game: str = ""
    """its name, as the record has it"""

    def take(self, event_type: str, data: Mapping[str, Any]) -> None:
        """One more event of the round."""
        try:
            self._collect(event_type, data)
        except (KeyError, TypeError, ValueError, IndexError):
            # A record of another version: its words are shown as they are.
            event_type = ""
        if event_type not in TOLD_BY_SEATS:
            told = narrate(event_type or "event", data, self.currency, self.game)
            if told is not None:
                self.lines.append(told)

    def _collect(self, event_type: str, data: Mapping[str, Any]) -> None:
        match event_type:
            case "deal.opened":
                self.dealer = int(data["dealer"])
            case "deal.turn_up":
                self.turn_up = Card(data["card"]).pretty
            case "deal.bid":
                self.bids.append(_words(event_type, data))
            case "deal.contract":
                self.taker, self.contract = int(data["taker"]), clean(data["contract"])
            case "deal.declaration":
                self.declarations.append(_words(event_type, data))
            case "deal.trick":
                self.tricks.append(_trick(data))
            case "deal.given_up":
                self.given_up = _words(event_type, data)
            case "deal.round_scored":
                self.status = clean(data["status"]).replace("_", " ")
                self.card_points, self.combinations = _pair(data, "cards"), _pair(data, "combinations")
                self.blot, self.points = _pair(data, "blot"), _pair(data, "points")
            case "deal.score_recorded":
                self.totals = _pair(data, "totals")
            case "deal.reconciled":
                self.finished = True
            case "deal.voided":
                self.void, self.finished = clean(data["reason"]), True
            case _:
                take_verdict(self.verdicts, event_type, data)


def _words(event_type: str, data: Mapping[str, Any]) -> str:
    told = narrate(event_type, data)
    return told.text if told is not None else ""


def _pair(data: Mapping[str, Any], key: str) -> tuple[int, int]:
    one, two = data[key]
    return int(one), int(two)


def _trick(data: Mapping[str, Any]) -> TrickRow:
    leader = int(data["leader"])
    led, reply = Card(data["led"]).pretty, Card(data["reply"]).pretty
    cards = (led, reply) if leader == 1 else (reply, led)
    return TrickRow(int(data["number"]), leader, cards, int(data["winner"]), int(data["points"]))
