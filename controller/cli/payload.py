"""Reading JSON of strangers for a screen: what is not as expected counts as nothing, text is made harmless."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from controller.core.cards import Card
from controller.core.words import clean

MAX_WHOLE: Final = 2**53


def text(value: Mapping[str, Any], key: str) -> str:
    """A text, empty when there is none."""
    found = value.get(key)
    return clean(found) if isinstance(found, str) else ""


def whole(value: Mapping[str, Any], key: str) -> int:
    """A whole number, 0 when there is none or it is beyond 2^53."""
    found = value.get(key)
    return found if type(found) is int and abs(found) < MAX_WHOLE else 0


def mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """An object, empty when there is none."""
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}


def mappings(value: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """The objects of a list, empty when there is none."""
    found = value.get(key)
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []


def texts(value: Mapping[str, Any], key: str) -> list[str]:
    """The texts of a list, empty when there is none."""
    found = value.get(key)
    return [clean(item) for item in found if isinstance(item, str)] if isinstance(found, list) else []


def cards(value: Mapping[str, Any], key: str) -> list[str]:
    """Cards of a list as ``K♦``; what is no card stays as it is written."""
    return [_pretty(item) for item in texts(value, key)]


def _pretty(written: str) -> str:
    try:
        return Card(written).pretty
    except ValueError:
        return written
