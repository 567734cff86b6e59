"""The page of rule-set keys, made from the texts under the fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.core.pages import allowed, shown, table
from controller.games.blackjack.owner import warnings
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.side_bets import CATEGORIES, SideBet


def rules_page(shipped: Mapping[str, Rules]) -> str:
    """Every key with its meaning, what is allowed, and its value in each shipped rule set (by name)."""
    properties = Rules.model_json_schema()
    rows = []
    for name, field in Rules.model_fields.items():
        shape = properties["properties"][name]
        values = [f"`{_shown(getattr(rules, name))}`" for rules in shipped.values()]
        meaning = " ".join((field.description or "").replace("``", "`").split())
        rows.append(
            (
                f"`{name}`",
                meaning,
                _allowed(shape, properties.get("$defs", {})),
                f"`{_shown(field.get_default(call_default_factory=True, validated_data={}))}`",
                *values,
            )
        )
    keys = table(("key", "meaning", "allowed", "default", *shipped), rows)
    return _HEAD + keys + _rows() + _warnings(shipped)


def _rows() -> str:
    found = [
        (f"`{bet.value}`", _CARDS[bet], ", ".join(f"`{row.value}`" for row in rows)) for bet, rows in CATEGORIES.items()
    ]
    return "\n## Side bets\n\n" + table(("bet", "its cards", "rows a pay table may have"), found) + _SIDE


def _allowed(shape: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    if shape.get("type") == "object":
        return "a table of each bet's rows, `[rules.side_bets.trilux]`"
    return allowed(shape, definitions) or "odds such as `3:2`"


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        tables = (f"{bet}: " + ", ".join(f"{row} {odds}" for row, odds in rows.items()) for bet, rows in value.items())
        return "; ".join(tables) or "none"
    return shown(value)


def _warnings(shipped: Mapping[str, Rules]) -> str:
    lines = [f"- `{name}`: {text}\n" for name, rules in shipped.items() for text in warnings(rules)]
    return "\n## What the owner of a table must know\n\n" + "".join(lines) if lines else ""


_CARDS = {
    SideBet.TRILUX: "the box's first two cards and the dealer's up card",
    SideBet.TWENTY_ONE_PLUS_THREE: "the same",
    SideBet.PERFECT_11: "the box's first two cards",
}
_SIDE = """
A pay table has the rows that pay; of those that the cards are, the one that pays most counts, and none means that the
bet loses. Ace, two, three and queen, king, ace are in a row, king, ace, two is not; a pair does not spoil a flush;
suited trips are trips where the table has no row of their own. A side bet is decided when the first cards lie.
"""

_HEAD = """\
# Rule sets of blackjack

A rule set is a TOML file: a `title`, `game = "blackjack"`, and these keys under `[rules]`. A key that is left out has
its default; an unknown one is an error that names the nearest. Amounts are whole minor units of the table's currency.
This page is made from the rule keys in the code; `make pages` writes it anew.

"""
