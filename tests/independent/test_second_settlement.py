"""The settlement of the game against one that shares no code with it; the whole campaign is `bench.settlement`."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import Any

import pytest

from bench import blackjack_referee
from bench.blackjack_referee import Referee, dealer_fault
from bench.blackjack_rounds import ALTERNATIVES, RandomTable, Round, random_keys
from bench.settlement import ROUNDS_A_TABLE, Tally, differences, main, play_table
from controller.games.blackjack.rules import Rules

ROUNDS = 1200
NO_EFFECT_ON_PAYMENT = {
    "spare_shoe",
    *("inspection", "player_cut", "cut_margin", "second_cut_share", "second_cut_tolerance", "burn_min", "burn_max"),
    *(
        "burn_face_down",
        "cut_card_first",
        "count_after_shoe",
        "count_racked",
        "boxes",
        "persons_per_box",
        "hands_per_player",
    ),
    *("box_min", "box_max", "person_max", "rebet", "exchange", "side_min", "side_max", "settlement_gate"),
    *("decision_timeout_s", "dealer_skipped"),
}
"""Keys of the shoe, of the limits and of the order of things."""


def settled_twice(rounds: int = ROUNDS, seed: int = 1) -> Tally:
    rng, tally = random.Random(seed), Tally()
    while tally.rounds < rounds:
        play_table(rng, tally)
    return tally


def test_random_rounds_by_random_rules_settle_the_same_twice() -> None:
    tally = settled_twice()
    assert tally.wrong == []
    assert tally.rounds == ROUNDS
    assert tally.bets.keys() == {"main", "insurance", "bonus", "side:trilux", "side:21plus3", "side:perfect11"}
    words = {"hit", "stand", "double", "split", "surrender", "even_money", "second_hand"}
    assert tally.decisions.keys() == words
    assert tally.moved_minor > 0


def test_the_referee_imports_nothing_of_ours() -> None:
    tree = ast.parse(Path(blackjack_referee.__file__).read_text("utf-8"))
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert set(imported) == {"__future__", "collections.abc", "dataclasses", "typing"}


def test_every_key_that_changes_a_payment_is_drawn_by_chance() -> None:
    keys = random_keys(random.Random(1))
    assert keys.keys() | NO_EFFECT_ON_PAYMENT == set(Rules.model_fields)
    assert ALTERNATIVES.keys().isdisjoint(NO_EFFECT_ON_PAYMENT)


KEYS: dict[str, Any] = Rules().model_dump(mode="json")


def paper(words: str, *, stake: int = 1000) -> list[tuple[Any, ...]]:
    """A round on box 1: ``AS`` a card of the box, ``d:KH`` of the dealer, other words decisions; ``x`` doubles."""
    record: list[tuple[Any, ...]] = [("bet", 1, 1, "main", stake)]
    for word in words.split():
        if word.startswith("d:"):
            record.append(("card", 0, 1, word[2:]))
        elif word == "x":
            record += [("decision", 1, 1, 1, "double"), ("bet", 1, 1, "double", stake)]
        elif word[0] in "A23456789TJQK":
            record.append(("card", 1, 1, word))
        else:
            record.append(("decision", 1, 1, 1, word))
    return record


@pytest.mark.parametrize(
    ("keys", "words", "net"),
    [
        ({}, "AS KD d:9H d:8H", 1500),
        ({"blackjack_pays": "6:5"}, "AS KD d:9H d:8H", 1200),
        ({"blackjack_pays": "7:3", "chip_quantum": 100}, "AS KD d:9H d:8H", 2300),
        ({"blackjack_pays": "7:3", "chip_quantum": 100, "rounding": "player"}, "AS KD d:9H d:8H", 2400),
        ({}, "AS KD d:AH d:KH", 0),
        ({}, "AS KD even_money d:AH d:KH", 1000),
        ({}, "TS 6D surrender d:TH", -500),
        ({"surrender": "late"}, "TS 6D surrender d:TH d:AH", -1000),
        ({}, "TS 6D hit KC d:6H", -1000),
        ({}, "6S 5D x TC d:TH d:9D", 2000),
        ({}, "6S 5D x TC d:TH d:AD", -2000),
        ({"dealer_blackjack_takes": "original_only"}, "6S 5D x TC d:TH d:AD", -1000),
        ({}, "TS 8D stand d:TH d:8H", 0),
        ({"six_cards": "win"}, "2S 2D hit 3C hit 2C hit 3D hit 3H d:TH", 1000),
    ],
)
def test_the_referee_alone(keys: dict[str, Any], words: str, net: int) -> None:
    assert Referee(KEYS | keys).settle(paper(words)) == {(1, 1, "main"): net}


def test_the_referee_pays_bonuses_insurance_and_side_bets() -> None:
    keys = KEYS | {"bonus_three_sevens": "2:1", "side_bets": {"trilux": {"trips": "20:1", "flush": "5:1"}}}
    record = paper("7S 7D hit 7C d:7H d:TH")
    record[1:1] = [("bet", 1, 1, "side:trilux", 100), ("bet", 1, 1, "insurance", 500)]
    assert Referee(keys).settle(record) == {
        (1, 1, "main"): 1000,
        (1, 1, "bonus"): 2000,
        (1, 1, "insurance"): -500,
        (1, 1, "side:trilux"): 2000,
    }


@pytest.mark.parametrize(
    ("keys", "words", "fault"),
    [
        ({}, "TS 8D stand d:TH d:6H", "stood on ['TH', '6H']"),
        ({}, "TS 8D stand d:TH d:7H d:2H", "drew to ['TH', '7H']"),
        ({}, "TS 8D stand d:AH d:6H d:2H", "drew to ['AH', '6H']"),
        ({"dealer_hits_soft_17": True}, "TS 8D stand d:AH d:6H d:2H", ""),
        ({}, "TS 6D hit KC d:6H", ""),
        ({}, "AS KD d:TH", "drew no card to ['TH'] although a bet depends on a blackjack"),
        ({}, "AS KD d:9H", ""),
    ],
)
def test_the_referee_watches_the_dealer(keys: dict[str, Any], words: str, fault: str) -> None:
    assert dealer_fault(KEYS | keys, paper(words)) == fault


def test_a_difference_is_named_with_both_amounts() -> None:
    played = Round(KEYS, paper("TS 8D stand d:TH d:7H"), {(1, 1, "main"): 999})
    assert differences(played) == ["box 1 person 1 main: 999, not 1000"]
    played = Round(KEYS, paper("TS 8D stand d:TH d:6H"), {(1, 1, "main"): 1000, (1, 2, "main"): 0})
    assert differences(played)[0] == "box 1 person 2 main: 0, not None"
    assert differences(played)[-1].startswith("the dealer stood on")


def test_the_campaign_says_what_it_has_seen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["settlement", "--rounds", "40", "--seed", "2"])
    assert main() == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "40 rounds settled twice, no bet differs" in said
    assert "seed 2" in said
    assert RandomTable(random_keys(random.Random(2)), random.Random(2)).round().owed
    assert ROUNDS_A_TABLE <= 40
