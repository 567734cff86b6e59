"""Positions and options of readers, as they come from a configuration file.

A position is a word: ``swipe`` (each card is passed over the reader before it is laid), ``dealer``, ``burn``,
``discard``, ``box-N`` or ``box-N-H`` (hand H of box N, both from 1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

SWIPE = "swipe"
POSITIONS = "swipe, dealer, burn, discard, box-N, box-N-H"
_POSITION = re.compile(r"swipe|dealer|burn|discard|box-([1-9]\d?)(?:-([1-9]))?")


def spot_of(position: str) -> tuple[int, int] | None:
    """Box (0 the dealer) and hand of a position where cards are laid; None for the other positions. Raises ValueError
    for a word that is no position."""
    found = _POSITION.fullmatch(position)
    if found is None:
        raise ValueError(f"{position!r} is no position; allowed are {POSITIONS}")
    if position == "dealer":
        return 0, 1
    return (int(found[1]), int(found[2] or 1)) if found[1] else None


class OptionReader:
    """Reads the options of one reader; every method raises ValueError, one line, naming option, value and what is
    allowed."""

    __slots__ = ("_driver", "_options")

    def __init__(self, driver: str, options: Mapping[str, object], known: Sequence[str]) -> None:
        """Refuses an option that is not among the ``known`` ones."""
        self._driver = driver
        self._options = options
        for name in options:
            if name not in known:
                raise ValueError(f"{driver}: option {name!r} is unknown; allowed are {', '.join(known)}")

    def position(self) -> str:
        """The option ``position``, by default ``swipe``."""
        position = self.text("position", SWIPE)
        try:
            spot_of(position)
        except ValueError:
            raise self.fault("position", POSITIONS) from None
        return position

    def number(self, name: str, default: int, lowest: int, highest: int) -> int:
        """A whole number from ``lowest`` to ``highest``."""
        value = self._options.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
            raise self.fault(name, f"whole numbers from {lowest} to {highest}")
        return value

    def text(self, name: str, default: str) -> str:
        """Any text."""
        value = self._options.get(name, default)
        if not isinstance(value, str):
            raise self.fault(name, "texts")
        return value

    def word(self, name: str, default: str, allowed: Sequence[str]) -> str:
        """One of the words."""
        value = self.text(name, default)
        if value not in allowed:
            raise self.fault(name, ", ".join(allowed))
        return value

    def fault(self, name: str, allowed: str) -> ValueError:
        """What to raise for a wrong value of this option."""
        return ValueError(f"{self._driver}: {name} is {self._options.get(name)!r}; allowed are {allowed}")
