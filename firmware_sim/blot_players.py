"""Simulated players of Blot: ``random`` does anything that is allowed, ``greedy`` takes what it can see."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, Literal

from firmware_sim.blot_rules import CONTRACT_KEYS, NO_TRUMP, SUITS, Face, beats, height, legal, points

Style = Literal["random", "greedy"]
KEEP, LEAVE = 1, 2

_ENOUGH: Final = 34
"""Points in trumps with which a greedy player takes: the jack and the nine."""
_SHY: Final = 0.5
_WEARY: Final = 0.02
"""How often a random player passes, and gives up on a turn after trick 3."""
_TRICKS_BEFORE: Final = 3


class BlotPlayer:
    """One of the two players: decides from the own cards, what lies open, and ``rng``."""

    def __init__(self, style: Style, rng: Random) -> None:
        self._style = style
        self._rng = rng

    def takes(self, hand: Sequence[Face], up: Face) -> bool:
        """First bidding round: whether the turned-up suit becomes trump."""
        if self._style == "random":
            return self._rng.random() >= _SHY
        return _worth([*hand, up], up[1]) >= _ENOUGH

    def names(self, hand: Sequence[Face], up: Face, *, forced: bool) -> tuple[str, int] | None:
        """Second bidding round: the contract and `KEEP` or `LEAVE`; None to pass, which who is ``forced`` cannot."""
        allowed = [contract for contract in CONTRACT_KEYS if contract != up[1]]
        if self._style == "random":
            if not forced and self._rng.random() < _SHY:
                return None
            return self._rng.choice(allowed), self._rng.choice((KEEP, LEAVE))
        best = max((c for c in allowed if c != NO_TRUMP), key=lambda suit: (_worth(hand, suit), suit))
        return (best, KEEP) if forced or _worth(hand, best) >= _ENOUGH else None

    def gives_up(self, tricks: int) -> bool:
        """Whether the round is given up on this turn, after so many tricks."""
        return self._style == "random" and tricks >= _TRICKS_BEFORE and self._rng.random() < _WEARY

    def plays(self, hand: Sequence[Face], led: Face | None, contract: str) -> Face:
        """A card that may be played."""
        allowed = sorted(legal(hand, led, contract))
        if self._style == "random":
            return self._rng.choice(allowed)
        if led is None:
            return max(allowed, key=lambda card: (height(card, contract), card[1] != contract, card))
        winning = [card for card in allowed if beats(led, card, contract)]
        return min(winning or allowed, key=lambda card: (points(card, contract), height(card, contract), card))


def _worth(hand: Sequence[Face], suit: str) -> int:
    assert suit in SUITS
    return sum(points(card, suit) for card in hand if card[1] == suit)
