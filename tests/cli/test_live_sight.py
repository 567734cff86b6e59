"""The live view's line about second sources: what was seen, what was not yet, what nobody can explain."""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console

from controller.cli.live import Picture, render
from controller.cli.live_sight import sight_lines


def card(box: int, face: str | None, *seen_by: str, hand: int = 1) -> dict[str, Any]:
    return {"box": box, "hand": hand, "card": face, "seen_by": list(seen_by), "lacks_second": not seen_by}


def told(*cards: dict[str, Any], **more: Any) -> str:
    return "".join(line.plain for line in sight_lines({"cards": list(cards), **more}, 200))


def test_every_card_seen() -> None:
    assert (
        told(card(1, "KH", "camera"), card(0, "7C", "camera")) == " sight  2 of 2 cards seen where they lie by camera"
    )


def test_what_was_not_seen_yet_is_named_with_its_place() -> None:
    line = told(card(1, "KH", "camera"), card(3, "7C", hand=2), card(0, None))
    assert (
        line == " sight  1 of 3 cards seen where they lie by camera; not yet 7♣ at box 3 hand 2, a card at the dealer"
    )


def test_a_card_that_no_drawn_one_explains_stands_out() -> None:
    line = told(card(1, "KH", "camera"), unexplained=[{"device": "camera", "box": 5, "hand": 1}])
    assert line.endswith("; camera sees another card at box 5")


@pytest.mark.parametrize("sources", [{}, {"cards": []}, {"cards": "?"}, {"cards": [{"box": 1}]}, {"cards": [7, None]}])
def test_nothing_is_said_where_nothing_is_compared(sources: dict[str, Any]) -> None:
    assert sight_lines(sources, 80) == []


def test_it_stands_above_the_devices() -> None:
    state = {"sources": {"cards": [card(1, "KH", "camera")]}, "offline": []}
    console = Console(width=80, height=20, record=True, force_terminal=False)
    console.print(render(Picture("lv1", "bj-1", state)))
    lines = [line for line in console.export_text().splitlines() if line.strip()]
    assert "1 of 1 cards seen where they lie by camera" in lines[-2]
    assert "broker" in lines[-1]
