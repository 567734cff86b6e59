"""Simulations: nothing in them deviates, they add up, the same seed gives the same, and they land where they must."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from controller.app.rulesets import load_rules, shipped
from controller.app.simulate import run
from controller.app.simulate.run import Plan
from controller.core.cards import Card
from controller.core.expectation import Due
from controller.core.records import replace
from controller.core.simulation import SimulationError
from controller.games.blackjack import GAME
from controller.games.blackjack.policies import POLICIES, Policy, policy_for
from controller.games.blackjack.simulation.player import Setup
from controller.games.blackjack.simulation.tally import Tally


def plan(name: str, policy: str = "basic", boxes: int = 1, *, keys: dict[str, Any] | None = None, **given: int) -> Plan:
    return run.plan_for(GAME, load_rules(GAME, name, keys or {}), policy, {"boxes": boxes, **given})


def simulated(of: Plan, rounds: int, seed: int = 1, jobs: int = 1) -> Tally:
    tally = run.simulate(of, rounds, seed, jobs, lambda done: None)
    assert isinstance(tally, Tally)
    return tally


def played_by(policy: Policy, of: Plan) -> Plan:
    setup: Setup = of.setup
    return replace(of, setup=replace(setup, policy=policy))


def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME.simulation), "part_rounds", 60)


EVERYTHING: dict[str, Any] = {
    "bonus_three_sevens": "3:1",
    "bonus_six_cards": "1:1",
    "bonus_suited_678": "2:1",
    "bonus_suited_blackjack": "1:2",
    "bonus_on_split": True,
    "six_cards": "win",
    "side_bets": {"trilux": {"flush": "5:1", "straight": "10:1"}, "perfect11": {"any_11": "5:1"}},
}


@pytest.mark.parametrize("name", shipped("blackjack"))
@pytest.mark.parametrize("policy", ["mimic", "random"])
def test_no_round_of_any_rule_set_deviates_and_everything_adds_up(name: str, policy: str) -> None:
    tally = simulated(plan(name, policy, 3, keys=EVERYTHING, side=500), 120)
    assert (tally.rounds, tally.box_rounds) == (120, 360)
    assert sum(found.net_minor for (bet, _), found in tally.outcomes.items() if not bet.startswith("side:")) == (
        tally.net_minor
    )
    assert tally.of("main").times >= 360
    assert tally.of("side:trilux").times == tally.of("side:perfect11").times == 360
    assert tally.of("side:trilux").staked_minor == 360 * 500
    assert tally.bets()[0] == "main"


def test_random_play_shows_every_decision_and_bet() -> None:
    tally = simulated(plan("armenian", "random", 4, keys=EVERYTHING, side=500), 400)
    assert tally.decisions.keys() == {"hit", "stand", "double", "split", "surrender", "insurance", "even_money"}
    assert set(tally.bets()) == {"main", "insurance", "bonus", "side:trilux", "side:perfect11"}
    outcomes = {word for bet, word in tally.outcomes if bet == "main"}
    assert outcomes >= {"win", "lose", "push", "bust", "blackjack", "surrender"}


def test_a_shoe_dealt_to_its_cut_card_is_shuffled_after_the_round() -> None:
    tally = simulated(plan("hebrew", "mimic", 2, to_cut_card=1), 200)
    assert tally.rounds == 200
    assert 200 * 5 / 234 < tally.shoes + 1 < 200 * 12 / 208 + 2  # so many cards a round, so many to the cut card


def test_jobs_change_nothing_but_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)
    of, rounds = plan("greek", "mimic"), 130
    told: list[int] = []
    alone = simulated(of, rounds)
    together = run.simulate(of, rounds, 1, 2, told.append)
    assert alone == together
    assert alone.rounds == told[-1] == rounds
    assert simulated(of, 100, seed=2) != simulated(of, 100)


@pytest.mark.parametrize(("policy", "percent"), [("mimic", -5.67565), ("never-hit", -15.97466), ("stand12", -6.30341)])
def test_a_line_of_play_lands_where_it_must(policy: str, percent: float) -> None:
    """A short form of the campaign in docs/simulate.md, with its seed; a wrong deal or payout moves it by far more."""
    tally = simulated(plan("armenian", policy), 4000, seed=3)
    assert tally.error_percent is not None
    assert tally.error_percent == pytest.approx(100 / 4000**0.5, rel=0.1)
    assert abs(tally.expectation_percent - percent) < 3 * tally.error_percent


def due(bet: str, owed_minor: int, outcome: str = "win") -> Due:
    return Due(1, 1, bet, 100, owed_minor, 0, outcome)


def test_expectation_and_error_are_those_of_the_shoes() -> None:
    tally = Tally(100)
    for rounds in ((100, -100), (50,), (-100, -100, 0)):
        tally.begin_shoe()
        for owed in rounds:
            tally.round([due("main", owed), due("side:trilux", 1000)])
        tally.end_shoe()
    assert tally.expectation_percent == pytest.approx(100 * -150 / 600)
    mean = -150 / 6
    spread = (0 - 2 * mean) ** 2 + (50 - mean) ** 2 + (-200 - 3 * mean) ** 2
    assert tally.error_percent == pytest.approx(100 * (spread * 3 / 2) ** 0.5 / 600)


def test_one_shoe_says_nothing_about_how_far_shoes_differ() -> None:
    tally = Tally(100)
    tally.begin_shoe()
    tally.round([due("main", 100)])
    tally.end_shoe()
    assert tally.error_percent is None


def test_split_hands_and_bonuses_are_one_kind_each() -> None:
    tally = Tally(100)
    tally.begin_shoe()
    tally.round([due("main", 100), due("main:2", -100, "lose"), due("bonus:2", 50, "three_sevens")])
    tally.end_shoe()
    assert tally.box_rounds == 1
    assert tally.of("main").times == 2
    assert tally.of("bonus").net_minor == 50
    assert tally.net_minor == 50


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"policy": "clever"}, "no policy 'clever': one of basic"),
        (
            {"decks": 2},
            "--decks means nothing in blackjack, which has --boxes, --stake, --side, --to-cut-card",
        ),
        ({"boxes": 0}, "0 boxes: this rule set has 1 to 7"),
        ({"boxes": 8}, "8 boxes: this rule set has 1 to 7"),
        ({"stake": 1}, "a stake of 1: this rule set takes 500 to 100000"),
        ({"side": 500}, "this rule set has no side bet"),
    ],
)
def test_what_cannot_be_simulated_is_said(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        plan("armenian", **given)


def test_a_stake_of_a_side_bet_must_be_one() -> None:
    with pytest.raises(ValueError, match="a side bet of 7: this rule set takes 100 to 10000"):
        plan("greek", side=7)


def test_the_stake_is_one_that_every_payout_is_whole_of() -> None:
    keys = {"rounding": "reject_bet", "chip_quantum": 100, "box_min": 500}
    assert plan("armenian", "mimic", keys=keys).setup.stake_minor == 600
    assert simulated(plan("armenian", "random", keys=keys), 100).rounds == 100


def test_a_shoe_too_small_for_the_boxes_is_said() -> None:
    small = plan("armenian", "mimic", 7, keys={"decks": 1})
    with pytest.raises(SimulationError, match="SHOE_EMPTY"):
        simulated(replace(small, setup=replace(small.setup, rounds_a_shoe=4)), 8)


def test_a_refused_decision_is_a_fault() -> None:
    class Wrong:
        def decide(self, cards: tuple[Card, ...], up: Card, options: Sequence[str], chance: Callable[[], float]) -> str:
            return "split"

        def wants(self, offered: str, chance: Callable[[], float]) -> bool:
            return False

    with pytest.raises(SimulationError, match="SPLIT_PAIR"):
        simulated(played_by(Wrong(), plan("hebrew", "mimic")), 20)


def test_every_policy_decides_by_what_it_sees() -> None:
    rules = load_rules(GAME, "armenian", {}).rules
    sixteen, soft_17 = (Card("TS"), Card("6D")), (Card("AS"), Card("6D"))
    wanted = {"mimic": ("hit", "stand"), "never-hit": ("stand", "stand"), "stand12": ("stand", "stand")}
    for name in POLICIES:
        policy = policy_for(name, rules)
        both = tuple(policy.decide(c, Card("TD"), ("hit", "stand"), lambda: 0.99) for c in (sixteen, soft_17))
        assert both == wanted.get(name, {"basic": ("hit", "hit"), "random": ("stand", "stand")}.get(name))
        assert policy.wants("insurance", lambda: 0.4) == (name == "random")
        assert not policy.wants("even_money", lambda: 0.6)


class Dies:
    """A policy whose process ends without a word."""

    def decide(self, cards: tuple[Card, ...], up: Card, options: Sequence[str], chance: Callable[[], float]) -> str:
        os._exit(9)

    def wants(self, offered: str, chance: Callable[[], float]) -> bool:
        return False


def test_a_job_that_dies_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    small_parts(monkeypatch)
    with pytest.raises(SimulationError, match="a process was ended from outside"):
        simulated(played_by(Dies(), plan("hebrew", "mimic")), 61, jobs=2)
