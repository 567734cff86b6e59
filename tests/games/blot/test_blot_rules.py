"""The rule set: every key, its faults told at once, its page; and that each key changes what it says."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bench.blot_referee import DEFAULTS, judge
from bench.blot_rounds import ALTERNATIVES, Dealer, random_keys
from controller.core.cards import Card
from controller.core.game import RulesError
from controller.games.blot import GAME
from controller.games.blot.cards import NO_TRUMP, mask_of
from controller.games.blot.declarations import all_in, contest
from controller.games.blot.pages import rules_table
from controller.games.blot.rules import TARGETS, Rules, parse_rules
from controller.games.blot.score import Counted, score_round


def test_the_shipped_rule_set_says_every_key_and_is_the_default(keys: dict[str, Any]) -> None:
    assert Rules.model_fields.keys() == keys.keys()
    assert parse_rules(keys) == parse_rules({}) == Rules()


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"deal_pattern": [4, 2]}, "deal_pattern: packets are one of [3, 3], [2, 2, 2]"),
        ({"deal_pattern": 3}, "deal_pattern"),
        ({"target": 100}, "target 100 does not fit a short match by points: 51, 101, 201"),
        ({"form": "long"}, "target 101 does not fit a long match by points: 501, 1001, 2001"),
        ({"match_by": "rounds", "target": 2}, "target 2 does not fit a short match by rounds: 1, 3, 5"),
        ({"tie": "coin"}, "tie: Input should be 'taker_fails' or 'taker_makes' (is 'coin')"),
        ({"rake_bp": 10_001}, "rake_bp"),
        ({"fee_minor": -1}, "fee_minor"),
        ({"fee_minor": 150, "chip_quantum": 100}, "fee_minor 150 is not made of chips of 100"),
        ({"taget": 51}, "taget: unknown key; did you mean target?"),
        ({"overlap": 1}, "overlap"),
    ],
)
def test_a_fault_is_one_clear_line(data: dict[str, Any], problem: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules(data)
    assert any(problem in line for line in caught.value.problems)
    assert all("\n" not in line for line in caught.value.problems)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(RulesError) as caught:
        parse_rules({"tie": 1, "form": 2, "foo": 3})
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize(("match_by", "form"), TARGETS)
def test_every_target_of_both_forms_is_accepted(match_by: str, form: str) -> None:
    for target in TARGETS[match_by, form]:
        assert parse_rules({"match_by": match_by, "form": form, "target": target}).target == target


def test_the_owner_is_warned() -> None:
    assert len(GAME.warnings(Rules())) == 1
    assert GAME.warnings(Rules(give_up_counts="announced")) == ()
    assert "unread" in GAME.warnings(Rules(give_up_counts="announced", unread_cards="blind"))[0]


@pytest.mark.parametrize(
    ("keys", "warning"),
    [
        (
            {"fee_minor": 1000, "rake_bp": 5100},
            "rake_bp 5100 leaves the winner of a match less than the fee that he paid",
        ),
        ({"rake_bp": 500}, "rake_bp has no effect"),
        ({"capot_long": 210}, "capot_long has no effect"),
        ({"form": "long", "target": 501, "rounding": "five_up"}, "rounding has no effect"),
        ({"match_by": "rounds", "target": 3, "match_tie": "taker"}, "match_tie has no effect"),
        ({"no_trump": "never", "zero_four": "contested"}, "zero_four has no effect"),
    ],
)
def test_the_owner_is_warned_of_what_is_ruinous_or_idle(keys: dict[str, Any], warning: str) -> None:
    (text,) = GAME.warnings(parse_rules({"give_up_counts": "announced"} | keys))
    assert warning in text


def test_keys_that_mean_something_are_not_called_idle() -> None:
    keys = {
        "give_up_counts": "announced",
        "fee_minor": 1000,
        "rake_bp": 5000,
        "rounding": "five_up",
        "match_tie": "taker",
    }
    assert GAME.warnings(parse_rules(keys | {"zero_four": "contested"})) == ()
    assert (
        GAME.warnings(parse_rules({"give_up_counts": "announced", "form": "long", "target": 501, "capot_long": 210}))
        == ()
    )


CHANGED: dict[str, dict[str, Any]] = {
    "form": {"form": "long", "target": 501},
    "match_by": {"match_by": "rounds", "target": 3},
    "target": {"target": 51},
    "rake_bp": {"rake_bp": 500},
    "rake_rounding": {"rake_rounding": "house"},
    "fee_minor": {"fee_minor": 2000},
    "chip_quantum": {"chip_quantum": 100},
    "unread_cards": {"unread_cards": "blind"},
}
"""Another value for the keys that `ALTERNATIVES` leaves out, with what it needs."""


@pytest.mark.parametrize("key", sorted(Rules.model_fields.keys() - {"match_unit"}))
def test_every_key_shows_on_the_wall_card(key: str) -> None:
    """But for ``match_unit``, which has one value."""
    beside: dict[str, Any] = {"fee_minor": 1000} if key in {"rake_bp", "rake_rounding", "chip_quantum"} else {}
    if key == "capot_long":
        beside = {"form": "long", "target": 501}
    rules = parse_rules(beside)
    others = [CHANGED[key]] if key in CHANGED else [{key: value} for value in ALTERNATIVES[key]]
    changed = [other for other in (parse_rules(beside | keys) for keys in others) if other != rules]
    assert changed
    assert all(GAME.wall_card(other) != GAME.wall_card(rules) for other in changed)


def test_the_table_of_keys_explains_every_key(keys: dict[str, Any]) -> None:
    made = rules_table({"armenian": parse_rules(keys)})
    assert all(f"| `{key}` | " in made for key in Rules.model_fields)
    assert "|  |" not in made  # a key without a meaning


def test_every_alternative_is_an_allowed_value_and_none_is_missing() -> None:
    for key, values in ALTERNATIVES.items():
        for value in values:
            parse_rules({key: value, "form": "long", "target": 501})
    left_out = {"form", "match_by", "target", "match_unit", "fee_minor", "rake_bp", "rake_rounding", "chip_quantum"}
    assert Rules.model_fields.keys() - ALTERNATIVES.keys() == left_out | {"unread_cards"}


SCORED = sorted(DEFAULTS.keys() - {"deal_pattern", "second_deal_first", "form", "zero_four", "capot_trigger"})


@pytest.mark.parametrize("key", SCORED)
def test_each_key_of_the_score_changes_some_round(key: str) -> None:
    """The same rounds, scored under each value of one key, do not all come out alike."""
    rng = random.Random(5)
    for _ in range(600):
        data = random_keys(rng) | {"deal_pattern": [3, 3], "form": rng.choice(("short", "long"))}
        data["match_by"], data["target"] = "rounds", 3
        played = Dealer(data, rng).round(rich=True, gives_up=0.05, careless=0.2)
        results = {str(judge(data | {key: value}, played.dealer, played.steps)) for value in ALTERNATIVES[key]}
        if len(results) > 1:
            return
    pytest.fail(f"{key} never made a difference")


def test_four_nines_in_no_trump_are_nothing_or_the_best() -> None:
    nines = mask_of(Card(text) for text in ("9S", "9H", "9D", "9C", "AS", "KH", "QD", "JC", "TS"))
    run = mask_of(Card(text) for text in ("TH", "JH", "QH", "AD", "KD", "TC", "QC", "KC", "AH"))
    outcomes = []
    for rules in (Rules(), Rules(zero_four="contested")):
        sets = [all_in(rules, NO_TRUMP, nine) for nine in (nines, run)]
        outcomes.append(contest(rules, NO_TRUMP, *sets))
    assert outcomes == [(2, 0, 20), (1, 0, 0)]


def test_a_capot_needs_no_points_or_no_tricks() -> None:
    counted = Counted((152, 0), (0, 0), (0, 0), (8, 1))
    statuses = [score_round(Rules(capot_trigger=word), 0, counted).status for word in ALTERNATIVES["capot_trigger"]]
    assert statuses == ["capot_by_taker", "made"]
