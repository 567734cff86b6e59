"""What the bet sensor says, as inputs."""

from __future__ import annotations

from controller.adapters.link import Wiring
from controller.core.inputs import (
    CardLaid,
    ChipsCollected,
    ChipsPaid,
    Input,
    WagerPlaced,
    WagerWithdrawn,
)
from drivers import messages as m

BetsMessage = m.WagerPlaced | m.WagerTakenBack | m.ChipsCollected | m.PayoutMade | m.CardLaid


def inputs_of(device: Wiring, message: BetsMessage) -> tuple[Input, ...]:
    """Inputs of a bet sensor's message; its seats are the persons of a box."""
    if isinstance(message, m.CardLaid):
        return (CardLaid(device.name, message.box, message.hand),)
    chips = (device.name, message.box, message.seat, message.bet, message.amount_minor)
    match message:
        case m.WagerPlaced():
            return (WagerPlaced(*chips),)
        case m.WagerTakenBack():
            return (WagerWithdrawn(*chips),)
        case m.ChipsCollected():
            return (ChipsCollected(*chips),)
        case m.PayoutMade():
            return (ChipsPaid(*chips),)
