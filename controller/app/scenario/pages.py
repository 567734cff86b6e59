"""The table of verbs in docs/scenarios.md, made from the verbs themselves."""

from __future__ import annotations

from controller.app.scenario.commands import USAGE as COMMAND_WORDS
from controller.app.scenario.grammar import COMMAND_NAMES, KEYS, PLACELESS, VERBS
from controller.core.pages import table


def verbs_table() -> str:
    """A Markdown table of how a line is written and what it does; commands, and keys written alike, share a row."""
    rows = [(f"`{verb.usage}`", verb.meaning) for name, verb in VERBS.items() if name not in {*KEYS, *COMMAND_NAMES}]
    for usage, meaning, words in (
        (f"COMMAND {COMMAND_WORDS}", "a command of a person", COMMAND_NAMES),
        ("KEY [PLACE] [NUMBER]", "a key of the console", [k for k in KEYS if k not in PLACELESS]),
        ("KEY [NUMBER]", "a key of the console", [k for k in KEYS if k in PLACELESS]),
    ):
        rows.append((f"`{usage}`", f"{meaning}: {', '.join(f'`{word}`' for word in words)}"))
    return table(("line", "what happens"), rows)
