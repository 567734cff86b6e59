"""Who is on the table's wires: the serial numbers that belong there, and devices that do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from controller.core.records import replace

MOST_DEVICES: Final = 64
"""Devices that are followed; a table has a dozen."""


@dataclass(frozen=True, slots=True)
class Known:
    """The serial number that belongs on a device's wire: the one heard there last, or ``paired`` by a person."""

    device: str
    serial: str
    paired: bool = False


@dataclass(frozen=True, slots=True)
class Stranger:
    """A device on the wire of another one: its serial number, the one line that says so, whether cards leave it, and
    whether it tells of chips."""

    device: str
    serial: str
    reason: str
    sees_cards: bool = False
    sees_chips: bool = False


@dataclass(frozen=True, slots=True)
class Wires:
    """Devices that say who they are, at most one entry a name; and which of several ``shoes`` is the one in use
    (``active``): the others are spares, or were put out of use. Both are empty at a table with one card source."""

    known: tuple[Known, ...] = ()
    strangers: tuple[Stranger, ...] = ()
    shoes: tuple[str, ...] = ()
    active: str = ""

    def idle(self, device: str) -> bool:
        """True for a shoe that is not in use: no card may leave it."""
        return device != self.active and device in self.shoes

    def with_shoes(self, shoes: tuple[str, ...]) -> Wires:
        """The table has these shoes; the one in use stays so, else it is the first."""
        active = self.active if self.active in shoes else next(iter(shoes), "")
        return replace(self, shoes=shoes, active=active)

    def serial_of(self, device: str) -> str:
        """The serial number that belongs here; empty while none was ever heard."""
        return next((k.serial for k in self.known if k.device == device), "")

    def stranger_on(self, device: str) -> Stranger | None:
        """Who is on this wire and does not belong there."""
        return next((s for s in self.strangers if s.device == device), None)

    def with_known(self, known: Known) -> Wires:
        """The device with this serial number belongs here: whoever else was on this wire is gone."""
        others = tuple(k for k in self.known if k.device != known.device)
        strangers = tuple(s for s in self.strangers if s.device != known.device)
        return replace(self, known=(*others, known)[-MOST_DEVICES:], strangers=strangers)

    def with_stranger(self, stranger: Stranger) -> Wires:
        """A device that does not belong here came to a wire."""
        others = tuple(s for s in self.strangers if s.device != stranger.device)
        return replace(self, strangers=(*others, stranger)[-MOST_DEVICES:])


NOBODY: Final = Wires()
"""Before any device said who it is."""
