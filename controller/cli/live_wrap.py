"""Lines of the live view that are broken instead of cut."""

from __future__ import annotations

from rich.cells import cell_len, get_character_cell_size
from rich.text import Text


def wrapped(text: Text, width: int, indent: int = 0) -> list[Text]:
    """``text`` as lines of at most ``width`` columns, broken between words where it can be; lines after the first begin
    ``indent`` columns in. A ``width`` that leaves no room for text gives one line that the screen cuts."""
    if width <= indent + 1:
        return [text]
    rows: list[Text] = []
    rest, margin = text, 0
    while cell_len(rest.plain) > width:
        cut = _break(rest.plain, width, margin)
        head, tail = rest[:cut], rest[cut:]
        head.rstrip()
        rows.append(head)
        spaces = len(tail.plain) - len(tail.plain.lstrip(" "))
        rest, margin = Text(" " * indent).append_text(tail[spaces:]), indent
    return [*rows, rest]


def _break(plain: str, width: int, margin: int) -> int:
    """Where to break: behind the last word that fits, within the first one where none does."""
    columns, fitting = 0, 0
    for character in plain:
        columns += get_character_cell_size(character)
        if columns > width:
            break
        fitting += 1
    between = plain.rfind(" ", margin + 1, fitting + 1)
    return between if plain[margin:between].strip() and between > margin else max(fitting, margin + 1)
