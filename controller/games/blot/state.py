"""The state of a Blot table from the check of the 24 cards to the end of a match.

Seats are the boxes 1 and 2; a pair has the number of seat 1 first. The dealer D is ``Deal.dealer``, N the other seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.core import work
from controller.core.records import quick
from controller.games.blot.declarations import Claim
from controller.games.blot.rules import Rules
from controller.games.blot.score import Pair, RoundScore

SEATS: Final = (1, 2)
TABLE: Final = 0
"""The place of the turned-up card."""


MOST_WAITING: Final = 24
"""Cards that may wait at once: the whole deck."""


class Phase(StrEnum):
    """Phases of an open table."""

    INSPECTION = "inspection"
    OPENING = "opening"
    DEALING = "dealing"
    BIDDING = "bidding"
    SECOND_DEAL = "second_deal"
    PLAY = "play"
    SCORE = "score"
    COLLECTION = "collection"
    SETTLEMENT = "settlement"


@dataclass(frozen=True, slots=True)
class Match:
    """A match. ``rounds`` counts rounds begun (the void ones, too), ``totals`` and ``wins`` are of each seat.

    ``dealer`` is the seat that deals next, 0 until it is stated; ``winner`` is 0 until the match has ended. ``fees``
    are laid; ``moved`` are chips moved since the end, net to each seat, ``waived`` differences let stand (minor units).
    """

    number: int = 1
    rounds: int = 0
    dealer: int = 0
    totals: Pair = (0, 0)
    wins: Pair = (0, 0)
    winner: int = 0
    fees: Pair = (0, 0)
    moved: Pair = (0, 0)
    waived: Pair = (0, 0)


@quick
@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of a round as they are dealt, and the bidding.

    ``plan`` is where each card goes (`TABLE` is face up), ``dealt`` how many are there, ``confirmed`` how many of them
    sensors have noticed. ``drawn`` counts cards out of the shoe, whatever became of them; ``sealed`` pairs that count
    with each card dealt face down. ``hands`` are the known cards, ``unknown`` the number of unread ones. ``named`` are
    hidden cards whose face a supervisor has stated. ``passes`` counts bids that were passes; ``taker`` is a seat, 0
    until there is one, ``contract`` -1 until then; ``kept``: the taker has the turned-up card.
    """

    round: str
    dealer: int
    plan: tuple[int, ...]
    dealt: int = 0
    confirmed: int = 0
    drawn: int = 0
    sealed: tuple[tuple[int, int], ...] = ()
    hands: Pair = (0, 0)
    unknown: Pair = (0, 0)
    named: int = 0
    up: int = -1
    passes: int = 0
    taker: int = 0
    contract: int = -1
    kept: bool = False

    @property
    def opponent(self) -> int:
        """N's seat."""
        return 3 - self.dealer


@dataclass(frozen=True, slots=True)
class Denial:
    """What a seat with unknown cards said not to hold by what it played in this trick; ``code`` is of the duty that is
    broken when it had one of ``cards``."""

    seat: int
    trick: int
    code: str
    cards: int


@quick
@dataclass(frozen=True, slots=True)
class Play:
    """The nine tricks. ``hands`` and ``unknown`` are what is left, ``start`` the known part of the nine cards each
    began with, ``public`` the cards whose face everybody has seen. ``led`` is the card to be answered or -1; ``played``
    are all cards laid, ``cards`` their number; ``points`` and ``tricks`` what each seat has captured. ``gave_up``
    is a seat or 0."""

    hands: Pair
    unknown: Pair
    start: Pair
    turn: int
    public: int = 0
    led: int = -1
    played: int = 0
    cards: int = 0
    tricks: Pair = (0, 0)
    points: Pair = (0, 0)
    claims: tuple[tuple[Claim, ...], tuple[Claim, ...]] = ((), ())
    shown: Pair = (0, 0)
    denials: tuple[Denial, ...] = ()
    gave_up: int = 0

    def left(self, seat: int) -> int:
        """Cards the seat still holds."""
        return self.hands[seat - 1].bit_count() + self.unknown[seat - 1]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A card that is judged when its turn comes: the ``number``-th out of the shoe, its index or -1 when unread; or one
    that was shown at ``seat`` (``hand`` as it was said, ``number`` 0). ``sealed``: its face is hidden
    on record; ``kept``: it is to be dealt next."""

    number: int
    card: int
    seat: int = 0
    hand: int = 0
    sealed: bool = False
    kept: bool = False

    @property
    def key(self) -> str:
        """The key of the verdict about it."""
        return f"card:{self.number}"


@quick
@dataclass(frozen=True, slots=True)
class BlotState:
    """Everything about the table's game. ``waiting`` cards are judged in order once nothing holds the table; ``early``
    are places where a card was laid that no source has announced; ``recorded`` is what the croupier wrote, -1 for
    nothing."""

    phase: Phase = Phase.INSPECTION
    match: Match = Match()
    deal: Deal | None = None
    play: Play | None = None
    score: RoundScore | None = None
    recorded: Pair = (-1, -1)
    waiting: tuple[Waiting, ...] = ()
    early: tuple[int, ...] = ()

    @property
    def open(self) -> bool:
        """True while cards of a round are out."""
        return self.deal is not None and self.deal.drawn > 0

    @property
    def voidable(self) -> bool:
        """True while a round is not scored, or a match with fees between two rounds."""
        if self.phase in {Phase.COLLECTION, Phase.SETTLEMENT}:
            return False
        return self.open or (self.match.rounds > 0 and any(self.match.fees))


IN_DEAL: Final = frozenset({Phase.DEALING, Phase.SECOND_DEAL})
"""Phases in which a card is due."""


class Work(work.Work[Rules, BlotState]):
    """One input of this game in the works."""

    __slots__ = ()


def with_seat(pair: Pair, seat: int, number: int) -> Pair:
    """The pair with another number at this seat."""
    return (number, pair[1]) if seat == 1 else (pair[0], number)
