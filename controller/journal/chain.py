"""The journal's envelope and its hash chain, pure: CloudEvents 1.0 in canonical JSON (docs/journal.md).

Canonical JSON: keys sorted by code point, no spaces, UTF-8, no escapes beyond the needed ones, whole
numbers only. The hash of an event is the SHA-256 of its canonical JSON without the member ``hash``;
``prevhash`` is the hash of the event before, for the first one `genesis_hash`.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

MAX_EVENT_BYTES = 256 * 1024
"""An event longer than this is a mistake of ours: the longest real one, a shoe's inspection, has a few
KiB.
"""
MAX_DEPTH = 32
"""Deeper data is a mistake of ours; it keeps every reader's recursion small."""
MAX_WHOLE = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""

_VERIFY = "run `tablewatch verify`"
_NAME = re.compile(r"[a-z0-9-]{1,32}")
_TYPE = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+")
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


class ChainError(ValueError):
    """An envelope is malformed, not canonical, or its hash is not its own. The text says which."""


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event as its author knows it; the journal adds identity, epoch and chain.

    ``type`` is the short type (``card.dealt``); ``data`` holds strings, whole numbers, booleans, null,
    lists and objects; ``time_us`` is UTC in microseconds since 1970; ``subject``, ``actor``
    (``dealer:4711``), ``correlation`` (the round's id) and ``causation`` (an event's id) are left out of
    the envelope when empty; ``severity`` is OpenTelemetry's number, 1 to 24 (9 information, 13 warning, 17
    error).
    """

    type: str
    data: Mapping[str, object]
    time_us: int
    subject: str = ""
    actor: str = ""
    correlation: str = ""
    causation: str = ""
    severity: int = 9
    schema_major: int = 1


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event of the journal. ``envelope`` is its canonical JSON, the bytes that are hashed, kept and
    published.
    """

    sequence: int
    event_id: str
    type: str
    time_us: int
    epoch: int
    hash: str
    envelope: bytes

    def parsed(self) -> dict[str, Any]:
        """The envelope as an object; its ``data`` member is the event's own data. Raises ChainError when it is none."""
        try:
            value = json.loads(self.envelope)
        except (ValueError, RecursionError) as error:
            raise ChainError(f"event {self.sequence}: its envelope is not JSON ({error}); {_VERIFY}") from error
        if not isinstance(value, dict):
            raise ChainError(f"event {self.sequence}: its envelope is not an object; {_VERIFY}")
        return value

    def data(self) -> dict[str, Any]:
        """The event's own data. Raises ChainError when it is not an object."""
        value = self.parsed().get("data")
        if not isinstance(value, dict):
            raise ChainError(f"event {self.sequence}: its data is not an object; {_VERIFY}")
        return value

    def checked(self) -> dict[str, Any]:
        """The envelope as an object, after checking that it is canonical, that its hash is its own, and that the
        columns beside it say the same. Raises ChainError saying what is wrong, without the event's number."""
        envelope = open_envelope(self.envelope)
        try:
            time_us = time_us_of(str(envelope.get("time")))
        except ValueError as error:
            raise ChainError(str(error)) from error
        columns = {
            "sequence": sequence_text(self.sequence),
            "id": self.event_id,
            "type": f"tablewatch.{self.type}",
            "epoch": self.epoch,
            "hash": self.hash,
        }
        for name, column in columns.items():
            if envelope.get(name) != column:
                raise ChainError(f"the column {name} says {column}, the envelope {envelope.get(name)}")
        if time_us != self.time_us:
            raise ChainError(f"the column time_us says {self.time_us}, the envelope {envelope['time']}")
        return envelope


@dataclass(frozen=True, slots=True)
class Origin:
    """Where events come from: the journal's id, the site, the table, and which start of the controller."""

    journal_id: str
    site: str
    table: str
    epoch: int

    @property
    def source(self) -> str:
        """The CloudEvents source, ``/site/{site}/table/{table}``."""
        return source_of(self.site, self.table)


def valid_name(text: str, what: str) -> str:
    """``text`` if it is an id of a site or table. Raises ValueError naming ``what`` and the allowed form."""
    if not _NAME.fullmatch(text):
        raise ValueError(f"{what} {text!r} is not an id: 1 to 32 of a-z, 0-9 and '-'")
    return text


def source_of(site: str, table: str) -> str:
    """The CloudEvents source of a table."""
    return f"/site/{site}/table/{table}"


def new_journal_id(time_ms: int) -> str:
    """A ULID: 48 bits of time (milliseconds since 1970) and 80 random bits, 26 Crockford base32
    characters.
    """
    value = ((time_ms & (1 << 48) - 1) << 80) | secrets.randbits(80)
    return "".join(_CROCKFORD[(value >> shift) & 31] for shift in range(125, -1, -5))


def genesis_hash(journal_id: str) -> str:
    """The ``prevhash`` of a journal's first event; it ties the chain to the journal's id."""
    return hashlib.sha256(f"tablewatch-journal-1\n{journal_id}".encode()).hexdigest()


def sequence_text(sequence: int) -> str:
    """A sequence number as it stands in an envelope: 16 decimal digits, so that text sorts as numbers do."""
    return f"{sequence:016d}"


def event_id(journal_id: str, sequence: int) -> str:
    """The identity of an event."""
    return f"{journal_id}:{sequence_text(sequence)}"


def time_text(time_us: int) -> str:
    """UTC microseconds since 1970 as RFC 3339 with six digits and ``Z``."""
    return (_EPOCH + timedelta(microseconds=time_us)).isoformat(timespec="microseconds")[:-6] + "Z"


def time_us_of(text: str) -> int:
    """The inverse of `time_text`. Raises ValueError on any other form."""
    time_us = (datetime.fromisoformat(text) - _EPOCH) // timedelta(microseconds=1)
    if time_text(time_us) != text:
        raise ValueError(f"time {text!r} is not UTC with six digits and Z")
    return time_us


def canonical_json(value: object) -> bytes:
    """The canonical JSON of ``value``. Raises ValueError naming the place of whatever has no canonical
    form.
    """
    _check(value, "", 0)
    return _bytes(_encode(value))


def seal(draft: EventDraft, origin: Origin, sequence: int, prevhash: str) -> StoredEvent:
    """The event that ``draft`` becomes at ``sequence``. Raises ValueError when the draft breaks a limit."""
    if not _TYPE.fullmatch(draft.type):
        raise ValueError(f"event type {draft.type!r} is not words of a-z, 0-9 and '_' joined by '.'")
    if not 1 <= draft.severity <= 24:
        raise ValueError(f"{draft.type}: severity {draft.severity} is not 1 to 24")
    data = dict(draft.data)
    _check(data, draft.type, 1)
    identity = event_id(origin.journal_id, sequence)
    before = {
        "data": data,
        "datacontenttype": "application/json",
        "dataschema": f"urn:tablewatch:{draft.type}:{draft.schema_major}",
        "epoch": origin.epoch,
    }
    optional = {"actor": draft.actor, "causationid": draft.causation, "correlationid": draft.correlation}
    before |= {key: text for key, text in optional.items() if text}
    after = {
        "id": identity,
        "journalid": origin.journal_id,
        "prevhash": prevhash,
        "sequence": sequence_text(sequence),
        "severitynumber": draft.severity,
        "source": origin.source,
        "specversion": "1.0",
        "time": time_text(draft.time_us),
        "type": f"tablewatch.{draft.type}",
    }
    if draft.subject:
        after["subject"] = draft.subject
    # "hash" sorts between the two halves, so each is encoded once.
    first, second = _bytes(_encode(before))[:-1], _bytes(_encode(after))[1:]
    digest = hashlib.sha256(first + b"," + second).hexdigest()
    envelope = first + b',"hash":"' + digest.encode() + b'",' + second
    if len(envelope) > MAX_EVENT_BYTES:
        raise ValueError(f"{draft.type}: {len(envelope)} bytes, more than the limit of {MAX_EVENT_BYTES}")
    return StoredEvent(sequence, identity, draft.type, draft.time_us, origin.epoch, digest, envelope)


def open_envelope(envelope: bytes) -> dict[str, Any]:
    """The object an envelope holds, after checking that it is canonical and that its hash is its own.

    Raises ChainError saying what is wrong.
    """
    try:
        value = json.loads(envelope)
        canonical = isinstance(value, dict) and canonical_json(value) == envelope
    except (ValueError, RecursionError) as error:
        raise ChainError(f"the envelope is not JSON of the canonical kind ({error})") from error
    if not canonical:
        raise ChainError("the envelope is not canonical JSON")
    claimed = value.get("hash")
    own = hashlib.sha256(canonical_json({key: item for key, item in value.items() if key != "hash"})).hexdigest()
    if claimed != own:
        raise ChainError(f"the hash is {claimed}, the content gives {own}")
    return dict(value)


def _bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"half a character (surrogate) at {error.start} has no UTF-8 form") from error


def _check(value: object, where: str, depth: int) -> None:
    """Raise ValueError unless ``value`` has one and only one canonical form."""
    if value is None or isinstance(value, str | bool):
        return
    if isinstance(value, int):
        if abs(value) > MAX_WHOLE:
            raise ValueError(f"{where}: {value} is beyond 2^53-1; write it as text")
        return
    if depth >= MAX_DEPTH:
        raise ValueError(f"{where}: nested deeper than {MAX_DEPTH}")
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ValueError(f"{where}: key {key!r} is not text")
            _check(item, f"{where}.{key}", depth + 1)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _check(item, f"{where}[{index}]", depth + 1)
    else:
        raise ValueError(f"{where}: {type(value).__name__} {value!r} has no canonical form; use text or whole units")
