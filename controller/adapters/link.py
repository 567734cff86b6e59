"""What every device may say about itself and its wire."""

from __future__ import annotations

from dataclasses import dataclass

from controller.core.inputs import (
    DeviceFault,
    DeviceGap,
    DeviceOffline,
    DeviceOnline,
    DeviceReported,
    DeviceStranger,
    Input,
)
from drivers import messages as m
from drivers.api import Capabilities


@dataclass(frozen=True, slots=True)
class Wiring:
    """A device as the adapters know it. ``spots`` are the places (box, hand) where it reads the cards that lie; box 0
    is the dealer. ``sees_cards``: a card may be missed while its wire is away."""

    name: str
    kind: str
    capabilities: Capabilities
    spots: tuple[tuple[int, int], ...] = ()

    @property
    def sees_cards(self) -> bool:
        """True for a source of cards: a shoe, or a reader that each card passes before it is laid."""
        return self.kind == "shoe" or (self.kind == "reader" and not self.capabilities.position)

    @property
    def sees_chips(self) -> bool:
        """True for a sensor that tells of chips."""
        return self.kind == "bets"


LinkMessage = m.DeviceIdentified | m.LinkChanged | m.LineFault | m.DeviceGap | m.CommandResult


def inputs_of(device: Wiring, message: LinkMessage) -> tuple[Input, ...]:
    """Inputs of a message about a device itself or its wire."""
    match message:
        case m.DeviceIdentified():
            return (_identified(device, message), *_warnings(device, message))
        case m.LinkChanged(m.LinkState.UP):
            # A device with an identity says HELLO on every connection; that is its coming online.
            forgets = device.sees_cards and not device.capabilities.replay
            return () if device.capabilities.identity else (DeviceOnline(device.name, forgets=forgets),)
        case m.LinkChanged(m.LinkState.DOWN):
            gap = f"the link to {device.name} was down: cards may have left unseen"
            return (DeviceOffline(device.name, message.reason), *_gap(device, gap))
        case m.LinkChanged():
            return ()
        case m.LineFault(serial=serial) if serial:
            return (DeviceStranger(device.name, serial, message.reason, device.sees_cards, device.sees_chips),)
        case m.LineFault():
            return (DeviceFault(device.name, message.code, message.reason, message.cleared),)
        case m.DeviceGap():
            if device.sees_cards:
                return (DeviceGap(device.name, message.reason, message.missing),)
            if device.sees_chips:
                return (DeviceGap(device.name, message.reason, message.missing, chips=True),)
            return (DeviceFault(device.name, "events_lost", f"{message.missing} events lost: {message.reason}"),)
        case m.CommandResult():
            if message.outcome == "done":
                return ()
            text = f"command {message.outcome}: {message.code} {message.reason}".strip()
            return (DeviceFault(device.name, f"command_{message.outcome}", text),)


def gap_after_start(device: Wiring) -> tuple[Input, ...]:
    """The gap that a start of the controller leaves in a source that cannot be asked for what it said meanwhile."""
    return _gap(device, f"the controller was not running and {device.name} keeps nothing: cards may have left unseen")


def _gap(device: Wiring, reason: str) -> tuple[Input, ...]:
    if device.sees_cards and not device.capabilities.replay:
        return (DeviceGap(device.name, reason),)
    return ()


def _identified(device: Wiring, message: m.DeviceIdentified) -> Input:
    return DeviceOnline(device.name, message.model, message.serial, message.firmware, message.simulated, message.boot)


def _warnings(device: Wiring, message: m.DeviceIdentified) -> tuple[Input, ...]:
    found: list[Input] = []
    if message.tamper:
        found.append(DeviceFault(device.name, "tamper", "the tamper sensor is tripped"))
    if message.lid_open:
        found.append(DeviceFault(device.name, "lid_open", "the lid is open"))
    if message.card_in_throat:
        found.append(DeviceReported(device.name, "card_in_throat", "a card was in the throat at power-up"))
    return tuple(found)
