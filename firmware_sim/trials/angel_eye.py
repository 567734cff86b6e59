"""Trial of an Angel Eye shoe: cards, unreadable ones, the cut card, lock and unlock, and what its sensor gets wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from drivers.messages import (
    CardDrawn,
    CardUnreadable,
    CutCardDrawn,
    DeviceGap,
    DeviceMessage,
    LinkChanged,
    LinkState,
    Lock,
    ShoeStarted,
    Unlock,
)
from firmware_sim.mishaps import CardFault, Mishaps
from firmware_sim.shoe import CUT_CARD, AngelEyeShoe, Loaded, ShoeCard
from firmware_sim.trials.judge import Fact, Gap
from firmware_sim.trials.rig import Teller
from firmware_sim.wire import Firmware

UNREADABLE, CUT = "unreadable", "cut card"
BOOT_MS = 2500
"""A shoe takes seconds to boot; by then no copy of what it said before is still on its way."""
_FACES = 52


def face(number: int) -> ShoeCard:
    """Faces pack after pack, each shuffled in another way, so that a gap can be placed and its end be found."""
    at = _pack(number // _FACES)[number % _FACES]
    return ShoeCard(at % 13 + 1, "SHDC"[at // 13])


@lru_cache(maxsize=8)
def _pack(number: int) -> tuple[int, ...]:
    faces = list(range(_FACES))
    random.Random(f"pack {number}").shuffle(faces)
    return tuple(faces)


def _fact(card: Loaded) -> Fact:
    return ("card", card.rank, card.suit) if isinstance(card, ShoeCard) else CUT


@dataclass(slots=True)
class AngelEyeTrial:
    """An Angel Eye shoe, dealt from at a dealer's pace."""

    firmware: AngelEyeShoe = field(default_factory=AngelEyeShoe)
    options: Mapping[str, object] = field(default_factory=dict)
    may_repeat: bool = False
    truth: list[Fact] = field(default_factory=list)
    unseen: int = 0
    _number: int = 0

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """Mostly a card; now and then a cut card, an unreadable one, or a lock and what the throat then holds."""
        kind = rng.randrange(100)
        shoe = self.firmware
        if kind < 3:
            request = host.tell(Lock())
            yield 2000
            if host.outcome(request) == "done":
                yield from self._draw(mishaps)
                yield from self._draw(mishaps)
            host.tell(Unlock())
            yield 2000
        elif kind < 6:
            shoe.load([face(self._next())])
            if shoe.draw_unreadable() is not None:
                self.truth.append(UNREADABLE)
            yield rng.randint(1500, 3000)
            shoe.clear_error()
            yield rng.randint(1000, 2000)
        elif kind < 8:
            shoe.load([CUT_CARD])
            if shoe.draw() is not None:
                self.truth.append(CUT)
            yield rng.randint(1000, 2000)
        else:
            yield from self._draw(mishaps)
        yield rng.randint(600, 1500)

    def restart(self, *, blank: bool) -> Iterator[int]:
        """Off, and on after a while."""
        self.firmware.power_off()
        yield BOOT_MS
        self.firmware.power_on()
        yield 1000

    def stranger(self) -> Firmware | None:
        """This wire has no identity."""
        return None

    def heard(self, message: DeviceMessage) -> Fact | Gap | None:
        """Cards; a gap, a start and a link that was down say that something may be missing, for nothing is kept."""
        match message:
            case CardDrawn(rank, suit):
                return ("card", rank, suit)
            case CardUnreadable():
                return UNREADABLE
            case CutCardDrawn():
                return CUT
            case DeviceGap() | ShoeStarted() | LinkChanged(LinkState.DOWN):
                return Gap()
            case _:
                return None

    def settled(self) -> bool:
        """Nothing is kept, so nothing comes later."""
        return self.firmware.quiet

    def _draw(self, mishaps: Mishaps) -> Iterator[int]:
        shoe, card = self.firmware, face(self._next())
        shoe.load([card])
        match mishaps.of_card():
            case CardFault.MISREAD:
                seen = face(self._number + 7)
                if shoe.draw_misread(seen) is not None:
                    self.truth.append(_fact(seen))
            case CardFault.UNREPORTED:
                self.unseen += shoe.draw_unseen() is not None
            case CardFault.DOUBLE_FEED:
                if shoe.draw() is not None:
                    self.truth.append(_fact(card))
                shoe.load([face(self._next())])
                self.unseen += shoe.draw_unseen() is not None
            case None:
                if shoe.draw() is not None:
                    self.truth.append(_fact(card))
        yield 700

    def _next(self) -> int:
        self._number += 1
        return self._number
