"""The page of TABLE.toml's keys, made from the models: sections and keys that the models get show by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import getdoc
from typing import Any, Final

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from controller.app.config import Secrets, TableConfig
from controller.core.pages import allowed, resolved, shown, table

Shape = Mapping[str, Any]


def config_page(model: type[BaseModel] = TableConfig) -> str:
    """Every section of the configuration ``model`` with its keys: type, what is allowed, default, meaning."""
    schema = model.model_json_schema()
    parts = [_HEAD]
    for title, section, shape in _sections(model, schema, schema.get("$defs", {}), ""):
        parts.append(f"\n## `{title}`\n\n{_about(section)}\n\n{_keys(section, shape, schema.get('$defs', {}))}")
    free = [(name, field) for name, field in model.model_fields.items() if _model_of(field) is None]
    parts += [f"\n## `[{name}]`\n\n{_sentence(_meaning(field))}\n" for name, field in free]
    secrets = [(f"`TABLEWATCH_{name.upper()}`", _meaning(field)) for name, field in Secrets.model_fields.items()]
    return "".join((*parts, _SECRETS, table(("variable", "meaning"), secrets), _TAIL))


def _sections(
    model: type[BaseModel], shape: Shape, definitions: Shape, above: str
) -> Iterator[tuple[str, type[BaseModel], Shape]]:
    """Every section with its title as TOML writes it, ``[table]`` or ``[[device]]``; sections within one follow it."""
    for name, field in model.model_fields.items():
        inner = _model_of(field)
        if inner is None:
            continue
        found = resolved(shape["properties"][field.alias or name], definitions)
        many = found.get("type") == "array"
        found = resolved(found["items"], definitions) if many else found
        path = f"{above}{field.alias or name}"
        yield f"[[{path}]]" if many else f"[{path}]", inner, found
        yield from _sections(inner, found, definitions, f"{path}.")


def _model_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a section, of one that may be left out, or of each of several."""
    return next((part for part in _types(field.annotation) if issubclass(part, BaseModel)), None)


def _types(annotation: Any) -> Iterator[type[Any]]:
    if isinstance(annotation, type):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _types(inner)


def _about(section: type[BaseModel]) -> str:
    """The section's docstring without the name it begins with."""
    text = " ".join((getdoc(section) or "").split())
    return _sentence(text.partition("``: ")[2] or text)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}.".replace("``", "`")


def _keys(section: type[BaseModel], shape: Shape, definitions: Shape) -> str:
    rows = []
    for name, field in section.model_fields.items():
        if _model_of(field) is None:
            key = field.alias or name
            found = shape["properties"][key]
            rows.append(
                (f"`{key}`", _type(found, definitions), allowed(found, definitions), _default(field), _meaning(field))
            )
    return table(("key", "type", "allowed", "default", "meaning"), rows)


def _type(shape: Shape, definitions: Shape) -> str:
    shape = resolved(shape, definitions)
    if shape.get("format") == "path":
        return "path"
    if shape.get("type") == "array":
        return f"list of {_type(shape.get('items', {}), definitions)}s"
    return _TYPES[str(shape.get("type", "string"))]


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "needed"
    value = field.get_default(call_default_factory=True, validated_data={})
    return "none" if value in (None, "", (), {}) else f"`{shown(value)}`"


def _meaning(field: FieldInfo) -> str:
    return " ".join((field.description or "").replace("``", "`").split())


_TYPES: Final = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "table",
}
_HEAD: Final = """\
# Configuration

One TOML file is one table: `tablewatch run TABLE.toml`. [An example](examples/table.toml) to copy has every section
with what a house usually changes; `tablewatch check TABLE.toml` says everything that is wrong with a file at once and
opens nothing. A key that is not known is an error that names the nearest known one. Paths are relative to the file.
This page is made from the models in the code; `make pages` writes it anew.
"""
_SECRETS: Final = """
## Secrets

They are never in the file, but in the environment:

"""
_TAIL: Final = """
## `simulation = true`

A device of the native link says in its first message whether it is a simulator. A table refuses one that is: nobody
shall play for money with cards that nobody dealt. With `simulation = true` under `[table]` it is accepted, for
trials and demonstrations on your own desk: `tablewatch check` then warns, the journal says at every start that devices
may be simulated, and the table's `meta` on MQTT has `"simulation": true`, so that a floor can leave it out of its
books. The Angel Eye's wire has no such word: a simulated one cannot be told from a real one, and works without the key.

A device alone is accepted with `options = {allow_simulated = true}`.

A first trial without hardware, each line in a terminal of its own, with these paths as the ports of `bj-012.toml`:

```
tablewatch sim shoe --pty /tmp/shoe
tablewatch sim console --pty /tmp/console
tablewatch sim bets --pty /tmp/bets
tablewatch run bj-012.toml
tablewatch tail bj-012.toml --live
```

It shows that ports, journal, broker and staff are right. These devices know nothing of each other: cards and keys come
by chance, and the table refuses or holds most of them and says why. People who play by the rules are at the table of
`tablewatch demo --keep FOLDER`, whose configuration stays in FOLDER.

## What belongs together

- Names and ports of devices, ids and cards of staff are each used once.
- A path in `ruleset` ends with `.toml`; a word without it is a shipped rule set: `tablewatch rules list` names them. A
  table of Blot has `game = "blot"` beside it.
- `[rules]` changes keys of that rule set for this table alone: limits, chips. The keys are those of
  [rule sets](rule-sets.md) and [Blot](blot.md).
- What the driver of a device takes as `options` is in [devices](devices.md).
"""
