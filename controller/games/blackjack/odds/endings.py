"""The dealer's hands by how many orders lead to them: final totals from any composition of the shoe, quickly.

Where `controller.games.blackjack.odds.dealer` walks through every order of the cards, here each set of cards is met
once, so that thousands of compositions can be evaluated. Values are indices of `FACES` (0 ace .. 9 ten-value).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final as Constant

from controller.core.cards import Card
from controller.games.blackjack.hand import dealer_draws, is_blackjack, total
from controller.games.blackjack.odds.dealer import FACES

MOST_DRAWN: Constant = 22
"""Cards a dealer can draw at most, and more."""
Counts = tuple[int, ...]
"""Cards left by value, ten numbers."""


class Final(IntEnum):
    """The dealer's final hand; ``SEVENTEEN`` to ``TWENTY_ONE`` are totals, 21 in three cards or more."""

    SEVENTEEN = 0
    EIGHTEEN = 1
    NINETEEN = 2
    TWENTY = 3
    TWENTY_ONE = 4
    BUST = 5
    BLACKJACK = 6


@dataclass(frozen=True, slots=True)
class Ending:
    """A final hand: the cards beside the up card by value and number, how many, and the orders in which they come."""

    cards: tuple[tuple[int, int], ...]
    size: int
    orders: int
    final: Final


@lru_cache(maxsize=64)
def endings(up: int, hits_soft_17: bool) -> tuple[Ending, ...]:
    """Every final hand with this up card that is not bust, by the dealer's own rule."""
    found: list[Ending] = []
    layer: dict[tuple[int, ...], int] = {(): 1}
    while layer:
        longer: dict[tuple[int, ...], int] = {}
        for drawn, orders in layer.items():
            hand = (FACES[up], *(FACES[v] for v in drawn))
            if dealer_draws(hand, hits_soft_17):
                for value in range(len(FACES)):
                    key = tuple(sorted((*drawn, value)))
                    longer[key] = longer.get(key, 0) + orders
            elif (final := final_of(hand)) is not Final.BUST:
                numbers = tuple((v, drawn.count(v)) for v in sorted(set(drawn)))
                found.append(Ending(numbers, len(drawn), orders, final))
        layer = longer
    return tuple(found)


def final_of(hand: tuple[Card, ...]) -> Final:
    """What a finished hand of the dealer is."""
    points = total(hand)[0]
    if is_blackjack(hand):
        return Final.BLACKJACK
    return Final.BUST if points > 21 else Final(points - 17)


@lru_cache(maxsize=16_384)
def chances(up: int, counts: Counts, *, hits_soft_17: bool = False) -> tuple[float, ...]:
    """Chances by `Final` of the dealer with this up card, drawing from ``counts``, the up card taken out already."""
    found = [0.0] * len(Final)
    left = sum(counts)
    orders_of_all = _falling(left)
    falling = [_falling(n) for n in counts]
    for ending in endings(up, hits_soft_17):
        ways = ending.orders
        for value, number in ending.cards:
            ways *= falling[value][number]
        found[ending.final] += ways / orders_of_all[ending.size]
    found[Final.BUST] = 1 - sum(found)
    return tuple(found)


@lru_cache(maxsize=1024)
def _falling(n: int) -> tuple[int, ...]:
    """In how many orders 0, 1, 2 … of ``n`` cards can be drawn."""
    numbers = [1]
    for i in range(MOST_DRAWN):
        numbers.append(numbers[-1] * max(0, n - i))
    return tuple(numbers)
