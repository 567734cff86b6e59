"""JSON Schemas of the events and an AsyncAPI 3 document, generated so that they cannot drift from the
models.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from controller.bus.commands import READ_ONLY, CommandSpec
from controller.bus.payloads import Ack, Alert, Heartbeat, Status

URN: Final = "urn:tablewatch:"
"""What the ``$id`` of every generated schema begins with."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"
_HASH = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_TIME = {"type": "string", "format": "date-time"}
_ID = {"type": "string", "pattern": "^[a-z0-9-]{1,32}$"}


class _Wording(GenerateJsonSchema):
    """The words of a schema are ours: a class's name and docstring. Pydantic's own titles and its choice of what is
    described change from version to version."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """No field has a title: it has a name."""
        return False

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        """An object of any members says nothing more of them."""
        return {key: value for key, value in super().dict_schema(schema).items() if value is not True}

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """The schema of a dataclass with its docstring."""
        return {**super().dataclass_schema(schema), "description": inspect.cleandoc(schema["cls"].__doc__ or "")}


class _Whole(_Wording):
    """The schema of a payload: unlike an event on record, it has every member that its model has."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        """Always true: each member is required."""
        return True


def generate(
    events: Mapping[str, Any], payloads: Mapping[str, Any], version: str, specs: tuple[CommandSpec, ...]
) -> dict[str, str]:
    """The documents by file name: ``{type}.json`` for each event type, ``{topic}.json`` for each topic with a
    payload of its own, ``envelope.json``, ``command.json``, ``response.json`` and ``asyncapi.json``.

    ``events`` maps a short type (``card.dealt``) to the model of its data: a Pydantic model, dataclass,
    TypedDict or TypeAdapter; ``payloads`` those of the channels ``meta``, ``state`` and ``tele`` likewise. The same
    input gives the same text. Raises what Pydantic raises for a type without a schema.
    """
    documents: dict[str, dict[str, object]] = {
        f"{name}.json": _schema_of(name, events[name], _Wording) for name in sorted(events)
    }
    for name, model in {**_PAYLOADS, **payloads}.items():
        documents[f"{name}.json"] = _schema_of(name, model, _Whole)
    documents["envelope.json"] = envelope_schema(sorted(events))
    documents["command.json"] = command_schema(specs)
    documents["response.json"] = response_schema()
    documents["asyncapi.json"] = _asyncapi(sorted(events), version)
    return {name: json.dumps(document, indent=2, sort_keys=True) + "\n" for name, document in documents.items()}


def differences(folder: Path, documents: Mapping[str, str]) -> list[str]:
    """What in ``folder`` is not as generated, one line each; empty when all is."""
    lines = []
    present = {path.name for path in folder.glob("*.json")}
    for name, text in documents.items():
        if name not in present:
            lines.append(f"{folder / name}: missing; generate the schemas again")
        elif (folder / name).read_text(encoding="utf-8") != text:
            lines.append(f"{folder / name}: not as generated; generate the schemas again")
    lines += [f"{folder / name}: of no event type; delete it" for name in sorted(present - documents.keys())]
    return lines


def vanished(folder: Path, documents: Mapping[str, str]) -> list[Path]:
    """Schemas in ``folder`` that were generated once and are of no document any more, by name. What is no schema of
    ours is nobody's business here."""
    return [path for path in sorted(folder.glob("*.json")) if path.name not in documents and _is_ours(path)]


def _is_ours(path: Path) -> bool:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return isinstance(found, dict) and str(found.get("$id")).startswith(URN)


def envelope_schema(types: list[str]) -> dict[str, object]:
    """The CloudEvents envelope. Unknown members and types are allowed: consumers ignore what they do not
    know.
    """
    properties: dict[str, object] = {
        "specversion": {"const": "1.0"},
        "id": {"type": "string", "pattern": "^[0-9A-Z]{26}:[0-9]{16}$"},
        "source": {"type": "string", "pattern": "^/site/[a-z0-9-]{1,32}/table/[a-z0-9-]{1,32}$"},
        "type": {"type": "string", "examples": [f"tablewatch.{name}" for name in types]},
        "subject": {"type": "string"},
        "time": _TIME,
        "datacontenttype": {"const": "application/json"},
        "dataschema": {"type": "string", "pattern": "^urn:tablewatch:[a-z0-9_.]+:[0-9]+$"},
        "sequence": {"type": "string", "pattern": "^[0-9]{16}$"},
        "journalid": {"type": "string", "pattern": "^[0-9A-Z]{26}$"},
        "epoch": {"type": "integer", "minimum": 1},
        "correlationid": {"type": "string"},
        "causationid": {"type": "string"},
        "severitynumber": {"type": "integer", "minimum": 1, "maximum": 24},
        "actor": {"type": "string"},
        "prevhash": _HASH,
        "hash": _HASH,
        "data": {"type": "object"},
    }
    optional = {"subject", "correlationid", "causationid", "actor"}
    return {
        "$schema": DIALECT,
        "$id": f"{URN}envelope:1",
        "title": "Envelope of every event",
        "type": "object",
        "properties": properties,
        "required": sorted(properties.keys() - optional),
    }


def command_schema(specs: tuple[CommandSpec, ...]) -> dict[str, object]:
    """A payload on ``cmd/{name}``: signed, or one of the three that only read."""
    names = sorted(spec.name for spec in specs)
    text = {"type": "string", "maxLength": 64}
    signed = {
        "name": {"enum": names},
        "client": _ID,
        "corr": text,
        "site": _ID,
        "table": _ID,
        "epoch": {"type": "integer", "minimum": 1},
        "actor": text,
        "nonce": {"type": "string", "pattern": "^[0-9A-Za-z]{16,64}$"},
        "issued": _TIME,
        "expires": _TIME,
        "args": {"type": "object"},
        "signature": {"type": "string", "pattern": "^[0-9a-f]{128}$"},
    }
    reading = {"client": _ID, "corr": text, "args": {"type": "object"}}
    return {
        "$schema": DIALECT,
        "$id": f"{URN}command:1",
        "title": "Command",
        "oneOf": [
            {"type": "object", "properties": signed, "required": sorted(signed)},
            {
                "type": "object",
                "title": f"one of {', '.join(sorted(READ_ONLY))}",
                "properties": reading,
                "required": ["client"],
                "not": {"required": ["signature"]},
            },
        ],
    }


def response_schema() -> dict[str, object]:
    """A payload on ``rsp/{client}``."""
    properties = {
        "corr": {"type": "string"},
        "name": {"type": "string"},
        "status": {"enum": ["ok", "error", "denied", "expired"]},
        "stage": {"type": "string"},
        "reason": {"type": "string"},
        "request": {"type": "string"},
        "epoch": {"type": "integer", "minimum": 1},
        "time": _TIME,
    }
    return {
        "$schema": DIALECT,
        "$id": f"{URN}response:1",
        "title": "Answer to a command",
        "type": "object",
        "properties": properties,
        "required": ["corr", "epoch", "status", "time"],
    }


def _schema_of(name: str, model: Any, wording: type[GenerateJsonSchema]) -> dict[str, object]:
    """The schema of what is written from this model."""
    adapter: TypeAdapter[Any] = model if isinstance(model, TypeAdapter) else TypeAdapter(model)
    schema = adapter.json_schema(mode="serialization", schema_generator=wording)
    return {"$schema": DIALECT, "$id": f"{URN}{name}:1", **schema}


def _asyncapi(types: list[str], version: str) -> dict[str, object]:
    channels: dict[str, object] = {}
    operations: dict[str, object] = {}
    for name, address, action, document, summary in _CHANNELS:
        parameters = {
            part[1:-1]: {"description": f"id of the {part[1:-1]}"} for part in address.split("/") if "{" in part
        }
        channels[name] = {
            "address": f"tablewatch/v1/{{site}}/{{table}}/{address}",
            "parameters": {
                "site": {"description": "id of the site"},
                "table": {"description": "id of the table"},
                **parameters,
            },
            "messages": {
                "message": {
                    "summary": summary,
                    "payload": {"$ref": f"./{document}.json"},
                    "contentType": "application/json",
                }
            },
        }
        operations[name] = {"action": action, "channel": {"$ref": f"#/channels/{name}"}, "summary": summary}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "tablewatch", "version": version, "license": {"name": "Apache-2.0"}},
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"schemas": {name: {"$ref": f"./{name}.json"} for name in types}},
    }


_PAYLOADS: Final[Mapping[str, Any]] = {"status": Status, "alert": Alert, "heartbeat": Heartbeat, "ack": Ack}
"""The bus's own payloads by the name of their document."""

_CHANNELS: Final[tuple[tuple[str, str, str, str, str], ...]] = (
    ("status", "status", "send", "status", "retained, will: is the table there"),
    ("meta", "meta", "send", "meta", "retained: what the table is"),
    ("state", "state", "send", "state", "retained: how the table stands, at most 4 a second"),
    ("evt", "evt", "send", "envelope", "all events of the table, in order"),
    ("alert", "alert/{alert}", "send", "alert", "retained: an open alert, empty when closed"),
    ("tele", "tele/{device}", "send", "tele", "QoS 0: counters of a device"),
    ("heartbeat", "tele/heartbeat", "send", "heartbeat", "QoS 0, every 5 s: how far the table is"),
    ("cmd", "cmd/{command}", "receive", "command", "commands, never retained"),
    ("rsp", "rsp/{client}", "send", "response", "answers to a client's commands"),
    ("ack", "ack/{consumer}", "receive", "ack", "retained: what an archive has stored without a gap"),
    ("replay", "replay/{client}", "send", "envelope", "events a client asked for, the bytes of evt"),
)
"""Channels: name, address below the table's, action, document of the payload, and what it is."""
