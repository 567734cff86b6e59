"""Limits of what the table takes in: every number and text of an input fits the record, whatever a device says.

The record keeps whole numbers up to 2^53-1 (a JSON reader keeps no more exactly) and text that is whole Unicode, so an
input is brought into these limits before it is judged or recorded. What was changed is then refused for what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, Final, TypeVar

from controller.core.inputs import DeckSpread, Input, RulesChosen
from controller.core.records import replace

MAX_WHOLE: Final = 2**53 - 1
"""The largest whole number on record."""
MAX_AMOUNT_MINOR: Final = 10**10
"""The largest amount of chips in one motion (minor units); its sums and payouts stay far below `MAX_WHOLE`."""
MAX_MOVED_MINOR: Final = 10**13
"""The largest sum of chips that the table follows on one bet (minor units)."""
MAX_TEXT: Final = 400
"""The longest text of an input, in characters."""
MAX_COUNTS: Final = 64
"""The longest list of card counts; a spread has 52."""
MAX_RULES_DEPTH: Final = 8
MAX_RULES_ITEMS: Final = 1000

T = TypeVar("T")

_READERS: dict[type[Any], Callable[[Any], tuple[Any, ...]]] = {}
"""What reads all fields of an input, by its class."""


def recordable(event: Input) -> Input:
    """The input itself when it is within the limits (always, for what our drivers decode), else a copy that is.

    Texts are cut and unprintable characters replaced by ``?``, whole numbers brought to ±`MAX_WHOLE`; a rule set that
    no record can hold becomes one with the key ``unrecordable``, which no game accepts.
    """
    read = _READERS.get(type(event)) or _reader(type(event))
    for value in read(event):
        kind = type(value)
        if kind is str:
            if value.isprintable() and len(value) <= MAX_TEXT:
                continue
        elif kind is int:
            if -MAX_WHOLE <= value <= MAX_WHOLE:
                continue
        elif kind is not tuple and kind is not dict:
            continue
        return _cleaned(event)
    return event


def _reader(cls: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    names = [f.name for f in fields(cls)]
    _READERS[cls] = attrgetter(*names) if len(names) > 1 else lambda event: (getattr(event, names[0]),)
    return _READERS[cls]


def clean_text(text: str) -> str:
    """``text`` cut to `MAX_TEXT` characters; line ends, escapes, half characters and the like become ``?``."""
    return "".join(c if c.isprintable() else "?" for c in text[:MAX_TEXT])


def _cleaned(event: Input) -> Input:
    changes: dict[str, Any] = {}
    for name in event.__dataclass_fields__:
        value = getattr(event, name)
        if isinstance(event, RulesChosen) and name == "rules":
            wrong = _unrecordable(value, 0)
            if wrong:
                changes[name] = {"unrecordable": wrong}
        elif isinstance(event, DeckSpread) and name == "counts":
            counts = tuple(_clamped(n) for n in value[:MAX_COUNTS])
            if counts != value:
                changes[name] = counts
        elif isinstance(value, str):
            clean = clean_text(value)
            if clean != value:
                changes[name] = clean
        elif type(value) is int and _clamped(value) != value:
            changes[name] = _clamped(value)
    return replace(event, **changes) if changes else event


def _clamped(number: int) -> int:
    return max(-MAX_WHOLE, min(MAX_WHOLE, number))


def _unrecordable(value: object, depth: int) -> str:
    """Why a part of a rule set has no place on record; empty when it has."""
    match value:
        case None | bool():
            return ""
        case int():
            return "" if _clamped(value) == value else "a number beyond 2^53-1"
        case str():
            return "" if len(value) <= MAX_TEXT and value.isprintable() else "a text that is too long or unprintable"
        case Mapping() | list() | tuple() if depth >= MAX_RULES_DEPTH or len(value) > MAX_RULES_ITEMS:
            return "nested too deeply or too long"
        case Mapping():
            keys = [str(k) if isinstance(k, str) else float("nan") for k in value]
            return next((w for v in (*keys, *value.values()) if (w := _unrecordable(v, depth + 1))), "")
        case list() | tuple():
            return next((w for v in value if (w := _unrecordable(v, depth + 1))), "")
        case _:
            return f"a {type(value).__name__}, which is neither text, whole number, true nor false"
