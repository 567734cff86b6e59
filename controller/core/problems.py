"""Faults of configuration and rule data as lines for people: key, value, what is allowed, the nearest known key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from pydantic import BaseModel, ValidationError

LONGEST_VALUE: Final = 80
"""Characters of a value that a line shows."""


class MisfitError(ValueError):
    """Keys of a model that are right each alone do not fit together; ``faults`` has a line for each misfit."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


def problems_of(error: ValidationError, model: type[BaseModel], prefix: str = "") -> tuple[str, ...]:
    """One line a fault, and one a misfit. ``prefix`` goes before every key (a file or a section)."""
    lines: list[str] = []
    for fault in error.errors():
        cause = fault.get("ctx", {}).get("error")
        if isinstance(cause, MisfitError):
            lines += cause.faults
        else:
            lines.append(_line(tuple(fault["loc"]), fault["type"], fault["msg"], fault.get("input"), model))
    return tuple(prefix + line for line in lines)


def all_problems(error: ValidationError, model: type[BaseModel], data: Mapping[str, Any]) -> tuple[str, ...]:
    """One line a fault of ``data``, all at once: wrong keys do not hide that the right ones do not fit together. Every
    key of ``model`` has a default. Misfits that have to do with a wrong key wait until it is right."""
    misfits = _misfits(error)
    if misfits:
        return misfits
    wrong = {str(fault["loc"][0]) for fault in error.errors()}
    try:
        model.model_validate({key: value for key, value in data.items() if key not in wrong})
    except ValidationError as second:
        misfits = tuple(text for text in _misfits(second) if wrong.isdisjoint(re.findall(r"\w+", text)))
    return problems_of(error, model) + misfits


def _misfits(error: ValidationError) -> tuple[str, ...]:
    causes = [fault.get("ctx", {}).get("error") for fault in error.errors()]
    return tuple(text for cause in causes if isinstance(cause, MisfitError) for text in cause.faults)


def unknown_key(key: str, known: Sequence[str]) -> str:
    """The line for a key that is not one of ``known``: the nearest of these, or all."""
    near = get_close_matches(key.rpartition(".")[2], known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(known) or 'none'}"
    return f"{key}: unknown key; {hint}"


def _line(loc: Sequence[int | str], kind: str, message: str, value: object, model: type[BaseModel]) -> str:
    key = ".".join(str(part) for part in loc)
    if kind == "extra_forbidden":
        return unknown_key(key, known_keys(model, loc[:-1]))
    if kind == "missing":
        return f"{key}: missing; {message}"
    if loc and loc[-1] == "[key]":
        return f"{key.removesuffix('.[key]')}: unknown name; {message.replace('Input', 'it', 1)}"
    text = message.removeprefix("Value error, ")
    if kind == "model_type":
        text = f"it has keys of its own: {', '.join(known_keys(model, loc))}"
    shown = "" if isinstance(value, dict | BaseModel) or repr(value) in text else f" (is {_short(value)})"
    return f"{key}: {text}{shown}" if key else text


def _short(value: object) -> str:
    """A value as the file has it, cut: what is allowed stands before it and must be read."""
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def known_keys(model: type[BaseModel], loc: Sequence[int | str]) -> list[str]:
    """The keys allowed at a place of a nested model; empty when the place is not a model."""
    for part in loc:
        if isinstance(part, int):
            continue
        field = model.model_fields.get(part)
        nested = _model_in(field.annotation) if field else None
        if nested is None:
            return []
        model = nested
    return sorted(model.model_fields)


def _model_in(annotation: object) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        found = _model_in(inner)
        if found:
            return found
    return None
