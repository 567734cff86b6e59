"""Basic strategy for a rule set, worked out from its keys: what to do with a total against an up card.

A total stands for many hands, so the cards of the hand are left out of account: draws are from the fresh shoe without
the up card, each as likely as the first. What this costs against the best play there is shows in `whole.expectation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final as Constant

from controller.core.cards import Card
from controller.games.blackjack.hand import hard_total, total, value
from controller.games.blackjack.odds.dealer import FACES, fresh_counts
from controller.games.blackjack.odds.endings import Counts, chances
from controller.games.blackjack.odds.hands import ACE, Hands, Values, faces
from controller.games.blackjack.odds.splits import Split
from controller.games.blackjack.rules import Rules

Ranking = tuple[str, ...]
"""Actions, best first."""
Row = tuple[str, int]
"""``hard``, ``soft`` or ``pair``, and the total or the value of the pair's cards (ace 1)."""

ROWS: Constant[Mapping[Row, Values]] = {
    **{("hard", points): (1, points - 3) for points in range(5, 13)},
    **{("hard", points): (points - 11, 9) for points in range(13, 20)},
    ("hard", 20): (2, 6, 9),
    ("hard", 21): (3, 6, 9),
    **{("soft", points): (0, points - 12) for points in range(13, 22)},
    **{("pair", value): (value - 1, value - 1) for value in range(1, 11)},
}
"""Every row of a strategy, with a hand that stands for it."""


class Endless(Hands):
    """A shoe that is so long that a hand's own cards do not matter: equal totals are equal hands."""

    def __init__(self, *given: object, **named: object) -> None:
        super().__init__(*given, **named)  # type: ignore[arg-type]
        hits = self.rules.dealer_hits_soft_17
        self._chances = chances(self.up, self.counts, hits_soft_17=hits)
        self._alike: dict[tuple[int, bool], Values] = {}

    def left(self, hand: Values) -> Counts:
        """The shoe, whatever was drawn."""
        return self.counts

    def finals(self, hand: Values) -> tuple[float, ...]:
        """The same for every hand."""
        return self._chances

    def joined(self, hand: Values, value: int) -> Values:
        """A hand of three cards or more that stands for all of this total."""
        longer = super().joined(hand, value)
        if len(longer) < 3:
            return longer
        return self._alike.setdefault((hard_total(faces(longer)), ACE in longer), longer)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A basic strategy: for each row the rankings by up card, ace first. It never takes insurance or even money."""

    rankings: Mapping[Row, tuple[Ranking, ...]]

    def decide(self, cards: tuple[Card, ...], up: Card, options: Sequence[str]) -> str:
        """The best of the options for a hand of two cards or more."""
        for action in self.rankings[row_of(cards)][value(up) - 1]:
            if action in options:
                return action
        return "stand"


def row_of(cards: tuple[Card, ...]) -> Row:
    """The row of a hand."""
    if len(cards) == 2 and value(cards[0]) == value(cards[1]):
        return "pair", value(cards[0])
    points, soft = total(cards)
    return "soft" if soft else "hard", points


def strategy_for(rules: Rules) -> Strategy:
    """The basic strategy of a rule set."""
    rankings: dict[Row, list[Ranking]] = {row: [] for row in ROWS}
    for up in range(len(FACES)):
        hands = Endless(rules, up, fresh_counts(rules.decks, up), None)
        for row, hand in ROWS.items():
            rankings[row].append(_ranked(hands, hand))
    return Strategy({row: tuple(found) for row, found in rankings.items()})


def _ranked(hands: Endless, hand: Values) -> Ranking:
    worth = {"stand": hands.stand(hand)}
    for action in hands.options(hand):
        if action == "split":
            worth[action] = Split(hands.rules, hands.up, hands.counts, hand[0], None, Endless).value()
        elif action != "stand":
            worth[action] = hands.action(action, hand)
    return tuple(sorted(worth, key=lambda action: -worth[action]))
