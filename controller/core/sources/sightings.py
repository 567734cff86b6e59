"""What the fusion of sources asks of a game whose dealt cards lie open on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Protocol

from controller.core.cards import Card
from controller.core.game import Outcome

ASIDE: Final = -1
"""The box of a card that lies at no spot yet."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A card by the record of the game. Box 0 is the dealer, `ASIDE` no spot; ``card`` is None while nobody has read
    it; ``down``: it lies face down; ``waits`` is the key of the verdict that waits for its name or its place."""

    box: int
    hand: int
    card: Card | None
    down: bool = False
    waits: str = ""


class Sightings(Protocol):
    """The part of a game that knows where its cards lie. Every method is pure and total like the game's own."""

    def lying(self, rules: Any, state: Any) -> tuple[Lying, ...]:
        """Every card of the round, those of one hand in the order they were dealt to it."""
        ...

    def decided(self, state: Any) -> bool:
        """True when what every bet is owed is final, and the cards are not collected yet."""
        ...

    def rename(self, rules: Any, state: Any, at: tuple[int, int, int], card: Card, *, former: bool) -> Outcome:
        """The card ``at`` box, hand and place in the hand (from 0) is ``card``: the source that drew it misread it.
        ``former``: it left a shoe before the one in use, which does not count it. An outcome with a refusal where
        what was done since could not have happened with that card."""
        ...

    def mislaid(
        self, rules: Any, state: Any, wanted: tuple[int, int], found: tuple[int, int], *, held: bool
    ) -> Outcome:
        """The card due at the spot ``wanted`` was seen at ``found`` (box, hand)."""
        ...
