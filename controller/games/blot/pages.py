"""The table of rule-set keys in ``docs/blot.md``, made from the texts under the fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.core.pages import allowed, shown, table
from controller.games.blot.rules import PATTERNS, TARGETS, Rules


def rules_table(shipped: Mapping[str, Rules]) -> str:
    """Every key with its meaning, what is allowed, its default and its value in each shipped rule set (by name)."""
    shapes = Rules.model_json_schema()["properties"]
    rows = []
    for name, field in Rules.model_fields.items():
        meaning = " ".join((field.description or "").split())
        values = [_shown(getattr(rules, name)) for rules in shipped.values()]
        rows.append((f"`{name}`", meaning, _allowed(name, shapes[name]), _shown(field.default), *values))
    return table(("key", "meaning", "allowed", "default", *shipped), rows)


def _allowed(name: str, shape: Mapping[str, Any]) -> str:
    if name == "deal_pattern":
        return ", ".join(_shown(pattern) for pattern in PATTERNS)
    if name == "target":
        return ", ".join(_shown(target) for target in sorted({t for targets in TARGETS.values() for t in targets}))
    return allowed(shape, {})


def _shown(value: object) -> str:
    return f"`{shown(value)}`"
