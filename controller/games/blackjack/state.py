"""The state of a blackjack table from the inspection of the packs to the collection of the cards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.core import work
from controller.core.cards import Card
from controller.core.records import quick
from controller.core.shoe import Shoe
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


MOST_PERSON: Final = 99
"""The highest number of a person or seat."""

IN_ROUND: Final = frozenset(
    {Phase.DEALING, Phase.INSURANCE, Phase.PLAYERS, Phase.DEALER, Phase.SETTLEMENT, Phase.COLLECTION}
)
"""Phases in which no first stake may be laid or changed."""


@quick
@dataclass(frozen=True, slots=True)
class Spot:
    """A place a card goes to: box 0 is the dealer, hand is the hand's number."""

    box: int
    hand: int = 1

    def __str__(self) -> str:
        if self.box == 0:
            return "dealer"
        return f"box {self.box}" + (f" hand {self.hand}" if self.hand > 1 else "")


@quick
@dataclass(frozen=True, slots=True)
class Moved:
    """Chips that have moved on a bet, net: positive to the bettor."""

    box: int
    person: int
    bet: str
    net_minor: int


@quick
@dataclass(frozen=True, slots=True)
class Undone:
    """What is left to undo of a person's bet of a void round: the stake that the bettor has not taken back yet, and
    what the float still has to give back (positive) or to recover (minor units)."""

    box: int
    person: int
    bet: str
    stake_minor: int
    float_minor: int


@dataclass(frozen=True, slots=True)
class Aside:
    """A card out of the shoe that lies at no spot yet: the ``number``-th card of its shoe (the face does not tell which
    card it is), its face if it is known, and whether it was ``due`` when it came. A ``hidden`` one's face is secret;
    an ``exposed`` one is offered to the hands that still draw; ``at`` is where a sensor noticed it."""

    number: int
    card: Card | None = None
    due: bool = False
    hidden: bool = False
    exposed: bool = False
    at: Spot | None = None

    @property
    def key(self) -> str:
        """The key of the verdict about it."""
        return f"card:{self.number}"

    def __str__(self) -> str:
        return "a card" if self.hidden or self.card is None else str(self.card)


@dataclass(frozen=True, slots=True)
class Rack:
    """Cards ``read`` in the burn and discard places since the packs were taken out of them; once shoe number ``shoe``
    has ended (0: none has) ``due`` are those on record there. ``mixed``: cards of several shoes lie there."""

    read: int = 0
    shoe: int = 0
    due: int = 0
    mixed: bool = False


@dataclass(frozen=True, slots=True)
class BlackjackState:
    """Everything about the table's game.

    ``plan`` is the order of the first cards and ``dealt`` how many of it are laid; ``turn`` is (box, hand number) of
    the hand that decides, (0, 0) for none; ``unlaid`` are the last spots of dealt cards whose laying no sensor has
    confirmed, ``early`` spots where a card was laid that no source had announced yet.

    Every card drawn from the shoe is in exactly one place: ``burned`` counts those that went to the rack unplayed,
    ``discarded`` those of earlier rounds, the hands and ``dealer`` have theirs, ``loose`` ones wait for a supervisor,
    ``unnamed`` ones for their name, ``kept`` ones are dealt next, ``pile`` counts those of a voided round or box.
    ``moved`` are the chips moved on each bet, ``waived`` the differences let stand, ``to_return`` refused chips that
    have not gone back yet, ``lifted`` chips of bets in play that bettors took up and have to put back,
    ``undone`` what is left of void rounds; ``overdue``: some of what has to go back has outlived its round. ``result``
    is what the house has won in this round as it is on record, empty until it is settled.

    ``hole`` is the number in its shoe of the dealer's last card while that lies face down, else 0; ``peeked``: he has
    looked at it and has no blackjack; ``missed``: he was given no card with the first cards, ``withdrawable``: and who
    has decided nothing may take his stake back. ``face_down`` are burned cards whose faces nobody has seen;
    ``face_up``: the card in the mouth of the shoe lies face up;
    ``last_bets`` the stakes of the round before; ``uncounted`` the shoes dealt from since the packs were counted last,
    each with its rounds; ``rack`` is what readers have read where cards are out of the round.

    ``paused`` is the phase in which a round goes on once the packs of a shoe that took over are ready; ``carried``
    cards of this round left the shoe before, and ``numbered`` is the number of the last of them.
    """

    phase: Phase = Phase.INSPECTION
    shoe: Shoe | None = None
    shoe_number: int = 0
    round_number: int = 0
    round_open: bool = False
    cut_at: int = 0
    second_cut_at: int = 0
    burned: int = 0
    discarded: int = 0
    boxes: tuple[Box, ...] = ()
    dealer: tuple[Card, ...] = ()
    plan: tuple[Spot, ...] = ()
    dealt: int = 0
    turn: tuple[int, int] = (0, 0)
    unlaid: tuple[Spot, ...] = ()
    early: tuple[Spot, ...] = ()
    loose: tuple[Aside, ...] = ()
    unnamed: tuple[Aside, ...] = ()
    kept: tuple[Aside, ...] = ()
    pile: int = 0
    moved: tuple[Moved, ...] = ()
    waived: tuple[Moved, ...] = ()
    to_return: tuple[Moved, ...] = ()
    lifted: tuple[Moved, ...] = ()
    hole: int = 0
    peeked: bool = False
    missed: bool = False
    withdrawable: bool = False
    face_down: tuple[Aside, ...] = ()
    face_up: bool = False
    rack: Rack = Rack()
    last_bets: tuple[Moved, ...] = ()
    uncounted: tuple[tuple[int, int], ...] = ()
    undone: tuple[Undone, ...] = ()
    overdue: bool = False
    result: tuple[int, ...] = ()
    paused: Phase | None = None
    carried: int = 0
    numbered: int = 0

    @property
    def up_cards(self) -> tuple[Card, ...]:
        """The dealer's cards that everybody sees."""
        return self.dealer[:-1] if self.hole else self.dealer

    @property
    def on_table(self) -> int:
        """Cards that are collected at the end of the round."""
        in_hands = sum([len(h.cards) for b in self.boxes for h in b.hands])
        return in_hands + len(self.dealer) + len(self.loose) + len(self.unnamed) + self.pile

    @property
    def accounted(self) -> int:
        """Cards of this shoe by where they are; always as many as the shoe has counted out."""
        returned = self.shoe.returned if self.shoe else 0
        return self.on_table + len(self.kept) + self.burned + self.discarded + returned - self.carried

    @property
    def making(self) -> int:
        """The number of the shoe that is made ready: one that takes over in mid-round is the next one, while the round
        keeps its name."""
        return self.shoe_number + (self.paused is not None)

    @property
    def voidable(self) -> bool:
        """True while a round with stakes is not settled."""
        return self.round_open and bool(self.boxes) and self.phase is not Phase.COLLECTION

    @property
    def round_id(self) -> str:
        """``shoe-round``; empty while no round is open."""
        return f"{self.shoe_number}-{self.round_number}" if self.round_open else ""


class Work(work.Work[Rules, BlackjackState]):
    """One input of this game in the works."""

    __slots__ = ()
