"""Verdict codes: one list, one page, and every code of the source is on it."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

from controller.core import codes as core_codes
from controller.core.pages import table, verdicts_page

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


def test_the_page_of_verdicts_is_the_one_the_code_makes() -> None:
    page = verdicts_page(LISTS)
    assert (ROOT / "docs/verdicts.md").read_text("utf-8") == page, (
        "write what verdicts_page() gives to docs/verdicts.md"
    )


def test_a_cell_may_hold_a_bar() -> None:
    assert table(("a", "b"), [("1|2", "3")]) == "| a | b |\n| --- | --- |\n| 1\\|2 | 3 |\n"
