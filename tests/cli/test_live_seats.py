"""The live view of a table with two hidden hands."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from controller.app.picture import state_payload
from controller.app.rulesets import load_rules
from controller.bus.payloads import payload_bytes
from controller.cli.live import Picture, render
from controller.core.cards import DECK, Card
from controller.core.inputs import (
    CardDrawn,
    CardShown,
    CommandReceived,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    Input,
    RulesChosen,
    SystemStarted,
)
from controller.core.state import EMPTY
from controller.core.table import step
from controller.games.blot import GAME

RULES = load_rules(GAME, "armenian", {})
SPREAD = tuple(int(card.rank in {1, 9, 10, 11, 12, 13}) for card in DECK)
FIRST = ["JH", "9H", "TS", "QS", "KS", "9C", "AS", "TD", "JD", "AC", "TC", "9D", "AH"]
"""Seat 1 has the packets 1 and 3, seat 2 the others; the ace of hearts is turned up."""
SECOND = ["KH", "QH", "JS", "9S", "QD"]


class Felt:
    """An open table of Blot; seat 2 deals."""

    def __init__(self) -> None:
        self.state = EMPTY
        self.say(
            SystemStarted(1, "1"),
            RulesChosen("blot", RULES.name, RULES.data, RULES.sha256),
            CommandReceived("open-table", "4711", "dealer"),
            DeckSpread("console", SPREAD),
            DealerSignalled("console", "first_dealer", 2),
        )

    def say(self, *events: Input) -> None:
        for event in events:
            self.state = step(GAME, self.state, event, 1).state

    def draw(self, cards: list[str]) -> None:
        self.say(*(CardDrawn("shoe", Card(card)) for card in cards))

    def picture(self) -> Picture:
        state = json.loads(payload_bytes(state_payload(GAME, self.state, 40, "EUR")))
        return Picture("lv1", "blot-1", state, {}, (), "ready", "", "connected", True)


def shown(picture: Picture, width: int = 80, height: int = 24) -> str:
    out = io.StringIO()
    Console(file=out, width=width, height=height, legacy_windows=False, _environ={}).print(render(picture))
    return out.getvalue()


@pytest.fixture
def playing() -> Felt:
    felt = Felt()
    felt.draw(FIRST)
    felt.say(DecisionSignalled("console", 1, "take"))
    felt.draw(SECOND)
    return felt


def test_while_bidding_only_the_turned_up_card_is_seen() -> None:
    felt = Felt()
    felt.draw(FIRST)
    text = shown(felt.picture())
    assert "lv1/blot-1 · armenian · round 1-1 · bidding" in text
    assert "up A♥" in text
    assert "▶ seat 1 · N" in text
    assert "seat 2 · D" in text
    assert text.count("▒▒") == 12
    assert " next  seat 1 speaks: take, pass" in text
    assert "J♥" not in text


def test_what_was_played_is_seen_and_the_rest_are_backs(playing: Felt) -> None:
    playing.say(
        DecisionSignalled("console", 1, "announce_run", amount_minor=4),
        CardShown("console", 1, Card("JH")),
    )
    text = shown(playing.picture())
    assert "seat 1 plays ♥ · trick 1 J♥" in text
    assert "seat 1 · N · taker" in text
    assert "▶ seat 2 · D" in text
    assert "a run of 4" in text
    assert text.count("▒▒") == 16, "17 cards are left in the hands, one of them was turned up"
    assert "0 of 101" in text
    assert " next  seat 2 answers J♥" in text


def test_a_score_is_shown_beside_what_the_match_stands_at(playing: Felt) -> None:
    playing.say(CardShown("console", 1, Card("JH")), DecisionSignalled("console", 2, "give_up"))
    text = shown(playing.picture())
    assert "+23  0 of 101" in text
    assert "+0  0 of 101" in text


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (60, 16)])
def test_it_fills_the_screen_and_no_more(playing: Felt, width: int, height: int) -> None:
    lines = shown(playing.picture(), width, height).splitlines()
    assert len(lines) == height
    assert all(len(text) <= width for text in lines)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("KD") | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
SEAT = st.dictionaries(
    st.sampled_from(["seat", "role", "cards", "announced", "shown", "tricks", "points"]), JSON, max_size=7
)
VIEW = st.dictionaries(
    st.sampled_from(["match", "score", "turn", "taker", "turn_up", "contract", "trick", "shoe"]), JSON, max_size=8
)


@given(st.lists(SEAT, min_size=1, max_size=4), VIEW, st.sampled_from([(80, 24), (60, 16), (20, 5), (1, 1)]))
def test_no_payload_breaks_it(seats: list[Any], view: dict[str, Any], size: tuple[int, int]) -> None:
    text = shown(Picture("lv1", "blot-1", {"view": {**view, "seats": seats}}), *size)
    assert text.replace("\n", "").isprintable()
