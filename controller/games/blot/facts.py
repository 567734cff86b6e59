"""Facts of a Blot table, as they go on record and on the bus. Seats are 1 and 2; a pair has seat 1's number first.

No face of a hidden card stands in them; `CardRevealed` is what shows one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from controller.core.cards import Card
from controller.core.records import quick


@dataclass(frozen=True, slots=True)
class DeckChecked:
    """The 24 cards were counted and are complete."""

    TYPE: ClassVar[str] = "deal.deck_checked"
    cards: int


@dataclass(frozen=True, slots=True)
class FirstDealer:
    """The operator stated who deals the first round of a match."""

    TYPE: ClassVar[str] = "deal.first_dealer"
    match: int
    dealer: int


@dataclass(frozen=True, slots=True)
class FeeLaid:
    """A participation fee was laid (``amount_minor`` 0: taken back before the match began)."""

    TYPE: ClassVar[str] = "deal.fee"
    match: int
    seat: int
    amount_minor: int


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """The first card of a round came; ``dealer`` is D's seat."""

    TYPE: ClassVar[str] = "deal.opened"
    round: str
    dealer: int


@quick
@dataclass(frozen=True, slots=True)
class DealPacket:
    """A packet of ``cards`` cards is complete at a seat; ``stage`` 1 is the first deal, 2 the second."""

    TYPE: ClassVar[str] = "deal.packet"
    seat: int
    cards: int
    stage: int


@dataclass(frozen=True, slots=True)
class TurnUp:
    """The card after the first deal lies face up."""

    TYPE: ClassVar[str] = "deal.turn_up"
    card: Card


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: ``take``, ``pass``, or ``name`` with the contract (S H D C NT AT) and whether the up card is kept."""

    TYPE: ClassVar[str] = "deal.bid"
    seat: int
    bid: str
    contract: str = ""
    kept: bool = False


@dataclass(frozen=True, slots=True)
class ContractMade:
    """The bidding is over."""

    TYPE: ClassVar[str] = "deal.contract"
    taker: int
    contract: str
    kept: bool


@dataclass(frozen=True, slots=True)
class Declaration:
    """A combination was ``announced`` or ``shown`` (``step``). ``kind`` run: ``size`` is its length; ``kind`` four: its
    rank (1 ace, 9..13 nine to king). ``cards`` are there once it is shown."""

    TYPE: ClassVar[str] = "deal.declaration"
    seat: int
    step: str
    kind: str
    size: int
    points: int
    cards: tuple[Card, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick is complete; ``points`` with the 10 of the last one."""

    TYPE: ClassVar[str] = "deal.trick"
    number: int
    leader: int
    led: Card
    reply: Card
    winner: int
    points: int


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A player gave up: ``points`` of all cards left and of the last trick went to the other."""

    TYPE: ClassVar[str] = "deal.given_up"
    seat: int
    tricks_played: int
    points: int


@dataclass(frozen=True, slots=True)
class RoundScored:
    """The computed score of a round. ``status``: made, failed, capot_by_taker, capot_by_opponent; ``winner`` is the
    seat whose round it is. ``cards`` are card points with the last trick's 10, ``undealt`` those of the six others."""

    TYPE: ClassVar[str] = "deal.round_scored"
    round: str
    taker: int
    contract: str
    status: str
    winner: int
    cards: tuple[int, int]
    combinations: tuple[int, int]
    blot: tuple[int, int]
    tricks: tuple[int, int]
    undealt: int
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ScoreRecorded:
    """The croupier's record of a round agrees; ``totals`` and ``wins`` of the match with it."""

    TYPE: ClassVar[str] = "deal.score_recorded"
    round: str
    totals: tuple[int, int]
    wins: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The cards of a round are back: played, undealt, and the croupier's count of all (0: not counted)."""

    TYPE: ClassVar[str] = "deal.reconciled"
    round: str
    played: int
    undealt: int
    counted: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match is won; ``pays_minor`` is what the winner gets beside the own fee, ``rake_minor`` the house's part."""

    TYPE: ClassVar[str] = "deal.match_ended"
    match: int
    winner: int
    totals: tuple[int, int]
    wins: tuple[int, int]
    pays_minor: int
    rake_minor: int


@dataclass(frozen=True, slots=True)
class FeeMoved:
    """Chips moved after a match, net to the seat; ``owed_minor`` is what is owed in all."""

    TYPE: ClassVar[str] = "deal.fee_moved"
    seat: int
    net_minor: int
    owed_minor: int


@dataclass(frozen=True, slots=True)
class FeeWaived:
    """A difference in the fees was let stand by a supervisor."""

    TYPE: ClassVar[str] = "deal.fee_waived"
    seat: int
    difference_minor: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """A round does not count; the same player deals again."""

    TYPE: ClassVar[str] = "deal.voided"
    round: str
    reason: str


@dataclass(frozen=True, slots=True)
class MatchVoided:
    """A match does not count: the fees laid go back, or are for the next one."""

    TYPE: ClassVar[str] = "deal.match_voided"
    match: int
    reason: str


FACTS: tuple[type[Any], ...] = (
    DeckChecked,
    FirstDealer,
    FeeLaid,
    RoundOpened,
    DealPacket,
    TurnUp,
    Bid,
    ContractMade,
    Declaration,
    TrickWon,
    GivenUp,
    RoundScored,
    ScoreRecorded,
    Reconciled,
    MatchEnded,
    FeeMoved,
    FeeWaived,
    RoundVoided,
    MatchVoided,
)
"""Every fact type of the game."""
