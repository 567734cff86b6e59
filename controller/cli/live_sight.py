"""The live view's line about second sources: which of the cards on the table were seen where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from controller.cli import payload
from controller.cli.live_lines import MARGIN
from controller.cli.live_wrap import wrapped
from controller.cli.screen import cards_text


def sight_lines(sources: Mapping[str, Any], width: int) -> list[Text]:
    """What was seen while cards lie that a second source can see, none otherwise. ``sources`` is that part of
    ``state``."""
    cards = payload.mappings(sources, "cards")
    seen = [card for card in cards if payload.texts(card, "seen_by")]
    lacking = [card for card in cards if card.get("lacks_second") is True]
    unexplained = payload.mappings(sources, "unexplained")
    if not (seen or lacking or unexplained):
        return []
    names = sorted({name for card in seen for name in payload.texts(card, "seen_by")})
    line = Text(" sight ", "black on green" if not lacking else "black on yellow")
    line = Text.assemble(line, (f" {len(seen)} of {len(seen) + len(lacking)} cards seen where they lie", ""))
    line.append(f" by {', '.join(names)}" if names else "", "dim")
    for number, card in enumerate(lacking):
        line.append("; not yet " if number == 0 else ", ", "yellow").append(_card(card))
    for sighting in unexplained:
        line.append(f"; {payload.text(sighting, 'device')} sees another card {_place(sighting)}", "bold red")
    return wrapped(line, width, MARGIN)


def _card(card: Mapping[str, Any]) -> Text:
    written = payload.text(card, "card")
    face = cards_text(payload.cards({"card": [written]}, "card")) if written else Text("a card")
    return face.append(f" {_place(card)}", "dim")


def _place(where: Mapping[str, Any]) -> str:
    box, hand = payload.whole(where, "box"), payload.whole(where, "hand")
    if box == 0:
        return "at the dealer"
    return f"at box {box}" + (f" hand {hand}" if hand > 1 else "")
