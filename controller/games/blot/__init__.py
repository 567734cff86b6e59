"""Blot for two: one game, any rule set."""

from controller.games.blot.game import GAME

__all__ = ["GAME"]
