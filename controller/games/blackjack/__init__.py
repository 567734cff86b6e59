"""Blackjack: one game, any rule set."""

from controller.games.blackjack.game import GAME

__all__ = ["GAME"]
