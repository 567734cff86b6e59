"""The shoe's composition: how many of each face it was loaded with, and how many have come out."""

from __future__ import annotations

from dataclasses import dataclass

from controller.core.cards import DECK, Card
from controller.core.records import replace

NO_CARDS = (0,) * 52


@dataclass(frozen=True, slots=True)
class Shoe:
    """A loaded shoe. ``held_each`` is how many of each face it holds (the number of decks); ``seen`` counts the faces
    drawn, by card index; ``drawn`` counts cards drawn, the unreadable ones too; ``number`` counts shoes from 1.
    ``returned`` cards were drawn and put back by a shuffle in mid-round; ``seen`` leaves them out."""

    number: int
    held_each: int
    deck_size: int = 52
    seen: tuple[int, ...] = NO_CARDS
    drawn: int = 0
    cut_card_at: int = 0
    """cards from the front to the second cut card; 0 when not placed"""
    cut_card_seen: bool = False
    returned: int = 0
    last_index: int = -1
    """index of the last face drawn while the first cards are watched for the order of new packs"""
    in_order: int = 0
    """how many of the first cards have followed each other as in a new pack"""
    others: int = 0
    """cards of the round in play that left another shoe before it: numbers of cards go on behind them"""
    doubtful: bool = False
    """its content is not certain any more: the packs are counted after the round"""

    @property
    def total(self) -> int:
        """Cards loaded."""
        return self.held_each * self.deck_size

    @property
    def next_number(self) -> int:
        """The number of the card that comes next, unlike that of any other card of the round."""
        return self.others + self.drawn + 1

    @property
    def left(self) -> int:
        """Cards that should still be in the shoe."""
        return max(0, self.total - self.drawn + self.returned)

    @property
    def over(self) -> bool:
        """True when no new round is dealt from it."""
        return self.cut_card_seen or self.doubtful

    def would_exceed(self, card: Card) -> bool:
        """True when the shoe cannot hold one more ``card``: a misread or a foreign card (the seventh king of six)."""
        return self.seen[card.index] >= self.held_each or self.drawn - self.returned >= self.total

    def with_drawn(self, card: Card | None) -> Shoe:
        """The shoe after one more card came out (None: unreadable)."""
        if card is None:
            return replace(self, drawn=self.drawn + 1)
        i, seen = card.index, self.seen
        return replace(self, drawn=self.drawn + 1, seen=(*seen[:i], seen[i] + 1, *seen[i + 1 :]))

    def cannot_be(self, card: Card) -> bool:
        """True when a card already counted in ``drawn`` cannot be named ``card``."""
        return self.seen[card.index] >= self.held_each

    def with_named(self, card: Card) -> Shoe:
        """The shoe after an unreadable card, already counted in ``drawn``, was named."""
        i, seen = card.index, self.seen
        return replace(self, seen=(*seen[:i], seen[i] + 1, *seen[i + 1 :]))

    def with_other(self, old: Card, card: Card) -> Shoe:
        """The shoe after a card that was counted as ``old`` turned out to be ``card``."""
        seen = list(self.seen)
        seen[old.index] -= 1
        seen[card.index] += 1
        return replace(self, seen=tuple(seen))

    def watched(self, card: Card) -> Shoe:
        """The shoe with one more of its first cards compared with the order of a new pack, up or down within a suit."""
        follows = self.last_index >= 0 and abs(card.index - self.last_index) == 1
        return replace(self, last_index=card.index, in_order=self.in_order + 1 if follows else 0)

    def with_returned(self, cards: int, in_play: tuple[Card, ...]) -> Shoe:
        """The shoe after ``cards`` of those drawn were shuffled and put back; ``in_play`` are the faces still out."""
        seen = list(NO_CARDS)
        for card in in_play:
            seen[card.index] += 1
        return replace(self, returned=self.returned + cards, seen=tuple(seen))


def spread_faults(counts: tuple[int, ...], decks: int) -> tuple[str, ...]:
    """What is wrong with a spread of ``decks`` full decks, one text a face (``KD 5 of 6``); empty when complete."""
    if len(counts) != 52:
        return (f"{len(counts)} counts given, 52 wanted",)
    return tuple(f"{card.text} {n} of {decks}" for card, n in zip(DECK, counts, strict=True) if n != decks)
