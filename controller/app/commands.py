"""A command that came over MQTT: as an input of the table, and what its sender is answered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from controller.bus.commands import CommandRequest
from controller.core.cards import Card
from controller.core.facts import CommandRejected, CommandSigned
from controller.core.inputs import CommandReceived

MAX_ARGUMENT: Final = 200
"""Characters of an argument that are kept."""


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
    """A checked command from the bus as an input; a long text is cut at `MAX_ARGUMENT` characters."""
    text = {name: str(value)[:MAX_ARGUMENT] for name, value in request.args.items()}
    return CommandReceived(
        request.name,
        request.actor,
        request.role.value,
        reason=text.get("reason", ""),
        verdict=text.get("verdict", ""),
        correction=text.get("correction", ""),
        card=Card(text["card"]) if "card" in text else None,
        request=request.request,
        approves=text.get("request", ""),
        target=text.get("device", ""),
        serial=text.get("serial", ""),
    )
