"""Simulated players: which boxes they bet on, how much, and what they decide."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from firmware_sim.hands import Hand, points

BOXES = 7
SMALLEST_STAKE_MINOR = 500
LARGEST_STAKE_MINOR = 10_000
STAKE_STEP_MINOR = 100
"""Stakes are multiples of this, so that 3:2 is exact."""


@dataclass(frozen=True, slots=True)
class Bet:
    """A stake of one person on one box, in minor units; ``seat`` counts the persons of a box."""

    box: int
    seat: int
    amount_minor: int


def bets(rng: Random) -> tuple[Bet, ...]:
    """Stakes for a round, on two to four boxes, from the dealer's left."""
    boxes = sorted(rng.sample(range(1, BOXES + 1), rng.randint(2, 4)))
    steps = range(SMALLEST_STAKE_MINOR, LARGEST_STAKE_MINOR + 1, STAKE_STEP_MINOR)
    return tuple(Bet(box, 1, rng.choice(steps)) for box in boxes)


def decide(hand: Hand, dealer_up: int, rng: Random) -> str:
    """``hit``, ``stand`` or ``double`` on a hand below 21; about as people play. ``dealer_up`` is a rank."""
    total, soft = points(hand.ranks)
    if len(hand.ranks) == 2 and 9 <= total <= 11 and rng.random() < 0.6:
        return "double"
    if rng.random() < 0.05:
        return "hit" if total < 17 else "stand"
    if soft:
        return "stand" if total >= 18 else "hit"
    if total >= 17:
        return "stand"
    if total >= 12:
        return "stand" if 2 <= dealer_up <= 6 else "hit"
    return "hit"
