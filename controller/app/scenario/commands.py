"""Commands of people in a scenario: ``resume name_card KD by pit with surveillance because it fell``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from controller.app.scenario.acts import Act, Commanded
from controller.app.scenario.words import Words, card_of
from controller.core.authority import AUTHORITY
from controller.core.cards import Card

USAGE: Final = "[CORRECTION] [CARD] [vN] [on DEVICE] [by NAME] [with NAME|nobody] [because REASON]"
NOBODY: Final = "nobody"
REASON: Final = "scenario"
_DEALERS: Final = frozenset({"open-table", "close-table"})
"""Commands that the dealer gives when the line does not say who; the others are a supervisor's, approved by the
dealer."""


def command_reader(name: str) -> Callable[[Words], list[Act]]:
    """The reader of a command's line."""

    def read(words: Words) -> list[Act]:
        head, reason = words, REASON
        if "because" in words:
            at = words.index("because")
            head, reason = words[:at], " ".join(words[at + 1 :]) or REASON
        by, approved = ("dealer", "") if name in _DEALERS else ("supervisor", "dealer")
        correction = verdict = target = ""
        card: Card | None = None
        rest = iter(head)
        for word in rest:
            if word == "by":
                by = _name(word, rest)
            elif word == "on":
                target = _name(word, rest)
            elif word == "with":
                approved = _name(word, rest).replace(NOBODY, "")
            elif word[:1] == "v" and word[1:].isdecimal() and not verdict:
                verdict = word
            elif len(word) == 2 and word[0] != "#" and card is None:
                card = card_of(word)
            elif correction:
                raise ValueError(f"{word!r} is one word too many")
            else:
                correction = word
        given = {"correction": correction, "card": card, "verdict": verdict, "device": target}
        if alien := next((key for key, value in given.items() if value and key not in AUTHORITY[name].arguments), ""):
            raise ValueError(f"{name} has no {alien}; it is given {', '.join(AUTHORITY[name].arguments)}")
        return [Commanded(name, by, approved, correction, card, verdict, reason, target)]

    return read


def _name(word: str, rest: Iterator[str]) -> str:
    name = next(rest, "")
    if not name:
        raise ValueError(f"{word} is followed by a name")
    return name
