"""Verdict codes: one list, one page, and every code of the source is on it."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from controller.core import codes as core_codes
from controller.core.pages import allowed, table, verdicts_page, with_table

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
GAMES = {name: EntryPoint(name, value, "") for name, value in PROJECT["entry-points"]["tablewatch.games"].items()}
LISTS = [("Every table", core_codes.CODES), *((name.title(), point.load().codes) for name, point in GAMES.items())]
FOLDERS = ["controller/core", *(f"controller/games/{name}" for name in GAMES)]
MADE_OF_PARTS = {"DOUBLE_NOT_NOW", "SPLIT_NOT_NOW", "DOUBLE_AMOUNT", "SPLIT_AMOUNT"}
"""Codes whose first word is the kind of bet."""


def code_words(folder: Path) -> Iterator[str]:
    """Texts in the source that look like a code and are used as one."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_code(node.value):
                yield node.value


def _is_code(text: str) -> bool:
    return "_" in text.strip("_") and text.replace("_", "").isalnum() and text.isupper() and text[0] != "_"


def test_every_code_of_the_source_is_on_a_list_and_every_listed_one_in_the_source() -> None:
    listed = {c.code for _, codes in LISTS for c in codes if _is_code(c.code)}
    used = {word for folder in FOLDERS for word in code_words(ROOT / folder)}
    assert used | MADE_OF_PARTS == listed


def test_each_code_is_explained_once() -> None:
    for _, codes in LISTS[1:]:
        words = [c.code for c in (*core_codes.CODES, *codes)]
        assert len(words) == len(set(words))
    assert all(c.meaning.endswith(".") and c.remedy.endswith(".") for _, codes in LISTS for c in codes)


def test_the_page_of_verdicts_has_every_list_and_code() -> None:
    page = verdicts_page(LISTS)
    assert all(f"\n## {title}\n" in page and f"| `{c.code}` | " in page for title, codes in LISTS for c in codes)


def test_a_cell_may_hold_a_bar() -> None:
    assert table(("a", "b"), [("1|2", "3")]) == "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n"


def test_a_table_in_a_page_is_replaced_and_nothing_else() -> None:
    page = "text\n\n| a | c |\n| - |\n\n| a | b | old |\n| --- |\n| 1 |\nmore\n"
    made = table(("a", "b"), [("2", "3")])
    assert with_table(page, made) == f"text\n\n| a | c |\n| - |\n\n{made}more\n"
    assert with_table(made, made) == made
    with pytest.raises(ValueError, match="no table with the heads x and y"):
        with_table(page, table(("x", "y"), []))


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ({"type": "boolean"}, "`true`, `false`"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "1 to 9"),
        ({"type": "integer", "minimum": 1}, "1 or more"),
        ({"type": "integer", "maximum": 9}, "up to 9"),
        ({"type": "integer"}, ""),
        ({"type": "number", "exclusiveMinimum": 0, "maximum": 9}, "above 0, up to 9"),
        ({"enum": ["a", "b"]}, "`a`, `b`"),
        ({"const": True}, "`true`"),
        ({"anyOf": [{"$ref": "#/$defs/Word"}, {"type": "null"}]}, "text that matches `^x$`"),
        ({"type": "array", "items": {"type": "string", "maxLength": 3}}, "each up to 3 characters"),
    ],
)
def test_what_is_allowed_is_read_from_the_schema(shape: dict[str, Any], text: str) -> None:
    assert allowed(shape, {"Word": {"type": "string", "pattern": "^x$"}}) == text
