"""What a dealing shoe says, as inputs."""

from __future__ import annotations

from controller.adapters.link import Wiring
from controller.core.cards import Card
from controller.core.inputs import (
    CardDrawn,
    CardUnreadable,
    CutCardDrawn,
    DeviceFault,
    DeviceGap,
    DeviceReported,
    Input,
)
from drivers import messages as m

ShoeMessage = (
    m.CardDrawn
    | m.CardUnreadable
    | m.CutCardDrawn
    | m.ShoeStarted
    | m.ShoeStandBy
    | m.ShoeResult
    | m.ShoeError
    | m.KeyLockChanged
    | m.SettingChanged
    | m.SensorChanged
)

_SENSORS = {
    "lid": ("lid_open", "the lid is open"),
    "tamper": ("tamper", "the tamper sensor is tripped"),
    "throat": ("card_in_throat", "a card lies in the throat: draw it, or take it out"),
}


def inputs_of(device: Wiring, message: ShoeMessage) -> tuple[Input, ...]:
    """Inputs of a shoe's message. The shoe's own idea of the target and of the result is never used."""
    name = device.name
    match message:
        case m.CardDrawn():
            outside = message.out_of_game.value if message.out_of_game else ""
            return (CardDrawn(name, Card.of(message.rank, message.suit), outside, message.read_again),)
        case m.CardUnreadable():
            return (CardUnreadable(name, message.detail),)
        case m.CutCardDrawn():
            return (CutCardDrawn(name),)
        case m.ShoeStarted():
            gap = () if device.capabilities.replay else (DeviceGap(name, "the shoe restarted"),)
            return (DeviceReported(name, "started", message.reason), *gap)
        case m.ShoeStandBy():
            return (DeviceReported(name, "stand_by"),)
        case m.ShoeResult():
            return (DeviceReported(name, "result", str(message.value)),)
        case m.ShoeError():
            mode = "in error mode" if message.in_error_mode else "not in error mode"
            return (DeviceFault(name, message.name, f"error {message.code}, {mode}", cleared=not message.active),)
        case m.KeyLockChanged():
            return (DeviceReported(name, "key", "locked" if message.locked else "unlocked"),)
        case m.SettingChanged():
            return (DeviceReported(name, "setting", f"{message.name} = {message.value}"),)
        case m.SensorChanged(sensor, active):
            return (DeviceFault(name, *_SENSORS[sensor], cleared=not active),)
