"""What a dealer knows of blackjack by the Armenian regulation, kept apart from what the controller knows: two pieces of
code that agree by accident of a shared function would prove nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

BLACKJACK = 21
DEALER_STANDS_ON = 17


def points(ranks: Iterable[int]) -> tuple[int, bool]:
    """Total and whether it is soft (an ace counts 11). Ranks 1 (ace) .. 13 (king)."""
    values = [min(rank, 10) for rank in ranks]
    total = sum(values)
    if 1 in values and total + 10 <= BLACKJACK:
        return total + 10, True
    return total, False


@dataclass(slots=True)
class Hand:
    """Cards at one place. ``stake_minor`` and ``double_minor`` are 0 at the dealer's."""

    box: int
    stake_minor: int = 0
    double_minor: int = 0
    ranks: list[int] = field(default_factory=list)
    stood: bool = False

    @property
    def total(self) -> int:
        """Points, an ace counted 11 where that helps."""
        return points(self.ranks)[0]

    @property
    def blackjack(self) -> bool:
        """Ace and ten-value as the first two cards."""
        return len(self.ranks) == 2 and self.total == BLACKJACK

    @property
    def bust(self) -> bool:
        """More than 21."""
        return self.total > BLACKJACK

    @property
    def asked(self) -> bool:
        """Whether the player still decides: not on 21, not after a double, not after standing."""
        return not self.stood and self.total < BLACKJACK

    @property
    def staked_minor(self) -> int:
        """Everything that lies on the hand."""
        return self.stake_minor + self.double_minor


def dealer_draws(dealer: Hand, hands: Iterable[Hand]) -> bool:
    """Whether the dealer takes a card: to 17 while a total matters, one card while only his blackjack does."""
    alive = [hand for hand in hands if not hand.bust]
    if any(not hand.blackjack for hand in alive):
        return dealer.total < DEALER_STANDS_ON
    return bool(alive) and len(dealer.ranks) == 1 and (dealer.ranks[0] == 1 or dealer.ranks[0] >= 10)


def owed_minor(hand: Hand, dealer: Hand) -> int:
    """Chips that move when the dealer is done: above 0 to the bettor (stake not counted), below 0 to the house."""
    if hand.bust:
        return -hand.staked_minor
    if hand.blackjack:
        return 0 if dealer.blackjack else hand.stake_minor * 3 // 2
    if dealer.blackjack:
        return -hand.staked_minor
    if dealer.bust or hand.total > dealer.total:
        return hand.staked_minor
    return 0 if hand.total == dealer.total else -hand.staked_minor
