"""The envelope and the chain as pure functions."""

from __future__ import annotations

import hashlib
import json
import math

import pytest

from controller.journal.chain import (
    MAX_DEPTH,
    ChainError,
    EventDraft,
    Origin,
    canonical_json,
    event_id,
    genesis_hash,
    new_journal_id,
    open_envelope,
    seal,
    time_text,
    time_us_of,
)

ORIGIN = Origin("01JX0000000000000000000000", "lv1", "bj-012", 7)
DRAFT = EventDraft(
    "card.dealt",
    {"card": "7♦", "amount_minor": 2500, "seen": None, "boxes": [1, 2]},
    1_767_268_800_123_456,
    subject="round/1",
    actor="dealer:4711",
    correlation="round-1",
    causation=event_id(ORIGIN.journal_id, 122),
)


def test_envelope_is_the_documented_cloud_event() -> None:
    event = seal(DRAFT, ORIGIN, 123, "aa" * 32)
    value = event.parsed()
    assert value.pop("hash") == event.hash
    assert value == {
        "specversion": "1.0",
        "id": "01JX0000000000000000000000:0000000000000123",
        "source": "/site/lv1/table/bj-012",
        "type": "tablewatch.card.dealt",
        "subject": "round/1",
        "time": "2026-01-01T12:00:00.123456Z",
        "datacontenttype": "application/json",
        "dataschema": "urn:tablewatch:card.dealt:1",
        "sequence": "0000000000000123",
        "journalid": "01JX0000000000000000000000",
        "epoch": 7,
        "correlationid": "round-1",
        "causationid": "01JX0000000000000000000000:0000000000000122",
        "severitynumber": 9,
        "actor": "dealer:4711",
        "prevhash": "aa" * 32,
        "data": {"card": "7♦", "amount_minor": 2500, "seen": None, "boxes": [1, 2]},
    }


def test_hash_is_of_the_canonical_json_without_the_hash() -> None:
    event = seal(DRAFT, ORIGIN, 123, "aa" * 32)
    value = json.loads(event.envelope)
    assert event.envelope == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    digest = value.pop("hash")
    assert digest == hashlib.sha256(canonical_json(value)).hexdigest()
    assert open_envelope(event.envelope)["hash"] == digest


def test_golden_hash_never_changes() -> None:
    event = seal(EventDraft("round.opened", {}, 0), ORIGIN, 1, genesis_hash(ORIGIN.journal_id))
    assert event.envelope.decode() == (
        '{"data":{},"datacontenttype":"application/json","dataschema":"urn:tablewatch:round.opened:1","epoch":7,'
        f'"hash":"{event.hash}","id":"01JX0000000000000000000000:0000000000000001",'
        '"journalid":"01JX0000000000000000000000",'
        '"prevhash":"b36ef967a0a82f4ca8232b14fe6d15ce6e1554663d458f02183348813b2dad63","sequence":"0000000000000001","severitynumber":9,"source":"/site/lv1/table/bj-012",'
        '"specversion":"1.0","time":"1970-01-01T00:00:00.000000Z","type":"tablewatch.round.opened"}'
    )
    assert event.hash == "fac9283cc9a9501f9da963cc54b23afb4533ac546d8dfa163128d33c16e63199"


def test_absent_attributes_are_left_out() -> None:
    value = seal(EventDraft("round.opened", {}, 0), ORIGIN, 1, "0").parsed()
    assert not {"subject", "actor", "correlationid", "causationid"} & value.keys()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"share": 0.5}, "card.dealt.share: float"),
        ({"x": math.nan}, "card.dealt.x: float"),
        ({"x": {1: 2}}, "key 1 is not text"),
        ({"x": [2**53]}, r"card.dealt.x\[0\]"),
        ({"x": {1, 2}}, "set"),
        ({"x": "\ud800"}, "surrogate"),
        ({"x": "y" * 300_000}, "limit"),
    ],
)
def test_data_without_one_canonical_form_is_refused(data: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        seal(EventDraft("card.dealt", data, 0), ORIGIN, 1, "0")


def test_depth_is_limited() -> None:
    deep: object = 1
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]
    with pytest.raises(ValueError, match="nested deeper"):
        seal(EventDraft("card.dealt", {"x": deep}, 0), ORIGIN, 1, "0")


@pytest.mark.parametrize("name", ["", "card", "Card.dealt", "card..dealt", "card.dealt "])
def test_type_is_checked(name: str) -> None:
    with pytest.raises(ValueError, match="event type"):
        seal(EventDraft(name, {}, 0), ORIGIN, 1, "0")


@pytest.mark.parametrize("severity", [0, 25])
def test_severity_is_checked(severity: int) -> None:
    with pytest.raises(ValueError, match="1 to 24"):
        seal(EventDraft("card.dealt", {}, 0, severity=severity), ORIGIN, 1, "0")


def test_every_changed_byte_of_an_envelope_is_found() -> None:
    envelope = seal(DRAFT, ORIGIN, 123, "aa" * 32).envelope
    for index in range(len(envelope)):
        changed = bytearray(envelope)
        changed[index] ^= 1
        with pytest.raises(ChainError):
            open_envelope(bytes(changed))


@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"[" * 100_000, b'{"a": 1}', b'{"a":1,"a":1}', b"\xff", b'{"a":1e999}']
)
def test_foreign_bytes_are_not_an_envelope(payload: bytes) -> None:
    with pytest.raises(ChainError):
        open_envelope(payload)


def test_journal_ids_are_ulids_that_sort_by_time() -> None:
    assert new_journal_id(0).startswith("0000000000")
    assert new_journal_id(1) < new_journal_id(2)
    assert len(new_journal_id(2**48 - 1)) == 26
    assert new_journal_id(5) != new_journal_id(5)
    assert genesis_hash("a") != genesis_hash("b")


def test_times_go_both_ways() -> None:
    for time_us in (0, 1, 999_999, 1_767_268_800_123_456):
        assert time_us_of(time_text(time_us)) == time_us
    with pytest.raises(ValueError, match="six digits"):
        time_us_of("2026-01-01T12:00:00+00:00")
