"""The page of rule-set keys, made from the texts under the fields."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from controller.core.pages import table
from controller.games.blackjack.rules import Rules, warnings


def rules_page(shipped: Mapping[str, Rules]) -> str:
    """Every key with its meaning, what is allowed, and its value in each shipped rule set (by name)."""
    properties = Rules.model_json_schema()
    rows = []
    for name, field in Rules.model_fields.items():
        shape = properties["properties"][name]
        allowed = _allowed(shape, properties.get("$defs", {}))
        values = [f"`{_shown(getattr(rules, name))}`" for rules in shipped.values()]
        meaning = " ".join((field.description or "").replace("``", "`").split())
        rows.append((f"`{name}`", meaning, allowed, f"`{_shown(field.default)}`", *values))
    return _HEAD + table(("key", "meaning", "allowed", "default", *shipped), rows) + _warnings(shipped)


def _allowed(shape: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if "$ref" in shape:
        shape = definitions[shape["$ref"].rpartition("/")[2]]
    if "enum" in shape:
        return ", ".join(f"`{word}`" for word in shape["enum"])
    match shape["type"]:
        case "boolean":
            return "`true`, `false`"
        case "integer":
            return f"{shape['minimum']} to {shape['maximum']}"
        case _:
            return "odds such as `3:2`"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value.value if isinstance(value, Enum) else value)


def _warnings(shipped: Mapping[str, Rules]) -> str:
    lines = [f"- `{name}`: {text}\n" for name, rules in shipped.items() for text in warnings(rules)]
    return "\n## What the owner of a table must know\n\n" + "".join(lines) if lines else ""


_HEAD = """\
# Rule sets of blackjack

A rule set is a TOML file: a `title`, `game = "blackjack"`, and these keys under `[rules]`. A key that is left out has
its default; an unknown one is an error that names the nearest. Amounts are whole minor units of the table's currency.
This page is made from the rule keys in the code; a test holds it to them.

"""
