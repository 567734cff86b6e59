"""The schemas: committed as generated, valid themselves, and true of what a table really writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from controller.cli.schemas import documents

Cli = Callable[..., tuple[int, str, str]]
DOCS = Path(__file__).resolve().parents[2] / "docs/schemas"


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((DOCS / name).read_text("utf-8")))


def test_the_committed_documents_are_as_generated(cli: Cli) -> None:
    assert cli("schemas", "--check", DOCS) == (0, f"{DOCS}: as generated\n", ""), "run make pages"


def test_every_schema_is_a_schema() -> None:
    for name, text in documents().items():
        if name != "asyncapi.json":
            Draft202012Validator.check_schema(json.loads(text))


def test_asyncapi_refers_only_to_documents_that_there_are() -> None:
    made = documents()

    def references(value: Any) -> set[str]:
        if isinstance(value, dict):
            return {value["$ref"]} if "$ref" in value else set().union(*map(references, value.values()))
        return set().union(*map(references, value)) if isinstance(value, list) else set()

    document = json.loads(made["asyncapi.json"])
    files = {reference for reference in references(document) if reference.startswith("./")}
    assert files
    assert {file.removeprefix("./") for file in files} <= made.keys()
    for reference in references(document) - files:
        node: Any = document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]


def test_what_a_table_writes_fits_envelope_and_schema(played: Any) -> None:
    envelope = validator("envelope.json")
    seen = set()
    for event in played.journal.events():
        value = event.parsed()
        envelope.validate(value)
        validator(f"{event.type}.json").validate(value["data"])
        seen.add(event.type)
    assert {"card.drawn", "card.dealt", "violation.raised", "round.voided", "system.checkpoint"} <= seen


def test_what_is_not_an_event_does_not_fit(played: Any) -> None:
    event = next(event for event in played.journal.events() if event.type == "card.dealt")
    with pytest.raises(ValidationError):
        validator("card.dealt.json").validate({**event.data(), "card": "K♦"})
    with pytest.raises(ValidationError):
        validator("envelope.json").validate({**event.parsed(), "sequence": 12})


def test_an_input_on_record_may_have_an_identity() -> None:
    assert "identity" in json.loads(documents()["card.drawn.json"])["properties"]
    assert "identity" not in json.loads(documents()["card.dealt.json"])["properties"]


def test_a_face_is_missing_where_its_seal_stands_and_nowhere_else() -> None:
    drawn, sealed = validator("card.drawn.json"), {"device": "shoe", "card": None, "sealed": "0" * 64}
    drawn.validate({"device": "shoe", "card": "KD"})
    drawn.validate(sealed)
    for wrong in ({**sealed, "card": "KD"}, {"device": "shoe", "card": None}, {**sealed, "sealed": "KD"}):
        with pytest.raises(ValidationError):
            drawn.validate(wrong)


def test_differences_are_named(cli: Cli, tmp_path: Path) -> None:
    assert cli("schemas", tmp_path / "new")[0] == 0
    assert cli("schemas", "--check", tmp_path / "new")[0] == 0
    (tmp_path / "new/card.dealt.json").write_text("{}")
    (tmp_path / "new/card.drawn.json").unlink()
    (tmp_path / "new/card.dreamt.json").write_text("{}")
    code, out, err = cli("schemas", "--check", tmp_path / "new")
    assert (code, out) == (1, "")
    for name in ("card.dealt.json: not as generated", "card.drawn.json: missing", "card.dreamt.json: of no event type"):
        assert name in err
    assert "3 documents differ" in err


def test_the_schema_of_an_event_that_there_is_no_more_is_deleted_and_other_files_are_not(
    cli: Cli, tmp_path: Path
) -> None:
    assert cli("schemas", tmp_path)[0] == 0
    dreamt = (tmp_path / "card.dealt.json").read_text("utf-8").replace("card.dealt", "card.dreamt")
    (tmp_path / "card.dreamt.json").write_text(dreamt)
    others = {"package.json": '{"name": "x"}', "list.json": "[]", "broken.json": "{", "notes.txt": dreamt}
    for name, text in others.items():
        (tmp_path / name).write_text(text)
    code, out, err = cli("schemas", tmp_path)
    assert (code, err) == (0, "")
    assert out.endswith("; deleted, of no event type any more: card.dreamt.json\n")
    assert not (tmp_path / "card.dreamt.json").exists()
    assert {name: (tmp_path / name).read_text() for name in others} == others
    assert cli("schemas", tmp_path)[1] == f"{len(documents())} documents written to {tmp_path}\n"


def test_a_file_in_the_way_is_one_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    for arguments in (["schemas", tmp_path / "x"], ["schemas", "--check", tmp_path / "x"]):
        code, _, err = cli(*arguments)
        assert (code, err) == (3, f"tablewatch: {tmp_path / 'x'}: not a folder; name one\n")
