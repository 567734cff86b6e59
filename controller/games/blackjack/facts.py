"""Facts of a blackjack table, as they go on record and on the bus. Amounts are minor units; box 0 is the dealer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.core.cards import Card
from controller.core.records import quick
from controller.games.blackjack.shoe_facts import CardPutBack as CardPutBack
from controller.games.blackjack.shoe_facts import CutDeclined as CutDeclined
from controller.games.blackjack.shoe_facts import PacksQuarantined as PacksQuarantined
from controller.games.blackjack.shoe_facts import ShoeChanged as ShoeChanged
from controller.games.blackjack.shoe_facts import ShoeCut as ShoeCut
from controller.games.blackjack.shoe_facts import ShoeExhausted as ShoeExhausted
from controller.games.blackjack.shoe_facts import ShoeHandedOver as ShoeHandedOver
from controller.games.blackjack.shoe_facts import ShoeInspected as ShoeInspected
from controller.games.blackjack.shoe_facts import ShoeLoaded as ShoeLoaded
from controller.games.blackjack.shoe_facts import ShoeRacked as ShoeRacked
from controller.games.blackjack.shoe_facts import ShoeReconciled as ShoeReconciled
from controller.games.blackjack.shoe_facts import ShoeRefilled as ShoeRefilled
from controller.games.blackjack.shoe_facts import ShoeShuffled as ShoeShuffled


@dataclass(frozen=True, slots=True)
class CardBurned:
    """A card went to the discard rack unplayed; ``count`` burned of this shoe so far; ``why``: start, correction,
    exposed (nobody took it), no_stake, face_up (in the shoe). ``card`` is null while it lies face down."""

    TYPE: ClassVar[str] = "card.burned"
    card: Card | None
    count: int
    why: str


@quick
@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card belongs to a hand now; ``total`` as a dealer calls it. ``card`` is null while it lies face down, and the
    total is that of the cards that are seen."""

    TYPE: ClassVar[str] = "card.dealt"
    box: int
    hand: int
    card: Card | None
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
class HandCorrected:
    """A correction gave a hand other cards: ``cards`` are what it has now (box 0 the dealer's)."""

    TYPE: ClassVar[str] = "hand.corrected"
    box: int
    hand: int
    cards: tuple[Card, ...]
    total: str


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
class BoxDead:
    """A box is out of the round and its stakes go back."""

    TYPE: ClassVar[str] = "box.dead"
    box: int
    returned_minor: int


@dataclass(frozen=True, slots=True)
class ChipsExchanged:
    """A player changed notes into chips at the table."""

    TYPE: ClassVar[str] = "chips.exchanged"
    box: int
    person: int
    amount_minor: int


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
class HandWon:
    """A hand of six cards has won at once."""

    TYPE: ClassVar[str] = "hand.won"
    box: int
    hand: int
    total: str


@dataclass(frozen=True, slots=True)
class DealerPeeked:
    """The dealer looked at the hole card: a ``blackjack`` ends the round, else it goes on."""

    TYPE: ClassVar[str] = "hand.peeked"
    blackjack: bool


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
    """Every bet is paid or taken, or the rules let the next round begin before; ``house_minor`` is what the house has
    really won by now (negative: lost)."""

    TYPE: ClassVar[str] = "round.settled"
    round: str
    house_minor: int


@dataclass(frozen=True, slots=True)
class RoundCorrected:
    """Chips moved after the round was settled: ``house_minor`` is what the house has really won now. The last one of a
    round counts."""

    TYPE: ClassVar[str] = "round.corrected"
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
    CutDeclined,
    ShoeLoaded,
    ShoeExhausted,
    ShoeChanged,
    CardPutBack,
    ShoeReconciled,
    ShoeRacked,
    ShoeHandedOver,
    ShoeRefilled,
    PacksQuarantined,
    CardBurned,
    CardDealt,
    CardConfirmed,
    CardSetAside,
    CardCorrected,
    HandCorrected,
    CardsDiscarded,
    RoundOpened,
    BetsClosed,
    BoxBet,
    BetWithdrawn,
    BoxDead,
    ChipsExchanged,
    HandDecision,
    HandSplit,
    HandBusted,
    HandBlackjack,
    HandWon,
    DealerPeeked,
    DealerDone,
    PayoutDue,
    PayoutMade,
    PayoutMismatch,
    PayoutConfirmed,
    ReturnsWrittenOff,
    RoundSettled,
    RoundCorrected,
    RoundVoided,
)
"""Every fact type of the game."""
