"""Who plays in a demo of each game, what they do wrong, and when the controller may die."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware_sim.blot_dealer import BlotCroupier
from firmware_sim.dealer import Dealer
from firmware_sim.script import Script


@dataclass(frozen=True, slots=True)
class Cast:
    """The people of a game: ``dealer`` is made like `firmware_sim.dealer.Dealer`, ``script`` are the mistakes of a
    whole demo. With so many cards on the table as in ``deadly`` one could be missed: a death must be noticed."""

    dealer: Callable[..., Dealer]
    script: Script
    deadly: range


CAMERA: Final = "camera"
"""The cast of blackjack at a table with a camera."""

_CASTS: Final = {
    "blackjack": Cast(Dealer, Script.demo(), range(3, 312)),
    CAMERA: Cast(Dealer, Script.camera(), range(3, 312)),
    "blot": Cast(BlotCroupier, Script.blot(), range(3, 10)),
}


def cast_of(game: str) -> Cast:
    """The cast of ``blackjack``, ``blot`` or `CAMERA`."""
    return _CASTS[game]
