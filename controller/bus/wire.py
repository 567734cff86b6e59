"""JSON on the bus: what we send, and reading what strangers send without being hurt by it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NoReturn

MAX_DEPTH = 16
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


class BadJsonError(ValueError):
    """A payload that is not acceptable JSON. The text says why."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something to publish. ``qos`` is 0 or 1."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False


def to_json(value: Mapping[str, object]) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8; what signatures and hashes are taken over."""
    return _encode(value).encode()


def from_json(payload: bytes, max_bytes: int, max_depth: int = MAX_DEPTH) -> dict[str, object]:
    """The JSON object in ``payload``. Raises BadJsonError for a long, deep, ambiguous or broken one.

    Refused besides broken JSON: NaN and infinities, numbers beyond what a double holds, a key given twice,
    half characters, anything but an object.
    """
    if len(payload) > max_bytes:
        raise BadJsonError(f"{len(payload)} bytes, more than {max_bytes}")
    try:
        text = payload.decode()
    except UnicodeDecodeError as error:
        raise BadJsonError("not UTF-8") from error
    _limit_depth(text, max_depth)
    try:
        value = json.loads(text, parse_constant=_no_constant, parse_float=_finite, object_pairs_hook=_no_twins)
        _encode(value).encode()
    except BadJsonError:
        raise
    except ValueError as error:
        raise BadJsonError(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise BadJsonError("not a JSON object")
    return value


def now_text(time_us: int) -> str:
    """UTC microseconds since 1970 as RFC 3339 with ``Z``."""
    return (_EPOCH + timedelta(microseconds=time_us)).isoformat(timespec="microseconds")[:-6] + "Z"


def time_us_of(text: object) -> int:
    """UTC microseconds of an RFC 3339 time with offset. Raises ValueError for anything else."""
    if not isinstance(text, str) or len(text) > 40:
        raise ValueError("not an RFC 3339 time")
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a time without offset")
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _limit_depth(text: str, max_depth: int) -> None:
    """Count brackets before parsing: the parser recurses."""
    if text.count("{") + text.count("[") <= max_depth:
        return
    depth, quoted, escaped = 0, False, False
    for char in text:
        if quoted:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                quoted = False
        elif char == '"':
            quoted = True
        elif char in "[{":
            depth += 1
            if depth > max_depth:
                raise BadJsonError(f"nested deeper than {max_depth}")
        elif char in "]}":
            depth -= 1


def _no_constant(name: str) -> NoReturn:
    raise BadJsonError(f"{name} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise BadJsonError(f"the number {text[:20]} is out of range")
    return number


def _no_twins(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise BadJsonError("a key stands twice in one object")
    return value
