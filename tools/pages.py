"""``python -m tools.pages [--check]``: writes, or compares, the pages of documentation that are made from the code."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from controller.app.config_page import config_page
from controller.app.plugins import GAMES, load_game, names
from controller.app.rulesets import load_rules, shipped
from controller.app.scenario.pages import verbs_table
from controller.core import codes
from controller.core.pages import verdicts_page, with_table
from controller.games import blackjack, blot
from controller.games.blackjack.pages import rules_page
from controller.games.blot.pages import rules_table

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"


def _verdicts(_: str) -> str:
    games = [(name.title(), load_game(name).codes) for name in names(GAMES)]
    return verdicts_page([("Every table", codes.CODES), *games])


def _rule_sets(_: str) -> str:
    return rules_page({name: load_rules(blackjack.GAME, name, {}).rules for name in shipped("blackjack")})


def _blot(page: str) -> str:
    return with_table(page, rules_table({name: load_rules(blot.GAME, name, {}).rules for name in shipped("blot")}))


PAGES: Final[dict[str, Callable[[str], str]]] = {
    "verdicts.md": _verdicts,
    "rule-sets.md": _rule_sets,
    "configuration.md": lambda _: config_page(),
    "scenarios.md": lambda page: with_table(page, verbs_table()),
    "blot.md": _blot,
}
"""What makes each page, from the page as it is: the whole of it, or one table in it."""


def stale() -> Iterator[tuple[Path, str]]:
    """Every page that is not as the code makes it, with what the code makes."""
    for name, make in PAGES.items():
        path = DOCS / name
        page = path.read_text("utf-8") if path.is_file() else ""
        made = make(page)
        if made != page:
            yield path, made


def main(arguments: Sequence[str]) -> int:
    """Write the pages that differ, or with ``--check`` only name them; 1 when one differed and was not written."""
    found = list(stale())
    for path, made in found:
        if "--check" in arguments:
            print(f"{path}: not as the code makes it; run make pages", file=sys.stderr)
        else:
            path.write_text(made, "utf-8")
            print(f"{path}: written")
    return 1 if found and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
