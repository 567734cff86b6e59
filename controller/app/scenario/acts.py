"""Acts: what devices and people do in a scenario, before it is known whether real drivers or the core alone hear it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from controller.core.cards import Card
from drivers.messages import (
    CardLaid,
    CardNamed,
    DeckSpread,
    KeyPressed,
    PayoutMade,
    StaffCardPresented,
    WagerPlaced,
    WagerTakenBack,
)
from drivers.messages import ChipsCollected as ChipsCollectedMessage

SHOE: Final = "shoe"
SPARE: Final = "spare"
"""The name of the second shoe of a table that has one."""


class Manner(StrEnum):
    """How a card leaves the shoe."""

    USUAL = "usual"
    UNREADABLE = "unreadable"
    CUT_CARD = "cut_card"
    LOCKED = "locked"
    """while the shoe's own key forbids it"""
    OVERDRAWN = "overdrawn"
    """one too many by the shoe's own game: it says so, and announces the card again once its error is cleared"""
    LOST = "lost"
    """no copy of its telegram arrives"""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card leaves a shoe, that in use unless one is named. ``card`` is None for the cut card, and for an unreadable
    card whose face nobody knows."""

    card: Card | None
    manner: Manner = Manner.USUAL
    shoe: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """The reader at a place reads the card that lies there; None: it cannot. ``device`` is the word of its position."""

    device: str
    card: Card | None


SaidMessage = (
    KeyPressed
    | CardNamed
    | DeckSpread
    | StaffCardPresented
    | WagerPlaced
    | WagerTakenBack
    | ChipsCollectedMessage
    | PayoutMade
    | CardLaid
)


@dataclass(frozen=True, slots=True)
class Said:
    """The console or the bet sensor notices something."""

    device: Literal["console", "bets"]
    message: SaidMessage


@dataclass(frozen=True, slots=True)
class Commanded:
    """A command that did not come from the table's own console. ``by`` and ``approved`` are names of the scenario's
    staff; ``approved`` may be empty. ``target`` is the device it is about."""

    name: str
    by: str
    approved: str = ""
    correction: str = ""
    card: Card | None = None
    verdict: str = ""
    reason: str = "scenario"
    target: str = ""


@dataclass(frozen=True, slots=True)
class Cable:
    """Somebody pulls a device's cable, plugs it in again, or the device restarts."""

    device: str
    what: Literal["unplug", "plug", "reboot"]


@dataclass(frozen=True, slots=True)
class ShoeTrouble:
    """The shoe in use reports an error by its word (``reverse_exit``), or that it is over (``cleared``)."""

    word: str
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class Waited:
    """Time passes and nothing happens."""

    duration_ms: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """The controller dies and comes back on its journal."""


Primitive = Drawn | Seen | Said | Commanded | Cable | ShoeTrouble | Waited | Restarted
"""What a bench carries out."""


@dataclass(frozen=True, slots=True)
class DrawNext:
    """The next ``count`` cards of the scenario's shoe are drawn."""

    count: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """The staff does what is expected, rightly, until the table is in this phase."""

    phase: str


@dataclass(frozen=True, slots=True)
class Settled:
    """The dealer pays and takes exactly what is owed now; with ``collect`` the cards are collected, too."""

    collect: bool


@dataclass(frozen=True, slots=True)
class Played:
    """The round goes on by itself: cards as they are due, every hand stands, then it is settled and collected."""


Act = Primitive | DrawNext | Prepared | Settled | Played
"""What a line of a scenario may say."""
