"""Documentation made from the code, so that it says what the code does: pure functions that give Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.core.verdicts import VerdictCode


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; ``|`` in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def with_table(page: str, made: str) -> str:
    """``page`` with the table in it that begins with the same two heads replaced by ``made``. Raises ValueError where
    the page has none."""
    lines = page.splitlines(keepends=True)
    head = made.split("|", 3)[1:3]
    at = next((n for n, line in enumerate(lines) if line.startswith("|") and line.split("|", 3)[1:3] == head), None)
    if at is None:
        raise ValueError(f"the page has no table with the heads {' and '.join(word.strip() for word in head)}")
    end = next((n for n, line in enumerate(lines[at:], at) if not line.startswith("|")), len(lines))
    return "".join((*lines[:at], made, *lines[end:]))


def allowed(shape: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """What a key may be, from its place in a JSON Schema with these ``$defs``: words, a range, a pattern."""
    shape = resolved(shape, definitions)
    words = shape.get("enum", [shape["const"]] if "const" in shape else [])
    if words:
        return ", ".join(f"`{shown(word)}`" for word in words)
    match shape.get("type"):
        case "boolean":
            return "`true`, `false`"
        case "integer" | "number":
            return _range(shape)
        case "array":
            inner = allowed(shape.get("items", {}), definitions)
            return f"each {inner}" if inner else ""
        case _:
            return _text(shape)


def resolved(shape: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """The shape that a reference leads to; of one that may be left empty, the shape when it is not."""
    if "anyOf" in shape:
        shape = next(inner for inner in shape["anyOf"] if inner.get("type") != "null")
    return definitions[shape["$ref"].rpartition("/")[2]] if "$ref" in shape else shape


def shown(value: object) -> str:
    """A value as it is written in TOML, texts without quotes."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(list(value)).replace("'", '"') if isinstance(value, tuple) else str(value)


def _range(shape: Mapping[str, Any]) -> str:
    low, high = shape.get("minimum"), shape.get("maximum")
    if low is not None:
        return f"{_number(low)} or more" if high is None else f"{_number(low)} to {_number(high)}"
    above, below = shape.get("exclusiveMinimum"), shape.get("exclusiveMaximum")
    ends = (("above", above), ("up to", high), ("below", below))
    return ", ".join(f"{word} {_number(end)}" for word, end in ends if end is not None)


def _number(end: float) -> str:
    """A bound: whether ``0`` or ``0.0`` stands in the schema depends on the version of Pydantic."""
    return str(int(end)) if end == int(end) else str(end)


def _text(shape: Mapping[str, Any]) -> str:
    if "pattern" in shape:
        return f"text that matches `{shape['pattern']}`"
    return f"up to {shape['maxLength']} characters" if "maxLength" in shape else ""


def verdicts_page(lists: Sequence[tuple[str, Sequence[VerdictCode]]]) -> str:
    """The page of verdict codes: one table for each title and list."""
    parts = [_VERDICTS_HEAD]
    for title, codes in lists:
        rows = [
            (f"`{c.code}`", ", ".join(s.value for s in c.severities), c.meaning, c.remedy)
            for c in sorted(codes, key=lambda c: c.code)
        ]
        parts.append(f"\n## {title}\n\n" + table(("code", "severity", "meaning", "what to do"), rows))
    return "".join(parts)


_VERDICTS_HEAD = """\
# Verdicts

What the table says about a deviation, with what was expected, what came instead and the corrections that may be chosen.
This page is made from the lists in the code; `make pages` writes it anew.

| severity | what it does |
| --- | --- |
| note | put right already, or harmless; it is on record |
| refused | not accepted; nothing has changed, but chips that lie on the felt must go back |
| open | play goes on; the next round waits until it is put right |
| hold | the table waits: a supervisor chooses a correction |

Words in `code` under "what to do" are corrections: `resume` with that word, by a supervisor. Those that name a card,
void the round or start a new shoe need a second person. Every hold offers to void the round while stakes are open.
"""
