"""Simulated matches: no round of any rule set deviates, what is counted adds up, and players decide as they say."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from bench.blot_rounds import random_keys
from controller.app.rulesets import LoadedRules, load_rules
from controller.app.simulate import run
from controller.core.cards import Card
from controller.core.records import replace
from controller.core.simulation import Report, SimulationError
from controller.games.blot import GAME
from controller.games.blot.bidding import KEEP
from controller.games.blot.cards import mask_of
from controller.games.blot.facts import Bid, RoundScored
from controller.games.blot.policies import Greedy, RandomPlay, policy_for
from controller.games.blot.simulation.player import Setup
from controller.games.blot.simulation.tally import Mean, Tally, call, outcome, share_error


def simulated(policy: str, rounds: int, *, seed: int = 1, jobs: int = 1, **keys: Any) -> Tally:
    tally = run.simulate(plan(policy, **keys), rounds, seed, jobs, lambda done: None)
    assert isinstance(tally, Tally)
    return tally


def loaded(**keys: Any) -> LoadedRules:
    return load_rules(GAME, "armenian", keys)


def plan(policy: str, **keys: Any) -> run.Plan:
    return run.plan_for(GAME, loaded(**keys), policy)


@pytest.mark.parametrize("seed", range(12))
def test_no_round_under_any_keys_deviates_and_everything_adds_up(seed: int) -> None:
    tally = simulated("random", 40, seed=seed, **random_keys(random.Random(seed)))
    assert tally.rounds == 40
    for counted in (tally.outcomes, tally.calls, tally.contracts):
        assert counted.total() == 40
    for words in (tally.calls, tally.contracts):
        assert sum(tally.made[word] for word in words) == tally.won
    assert {mean.times for mean in tally.points.values()} == {40}
    assert tally.points["taker"].total + tally.points["other"].total == (
        tally.points["N"].total + tally.points["D"].total
    )
    assert sum(rounds * times for rounds, times in tally.lengths.items()) <= 40


def test_random_play_shows_everything_and_greedy_play_takes_what_it_makes() -> None:
    anything, greedy = simulated("random", 400), simulated("greedy", 400)
    assert anything.given_up
    assert set(anything.contracts) == {"S", "H", "D", "C", "NT"}
    assert set(anything.calls) == {
        f"{who} {what}" for who in "ND" for what in ("takes", "names, card kept", "names, card left")
    }
    assert not greedy.given_up
    assert greedy.won / 400 > anything.won / 400 + 0.1


def test_fees_are_laid_and_paid_between_matches() -> None:
    tally = simulated("greedy", 60, fee_minor=1000, rake_bp=500, target=51)
    assert sum(tally.lengths.values()) >= 5


def test_jobs_change_nothing_but_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(GAME.simulation), "part_rounds", 20)
    assert simulated("greedy", 50) == simulated("greedy", 50, jobs=2)
    assert simulated("greedy", 50) != simulated("greedy", 50, seed=2)


class Unlawful(Greedy):
    """Answers with a card that the other player holds."""

    def card(self, may: int, led: int, contract: int, chance: Callable[[], float]) -> int:
        return led if led >= 0 else super().card(may, led, contract, chance)


class Silent(RandomPlay):
    """Never takes."""

    def bid(self, hand: int, up: int, options: Sequence[str], chance: Callable[[], float]) -> tuple[str, int]:
        return "pass", 0


@pytest.mark.parametrize(("policy", "code"), [(Unlawful(), "CARD_SEEN_AGAIN"), (Silent(), "MUST_TAKE")])
def test_a_verdict_of_any_kind_is_a_fault(policy: Any, code: str) -> None:
    good = plan("greedy")
    with pytest.raises(SimulationError, match=code):
        run.simulate(replace(good, setup=Setup("wrong", policy)), 5, 1, 1, lambda done: None)


def mask(cards: str) -> int:
    return mask_of(map(Card, cards.split()))


def index(card: str) -> int:
    return Card(card).index


def test_a_greedy_player_takes_with_jack_and_nine() -> None:
    greedy, weak = Greedy(), mask("AS TS QD QC 9C TD")
    both = ("take", "pass")
    assert greedy.bid(mask("JH 9S TS QD QC KC"), index("9H"), both, random.random) == ("take", 0)
    assert greedy.bid(weak, index("9H"), both, random.random) == ("pass", 0)
    assert greedy.bid(weak, index("JH"), ("take",), random.random) == ("take", 0)
    named = ("spades", "diamonds", "clubs", "no_trump")
    assert greedy.bid(weak, index("9H"), (*named, "pass"), random.random) == ("pass", 0)
    assert greedy.bid(weak, index("9H"), named, random.random) == ("spades", KEEP)
    strong = mask("JC 9C TC QD QS AS")
    assert greedy.bid(strong, index("9H"), (*named, "pass"), random.random) == ("clubs", KEEP)


def test_a_greedy_player_wins_cheaply_or_throws_the_cheapest() -> None:
    greedy, hearts = Greedy(), 1
    assert greedy.card(mask("JH AS 9D"), -1, hearts, random.random) == index("AS")
    assert greedy.card(mask("AS TS 9S"), index("KS"), hearts, random.random) == index("TS")
    assert greedy.card(mask("TS 9S"), index("AS"), hearts, random.random) == index("9S")
    assert not greedy.gives_up(random.random)


def test_policies_go_by_name() -> None:
    assert [type(policy_for(name)) for name in GAME.simulation.policies] == [Greedy, RandomPlay]
    with pytest.raises(ValueError, match="no policy 'clever': one of greedy, random"):
        policy_for("clever")


def scored(status: str, cards: tuple[int, int], combinations: tuple[int, int] = (0, 0)) -> RoundScored:
    return RoundScored("1-1", 1, "S", status, 1, cards, combinations, (0, 20), (5, 4), 20, (10, 6))


def test_equal_points_are_told_apart_and_a_capot_is_one() -> None:
    assert outcome(scored("made", (81, 60))) == "made"
    assert outcome(scored("failed", (80, 60))) == "failed_at_tie"
    assert outcome(scored("made", (80, 80), (20, 0))) == "made_at_tie"
    assert outcome(scored("capot_by_taker", (142, 0))) == "capot_by_taker"


def test_how_a_taker_came_to_it() -> None:
    no, take, name = Bid(1, "pass"), Bid(1, "take"), Bid(1, "name", "S")
    assert call([take], kept=True) == "N takes"
    assert call([no, take], kept=True) == "D takes"
    assert call([no, no, name], kept=False) == "N names, card left"
    assert call([no, no, no, name], kept=True) == "D names, card kept"


def test_means_and_shares_have_their_errors() -> None:
    mean = Mean()
    for number in (8, 10, 12):
        mean.count(number)
    assert mean.mean == 10
    assert mean.error == pytest.approx((8 / 3 / 3) ** 0.5)
    assert share_error(20, 100) == pytest.approx(0.04)


def report(tally: Tally) -> Report:
    rules = loaded()
    return GAME.simulation.report(rules.rules, plan("greedy").setup, tally, lambda what, done, whole: None)


def test_a_report_has_every_figure_of_its_tally() -> None:
    tally = simulated("greedy", 300, seed=4)
    told = report(tally)
    cells = {row.cells[0]: row.cells[1:] for sheet in told.sheets for row in sheet.rows}
    assert cells["together"] == ("300", "100.000 %", "")
    assert cells["made"][0] == f"{tally.outcomes['made']:,}"
    assert cells["a run of 3 shown"][0] == f"{tally.combinations['run', 3]:,}"
    assert cells["Blot"][0] == f"{tally.blots:,}"
    assert cells["points of the taker"] == (
        f"{tally.points['taker'].mean:.3f}",
        f"{tally.points['taker'].error:.3f}",
        "300 rounds",
    )
    assert cells["shortest and longest match"][0] == f"{min(tally.lengths)} and {max(tally.lengths)}"
    assert {len(row.cells) for sheet in told.sheets for row in sheet.rows} <= {4, 5}
    assert all(len(row.cells) == len(sheet.titles) for sheet in told.sheets for row in sheet.rows)
    assert told.remarks == ("every round has a taker: who speaks last must take or name",)
