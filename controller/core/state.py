"""The table's state: everything the controller knows, as the fold of its inputs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from controller.core.inputs import CommandReceived
from controller.core.records import quick
from controller.core.sources.fusion import NOTHING, Fusion
from controller.core.verdicts import OpenVerdict
from controller.core.wires import NOBODY, Wires


class Service(StrEnum):
    """Whether the table is in use."""

    CLOSED = "closed"
    OPEN = "open"
    OUT_OF_SERVICE = "out_of_service"


@dataclass(frozen=True, slots=True)
class StaffOn:
    """A person who has shown a staff card, when, and the console where."""

    staff: str
    role: str
    at_us: int
    device: str = ""


@dataclass(frozen=True, slots=True)
class Signed:
    """A command that its first person has given and a second one must approve: as it will be carried out, with the
    verdict and the correction that were meant; the ``round`` it was about, empty between rounds; and when."""

    command: CommandReceived
    round: str
    at_us: int


@quick
@dataclass(frozen=True, slots=True)
class TableState:
    """State of one table. ``rules`` is what the game made of ``rules_data``; ``game`` is the game's own frozen state
    (both None until a rule set is chosen). ``verdicts`` are those still open or holding; ``verdict_count`` numbers
    them. ``staff``: cards shown, the newest last. ``offline``: names of devices whose link is down. ``signed``: what
    waits for a second person, the newest last. ``fusion``: what several sources have said of the cards. ``wires``: who
    belongs on them."""

    service: Service = Service.CLOSED
    epoch: int = 0
    game_name: str = ""
    rules_name: str = ""
    rules_sha256: str = ""
    rules_data: Any = None
    rules: Any = None
    game: Any = None
    verdicts: tuple[OpenVerdict, ...] = ()
    verdict_count: int = 0
    staff: tuple[StaffOn, ...] = ()
    offline: tuple[str, ...] = ()
    signed: tuple[Signed, ...] = ()
    fusion: Fusion = NOTHING
    wires: Wires = NOBODY

    def with_game(self, game: Any) -> TableState:
        """The table with another state of its game: what nearly every input does to it."""
        return TableState(
            self.service,
            self.epoch,
            self.game_name,
            self.rules_name,
            self.rules_sha256,
            self.rules_data,
            self.rules,
            game,
            self.verdicts,
            self.verdict_count,
            self.staff,
            self.offline,
            self.signed,
            self.fusion,
            self.wires,
        )


EMPTY = TableState()
"""A table before its first input."""
