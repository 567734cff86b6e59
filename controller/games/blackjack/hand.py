"""Hands: totals, and the frozen records of stakes, hands and boxes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.core.cards import Card
from controller.core.records import quick

_VALUE: Final = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)


def value(card: Card) -> int:
    """A card's points, an ace as 1, a ten-value as 10."""
    return _VALUE[card.rank]


def hard_total(cards: tuple[Card, ...]) -> int:
    """Total with every ace counted 1."""
    return sum(_VALUE[card.rank] for card in cards)


def total(cards: tuple[Card, ...]) -> tuple[int, bool]:
    """Best total, and whether it is soft (counts an ace as 11)."""
    points, ace = 0, False
    for card in cards:
        rank = card.rank
        points += _VALUE[rank]
        if rank == 1:
            ace = True
    if ace and points <= 11:
        return points + 10, True
    return points, False


def is_blackjack(cards: tuple[Card, ...]) -> bool:
    """Ace and ten-value in two cards."""
    return len(cards) == 2 and total(cards)[0] == 21


def may_be_blackjack(up_cards: tuple[Card, ...]) -> bool:
    """True when the dealer, of whose hand these cards are seen, may still have or get a blackjack."""
    return len(up_cards) < 2 and (not up_cards or _VALUE[up_cards[0].rank] in {1, 10})


def dealer_draws(cards: tuple[Card, ...], hits_soft_17: bool) -> bool:
    """True when the dealer must take another card: to 16, and on soft 17 where the rules say so."""
    points, soft = total(cards)
    return points < 17 or (hits_soft_17 and soft and points == 17)


def total_text(cards: tuple[Card, ...]) -> str:
    """A total as a dealer calls it: ``soft 17``, ``blackjack``, ``bust 23``."""
    if not cards:
        return ""
    points, soft = total(cards)
    if is_blackjack(cards):
        return "blackjack"
    if points > 21:
        return f"bust {points}"
    return f"soft {points}" if soft and points < 21 else str(points)


class Status(StrEnum):
    """Where a hand is in its life."""

    WAITING = "waiting"
    PLAYING = "playing"
    STOOD = "stood"
    BLACKJACK = "blackjack"
    BUST = "bust"
    SURRENDERED = "surrendered"
    WON = "won"
    """six cards that win at once"""


@quick
@dataclass(frozen=True, slots=True)
class Stake:
    """A person's chips on one bet (minor units)."""

    person: int
    amount_minor: int


@dataclass(frozen=True, slots=True)
class SideStake:
    """A person's chips on a side bet (minor units); ``bet`` is ``side:<name>``."""

    person: int
    bet: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a box. ``number`` counts hands of the box in the order they came to be; ``stakes`` are the first or
    split stakes, ``raises`` what was added by doubling; ``asked`` is a decision that waits for its chips or card."""

    number: int
    cards: tuple[Card, ...] = ()
    stakes: tuple[Stake, ...] = ()
    raises: tuple[Stake, ...] = ()
    status: Status = Status.WAITING
    asked: str = ""
    from_split: bool = False
    split_aces: bool = False

    def stake_of(self, person: int) -> int:
        """First or split stake of a person on this hand."""
        return sum(s.amount_minor for s in self.stakes if s.person == person)

    def raise_of(self, person: int) -> int:
        """What a person added by doubling."""
        return sum(s.amount_minor for s in self.raises if s.person == person)


@dataclass(frozen=True, slots=True)
class Box:
    """A box in play with everybody's bets. ``mains`` are the first stakes; hands are in the order of play. ``evened``
    are the persons who took even money, ``following`` those whose undivided stake goes with the new hand of a split."""

    number: int
    mains: tuple[Stake, ...] = ()
    hands: tuple[Hand, ...] = ()
    insurance: tuple[Stake, ...] = ()
    splitting: tuple[Stake, ...] = ()
    sides: tuple[SideStake, ...] = ()
    evened: tuple[int, ...] = ()
    following: tuple[int, ...] = ()

    @property
    def decider(self) -> int:
        """The person who decides: the lowest person number on the box (nearest the dealer)."""
        return min((s.person for s in self.mains), default=0)

    @property
    def staked_minor(self) -> int:
        """Sum of the first stakes."""
        return sum(s.amount_minor for s in self.mains)

    def splitting_of(self, person: int) -> int:
        """What a person has laid for a split that is not carried out yet."""
        return sum(s.amount_minor for s in self.splitting if s.person == person)

    def main_of(self, person: int) -> int:
        """First stake of a person."""
        return sum(s.amount_minor for s in self.mains if s.person == person)

    @property
    def first_two(self) -> tuple[Card, ...]:
        """The first two cards dealt to the box, wherever a split has put them."""
        first = next(h for h in self.hands if h.number == 1)
        second = next((h for h in self.hands if h.number == 2), None)
        return (first.cards[0], second.cards[0]) if second else first.cards[:2]

    def side_of(self, person: int, bet: str) -> int:
        """What a person has on a side bet."""
        return sum(s.amount_minor for s in self.sides if (s.person, s.bet) == (person, bet))


def add_stake(stakes: tuple[Stake, ...], person: int, amount_minor: int) -> tuple[Stake, ...]:
    """Stakes with ``amount_minor`` (may be negative) added to a person's; a stake of nothing disappears."""
    had = sum(s.amount_minor for s in stakes if s.person == person)
    others = tuple(s for s in stakes if s.person != person)
    if had + amount_minor <= 0:
        return others
    return tuple(sorted((*others, Stake(person, had + amount_minor)), key=lambda s: s.person))


def add_side(sides: tuple[SideStake, ...], person: int, bet: str, amount_minor: int) -> tuple[SideStake, ...]:
    """As `add_stake`, for side bets."""
    had = sum(s.amount_minor for s in sides if (s.person, s.bet) == (person, bet))
    others = tuple(s for s in sides if (s.person, s.bet) != (person, bet))
    if had + amount_minor <= 0:
        return others
    return tuple(sorted((*others, SideStake(person, bet, had + amount_minor)), key=lambda s: (s.person, s.bet)))
