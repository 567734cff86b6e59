"""The dealer console as a person sees it: four lines and a few lamps that the controller writes (docs/simulator.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

LAMP_FOLLOWING = 0
LAMP_HELD = 1
LAMP_CARD_DUE = 2
LAMP_PAYMENT_WRONG = 3

_COUNTS = re.compile(r"shoe (\d+) drawn (\d+) table (\d+)")
_CORRECTION = re.compile(r"(\d+) ([a-z_]+)")
_HELD = re.compile(r"held (v\d+)(?: ([A-Z_]+))?")


@dataclass(frozen=True, slots=True)
class Display:
    """What a look at the console tells. ``drawn`` counts the cards of this shoe, ``on_table`` those of this round; both
    are -1 when they are not shown. ``corrections`` are the words offered, in the order of their numbers."""

    following: bool = False
    """lamp and text say that the controller follows, and the console has a host"""
    held: bool = False
    phase: str = ""
    round_id: str = ""
    verdict: str = ""
    code: str = ""
    expected: str = ""
    shoe: int = -1
    drawn: int = -1
    on_table: int = -1
    corrections: tuple[str, ...] = ()

    @property
    def free(self) -> bool:
        """The controller follows and waits for nobody: the dealer may go on."""
        return self.following and not self.held

    @property
    def asks_second(self) -> bool:
        """A second person is to show a staff card and approve."""
        return self.expected.startswith("2nd person")

    @classmethod
    def read(cls, texts: Sequence[str], lamps: Sequence[str], *, linked: bool = True) -> Display:
        """Read four lines and the lamps; ``linked`` is False when the console's own mark says that it has no host."""
        phase, _, round_id = texts[0].partition(" ")
        held = _HELD.fullmatch(texts[0])
        counts = _COUNTS.fullmatch(texts[2])
        shoe, drawn, on_table = (int(number) for number in counts.groups()) if counts else (-1, -1, -1)
        lit = lamps[LAMP_FOLLOWING] == "on" or phase == "closed"
        return cls(
            following=linked and bool(phase) and (lit or held is not None),
            held=held is not None or lamps[LAMP_HELD] == "blink",
            phase="held" if held else phase,
            round_id="" if held else round_id,
            verdict=held[1] if held else "",
            code=(held[2] or "") if held else "",
            expected=texts[1],
            shoe=shoe,
            drawn=drawn,
            on_table=on_table,
            corrections=tuple(word for _, word in _CORRECTION.findall(texts[3])),
        )
