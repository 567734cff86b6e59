"""Lines of play for simulations and for exact evaluation: how a player decides by the cards that everybody sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from controller.core.cards import Card
from controller.games.blackjack.hand import dealer_draws, total
from controller.games.blackjack.odds.strategy import Strategy, strategy_for
from controller.games.blackjack.rules import Rules

Chance = Callable[[], float]
"""A number from 0 to below 1, different at each call; only `RandomPlay` asks for it."""


class Policy(Protocol):
    """A line of play. It may be sent to another process."""

    def decide(self, cards: tuple[Card, ...], up: Card, options: Sequence[str], chance: Chance) -> str:
        """One of the options (hit, stand, double, split, surrender) for a hand of two cards or more."""
        ...

    def wants(self, offered: str, chance: Chance) -> bool:
        """Whether to take ``insurance`` (as much of it as may be) or ``even_money``."""
        ...


@dataclass(frozen=True, slots=True)
class DrawsUntil:
    """Draws until a hard or a soft total is reached, and does nothing else."""

    hard: int
    soft: int

    def decide(self, cards: tuple[Card, ...], up: Card, options: Sequence[str], chance: Chance) -> str:
        """``hit`` below the totals, where it is allowed, else ``stand``."""
        points, soft = total(cards)
        return "hit" if points < (self.soft if soft else self.hard) and "hit" in options else "stand"

    def wants(self, offered: str, chance: Chance) -> bool:
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class MimicsDealer:
    """Draws as the dealer must."""

    hits_soft_17: bool

    def decide(self, cards: tuple[Card, ...], up: Card, options: Sequence[str], chance: Chance) -> str:
        """``hit`` where the dealer would draw, else ``stand``."""
        return "hit" if dealer_draws(cards, self.hits_soft_17) and "hit" in options else "stand"

    def wants(self, offered: str, chance: Chance) -> bool:
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class Basic:
    """The rule set's basic strategy."""

    strategy: Strategy

    def decide(self, cards: tuple[Card, ...], up: Card, options: Sequence[str], chance: Chance) -> str:
        """The best option by the total."""
        return self.strategy.decide(cards, up, options)

    def wants(self, offered: str, chance: Chance) -> bool:
        """Never: both cost the player more than they bring."""
        return False


@dataclass(frozen=True, slots=True)
class RandomPlay:
    """Any option, each as likely as the others: no player, but a table sees everything."""

    def decide(self, cards: tuple[Card, ...], up: Card, options: Sequence[str], chance: Chance) -> str:
        """Any option."""
        return options[int(chance() * len(options))]

    def wants(self, offered: str, chance: Chance) -> bool:
        """Every second time."""
        return chance() < 0.5


POLICIES: Final = ("basic", "mimic", "never-hit", "stand12", "random")
"""Names of the lines of play, the usual one first."""


def policy_for(name: str, rules: Rules) -> Policy:
    """The line of play of this name. Raises ValueError naming those that there are."""
    match name:
        case "mimic":
            return MimicsDealer(rules.dealer_hits_soft_17)
        case "never-hit":
            return DrawsUntil(hard=0, soft=0)
        case "stand12":
            return DrawsUntil(hard=12, soft=17)
        case "basic":
            return Basic(strategy_for(rules))
        case "random":
            return RandomPlay()
        case _:
            raise ValueError(f"no policy {name!r}: one of {', '.join(POLICIES)}")
