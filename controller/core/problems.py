"""Faults of configuration and rule data as lines for people: key, value, what is allowed, the nearest known key."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError


def problems_of(error: ValidationError, model: type[BaseModel], prefix: str = "") -> tuple[str, ...]:
    """One line a fault. ``prefix`` goes before every key (a file or a section)."""
    return tuple(
        f"{prefix}{_line(tuple(fault['loc']), fault['type'], fault['msg'], fault.get('input'), model)}"
        for fault in error.errors()
    )


def _line(loc: Sequence[int | str], kind: str, message: str, value: object, model: type[BaseModel]) -> str:
    key = ".".join(str(part) for part in loc)
    if kind == "extra_forbidden":
        known = known_keys(model, loc[:-1])
        near = get_close_matches(str(loc[-1]), known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(known)}"
        return f"{key}: unknown key; {hint}"
    if kind == "missing":
        return f"{key}: missing; {message}"
    text = message.removeprefix("Value error, ")
    shown = "" if isinstance(value, dict | BaseModel) or repr(value) in text else f" (is {value!r})"
    return f"{key}: {text}{shown}" if key else text


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
