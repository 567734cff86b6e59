"""A command that came over MQTT: as an input of the table, and what its sender is answered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from controller.bus.commands import CommandRequest
from controller.core.cards import Card
from controller.core.facts import CommandRejected, CommandSigned
from controller.core.inputs import CommandReceived

_TEXTS: Final = frozenset({"reason", "verdict", "correction", "request", "device", "serial"})
"""Arguments of a command that are texts."""
ARGUMENTS: Final = (*sorted(_TEXTS), "card")
"""Every argument that a command may have."""


def answer_to(facts: Iterable[Any]) -> dict[str, str]:
    """What the table made of a command, for whoever sent it: carried out, waiting for a second person, or rejected."""
    for fact in facts:
        match fact:
            case CommandRejected():
                return {"status": "denied", "stage": "rejected", "reason": fact.reason}
            case CommandSigned():
                return {"status": "ok", "stage": "pending", "request": fact.request}
            case _:
                continue
    return {"status": "ok", "stage": "executed"}


def command_of(request: CommandRequest) -> CommandReceived:
    """A checked command from the bus as an input; arguments that are not what they should be are left out."""
    text = {k: str(v)[:200] for k, v in request.args.items() if k in _TEXTS}
    card: Card | None = None
    named = request.args.get("card")
    if isinstance(named, str):
        try:
            card = Card(named)
        except ValueError:
            card = None
    return CommandReceived(
        request.name,
        request.actor,
        request.role.value,
        reason=text.get("reason", ""),
        verdict=text.get("verdict", ""),
        correction=text.get("correction", ""),
        card=card,
        request=request.request,
        approves=text.get("request", ""),
        target=text.get("device", ""),
        serial=text.get("serial", ""),
    )
