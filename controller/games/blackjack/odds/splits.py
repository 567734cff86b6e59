"""What a split is worth, exactly, for a player who plays each hand by its own cards.

Hands of a box are exchangeable, so none has to be followed together with the others: it is enough to know for each how
many cards of the pair are out and how many other hands are known to have drawn something else. With ``k`` cards of the
pair and ``j`` such hands out, a hand is worth ``(E(k, j-1) - p E(k+1, j-1)) / (1 - p)``, where ``p`` is the chance that
the last of them had drawn the pair's card instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.games.blackjack.odds.endings import Counts
from controller.games.blackjack.odds.hands import ACE, Decider, Hands, Place
from controller.games.blackjack.rules import Rules


@dataclass(slots=True)
class Split:
    """A pair of ``pair`` against ``up``; ``counts`` is the shoe without the up card, the pair still in it; ``kind`` is
    how each hand is evaluated."""

    rules: Rules
    up: int
    counts: Counts
    pair: int
    decide: Decider | None
    kind: type[Hands] = Hands
    _hands: dict[tuple[int, int], Hands] = field(default_factory=dict)
    _worth: dict[tuple[int, int, int, bool], float] = field(default_factory=dict)

    @property
    def most_hands(self) -> int:
        """How many hands this pair may become."""
        most = self.rules.split_hands
        return min(most, self.rules.split_aces_hands) if self.pair == ACE else most

    def value(self) -> float:
        """The split with all that follows, pairs split again as far as the rules let it."""
        return self._deal(out=2, waiting=2, settled=0, first_settled=False)

    def _deal(self, out: int, waiting: int, settled: int, first_settled: bool) -> float:
        """Second cards are dealt: ``settled`` hands have one that is not the pair's, ``waiting`` ones have none yet."""
        hands = waiting + settled
        if hands >= self.most_hands or not waiting:
            worth = 0.0
            for i in range(settled):
                number = 1 if i == 0 and first_settled else 2
                worth += self._hand(number, out, settled - 1, other=True)
            for i in range(waiting):
                number = 1 if i == 0 and not first_settled else 2
                worth += self._hand(number, out, settled, other=False)
            return worth
        chance = self._chance(out, settled)
        again = self._deal(out + 1, waiting + 1, settled, first_settled)
        return chance * again + (1 - chance) * self._deal(out, waiting - 1, settled + 1, True)

    def _chance(self, out: int, others: int) -> float:
        """Chance that the next second card is the pair's, when ``others`` were not."""
        return (self.counts[self.pair] - out) / (sum(self.counts) - out - others)

    def _hand(self, number: int, out: int, others: int, *, other: bool) -> float:
        """A hand of one card: its second card is not the pair's (``other``), or may be any."""
        key = (number, out, others, other)
        found = self._worth.get(key)
        if found is None:
            if others:
                p = self._chance(out, others - 1 + other)
                known = self._hand(number, out, others - 1, other=other)
                found = (known - p * self._hand(number, out + 1, others - 1, other=other)) / (1 - p)
            else:
                found = self._alone(number, out, other=other)
            self._worth[key] = found
        return found

    def _alone(self, number: int, out: int, *, other: bool) -> float:
        hands = self._hands.get((number, out))
        if hands is None:
            counts = list(self.counts)
            counts[self.pair] -= out - 1  # the hand's own first card is still in
            place = Place(number, self.most_hands, from_split=True, split_aces=self.pair == ACE)
            hands = self._hands[number, out] = self.kind(self.rules, self.up, tuple(counts), self.decide, place)
        left = hands.left((self.pair,))
        seconds = [(v, n) for v, n in enumerate(left) if n and not (other and v == self.pair)]
        cards = sum(n for _, n in seconds)
        return sum(n * hands.value(tuple(sorted((self.pair, v)))) for v, n in seconds) / cards
