"""Lines of play for simulations of Blot: how a player bids and plays by the own hand and what lies open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from controller.games.blot.bidding import KEEP, LEAVE
from controller.games.blot.cards import CONTRACT_WORDS, HIGHER, NO_TRUMP, POINTS, SUIT_MASKS, beats, bits, points_of

Chance = Callable[[], float]
"""A number from 0 to below 1, different at each call; only `RandomPlay` asks for it."""
Bid = tuple[str, int]
"""A word of the bidding, and with a contract whether the turned-up card is kept (1) or left (2), else 0."""


class Policy(Protocol):
    """A line of play. It may be sent to another process. Hands and sets of cards are as in `cards`."""

    def bid(self, hand: int, up: int, options: Sequence[str], chance: Chance) -> Bid:
        """One of the ``options`` for a hand of six cards and a turned-up one."""
        ...

    def card(self, may: int, led: int, contract: int, chance: Chance) -> int:
        """One of the cards of ``may``, to answer ``led`` or, where that is -1, to lead."""
        ...

    def gives_up(self, chance: Chance) -> bool:
        """Whether to give the round up on this turn."""
        ...


@dataclass(frozen=True, slots=True)
class RandomPlay:
    """Anything that is allowed, each as likely as the others, and now and then a round given up: no player, but a table
    sees everything."""

    gives_up_share: float = 0.01

    def bid(self, hand: int, up: int, options: Sequence[str], chance: Chance) -> Bid:
        """Any bid."""
        word = options[int(chance() * len(options))]
        return word, (KEEP if chance() < 0.5 else LEAVE) if word in CONTRACT_WORDS else 0

    def card(self, may: int, led: int, contract: int, chance: Chance) -> int:
        """Any card."""
        cards = list(bits(may))
        return cards[int(chance() * len(cards))]

    def gives_up(self, chance: Chance) -> bool:
        """Once in a hundred turns."""
        return chance() < self.gives_up_share


@dataclass(frozen=True, slots=True)
class Greedy:
    """Takes with ``enough`` points in trumps, leads what is highest, wins a trick as cheaply as possible and throws the
    cheapest card on one that cannot be won."""

    enough: int = 34
    """points of the jack and the nine"""

    def bid(self, hand: int, up: int, options: Sequence[str], chance: Chance) -> Bid:
        """The turned-up suit when it is strong with the card; else the strongest other suit, where it is strong enough
        or must be named, with the card kept."""
        with_up = hand | 1 << up
        if options[0] == "take":
            strong = _worth(with_up, up // 13) >= self.enough
            return ("take" if strong or "pass" not in options else "pass"), 0
        words = [word for word in options if word in CONTRACT_WORDS[:NO_TRUMP]]
        best = max(words, key=lambda word: _worth(hand, CONTRACT_WORDS.index(word)))
        strong = _worth(hand, CONTRACT_WORDS.index(best)) >= self.enough
        return (best, KEEP) if strong or "pass" not in options else ("pass", 0)

    def card(self, may: int, led: int, contract: int, chance: Chance) -> int:
        """The highest to lead, the cheapest that wins, else the cheapest."""
        cards, worth = list(bits(may)), POINTS[contract]
        if led < 0:
            return min(cards, key=lambda card: (HIGHER[contract][card].bit_count(), card // 13 == contract))
        winning = [card for card in cards if beats(contract, led, card)]
        return min(winning or cards, key=lambda card: (worth[card], -HIGHER[contract][card].bit_count()))

    def gives_up(self, chance: Chance) -> bool:
        """Never."""
        return False


def _worth(hand: int, suit: int) -> int:
    """Points of a hand's cards of a suit, if it were trump."""
    return points_of(suit, hand & SUIT_MASKS[suit])


POLICIES: Final = ("greedy", "random")
"""Names of the lines of play, the usual one first."""


def policy_for(name: str) -> Policy:
    """The line of play of this name. Raises ValueError naming those that there are."""
    match name:
        case "greedy":
            return Greedy()
        case "random":
            return RandomPlay()
        case _:
            raise ValueError(f"no policy {name!r}: one of {', '.join(POLICIES)}")
