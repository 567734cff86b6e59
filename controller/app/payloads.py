"""What a table says of itself on its retained topics, as models: each builds its payload and gives its schema."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Generic, Self, TypeVar

from pydantic import ConfigDict, RootModel

from controller.app.shoes import Shoes
from controller.app.sources import SourcesView
from controller.bus.payloads import Count, Epoch, Payload
from controller.core.expectation import Due, Expected
from controller.core.state import Service, Signed
from controller.core.verdicts import OpenVerdict
from drivers.api import LinkCounters

V = TypeVar("V")


class DeviceNamed(Payload):
    """A device of the configuration."""

    name: str
    kind: str
    driver: str


class RulesNamed(Payload):
    """The rule set in force; ``title`` is empty where the configuration names another one that was refused."""

    name: str
    title: str
    sha256: str


class MetaPayload(Payload):
    """What the table is. ``public_key`` is its own, hexadecimal; ``schemas`` names the version of all payloads."""

    model_config = ConfigDict(title="Meta")

    site: str
    table: str
    game: str
    currency: str
    simulation: bool
    insecure_lab: bool
    rules: RulesNamed
    devices: tuple[DeviceNamed, ...]
    version: str
    journalid: str
    public_key: str
    epoch: Epoch
    schemas: str


class SignedView(Payload):
    """A command that waits for a second person, as it will be carried out; ``card`` is empty where none is named."""

    name: str
    actor: str
    request: str
    verdict: str
    correction: str
    reason: str
    card: str
    round: str

    @classmethod
    def of(cls, signed: Signed) -> Self:
        """What a second person is asked to approve."""
        command = signed.command
        return cls(
            name=command.name,
            actor=command.actor,
            request=command.request,
            verdict=command.verdict,
            correction=command.correction,
            reason=command.reason,
            card=command.card.text if command.card else "",
            round=signed.round,
        )


class StatePayload(Payload, Generic[V]):
    """How the table stands as of event ``as_of``. ``view`` is the game's picture, ``expected`` what comes next,
    ``dues`` what is owed, ``held`` the verdict that holds the table; before the table is opened these are empty."""

    model_config = ConfigDict(title="State")

    phase: str
    service: Service
    round: str
    as_of: Count
    epoch: Count
    rules: str
    rules_sha256: str
    game: str
    currency: str
    view: V | None
    expected: tuple[Expected, ...]
    dues: tuple[Due, ...]
    verdicts: tuple[OpenVerdict, ...]
    held: OpenVerdict | None
    signed: tuple[SignedView, ...]
    offline: tuple[str, ...]
    shoes: Shoes
    sources: SourcesView | None


class Counters(RootModel[LinkCounters]):
    """What a link has counted since it was made; ``extra`` has a driver's own."""

    @classmethod
    def of(cls, counters: LinkCounters) -> Self:
        """The counters as they are at this moment."""
        return cls(LinkCounters(**asdict(counters)))


def state_model(views: tuple[type[Any], ...]) -> type[StatePayload[Any]]:
    """The model of ``state`` where the games have these views."""
    either: Any = views[0]
    for view in views[1:]:
        either = either | view
    return StatePayload[either]
