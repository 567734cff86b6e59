"""What is written down about a simulated table: one record for each thing that really happened, and its JSON line."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from drivers.messages import (
    CardLaid,
    CardNamed,
    ChipsCollected,
    DeckSpread,
    KeyPressed,
    PayoutMade,
    StaffCardPresented,
    WagerPlaced,
    WagerTakenBack,
)


class Place(StrEnum):
    """Where a card that left the shoe lies."""

    DEALERS_FINGERS = "dealers_fingers"
    HAND = "hand"
    BURNED = "burned"
    ASIDE = "aside"
    """drawn in error; a supervisor decides"""
    NEXT = "next"
    """drawn in error; it is the next card that is due"""
    RACK = "rack"


@dataclass(frozen=True, slots=True)
class ShoeFilled:
    """A shuffled pack was put into the shoe; ``shoe`` counts from 1. ``cut_card_at`` 0: it has no cut card."""

    shoe: int
    cards: int
    cut_card_at: int


@dataclass(frozen=True, slots=True)
class CardLeft:
    """A card left the shoe. ``number`` counts the cards of this shoe from 1, the cut card not counted. ``readable``:
    the shoe read it; ``exposed``: people saw its face; ``misread``: the shoe took it for another one."""

    shoe: int
    number: int
    rank: int
    suit: str
    readable: bool = True
    exposed: bool = True
    misread: bool = False


@dataclass(frozen=True, slots=True)
class CutCardLeft:
    """The cut card left the shoe after ``after`` cards."""

    shoe: int
    after: int


@dataclass(frozen=True, slots=True)
class CardPut:
    """A card of the shoe came to lie somewhere. ``box`` (0 the dealer) and ``hand`` are for `Place.HAND`."""

    shoe: int
    number: int
    place: Place
    box: int = 0
    hand: int = 1


NativeMessage = (
    KeyPressed
    | CardNamed
    | DeckSpread
    | StaffCardPresented
    | WagerPlaced
    | WagerTakenBack
    | ChipsCollected
    | PayoutMade
    | CardLaid
)


@dataclass(frozen=True, slots=True)
class Said:
    """A native device recorded an event. ``identity`` is what its driver reports (``native:SERIAL:BOOT:NUMBER``),
    empty when the device had no power and recorded nothing."""

    device: str
    message: NativeMessage
    identity: str


@dataclass(frozen=True, slots=True)
class DeviationPlanted:
    """A deviation of the script really happened; ``round`` counts over all shoes, ``expected`` are verdict codes."""

    kind: str
    round: int
    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """A round ended; ``round`` counts over all shoes, ``cards`` are those collected."""

    round: int
    shoe: int
    boxes: tuple[int, ...]
    cards: int
    voided: bool = False


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that a reader of the record should know."""

    text: str


Entry = ShoeFilled | CardLeft | CutCardLeft | CardPut | Said | DeviationPlanted | RoundPlayed | Remark

_ENTRIES: dict[str, type[Any]] = {kind.__name__: kind for kind in Entry.__args__}
_MESSAGES: dict[str, type[Any]] = {kind.__name__: kind for kind in NativeMessage.__args__}


def to_json(entry: Entry) -> str:
    """One line of JSON without its end of line."""
    data = {"what": type(entry).__name__} | asdict(entry)
    if isinstance(entry, Said):
        data["message"] = {"type": type(entry.message).__name__} | asdict(entry.message)
    return json.dumps(data, separators=(",", ":"))


def from_json(line: str) -> Entry:
    """Read what `to_json` made. Raises ValueError saying what is wrong with the line."""
    try:
        data = json.loads(line)
        kind = _ENTRIES[data.pop("what")]
        if kind is Said:
            message = data["message"]
            data["message"] = _made(_MESSAGES[message.pop("type")], message)
        entry: Entry = _made(kind, data)
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise ValueError(f"{line[:80]!r} is no line of a simulated table's record ({problem!r})") from None
    return entry


def _made(kind: type[Any], data: dict[str, Any]) -> Any:
    """An entry from its fields; JSON knows neither tuples nor places."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    if kind is CardPut:
        values["place"] = Place(values["place"])
    if set(values) != {field.name for field in fields(kind)}:
        raise ValueError(f"fields {sorted(values)}")
    return kind(**values)
