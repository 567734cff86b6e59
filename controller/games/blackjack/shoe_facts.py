"""Facts of a shoe's life, from the counted packs to the last card. Parts of `controller.games.blackjack.facts`."""

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
class CutDeclined:
    """Every player declined to cut."""

    TYPE: ClassVar[str] = "shoe.cut_declined"
    shoe: int


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
class ShoeReconciled:
    """Every card of a shoe that ended, by the record: ``cards`` loaded, of them ``burned``, ``dealt`` in ``rounds``
    rounds, ``put_back`` without having been dealt, and ``left`` in the shoe; ``unread`` came out without a name."""

    TYPE: ClassVar[str] = "shoe.reconciled"
    shoe: int
    cards: int
    burned: int
    dealt: int
    left: int
    unread: int
    rounds: int
    put_back: int = 0


@dataclass(frozen=True, slots=True)
class ShoeRacked:
    """Before the packs of a shoe that ended are spread or shuffled: ``cards`` of it went to the burn and discard places
    by the record, and readers there have ``read`` so many. Only where the rules ask for it (``count_racked``)."""

    TYPE: ClassVar[str] = "shoe.racked"
    shoe: int
    cards: int
    read: int


@dataclass(frozen=True, slots=True)
class CardPutBack:
    """A card that had left the shoe and was never dealt goes back to its packs, because the shoe ended: one kept for
    the next round, or one that waited for a supervisor. ``card`` is null for one that is hidden or was not read."""

    TYPE: ClassVar[str] = "card.put_back"
    shoe: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class ShoeRefilled:
    """The shoe was empty in mid-round: ``cards`` discards were shuffled, cut and put into it."""

    TYPE: ClassVar[str] = "shoe.refilled"
    shoe: int
    cards: int


@dataclass(frozen=True, slots=True)
class ShoeHandedOver:
    """Another shoe took this one's place in round ``round``. Its ``cards`` by the record: ``burned``, ``on_table`` in
    the round, ``discarded`` after earlier ones, and ``left`` in the shoe, which is locked and kept apart."""

    TYPE: ClassVar[str] = "shoe.handed_over"
    shoe: int
    cards: int
    burned: int
    on_table: int
    discarded: int
    left: int
    round: str


@dataclass(frozen=True, slots=True)
class PacksQuarantined:
    """Packs whose count was wrong were taken away; ``rounds`` were dealt from them since they were counted last."""

    TYPE: ClassVar[str] = "shoe.quarantined"
    shoe: int
    rounds: str
