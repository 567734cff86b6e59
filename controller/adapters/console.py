"""What the dealer console says, as inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.adapters.link import Wiring
from controller.core.cards import Card
from controller.core.inputs import (
    CardShown,
    CommandReceived,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    DeviceReported,
    Input,
    StaffPresented,
)
from drivers import messages as m

ConsoleMessage = m.KeyPressed | m.CardNamed | m.DeckSpread | m.StaffCardPresented

SIGNALS: Final = frozenset(
    {
        "shuffled",
        "player_cut",
        "second_cut",
        "shoe_loaded",
        "shoe_change",
        "new_packs",
        "no_more_bets",
        "next_round",
        "dealer_stand",
        "collect",
        "exposed",
        "first_dealer",
    }
)
"""Keys that are the dealer's own steps."""

COMMANDS: Final = {
    "open_table": "open-table",
    "close_table": "close-table",
    "void_round": "void-round",
    "out_of_service": "out-of-service",
    "back_in_service": "back-in-service",
    "hand_over": "hand-over",
    "resume": "resume",
    "choose": "resume",
    "approve": "approve",
}
"""Keys that are commands of whoever has shown a staff card."""

REPORTS: Final = frozenset({"void_request"})
"""Keys that are only noted."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the staff."""

    staff: str
    role: str


def inputs_of(device: Wiring, message: ConsoleMessage, staff: Mapping[str, Person]) -> tuple[Input, ...]:
    """Inputs of a console's message; ``staff`` maps card numbers to people."""
    name = device.name
    match message:
        case m.KeyPressed():
            return (_key(name, message),)
        case m.CardNamed():
            card = Card.of(message.rank, message.suit)
            if message.purpose == "found":
                return (DealerSignalled(name, "card_found", card.index + 1),)
            if message.purpose == "shown":
                return (CardShown(name, message.box, card, message.hand or 1),)
            kind = "confirm-card" if message.purpose == "confirm" else "assign-card"
            return (CommandReceived(kind, "", "", card=card, device=name, reason="named at the console"),)
        case m.DeckSpread():
            return (DeckSpread(name, message.counts),)
        case m.StaffCardPresented():
            person = staff.get(message.card_id)
            if person is None:
                return (DeviceReported(name, "unknown_staff_card", message.card_id),)
            return (StaffPresented(name, person.staff, person.role),)


def _key(name: str, message: m.KeyPressed) -> Input:
    key = message.key
    if key in SIGNALS:
        return DealerSignalled(name, key, message.value)
    if key in COMMANDS:
        correction = f"#{message.value}" if key == "choose" else ""
        return CommandReceived(COMMANDS[key], "", "", correction=correction, device=name, reason="at the console")
    if key in REPORTS:
        return DeviceReported(name, key, f"box {message.box}" if message.box else "")
    return DecisionSignalled(name, message.box, key, message.hand, message.person, message.value)
