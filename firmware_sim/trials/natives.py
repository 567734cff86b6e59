"""Trials of devices on the native link: every event that the device ever records is a fact, and gaps have an exact size
as long as its memory lives."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from drivers.messages import (
    CommandResult,
    DeviceCommand,
    DeviceGap,
    DeviceIdentified,
    DeviceMessage,
    LineFault,
    LinkChanged,
    Lock,
    Unlock,
)
from firmware_sim.bets import SimBetSensor
from firmware_sim.console import SimConsole
from firmware_sim.faults import Faults
from firmware_sim.mishaps import CardFault, Mishaps
from firmware_sim.native import NativeFirmware
from firmware_sim.native_shoe import NativeShoe
from firmware_sim.nvram import MemoryNvram
from firmware_sim.rack import SimRack
from firmware_sim.shoe import CUT_CARD
from firmware_sim.trials.angel_eye import face
from firmware_sim.trials.judge import Fact, Gap
from firmware_sim.trials.rig import Teller
from firmware_sim.wire import Firmware

Listen = Callable[[DeviceMessage], None]


class Scene(Protocol):
    """One kind of device and what is done with it."""

    unseen: int

    @property
    def device(self) -> NativeFirmware:
        """The device."""
        ...

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """See `firmware_sim.trials.rig.Trial`."""
        ...


MakeScene = Callable[[str, MemoryNvram, int, Listen], Scene]
"""From serial number, memory, its id, and who is told of every event."""


class NativeTrial:
    """A trial of any native device; see `firmware_sim.trials.rig.Trial`."""

    def __init__(self, make: MakeScene) -> None:
        self.options: Mapping[str, object] = {"allow_simulated": True}
        self.may_repeat = False
        self.truth: list[Fact] = []
        self._make = make
        self._nvram = MemoryNvram()
        self._memories = 1
        self._scene = make("TRIAL-1", self._nvram, 1, self.truth.append)

    @property
    def firmware(self) -> NativeFirmware:
        """The device."""
        return self._scene.device

    @property
    def unseen(self) -> int:
        """What no sensor of the device could see."""
        return self._scene.unseen

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """What is done with this device."""
        return self._scene.act(mishaps, rng, host)

    def restart(self, *, blank: bool) -> Iterator[int]:
        """Off, and on after a while; ``blank``: with another memory."""
        self.firmware.power_loss()
        yield 300
        if blank:
            self._nvram.wipe()
            self._memories += 1
            self.firmware.format_with(self._memories)
        self.firmware.power_on()
        yield 100

    def stranger(self) -> Firmware | None:
        """Another device of this kind, with events that must never be heard of."""
        other = self._make("STRANGER-1", MemoryNvram(), 99, lambda _message: None)
        rng = random.Random(1)
        for _ in range(5):
            for _pause_ms in other.act(Mishaps(Faults()), rng, _Nobody()):
                pass
        return other.device

    def heard(self, message: DeviceMessage) -> Fact | Gap | None:
        """Every event is a fact; a link that was down is no gap, for everything is kept."""
        match message:
            case DeviceGap(missing):
                return Gap(missing)
            case DeviceIdentified() | LinkChanged() | LineFault() | CommandResult():
                return None
            case _:
                return message

    def settled(self) -> bool:
        """Whether the host has everything."""
        return self.firmware.acked == self.firmware.last_event


class _Nobody:
    """A host that is not there."""

    def tell(self, command: DeviceCommand) -> int:
        """Nobody listens."""
        return 0

    def outcome(self, request: int) -> str:
        """Nothing is known."""
        return ""


class _Told(NativeFirmware):
    """A device that tells the trial what it records."""

    listen: Listen

    def record(self, message: DeviceMessage) -> int | None:
        """As the device does; and whoever listens is told."""
        number = super().record(message)
        if number is not None:
            self.listen(message)
        return number


class _Shoe(_Told, NativeShoe):
    def __init__(self, serial: str, nvram: MemoryNvram, memory_id: int, listen: Listen) -> None:
        self.listen = listen
        super().__init__(serial=serial, nvram=nvram, memory_id=memory_id)


class _Console(_Told, SimConsole):
    def __init__(self, serial: str, nvram: MemoryNvram, memory_id: int, listen: Listen) -> None:
        self.listen = listen
        super().__init__(serial, nvram, memory_id)


class _Bets(_Told, SimBetSensor):
    def __init__(self, serial: str, nvram: MemoryNvram, memory_id: int, listen: Listen) -> None:
        self.listen = listen
        super().__init__(serial, nvram, memory_id)


class _Rack(_Told, SimRack):
    def __init__(self, serial: str, nvram: MemoryNvram, memory_id: int, listen: Listen) -> None:
        self.listen = listen
        super().__init__(serial, nvram, memory_id)


class ShoeScene:
    """A native shoe: cards one after the other; now and then something else that a shoe notices."""

    def __init__(self, serial: str, nvram: MemoryNvram, memory_id: int, listen: Listen) -> None:
        self.device = _Shoe(serial, nvram, memory_id, listen)
        self.unseen = 0
        self._number = 0

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """See `Scene`."""
        shoe = self.device
        match rng.randrange(100):
            case 0 | 1 | 2:
                request = host.tell(Lock())
                yield 1000
                if host.outcome(request) == "done":
                    self._draw(mishaps)
                    self._draw(mishaps)
                host.tell(Unlock())
                yield 1000
            case 3 | 4:
                shoe.load([face(self._next())])
                shoe.draw_unreadable()
                yield 500
                shoe.clear_error()
            case 5:
                shoe.load([CUT_CARD])
                shoe.draw()
            case 6:
                shoe.open_lid(opened=rng.random() < 0.5)
            case 7:
                shoe.turn_key(locked=True)
                yield 500
                shoe.turn_key(locked=False)
            case 8:
                shoe.half_draw(inside=rng.random() < 0.5)
            case _:
                self._draw(mishaps)
        yield rng.randint(50, 1500)

    def _draw(self, mishaps: Mishaps) -> None:
        shoe = self.device
        shoe.load([face(self._next()), face(self._number + 1)])
        match mishaps.of_card():
            case CardFault.MISREAD:
                shoe.draw_misread(face(self._number + 7))
            case CardFault.UNREPORTED:
                self.unseen += shoe.draw_unseen() is not None
            case CardFault.DOUBLE_FEED:
                shoe.draw_double()
                shoe.clear_error()
            case None:
                shoe.draw()

    def _next(self) -> int:
        self._number += 1
        return self._number


KEYS = ("hit", "stand", "double", "split", "surrender", "no_more_bets", "next_round", "dealer_stand", "collect")


class ConsoleScene:
    """A console whose keys are pressed, often two in quick succession."""

    def __init__(self, serial: str, nvram: MemoryNvram, memory_id: int, listen: Listen) -> None:
        self.device = _Console(serial, nvram, memory_id, listen)
        self.unseen = 0
        self._number = 0

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """See `Scene`."""
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            self._number += 1
            self.device.press_key(rng.choice(KEYS), rng.randint(0, 7), value=self._number)
        yield rng.randint(50, 2000)


class BetsScene:
    """A bet sensor: stakes laid, collected and paid."""

    def __init__(self, serial: str, nvram: MemoryNvram, memory_id: int, listen: Listen) -> None:
        self.device = _Bets(serial, nvram, memory_id, listen)
        self.unseen = 0
        self._number = 0

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """See `Scene`."""
        self._number += 1
        box, amount_minor = rng.randint(1, 7), self._number
        self.device.place(box, 1, "main", amount_minor)
        yield rng.randint(50, 1000)
        if rng.random() < 0.5:
            self.device.pay(box, 1, "main", amount_minor)
        else:
            self.device.collect(box, 1, "main", amount_minor)
        self.device.lay_card(box)
        yield rng.randint(50, 1000)


class RackScene:
    """A discard rack that is filled and emptied."""

    def __init__(self, serial: str, nvram: MemoryNvram, memory_id: int, listen: Listen) -> None:
        self.device = _Rack(serial, nvram, memory_id, listen)
        self.unseen = 0
        self._number = 0

    def act(self, mishaps: Mishaps, rng: random.Random, host: Teller) -> Iterator[int]:
        """See `Scene`."""
        self._number += 1
        if self.device.count > 300:
            self.device.empty()
        self.device.put(f"04{self._number:06X}", readable=rng.random() < 0.95)
        yield rng.randint(50, 1500)
