"""Inputs and facts as JSON-ready data and back, by event type; the only place that knows both shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from controller.core.facts import CORE_FACTS
from controller.core.game import Game
from controller.core.inputs import Input

INPUT_TYPES: tuple[type[Any], ...] = Input.__args__


class UnknownEventError(ValueError):
    """A record is of a type, or has data, that this version cannot read; the text says which and why."""


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def adapter(cls: type[Any]) -> TypeAdapter[Any]:
    """The validator and serialiser of one event or state class."""
    found = _ADAPTERS.get(cls)
    if found is None:
        found = _ADAPTERS[cls] = TypeAdapter(cls)
    return found


def encode(event: Any) -> dict[str, Any]:
    """An input or fact as JSON-ready data (no type in it)."""
    data: dict[str, Any] = adapter(type(event)).dump_python(event, mode="json")
    return data


@dataclass(frozen=True, slots=True)
class Codec:
    """Reads back the events of one game's table."""

    inputs: Mapping[str, type[Any]]
    facts: Mapping[str, type[Any]]

    @staticmethod
    def of(game: Game) -> Codec:
        """The codec of a table that runs this game."""
        return Codec(_by_type(INPUT_TYPES), _by_type((*CORE_FACTS, *game.fact_types)))

    def is_input(self, event_type: str) -> bool:
        """True for what the fold steps over."""
        return event_type in self.inputs

    def decode(self, event_type: str, data: Mapping[str, Any]) -> Any:
        """The event of this type. Raises UnknownEventError."""
        cls = self.inputs.get(event_type) or self.facts.get(event_type)
        if cls is None:
            raise UnknownEventError(f"event type {event_type!r} is not known to this version")
        try:
            return adapter(cls).validate_python(data)
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(str(p) for p in fault["loc"])
            raise UnknownEventError(f"{event_type}: {where}: {fault['msg']}") from None


def _by_type(classes: Iterable[type[Any]]) -> dict[str, type[Any]]:
    found: dict[str, type[Any]] = {}
    for cls in classes:
        if cls.TYPE in found:
            raise AssertionError(f"two event classes of type {cls.TYPE}")
        found[cls.TYPE] = cls
    return found
