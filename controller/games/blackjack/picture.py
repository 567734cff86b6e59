"""The shape of the public picture of a blackjack table, as it stands in ``state`` on the bus."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StakeView:
    """Chips of one person."""

    person: int
    amount_minor: int


@dataclass(frozen=True, slots=True)
class SideBetView:
    """A side bet of one person; ``bet`` is its name."""

    person: int
    bet: str
    amount_minor: int


@dataclass(frozen=True, slots=True)
class HandStakeView:
    """Chips of one person on a hand; ``raise_minor`` is what a double added."""

    person: int
    amount_minor: int
    raise_minor: int


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand: its cards in order, its total as a dealer calls it, what was ``asked`` and waits for chips or a card, and
    whether it is its turn."""

    hand: int
    cards: tuple[str, ...]
    total: str
    status: str
    asked: str
    turn: bool
    stakes: tuple[HandStakeView, ...]


@dataclass(frozen=True, slots=True)
class BoxView:
    """A box in play: who decides, the first stakes, insurance, side bets, who took even money, and the hands."""

    box: int
    decider: int
    mains: tuple[StakeView, ...]
    insurance: tuple[StakeView, ...]
    side_bets: tuple[SideBetView, ...]
    even_money: tuple[int, ...]
    hands: tuple[HandView, ...]


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer's open cards, how many lie face down, and the total of the open ones."""

    cards: tuple[str, ...]
    face_down: int
    total: str


@dataclass(frozen=True, slots=True)
class ShoeView:
    """How far the shoe is dealt, in cards; ``cut_card_at`` counts from the front (0: not placed)."""

    number: int
    cards: int
    drawn: int
    left: int
    cut_card_at: int
    cut_card_seen: bool
    burned: int


@dataclass(frozen=True, slots=True)
class ReturnView:
    """Chips that have to go back; positive to the bettor."""

    box: int
    person: int
    bet: str
    net_minor: int


@dataclass(frozen=True, slots=True)
class BlackjackView:
    """A table of blackjack as everybody may see it; the shoe's composition and hidden cards are not in it."""

    phase: str
    round: str
    boxes: tuple[BoxView, ...]
    dealer: DealerView
    shoe: ShoeView
    cards_on_table: int
    to_return: tuple[ReturnView, ...]
