"""Trials of card readers: cards swiped, tags laid and lifted, two at once."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from drivers.messages import (
    CardPresent,
    Collision,
    DeviceGap,
    DeviceMessage,
    LinkChanged,
    LinkState,
    ReadFailed,
    TagSeen,
)
from firmware_sim.mishaps import Mishaps
from firmware_sim.reader_barcode import SimBarcodeReader
from firmware_sim.reader_pn532 import SimPn532
from firmware_sim.reader_rdm6300 import SimRdm6300
from firmware_sim.trials.angel_eye import face
from firmware_sim.trials.judge import Fact, Gap
from firmware_sim.trials.rig import Teller
from firmware_sim.wire import Firmware

NUMBERED = r"(?P<seq>\d{3})(?P<rank>10|[A2-9JQK])(?P<suit>[SHDC])-(?P<deck>[A-Z0-9]{4})"
DWELL_MS = (2500, 5000)
"""How long a card lies: for so long that even a bad line lets it be read, or the driver says that it was blind."""


def _doubt(message: DeviceMessage) -> Gap | None:
    """What says that something may be missing; what was before the link came up, nobody can know."""
    match message:
        case ReadFailed() | DeviceGap() | LinkChanged(LinkState.DOWN | LinkState.UP):
            return Gap()
        case _:
            return None


@dataclass(slots=True)
class BarcodeTrial:
    """A swipe reader with a check character and line numbers: what such a wire needs to be sure of anything."""

    firmware: SimBarcodeReader = field(default_factory=lambda: SimBarcodeReader(check="mod43", sequence_digits=3))
    options: Mapping[str, object] = field(default_factory=lambda: {"pattern": NUMBERED, "check": "mod43"})
    may_repeat: bool = False
    truth: list[Fact] = field(default_factory=list)
    unseen: int = 0
    _number: int = 0
    _powered: bool = True

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """A card is swiped."""
        self._number += 1
        card = face(self._number)
        deck = f"{self._number:04X}"
        self.firmware.swipe(card.rank, card.suit, deck)
        self.truth.append(CardPresent("swipe", card.rank, card.suit, deck))
        yield rng.randint(300, 2000)

    def restart(self, *, blank: bool) -> Iterator[int]:
        """Off, and on after a while; it counts its lines anew."""
        self.firmware.power_loss()
        yield 2500
        self.firmware.power_on()

    def stranger(self) -> Firmware | None:
        """This wire has no identity."""
        return None

    def heard(self, message: DeviceMessage) -> Fact | Gap | None:
        """Cards, and doubts."""
        return message if isinstance(message, CardPresent) else _doubt(message)

    def settled(self) -> bool:
        """Nothing is kept, so nothing comes later."""
        return True


@dataclass(slots=True)
class TagTrial:
    """A tag reader in whose field cards are laid, sometimes two at once."""

    firmware: SimPn532 | SimRdm6300
    prefix: str
    options: Mapping[str, object] = field(default_factory=lambda: {"position": "box-1"})
    may_repeat: bool = True
    truth: list[Fact] = field(default_factory=list)
    unseen: int = 0
    _number: int = 0
    _pairs: set[str] = field(default_factory=set)

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """One card is laid and taken away again, or two."""
        tags = [self._tag() for _ in range(2 if rng.random() < 0.1 else 1)]
        for uid in tags:
            self.firmware.lay(uid)
        both = tuple(sorted(tags))
        if len(tags) > 1:
            self._pairs |= set(tags)
        self.truth.append(Collision("box-1", both) if len(tags) > 1 else TagSeen("box-1", both[0]))
        yield rng.randint(*DWELL_MS)
        for uid in tags:
            self.firmware.lift(uid)
        yield rng.randint(1000, 2500)

    def restart(self, *, blank: bool) -> Iterator[int]:
        """Off, and on after a while."""
        self.firmware.power_loss()
        yield 2500
        self.firmware.power_on()
        yield 2500

    def stranger(self) -> Firmware | None:
        """This wire has no identity."""
        return None

    def heard(self, message: DeviceMessage) -> Fact | Gap | None:
        """Tags and collisions, and doubts. One of two tags may be seen alone: the other was not read in its turn."""
        if isinstance(message, TagSeen) and message.uid in self._pairs:
            return None
        return message if isinstance(message, TagSeen | Collision) else _doubt(message)

    def settled(self) -> bool:
        """Nothing is kept, so nothing comes later."""
        return True

    def _tag(self) -> str:
        self._number += 1
        return f"{self.prefix}{self._number:06X}"
