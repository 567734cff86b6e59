"""What hands and whole rounds are worth, against the numbers of the specification (fresh six decks)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from controller.app.rulesets import load_rules
from controller.core.cards import Card
from controller.games.blackjack import GAME
from controller.games.blackjack.hand import total
from controller.games.blackjack.odds.dealer import FACES, finals_after, fresh_counts
from controller.games.blackjack.odds.endings import Final, chances
from controller.games.blackjack.odds.hands import Hands, Place
from controller.games.blackjack.odds.splits import Split
from controller.games.blackjack.odds.strategy import ROWS, Strategy, row_of, strategy_for
from controller.games.blackjack.odds.whole import expectation, starts, worth_of
from controller.games.blackjack.policies import policy_for
from controller.games.blackjack.rules import Rules

TEN, EIGHT, SIX, ACE = 9, 7, 5, 0
NAMES: Mapping[Final, str] = {
    Final.SEVENTEEN: "17",
    Final.EIGHTEEN: "18",
    Final.NINETEEN: "19",
    Final.TWENTY: "20",
    Final.TWENTY_ONE: "21",
    Final.BUST: "bust",
    Final.BLACKJACK: "blackjack",
}
BEST_PERCENT = {"armenian": 0.19089, "armenian_no_ace_surrender": -0.19986, "hebrew": -0.45689, "greek": -0.52139}
"""The best play there is, as the specification has it."""


def rules_of(name: str, **keys: Any) -> Rules:
    rules: Rules = load_rules(GAME, name, keys).rules
    return rules


def line(name: str, rules: Rules) -> Callable[[tuple[Card, ...], Card, Sequence[str]], str]:
    policy = policy_for(name, rules)
    return lambda cards, up, options: policy.decide(cards, up, options, lambda: 0.0)


@pytest.mark.parametrize(("up", "soft_17"), [(0, False), (2, True), (5, False), (9, True)])
def test_the_quick_way_gives_what_walking_through_every_order_gives(up: int, soft_17: bool) -> None:
    for out in ((), (TEN, SIX), (EIGHT, EIGHT, EIGHT), (ACE,) * 4):
        counts = fresh_counts(1, up, *out) if ACE not in out else fresh_counts(6, up, *out)
        slow = finals_after(up, counts, hits_soft_17=soft_17)
        quick = chances(up, counts, hits_soft_17=soft_17)
        assert [quick[final] for final in Final] == pytest.approx([float(slow.get(NAMES[f], 0)) for f in Final])


def test_sixteen_against_ten() -> None:
    hands = Hands(rules_of("greek"), TEN, fresh_counts(6, TEN), None)
    assert round(hands.stand((SIX, TEN)), 6) == -0.576608
    assert round(hands.action("hit", (SIX, TEN)), 6) == -0.570817


def test_a_pair_of_eights_against_ten() -> None:
    rules, counts = rules_of("greek"), fresh_counts(6, TEN)
    hands = Hands(rules, TEN, counts, None)
    assert round(hands.stand((EIGHT, EIGHT)), 6) == -0.572826
    assert round(hands.action("hit", (EIGHT, EIGHT)), 6) == -0.571450
    assert rules.split_hands == 3
    assert round(Split(rules, TEN, counts, EIGHT, None).value(), 6) == -0.614961


@pytest.mark.parametrize(
    ("policy", "percent"),
    [
        pytest.param("mimic", -5.67565, marks=pytest.mark.slow),
        ("never-hit", -15.97466),
        ("stand12", -6.30341),
    ],
)
def test_lines_of_play_to_every_digit(policy: str, percent: float) -> None:
    rules = rules_of("armenian")
    assert round(100 * expectation(rules, line(policy, rules)), 5) == percent


@pytest.mark.slow
@pytest.mark.parametrize("name", BEST_PERCENT)
def test_basic_strategy_is_next_to_the_best_play(name: str) -> None:
    rules = rules_of(name)
    told: list[int] = []
    percent = 100 * expectation(rules, strategy_for(rules).decide, told.append)
    assert BEST_PERCENT[name] - 0.005 < percent <= BEST_PERCENT[name]
    assert told == list(range(1, 11))


def test_nothing_is_better_than_the_best() -> None:
    """Against one up card, for the sake of time: six, where splits and doubles matter."""
    rules = rules_of("hebrew")
    basic = sum(s.chance * s.worth for s in starts(rules, SIX, strategy_for(rules).decide))
    best = sum(s.chance * s.worth for s in starts(rules, SIX, None))
    assert basic <= best < basic + 1e-4
    assert sum(s.chance for s in starts(rules, SIX, line("mimic", rules))) == pytest.approx(1 / 13)


def by_enumeration(rules: Rules, up: int, pair: int, decide: Callable[..., str]) -> float:
    """A split to two hands by dealing every second card and every further card of both hands, the dealer last."""

    def play(hand: tuple[int, ...], left: tuple[int, ...], chance: float) -> list[tuple[int, tuple[int, ...], float]]:
        points = total(tuple(FACES[v] for v in hand))[0]
        if points >= 21 or (len(hand) > 1 and decide(tuple(FACES[v] for v in hand), FACES[up], ("hit",)) == "stand"):
            return [(points, left, chance)]
        found = []
        for v, n in enumerate(left):
            if n:
                rest = tuple(m - (i == v) for i, m in enumerate(left))
                found += play((*hand, v), rest, chance * n / sum(left))
        return found

    start = fresh_counts(1, up, pair, pair)
    worth = 0.0
    for first, left, chance in play((pair,), start, 1.0):
        for second, rest, both in play((pair,), left, chance):
            dealer = chances(up, rest)
            for points, (final, likely) in product((first, second), enumerate(dealer)):
                worth += both * likely * one_to_one(points, Final(final))
    return worth


def one_to_one(points: int, final: Final) -> int:
    if points > 21 or final is Final.BLACKJACK:
        return -1
    if final is Final.BUST:
        return 1
    return (points > 17 + final) - (points < 17 + final)


def test_a_split_is_worth_what_dealing_out_both_hands_together_gives() -> None:
    """The formula follows one hand at a time; here both are dealt out, from one deck."""
    keys = {"decks": 1, "split_hands": 2, "split_aces_hands": 2, "double_on": "none", "burn_max": 0, "burn_min": 0}
    rules = rules_of("greek", **keys)
    for pair, up in ((EIGHT, SIX), (TEN, TEN)):

        def decide(cards: tuple[Card, ...], _up: Card, _options: Sequence[str]) -> str:
            return "stand" if total(cards)[0] >= 15 else "hit"

        formula = Split(rules, up, fresh_counts(1, up), pair, decide).value()
        assert formula == pytest.approx(by_enumeration(rules, up, pair, decide))


def test_with_a_peek_a_blackjack_costs_one_stake_whatever_was_done() -> None:
    """Eleven against ten: doubled with a peek, not without."""
    eleven, up = (4, 5), TEN
    without = Hands(rules_of("greek"), up, fresh_counts(6, up), None)
    peeked = Hands(rules_of("hebrew"), up, fresh_counts(6, up), None)
    assert without.action("double", eleven) < without.action("hit", eleven)
    assert peeked.action("double", eleven) > peeked.action("hit", eleven)
    drawing = line("mimic", rules_of("greek"))
    either = [Hands(rules_of(name), up, fresh_counts(6, up), drawing) for name in ("greek", "hebrew")]
    assert worth_of(either[0], eleven) == pytest.approx(worth_of(either[1], eleven))


def test_a_single_hand_does_not_split() -> None:
    hands = Hands(rules_of("greek"), TEN, fresh_counts(6, TEN), None, Place())
    with pytest.raises(ValueError, match="no action of a single hand"):
        hands.action("split", (EIGHT, EIGHT))


@pytest.fixture(scope="module")
def strategies() -> dict[str, Strategy]:
    return {name: strategy_for(rules_of(name)) for name in BEST_PERCENT}


@pytest.mark.parametrize(
    ("name", "cards", "up", "action"),
    [
        ("armenian", "TS 6D", "TH", "surrender"),
        ("armenian", "TS 6D", "AH", "surrender"),
        ("armenian", "TS 7D", "AH", "surrender"),
        ("armenian_no_ace_surrender", "TS 6D", "AH", "hit"),
        ("armenian", "TS 6D", "9H", "surrender"),
        ("armenian", "TS 6D", "8H", "hit"),
        ("greek", "8S 8D", "TH", "hit"),
        ("hebrew", "8S 8D", "TH", "split"),
        ("greek", "8S 8D", "AH", "hit"),
        ("hebrew", "8S 8D", "AH", "split"),
        ("greek", "6S 5D", "TH", "hit"),
        ("hebrew", "6S 5D", "TH", "double"),
        ("greek", "AS 7D", "6H", "double"),
        ("greek", "TS 8D", "6H", "stand"),
        ("hebrew", "AS 7D", "6H", "double"),
        ("hebrew", "AS 5D 2C", "6H", "stand"),
        ("hebrew", "TS TD", "6H", "stand"),
        ("hebrew", "TS 2D", "4H", "stand"),
        ("hebrew", "TS 2D", "3H", "hit"),
        ("greek", "AS AD", "TH", "split"),
    ],
)
def test_what_basic_strategy_does(strategies: dict[str, Strategy], name: str, cards: str, up: str, action: str) -> None:
    hand = tuple(Card(word) for word in cards.split())
    rules = rules_of(name)
    counts = fresh_counts(6, min(Card(up).rank, 10) - 1)
    values = tuple(sorted(min(card.rank, 10) - 1 for card in hand))
    options = Hands(rules, min(Card(up).rank, 10) - 1, counts, None).options(values)
    assert strategies[name].decide(hand, Card(up), options) == action


def test_every_row_has_a_hand_of_its_own_and_answers_with_what_may_be_done(strategies: dict[str, Strategy]) -> None:
    for row, values in ROWS.items():
        hand = tuple(FACES[v] for v in values)
        assert row_of(hand) == row
        for found in strategies.values():
            assert found.decide(hand, Card("9H"), ("stand",)) == "stand"
            assert found.decide(hand, Card("9H"), ()) == "stand"
