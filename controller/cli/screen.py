"""Where lines go: standard output for what was asked, standard error for complaints; colour only on a terminal."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from typing import Final, NoReturn, TextIO

from rich.console import Console
from rich.text import Text

from controller.core.words import Line, Tone

PLAIN_WIDTH: Final = 132
"""Columns of output that is no terminal, unless COLUMNS says otherwise: a file has no edge to wrap at."""

STYLES: Final = {
    Tone.PLAIN: "",
    Tone.QUIET: "dim",
    Tone.STEP: "cyan",
    Tone.CARD: "bold",
    Tone.MONEY: "yellow",
    Tone.GOOD: "green",
    Tone.WARN: "bold yellow",
    Tone.ALARM: "bold white on red",
}
RED_CARD: Final = "bold bright_red"
BLACK_CARD: Final = "bold bright_white"
_CARDS: Final = re.compile(r"\b[A2-9TJQK][♠♥♦♣]")


class OutputClosedError(Exception):
    """Whoever read our output is gone (``tablewatch replay … | head``)."""


class Screen(Console):
    """A console without markup, wrapping or guessing: what is printed may come from strangers."""

    def __init__(self, file: TextIO) -> None:
        wide = PLAIN_WIDTH if not file.isatty() and not os.environ.get("COLUMNS") else None
        super().__init__(file=file, markup=False, highlight=False, emoji=False, soft_wrap=True, width=wide)

    def on_broken_pipe(self) -> NoReturn:
        """Raise OutputClosedError."""
        raise OutputClosedError


def output() -> Screen:
    """The screen on standard output as it is now."""
    return Screen(sys.stdout)


def complain(*lines: str) -> None:
    """Lines on standard error, red on a terminal."""
    screen = Screen(sys.stderr)
    for text in lines:
        screen.print(Text(text, "red"))


def program() -> str:
    """How this command was called (``.venv/bin/tablewatch``), so that a line which names it can be pasted."""
    called = sys.argv[0]
    return called if Path(called).name == "tablewatch" else "tablewatch"


def styled(line: Line) -> Text:
    """A narrated line in the colour of its tone, cards in theirs."""
    text = Text(line.text, STYLES[line.tone])
    if line.tone is not Tone.ALARM:
        for found in _CARDS.finditer(line.text):
            text.stylize(card_style(found[0]), *found.span())
    return text


def card_style(card: str) -> str:
    """The style of a card written ``K♦``: red or white."""
    return RED_CARD if card[-1:] in "♥♦" else BLACK_CARD


def cards_text(cards: list[str]) -> Text:
    """Cards written ``K♦``, each in its colour, one space between."""
    return Text(" ").join(Text(card, card_style(card)) for card in cards)


def tolerant() -> None:
    """Let a terminal that cannot show ``♦`` show ``?`` instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
