"""What somebody must act on is whole on the live view at every size; the rest gives way."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from controller.cli.live import Picture, render
from controller.cli.live_wrap import wrapped

SIZES = [(60, 16), (80, 24), (120, 40), (110, 16)]
WORDS = "every chip of the bets that lie at box one to box seven is on record as the sensor told it"
WAYS = [("name_card", True), ("next_card", False), ("exposed", False), ("void_round", False), ("new_shoe", False)]
BLACKJACK = {
    "boxes": [
        {"box": box, "mains": [], "hands": [{"cards": ["KD", "5C"], "total": "15", "turn": box == 2}]}
        for box in range(1, 8)
    ],
    "dealer": {"cards": ["7H"], "total": "7"},
    "shoe": {"number": 3, "cards": 312, "drawn": 40, "cut_card_at": 208},
}
BLOT = {
    "seats": [{"seat": seat, "role": "D", "cards": ["KD", None, None], "announced": ["a run of 4"]} for seat in (1, 2)],
    "shoe": {"number": 1, "cards": 24, "drawn": 19},
    "match": {"target": 101, "totals": [1, 2]},
}


def held(text: str) -> dict[str, Any]:
    return {
        "id": "v17",
        "code": "CHIPS_UNSEEN",
        "severity": "hold",
        "actual": f"came {text}",
        "expected": f"wanted {text}",
        "corrections": [{"kind": kind, "needs_card": card} for kind, card in WAYS],
    }


def shown(state: dict[str, Any], width: int, height: int, **more: Any) -> str:
    console = Console(file=io.StringIO(), width=width, height=height, legacy_windows=False, _environ={})
    console.print(render(Picture("lv1", "bj-012", {"service": "open", **state}, **more)))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert len(text.splitlines()) == height
    assert all(cell_len(line) <= width for line in text.splitlines())
    return " ".join(text.split())


@pytest.mark.parametrize("view", [BLACKJACK, BLOT], ids=["blackjack", "blot"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_hold_is_whole(view: dict[str, Any], width: int, height: int) -> None:
    text = shown({"view": view, "verdicts": [held(WORDS)], "held": held(WORDS)}, width, height)
    assert f"v17 CHIPS_UNSEEN came: came {WORDS}" in text
    assert f"expected: wanted {WORDS}" in text
    for number, (kind, card) in enumerate(WAYS, 1):
        assert f"{number} {kind}{' + card' if card else ''}" in text


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_where_even_the_screen_is_too_small_the_ways_out_come_first_and_the_rest_is_counted(
    width: int, height: int
) -> None:
    text = shown({"view": BLACKJACK, "verdicts": [held(" ".join([WORDS] * 4))]}, width, height)
    for number, (kind, _) in enumerate(WAYS, 1):
        assert f"{number} {kind}" in text
    assert ("more" in text) == (height == 16)


@pytest.mark.parametrize("view", [BLACKJACK, BLOT], ids=["blackjack", "blot"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_what_comes_next_is_whole_with_all_its_keys(view: dict[str, Any], width: int, height: int) -> None:
    keys = ["hit", "stand", "double", "split", "surrender", "even_money", "announce_run", "announce_four"]
    coming = [{"text": f"box 2 {WORDS}", "options": keys}, {"text": "or the other way"}]
    text = shown({"view": view, "expected": coming}, width, height)
    assert f"box 2 {WORDS} or or the other way" in text
    assert " ".join(keys) in text


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_shoe_that_is_away_and_a_command_to_approve_are_whole(width: int, height: int) -> None:
    advice = "main is offline: plug it in, or hand over to the-spare-shoe-behind-the-table"
    shoes = {
        "in_use": ["main"],
        "spares": ["the-spare-shoe-behind-the-table"],
        "offline": ["main"],
        "advice": advice,
    }
    signed = {"name": "resume", "actor": "12", "request": "7-0c1d2e", "verdict": "v17", "correction": "name_card"}
    state = {"view": BLACKJACK, "shoes": shoes, "signed": [{**signed, "card": "KD"}]}
    text = shown(state, width, height, status="degraded", reason=advice)
    assert text.count(advice) == 1
    assert "resume v17 name_card KD by 12: a second person approves 7-0c1d2e" in text
    assert "shoe 3 · main" in text


def test_the_box_that_decides_is_among_those_that_fit() -> None:
    view = {**BLACKJACK, "boxes": [{"box": box, "hands": [{"turn": box == 7}]} for box in range(1, 8)]}
    text = shown({"view": view}, 60, 16)
    assert "▶ 7" in text
    assert "+2 more" in text


def test_a_spare_is_named_beside_the_shoe_in_use() -> None:
    shoes = {"in_use": ["main"], "spares": ["second", "third"], "offline": ["third"], "advice": ""}
    text = shown({"view": BLACKJACK, "shoes": shoes}, 80, 24)
    assert "shoe 3 · main" in text
    assert "spare: second, third (offline)" in text


def test_trouble_of_the_broker_and_of_sources_is_whole_on_a_small_screen() -> None:
    sources = {"cards": [{"box": box, "hand": 1, "card": "KD", "lacks_second": True} for box in range(1, 6)]}
    broker = "the broker refused to subscribe tablewatch/v1/lv1/bj-012/evt; check its permissions"
    text = shown({"view": BLOT, "sources": sources}, 60, 16, broker=broker)
    assert broker in text
    assert "not yet K♦ at box 1, K♦ at box 2, K♦ at box 3, K♦ at box 4, K♦ at box 5" in text


@given(st.text(st.sampled_from("ab ♦漢"), max_size=80), st.integers(3, 20), st.integers(0, 9))
def test_a_broken_line_fits_and_loses_nothing_but_spaces(plain: str, width: int, indent: int) -> None:
    rows = wrapped(Text(plain), width, indent)
    assert "".join("".join(row.plain.split()) for row in rows) == "".join(plain.split())
    if width > indent + 1:
        assert all(cell_len(row.plain) <= width for row in rows)
        assert all(row.plain.startswith(" " * indent) for row in rows[1:])
