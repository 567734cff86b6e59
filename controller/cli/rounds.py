"""The rounds of a journal as a person would tell them, collected from its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from controller.app.narrate import narrate
from controller.cli.rounds_seats import SeatRound
from controller.cli.rounds_verdicts import VerdictRow, take_verdict
from controller.core.cards import Card
from controller.core.facts import RulesInForce
from controller.core.inputs import SystemStarted
from controller.core.words import Line, clean
from controller.journal.chain import StoredEvent

FACE_DOWN: Final = "▮"
"""A card that nobody has seen."""
TOLD_BY_THE_ROUND: Final = frozenset(
    {
        "round.opened",
        "round.bets_closed",
        "round.settled",
        "round.corrected",
        "round.voided",
        "box.bet",
        "card.dealt",
        "card.discarded",
        "hand.decision",
        "hand.split",
        "hand.busted",
        "hand.blackjack",
        "hand.resolved",
        "payout.due",
        "payout.made",
        "payout.mismatch",
        "violation.raised",
        "violation.resolved",
        "table.held",
        "table.resumed",
        "system.checkpoint",
        "system.replay_served",
    }
)
"""Events that the table of a round, its verdicts and its result already say, or that are not of the round."""


@dataclass(slots=True)
class HandRow:
    """A hand as it was played. ``cards`` are written ``K♦``."""

    box: int
    hand: int
    cards: list[str] = field(default_factory=list)
    total: str = ""
    decisions: list[str] = field(default_factory=list)


@dataclass(slots=True)
class BetRow:
    """A bet: ``owed_minor`` is None until it is decided; ``moved_minor`` is what has moved, the bettor's sign."""

    box: int
    person: int
    bet: str
    stake_minor: int = 0
    outcome: str = ""
    owed_minor: int | None = None
    moved_minor: int = 0


@dataclass(slots=True)
class Round:
    """A round from its first stake to the collection of its cards. ``house_minor`` is None unless it was settled."""

    round: str
    first: int
    last: int
    from_us: int
    to_us: int
    hands: dict[tuple[int, int], HandRow] = field(default_factory=dict)
    bets: dict[tuple[int, int, str], BetRow] = field(default_factory=dict)
    verdicts: list[VerdictRow] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    """what else happened meanwhile"""
    house_minor: int | None = None
    void: str | None = None
    returned_minor: int = 0
    finished: bool = False
    currency: str = ""
    """of every amount, as the record has it"""
    game: str = ""
    """its name, as the record has it"""

    def hand(self, box: int, number: int) -> HandRow:
        """The hand, box 0 the dealer's; made when it is new."""
        return self.hands.setdefault((box, number), HandRow(box, number))

    def bet(self, box: int, person: int, bet: str) -> BetRow:
        """The bet; made when it is new."""
        return self.bets.setdefault((box, person, bet), BetRow(box, person, bet))

    def total_minor(self) -> int:
        """What was staked on all bets."""
        return sum(bet.stake_minor for bet in self.bets.values())


@dataclass(frozen=True, slots=True)
class Loose:
    """An event outside the rounds; ``line`` is None for one that is silent."""

    event: StoredEvent
    line: Line | None


_OPENED: Final[Mapping[str, type[Round] | type[SeatRound]]] = {"round.opened": Round, "deal.opened": SeatRound}


def rounds_of(events: Iterable[StoredEvent]) -> Iterator[Round | SeatRound | Loose]:
    """Rounds and what lies between them, in order. A round still open at the end is not ``finished``."""
    current: Round | SeatRound | None = None
    currency, game = "", ""
    for event in events:
        envelope = event.parsed()
        data = event.data()
        if current is not None and current.finished and envelope.get("correlationid") != current.round:
            yield current
            current = None
        if event.type == SystemStarted.TYPE:
            currency = clean(str(data.get("currency", "")))
        elif event.type == RulesInForce.TYPE:
            game = clean(str(data.get("game", "")))
        opened = _OPENED.get(event.type)
        if opened is not None:
            if current is not None:
                yield current
            name, sequence = clean(str(data.get("round"))), event.sequence
            current = opened(name, sequence, sequence, event.time_us, event.time_us, currency=currency, game=game)
        elif current is None:
            yield Loose(event, narrate(event.type, data, currency, game))
            continue
        current.last, current.to_us = event.sequence, event.time_us
        if isinstance(current, SeatRound):
            current.take(event.type, data)
        else:
            _take(current, event.type, data)
    if current is not None:
        yield current


def _take(current: Round, event_type: str, data: Mapping[str, Any]) -> None:
    try:
        _collect(current, event_type, data)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        # A record of another version: its words are shown as they are.
        event_type = ""
    if event_type not in TOLD_BY_THE_ROUND:
        told = narrate(event_type or "event", data, current.currency, current.game)
        if told is not None:
            current.lines.append(told)


def _collect(current: Round, event_type: str, data: Mapping[str, Any]) -> None:
    match event_type:
        case "card.dealt" | "card.revealed" | "hand.corrected":
            _cards(current.hand(data["box"], data["hand"]), event_type, data)
        case "hand.decision":
            current.hand(data["box"], data["hand"]).decisions.append(clean(data["action"]))
        case "hand.split":
            first = current.hand(data["box"], data["hand"])
            second = current.hand(data["box"], data["new_hand"])
            second.cards.append(first.cards.pop())
            first.total = second.total = ""
        case "hand.resolved":
            current.hand(0, 1).total = clean(data["total"])
        case "box.bet" | "box.bet_changed" | "payout.due" | "payout.made" | "payout.mismatch":
            _bet(current, event_type, data)
        case "violation.raised" | "violation.resolved":
            take_verdict(current.verdicts, event_type, data)
        case "round.settled" | "round.corrected":
            current.house_minor = int(data["house_minor"])
        case "round.voided":
            current.void, current.returned_minor = clean(data["reason"]), int(data["returned_minor"])
            current.finished = True
        case "card.discarded":
            current.finished = True
        case _:
            return


def _cards(hand: HandRow, event_type: str, data: Mapping[str, Any]) -> None:
    match event_type:
        case "card.dealt":
            hand.cards.append(FACE_DOWN if data["card"] is None else Card(data["card"]).pretty)
            hand.total = clean(data["total"])
        case "hand.corrected":
            hand.cards, hand.total = [Card(card).pretty for card in data["cards"]], clean(data["total"])
        case _:
            if FACE_DOWN in hand.cards:
                hand.cards[hand.cards.index(FACE_DOWN)] = Card(data["card"]).pretty


def _bet(current: Round, event_type: str, data: Mapping[str, Any]) -> None:
    bet = current.bet(data["box"], data["person"], clean(data["bet"]))
    match event_type:
        case "box.bet":
            bet.stake_minor = int(data["total_minor"])
        case "box.bet_changed":
            if not data.get("refused"):
                bet.stake_minor = max(0, bet.stake_minor - int(data["amount_minor"]))
            if not bet.stake_minor:
                del current.bets[bet.box, bet.person, bet.bet]
        case "payout.due":
            bet.stake_minor, bet.owed_minor = int(data["stake_minor"]), int(data["owed_minor"])
            bet.outcome = clean(data["outcome"])
            _join_raises(current, bet)
        case "payout.made":
            bet.moved_minor += int(data["moved_minor"])
        case _:
            bet.moved_minor = int(data["moved_minor"])


def _join_raises(current: Round, bet: BetRow) -> None:
    """What was laid to double or split is part of the stakes that a due names."""
    for key in tuple(current.bets):
        if key[:2] == (bet.box, bet.person) and key[2].partition(":")[0] in {"double", "split"}:
            del current.bets[key]
