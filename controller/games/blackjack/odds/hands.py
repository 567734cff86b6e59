"""What a hand is worth to a player, exactly, by the cards it holds: each action, and the best or a chosen line of play.

The shoe is known by composition and a hand is played by its own cards and the dealer's up card alone. Values are units
of the first stake. Where the dealer has looked for a blackjack before anybody decides, a blackjack takes the first
stake and no more whatever was done, so that its part is the same for every action: it is left out here and put back by
the caller. Bonuses and side bets are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final as Constant

from controller.core.cards import Card
from controller.games.blackjack import decisions
from controller.games.blackjack.hand import Box, Hand, Stake, Status, is_blackjack, total
from controller.games.blackjack.odds.dealer import FACES
from controller.games.blackjack.odds.endings import Counts, Final, chances
from controller.games.blackjack.odds.nets import Nets, nets_of
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.state import BlackjackState, Phase

Values = tuple[int, ...]
"""A hand by value (indices of FACES), sorted."""
Decider = Callable[[tuple[Card, ...], Card, Sequence[str]], str]
"""An action for a hand against an up card, out of those allowed."""
ACE: Constant = 0
TEN: Constant = 9


@dataclass(frozen=True, slots=True)
class Place:
    """Where a hand stands in its box: its number (1, or 2 for any further one), how many hands the box has, and whether
    they come of a split, and of aces."""

    number: int = 1
    hands: int = 1
    from_split: bool = False
    split_aces: bool = False


FIRST: Constant = Place()


class Hands:
    """Values of all hands of one place against one up card, drawn from ``counts`` (the up card is out of them, the
    hand's own cards are not). ``decide`` plays them; without it they are played as well as can be."""

    def __init__(self, rules: Rules, up: int, counts: Counts, decide: Decider | None, place: Place = FIRST) -> None:
        self.rules, self.up, self.counts, self.decide, self.place = rules, up, counts, decide, place
        self.peeked = rules.peeks(FACES[up])
        self._values: dict[Values, float] = {}
        self._options: dict[Values, tuple[str, ...]] = {}
        self._finals: dict[Values, tuple[float, ...]] = {}

    @cached_property
    def nets(self) -> Nets:
        """What the settlement says of hands at this place."""
        return nets_of(self.rules, self.place.number)

    def left(self, hand: Values) -> Counts:
        """The shoe without the hand's cards."""
        counts = list(self.counts)
        for value in hand:
            counts[value] -= 1
        return tuple(counts)

    def finals(self, hand: Values) -> tuple[float, ...]:
        """The dealer's chances by `Final` when the player stands with this hand."""
        found = self._finals.get(hand)
        if found is None:
            hits = self.rules.dealer_hits_soft_17
            found = self._finals[hand] = chances(self.up, self.left(hand), hits_soft_17=hits)
        return found

    def joined(self, hand: Values, value: int) -> Values:
        """The hand with one more card."""
        return tuple(sorted((*hand, value)))

    def options(self, hand: Values) -> tuple[str, ...]:
        """What the rules allow this hand."""
        found = self._options.get(hand)
        if found is None:
            place = self.place
            mine = Hand(
                place.number,
                faces(hand),
                (Stake(1, 1000),),
                status=Status.PLAYING,
                from_split=place.from_split,
                split_aces=place.split_aces,
            )
            others = tuple(Hand(10 + i, from_split=True) for i in range(place.hands - 1))
            box = Box(1, mine.stakes, (mine, *others))
            state = BlackjackState(phase=Phase.PLAYERS, boxes=(box,), dealer=(FACES[self.up],), turn=(1, mine.number))
            found = self._options[hand] = decisions.options(self.rules, state, box, mine)
        return found

    def value(self, hand: Values) -> float:
        """The hand as it is played from here on, splitting left out."""
        found = self._values.get(hand)
        if found is None:
            found = self._values[hand] = self._value(hand)
        return found

    def _value(self, hand: Values) -> float:
        cards = faces(hand)
        points = total(cards)[0]
        if points > 21:
            return self._weighed(self.nets.bust, hand)
        if is_blackjack(cards) and (self.rules.blackjack_after_split or not self.place.from_split):
            return self._settled(self.nets.blackjack, hand)
        if points == 21 and not self.rules.draw_on_21:
            return self.stand(hand)
        allowed = [action for action in self.options(hand) if action != "split"]
        if self.decide is not None:
            return self.action(self.decide(cards, FACES[self.up], allowed), hand)
        if points <= 11:
            allowed.remove("stand")  # a card can only help: this spares a third of the work
        return max(self.action(action, hand) for action in allowed)

    def action(self, action: str, hand: Values) -> float:
        """The hand's value with this action first. Raises ValueError for a split, which `splits` knows."""
        match action:
            case "stand":
                return self.stand(hand)
            case "hit":
                return self._drawn(hand, self.value)
            case "double":
                return self._drawn(hand, self._doubled)
            case "surrender":
                return self._settled(self.nets.surrendered, hand)
            case _:
                raise ValueError(f"{action!r} is no action of a single hand")

    def stand(self, hand: Values) -> float:
        """The hand as it is against the dealer."""
        return self._settled(self.nets.stood[total(faces(hand))[0]], hand)

    def _doubled(self, hand: Values) -> float:
        points = total(faces(hand))[0]
        if points > 21:
            return self._weighed(self.nets.bust_doubled, hand)
        return self._settled(self.nets.doubled[points], hand)

    def _drawn(self, hand: Values, then: Callable[[Values], float]) -> float:
        left = self.left(hand)
        cards = sum(left)
        return sum(n * then(self.joined(hand, v)) for v, n in enumerate(left) if n) / cards

    def _settled(self, net: tuple[float, ...], hand: Values) -> float:
        finals = self.finals(hand)
        won = sum(chance * units for chance, units in zip(finals, net, strict=True))
        return won - finals[Final.BLACKJACK] * net[Final.BLACKJACK] if self.peeked else won

    def _weighed(self, units: float, hand: Values) -> float:
        """What does not depend on the dealer's hand, but for a blackjack that would have ended the round before."""
        return units * (1 - blackjack_chance(self.up, self.left(hand))) if self.peeked else units


def faces(hand: Values) -> tuple[Card, ...]:
    """The hand as cards."""
    return tuple([FACES[value] for value in hand])


def blackjack_chance(up: int, counts: Counts) -> float:
    """Chance that the dealer's second card makes a blackjack."""
    wanted = {ACE: TEN, TEN: ACE}.get(up)
    return 0.0 if wanted is None else counts[wanted] / sum(counts)
