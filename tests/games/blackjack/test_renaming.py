"""Another face for a card on the table: taken where the round could have gone the same way with it, else refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from controller.core.cards import Card
from controller.core.verdicts import Finding
from controller.games.blackjack import GAME

Make = Callable[..., Any]


def renamed(table: Any, at: tuple[int, int, int], face: str) -> Any:
    assert GAME.sightings is not None
    return GAME.sightings.rename(table.state.rules, table.game, at, Card(face), former=False)


def why(table: Any, at: tuple[int, int, int], face: str) -> str:
    """Why it is refused; a refusal changes nothing."""
    outcome = renamed(table, at, face)
    (finding,) = outcome.findings
    assert isinstance(finding, Finding)
    assert (finding.code, finding.severity.value) == ("FACE_IMPOSSIBLE", "refused")
    assert (outcome.state, list(outcome.facts)) == (table.game, [])
    return finding.actual


REFUSED = [
    ("B1:500 TS 7H", {}, (1, 1, 1), "KD", "K♦ named at box"),
    ("B1:500 TS 7H 6D", {}, (2, 1, 0), "KD", "K♦ named at box"),
    ("B1:500 TS 7H 6D", {"decks": 1}, (1, 1, 1), "TS", "T♠ named, and 1 of it are out already"),
    ("B1:500 8S 7H 8D +split", {}, (1, 1, 0), "9S", "the hand is being split on that card"),
    ("B1:500 8S 7H 8D +split 2C", {}, (1, 1, 0), "9S", "the hand was split on that card"),
    ("B1:500 6S 7H 5D +double", {}, (1, 1, 0), "7S", "the hand is being doubled on that card"),
    ("B1:500 TS 7H 6D hit 2C", {}, (1, 1, 1), "AD", "the hand would have had its last card before"),
    (
        "B1:500 B2:500 TS 9S 7H 6D 9D hit 8C stand TC",
        {},
        (1, 1, 2),
        "2C",
        "the hand would still decide, and the dealer has played",
    ),
    ("B1:500 AS AH TD even_money@1", {}, (1, 1, 1), "9D", "even money was taken on that card"),
    ("B1:500 TS 7H 6D", {}, (0, 1, 0), "AH", "insurance and surrender hang on the dealer's ace"),
    ("B1:500 TS 2H 6D stand 8C 9C", {}, (0, 1, 0), "9H", "the dealer would have stood before his last card"),
    (
        "B1:500 TS TH 6D 5C",
        {"hole_card": "dealt", "peek_on_ten": True, "surrender": "late"},
        (0, 1, 1),
        "AC",
        "the dealer has looked",
    ),
]


@pytest.mark.parametrize(("script", "keys", "at", "face", "reason"), REFUSED)
def test_a_face_with_which_the_round_could_not_have_come_so_far_is_refused(
    felt: Make, script: str, keys: dict[str, Any], at: tuple[int, int, int], face: str, reason: str
) -> None:
    table = felt(**keys)
    table.play(script)
    assert reason in why(table, at, face)


@pytest.mark.parametrize(
    ("script", "at", "face", "status", "phase"),
    [
        ("B1:500 TS 7H", (1, 1, 0), "9S", "waiting", "dealing"),
        ("B1:500 TS 7H 6D", (1, 1, 1), "AD", "blackjack", "settlement"),
        ("B1:500 TS 7H 6D hit 5C", (1, 1, 2), "8C", "bust", "settlement"),
        ("B1:500 TS 7H 6D hit 8C", (1, 1, 2), "2C", "playing", "players"),
        ("B1:500 TS 7H 6D stand TC", (0, 1, 1), "2C", "stood", "dealer"),
    ],
)
def test_what_follows_from_a_face_is_judged_anew(
    felt: Make, script: str, at: tuple[int, int, int], face: str, status: str, phase: str
) -> None:
    table = felt()
    table.play(script)
    outcome = renamed(table, at, face)
    assert list(outcome.findings) == []
    hand = outcome.state.boxes[0].hands[0]
    assert (hand.status.value, outcome.state.phase.value) == (status, phase)
    assert next(fact.TYPE for fact in outcome.facts) == "hand.corrected"


def test_the_face_it_has_already_changes_nothing(felt: Make) -> None:
    table = felt()
    table.play("B1:500 TS 7H 6D")
    outcome = renamed(table, (1, 1, 0), "TS")
    assert (outcome.state, list(outcome.findings), list(outcome.facts)) == (table.game, [], [])
