"""Facts of a blackjack table, as they go on record and on the bus. Amounts are minor units; box 0 is the dealer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.core.cards import Card


@dataclass(frozen=True, slots=True)
class ShoeInspected:
    """The packs were counted and are complete."""

    TYPE: ClassVar[str] = "shoe.inspected"
    decks: int
    cards: int


@dataclass(frozen=True, slots=True)
class ShoeShuffled:
    """The dealer shuffled."""

    TYPE: ClassVar[str] = "shoe.shuffled"
    shoe: int


@dataclass(frozen=True, slots=True)
class ShoeCut:
    """A player cut at ``position`` cards from the front."""

    TYPE: ClassVar[str] = "shoe.cut"
    shoe: int
    position: int


@dataclass(frozen=True, slots=True)
class ShoeLoaded:
    """The shoe was loaded; ``cut_card_at`` is where the second cut card lies."""

    TYPE: ClassVar[str] = "shoe.loaded"
    shoe: int
    cards: int
    cut_card_at: int


@dataclass(frozen=True, slots=True)
class ShoeExhausted:
    """The cut card came: the shoe is shuffled after round ``last_round``."""

    TYPE: ClassVar[str] = "shoe.exhausted"
    shoe: int
    drawn: int
    last_round: str


@dataclass(frozen=True, slots=True)
class ShoeChanged:
    """The shoe was ended before its cut card; ``reason`` is the correction chosen, or ``doubtful``: its packs are
    counted anew."""

    TYPE: ClassVar[str] = "shoe.changed"
    shoe: int
    drawn: int
    reason: str


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A card went to the discard rack unplayed; ``count`` burned of this shoe so far; ``why``: start, correction."""

    TYPE: ClassVar[str] = "card.burned"
    card: Card
    count: int
    why: str


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card belongs to a hand now; ``total`` as a dealer calls it."""

    TYPE: ClassVar[str] = "card.dealt"
    box: int
    hand: int
    card: Card
    total: str


@dataclass(frozen=True, slots=True)
class CardConfirmed:
    """A supervisor named a card that no source had read, or confirmed a reading."""

    TYPE: ClassVar[str] = "card.confirmed"
    card: Card


@dataclass(frozen=True, slots=True)
class CardSetAside:
    """A card that nobody could name was taken out unplayed: the ``number``-th of its shoe."""

    TYPE: ClassVar[str] = "card.set_aside"
    shoe: int
    number: int


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A card laid at the wrong spot was moved to the right one."""

    TYPE: ClassVar[str] = "card.corrected"
    box: int
    hand: int
    found_at: int


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """The cards of the round went to the discard rack; ``counted`` is the rack's or the dealer's count, 0 for none."""

    TYPE: ClassVar[str] = "card.discarded"
    round: str
    cards: int
    counted: int


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """The first stake of a new round was laid."""

    TYPE: ClassVar[str] = "round.opened"
    round: str


@dataclass(frozen=True, slots=True)
class BetsClosed:
    """No more bets; ``boxes`` in play and the sum of their first stakes."""

    TYPE: ClassVar[str] = "round.bets_closed"
    round: str
    boxes: tuple[int, ...]
    staked_minor: int


@dataclass(frozen=True, slots=True)
class BoxBet:
    """A stake was accepted; ``total_minor`` is that person's stake on that bet now."""

    TYPE: ClassVar[str] = "box.bet"
    box: int
    person: int
    bet: str
    amount_minor: int
    total_minor: int


@dataclass(frozen=True, slots=True)
class BetWithdrawn:
    """A stake was taken back before the deal, or refused chips went back (``refused``)."""

    TYPE: ClassVar[str] = "box.bet_changed"
    box: int
    person: int
    bet: str
    amount_minor: int
    refused: bool = False


@dataclass(frozen=True, slots=True)
class HandDecision:
    """A decision was accepted."""

    TYPE: ClassVar[str] = "hand.decision"
    box: int
    hand: int
    person: int
    action: str
    total: str


@dataclass(frozen=True, slots=True)
class HandSplit:
    """A pair was split: hand ``hand`` keeps the first card, ``new_hand`` the second."""

    TYPE: ClassVar[str] = "hand.split"
    box: int
    hand: int
    new_hand: int


@dataclass(frozen=True, slots=True)
class HandBusted:
    """A hand went over 21."""

    TYPE: ClassVar[str] = "hand.busted"
    box: int
    hand: int
    total: int


@dataclass(frozen=True, slots=True)
class HandBlackjack:
    """A hand is a blackjack; box 0 the dealer's."""

    TYPE: ClassVar[str] = "hand.blackjack"
    box: int
    hand: int


@dataclass(frozen=True, slots=True)
class DealerDone:
    """The dealer takes no more cards."""

    TYPE: ClassVar[str] = "hand.resolved"
    total: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PayoutDue:
    """What a bet is owed, final; the sign is the bettor's (positive: the house pays)."""

    TYPE: ClassVar[str] = "payout.due"
    box: int
    person: int
    bet: str
    stake_minor: int
    owed_minor: int
    outcome: str


@dataclass(frozen=True, slots=True)
class PayoutMade:
    """Chips moved as owed; the sign is the bettor's. ``left_minor`` is what is still to move."""

    TYPE: ClassVar[str] = "payout.made"
    box: int
    person: int
    bet: str
    moved_minor: int
    left_minor: int


@dataclass(frozen=True, slots=True)
class PayoutMismatch:
    """Chips moved that were not owed so: both amounts on record, same sign convention."""

    TYPE: ClassVar[str] = "payout.mismatch"
    box: int
    person: int
    bet: str
    owed_minor: int
    moved_minor: int


@dataclass(frozen=True, slots=True)
class PayoutConfirmed:
    """A supervisor let a difference stand; ``waived_minor`` has the bettor's sign (positive: the house pays less)."""

    TYPE: ClassVar[str] = "payout.confirmed"
    box: int
    person: int
    bet: str
    waived_minor: int


@dataclass(frozen=True, slots=True)
class ReturnsWrittenOff:
    """A supervisor wrote off chips that should have gone back: how many entries, and their sum in the bettors' sign."""

    TYPE: ClassVar[str] = "payout.written_off"
    entries: int
    net_minor: int


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """Every bet is paid or taken; ``house_minor`` is what the house really won (negative: lost)."""

    TYPE: ClassVar[str] = "round.settled"
    round: str
    house_minor: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round is void; ``returned_minor`` of stakes goes back, and what was paid or taken meanwhile is undone."""

    TYPE: ClassVar[str] = "round.voided"
    round: str
    reason: str
    returned_minor: int


FACTS: tuple[type, ...] = (
    ShoeInspected,
    ShoeShuffled,
    ShoeCut,
    ShoeLoaded,
    ShoeExhausted,
    ShoeChanged,
    CardBurned,
    CardDealt,
    CardConfirmed,
    CardSetAside,
    CardCorrected,
    CardsDiscarded,
    RoundOpened,
    BetsClosed,
    BoxBet,
    BetWithdrawn,
    HandDecision,
    HandSplit,
    HandBusted,
    HandBlackjack,
    DealerDone,
    PayoutDue,
    PayoutMade,
    PayoutMismatch,
    PayoutConfirmed,
    ReturnsWrittenOff,
    RoundSettled,
    RoundVoided,
)
"""Every fact type of the game."""
