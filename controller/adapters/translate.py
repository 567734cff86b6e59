"""Any device message as inputs."""

from __future__ import annotations

from collections.abc import Mapping

from controller.adapters import bets, console, link, reader, shoe
from controller.adapters.console import Person
from controller.adapters.link import Wiring
from controller.adapters.reader import Faces, no_faces
from controller.core.inputs import Input
from drivers import messages as m


def translate(
    device: Wiring, message: m.DeviceMessage, staff: Mapping[str, Person], faces: Faces = no_faces
) -> tuple[Input, ...]:
    """The inputs a message stands for, in order; empty for what the table need not know. ``faces`` is the deck
    register's knowledge of tags."""
    if isinstance(message, m.KeyPressed | m.CardNamed | m.DeckSpread | m.StaffCardPresented):
        return console.inputs_of(device, message, staff)
    if isinstance(message, m.WagerPlaced | m.WagerTakenBack | m.ChipsCollected | m.PayoutMade | m.CardLaid):
        return bets.inputs_of(device, message)
    if isinstance(message, m.DeviceIdentified | m.LinkChanged | m.LineFault | m.DeviceGap | m.CommandResult):
        return link.inputs_of(device, message)
    if isinstance(message, m.CardPresent | m.TagSeen | m.CardGone | m.Collision | m.ReadFailed | m.RackCounted):
        return reader.inputs_of(device, message, faces)
    return shoe.inputs_of(device, message)
