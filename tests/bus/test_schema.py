"""The generated schemas are schemas, deterministic, and describe what is really sent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, ValidationError
from pydantic import BaseModel, Field

from controller.bus.commands import CommandRefusal, CommandSpec, Status, answer_of
from controller.bus.keys import Role, Target, new_staff_key, sign_command, unsigned_request
from controller.bus.schema import differences, generate
from controller.journal.chain import EventDraft, Origin, genesis_hash, new_journal_id, seal


class Dealt(BaseModel):
    """A card was dealt."""

    box: int = Field(ge=0)
    card: str | None


SPECS = (CommandSpec("resume", frozenset({Role.PIT}), ("verdict",)),)
EVENTS = {"card.dealt": Dealt, "round.opened": dict[str, int]}


def validator(name: str) -> Draft202012Validator:
    schema = json.loads(generate(EVENTS, {}, "1.0", SPECS)[name])
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_documents_are_deterministic() -> None:
    documents = generate(EVENTS, {}, "1.0", SPECS)
    assert documents == generate(dict(reversed(EVENTS.items())), {}, "1.0", SPECS)
    assert documents.keys() == {
        "card.dealt.json",
        "round.opened.json",
        "envelope.json",
        "command.json",
        "response.json",
        "asyncapi.json",
        "status.json",
        "alert.json",
        "heartbeat.json",
        "ack.json",
    }


def test_real_payloads_fit() -> None:
    journal_id = new_journal_id(1)
    draft = EventDraft("card.dealt", {"box": 1, "card": "7D"}, 1, actor="dealer:1")
    event = seal(draft, Origin(journal_id, "lv1", "bj-012", 1), 1, genesis_hash(journal_id)).parsed()
    validator("envelope.json").validate(event)
    validator("card.dealt.json").validate(event["data"])
    with pytest.raises(ValidationError):
        validator("card.dealt.json").validate({"box": -1, "card": None})
    with pytest.raises(ValidationError):
        validator("envelope.json").validate({**event, "sequence": 1})
    command = sign_command(
        new_staff_key(), Target("lv1", "bj-012", 1), name="resume", actor="pit:1", client="c", args={}, now_us=5
    )
    validator("command.json").validate(json.loads(command))
    validator("command.json").validate(json.loads(unsigned_request("c", "1", {"from": 1})))
    with pytest.raises(ValidationError):
        validator("command.json").validate({**json.loads(command), "name": "open-safe"})
    answer = answer_of(CommandRefusal("resume", "c", "1", "", Status.DENIED, "no"))
    validator("response.json").validate({**answer, "epoch": 1, "time": "1970-01-01T00:00:00Z"})


def test_asyncapi_names_every_topic_and_operation() -> None:
    document = json.loads(generate(EVENTS, {}, "1.2", SPECS)["asyncapi.json"])
    assert (document["asyncapi"], document["info"]["version"]) == ("3.0.0", "1.2")
    addresses = {
        channel["address"].removeprefix("tablewatch/v1/{site}/{table}/") for channel in document["channels"].values()
    }
    assert addresses == {
        "status", "meta", "state", "evt", "alert/{alert}", "tele/{device}", "tele/heartbeat",
        "cmd/{command}", "rsp/{client}", "ack/{consumer}", "replay/{client}",
    }  # fmt: skip
    for name, channel in document["channels"].items():
        assert document["operations"][name]["channel"] == {"$ref": f"#/channels/{name}"}
        parts = {part[1:-1] for part in channel["address"].split("/") if part.startswith("{")}
        assert channel["parameters"].keys() == parts


def test_drift_is_named(tmp_path: Path) -> None:
    documents = generate(EVENTS, {}, "1.0", SPECS)
    for name, text in documents.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert differences(tmp_path, documents) == []
    (tmp_path / "envelope.json").write_text("{}")
    (tmp_path / "card.dealt.json").unlink()
    (tmp_path / "card.old.json").write_text("{}")
    assert [line.split(": ")[1].split(";")[0] for line in differences(tmp_path, documents)] == [
        "missing",
        "not as generated",
        "of no event type",
    ]
