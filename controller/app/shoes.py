"""Where the cards of a table come from: the shoe in use, its spares, which of them are away, and what to do then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from controller.core.state import Service, TableState


@dataclass(frozen=True, slots=True)
class Shoes:
    """The sources of a table's cards by their devices' names. ``in_use``: the shoe that cards come from, or the readers
    that each card passes; ``spares`` may take its place; ``offline``: those of both whose link is down. ``advice`` is
    one line for the dealer, empty while everything in use is there."""

    in_use: tuple[str, ...] = ()
    spares: tuple[str, ...] = ()
    offline: tuple[str, ...] = ()
    advice: str = ""

    @property
    def missing(self) -> str:
        """The first device in use that is away; empty where none is."""
        return next((name for name in self.in_use if name in self.offline), "")


NO_SHOES: Final = Shoes()
"""A table whose devices are not known."""


def shoes_of(state: TableState, sources: Sequence[str]) -> Shoes:
    """How the ``sources`` of cards stand, which are devices by name in the order of the configuration."""
    active = state.wires.active
    in_use = (active,) if active else tuple(sources)
    spares = tuple(name for name in sources if name not in in_use)
    shoes = Shoes(in_use, spares, tuple(name for name in sources if name in state.offline))
    if not shoes.missing:
        return shoes
    there = [name for name in spares if name not in state.offline] if state.service is Service.OPEN else []
    instead = f", or hand over to {' or '.join(there)}" if there else ""
    return Shoes(shoes.in_use, spares, shoes.offline, _plug_in(shoes.missing) + instead)


def _plug_in(name: str) -> str:
    return f"{name} is offline: plug it in"


def console_text(shoes: Shoes, width: int) -> str:
    """What a console of ``width`` columns says of the missing shoe: never cut, for a device's name has 32 characters at
    most."""
    if not shoes.missing:
        return ""
    texts = (shoes.advice, _plug_in(shoes.missing), f"plug in {shoes.missing}")
    return next((text for text in texts if len(text) <= width), texts[-1])
