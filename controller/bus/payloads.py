"""What stands on a table's topics beside its events, as models: each builds its payload and gives its schema.

What only the application knows of (``meta``, ``state``, counters) has its models in `controller.app.payloads`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from controller.bus.wire import to_json

State = Literal["init", "ready", "held", "degraded", "offline", "lost"]
Count = Annotated[int, Field(ge=0)]
Epoch = Annotated[int, Field(ge=1)]
Time = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""UTC, RFC 3339 with six digits."""


class Payload(BaseModel):
    """A payload that is an object with these members."""

    model_config = ConfigDict(frozen=True)


def payload_bytes(payload: BaseModel) -> bytes:
    """The payload as it is published: canonical JSON."""
    return to_json(payload.model_dump(mode="json"))


@dataclass(frozen=True, slots=True)
class Condition:
    """How a table is: ``reason`` is one line for a person, empty where there is none; ``service`` (open, closed,
    out_of_service) stands beside ``ready``."""

    state: State
    reason: str = ""
    service: str = ""


class Status(Payload):
    """Is the table there, and how; retained, and the will of its connection."""

    state: State
    reason: str
    service: str
    epoch: Epoch
    time: Time


class Alert(Payload):
    """An open verdict; its topic is emptied when it is closed. ``corrections`` are the words of its ways out."""

    id: str
    code: str
    severity: Literal["hold", "open"]
    expected: str
    actual: str
    corrections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vitals:
    """What a heartbeat tells of the controller's machine: free bytes on the journal's disk, inputs that wait, and the
    wall clock less the monotonic one, which changes when the wall clock is set."""

    free_bytes: int = 0
    queue: int = 0
    clock_offset_ms: int = 0


class Heartbeat(Payload):
    """How far the table is: numbers of events at the ``head`` of its journal, ``published``, ``acknowledged`` by the
    broker and ``archived`` (null: no archive was heard); and the controller's vitals."""

    head: Count
    published: Count
    acknowledged: Count
    archived: Count | None
    journalid: str
    epoch: Epoch
    time: Time
    free_bytes: Count
    queue: Count
    clock_offset_ms: int


class Ack(Payload):
    """What a consumer has stored without a gap, by journal."""

    sequences: dict[str, Count]
    time: Time
