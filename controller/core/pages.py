"""Documentation made from the code, so that it says what the code does: pure functions that give Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from controller.core.verdicts import VerdictCode


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; ``|`` in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


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
This page is made from the lists in the code; a test holds it to them.

| severity | what it does |
| --- | --- |
| note | put right already, or harmless; it is on record |
| refused | not accepted; nothing has changed, but chips that lie on the felt must go back |
| open | play goes on; the next round waits until it is put right |
| hold | the table waits: a supervisor chooses a correction |

Words in `code` under "what to do" are corrections: `resume` with that word, by a supervisor. Those that name a card,
void the round or start a new shoe need a second person. Every hold offers to void the round while stakes are open.
"""
