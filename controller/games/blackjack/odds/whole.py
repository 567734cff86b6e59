"""What a whole round is worth to a player from a fresh shoe, exactly: played well, or by any line of play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from controller.games.blackjack.hand import is_blackjack
from controller.games.blackjack.odds.dealer import FACES, fresh_counts
from controller.games.blackjack.odds.hands import Decider, Hands, Values, blackjack_chance, faces
from controller.games.blackjack.odds.splits import Split
from controller.games.blackjack.rules import Rules


@dataclass(frozen=True, slots=True)
class Start:
    """First cards: the player's two and the up card by value, their chance, and what the round is worth (units)."""

    hand: Values
    up: int
    chance: float
    worth: float


def expectation(rules: Rules, decide: Decider | None, progress: Callable[[int], None] | None = None) -> float:
    """The player's expectation of a round in units of the first stake; ``decide`` None for the best play there is.
    ``progress`` is told how many of the ten up cards are done."""
    worth = 0.0
    for up in range(len(FACES)):
        worth += sum(start.chance * start.worth for start in starts(rules, up, decide))
        if progress is not None:
            progress(up + 1)
    return worth


def starts(rules: Rules, up: int, decide: Decider | None) -> Iterator[Start]:
    """Every two cards of the player against one up card."""
    fresh = fresh_counts(rules.decks)
    counts = fresh_counts(rules.decks, up)
    hands = Hands(rules, up, counts, decide)
    cards = sum(fresh)
    for first in range(len(FACES)):
        for second in range(first, len(FACES)):
            orders = counts[first] * (counts[second] - (first == second)) * (1 if first == second else 2)
            chance = fresh[up] / cards * orders / ((cards - 1) * (cards - 2))
            yield Start((first, second), up, chance, worth_of(hands, (first, second)))


def worth_of(hands: Hands, hand: Values) -> float:
    """What two first cards are worth in ``hands`` (of the first place), splitting included."""
    worth = _split_or_not(hands, hand)
    if hands.peeked and not is_blackjack(faces(hand)):
        worth -= blackjack_chance(hands.up, hands.left(hand))
    return worth


def _split_or_not(hands: Hands, hand: Values) -> float:
    options = hands.options(hand)
    if "split" not in options:
        return hands.value(hand)
    split = Split(hands.rules, hands.up, hands.counts, hand[0], hands.decide)
    if hands.decide is None:
        return max(hands.value(hand), split.value())
    wanted = hands.decide(faces(hand), FACES[hands.up], options)
    return split.value() if wanted == "split" else hands.value(hand)
