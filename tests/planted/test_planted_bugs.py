"""Bugs that were planted, and the test that catches each: a suite is worth what it finds.

A bug is a change to the source of one function. The catching test is run twice in this process: as the code is, when it
must pass, and with the bug in, when it must fail.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

TESTS = Path(__file__).resolve().parents[1]
PAYOUTS, DEVIATIONS = (
    "games/blackjack/test_payouts.py::test_payout",
    "games/blackjack/test_scenarios.py::test_deviation",
)
PEOPLE = "games/blackjack/test_people_and_bets.py"
HANDS = "games/blackjack/test_hand.py"
TWICE = "independent/test_second_settlement.py::test_random_rounds_by_random_rules_settle_the_same_twice"


@dataclass(frozen=True, slots=True)
class Bug:
    """``was`` in the source of ``function`` (a dotted path under ``controller``) becomes ``planted``; ``caught_by`` is
    a test function, ``case`` the first value, or the number, of its parameters."""

    name: str
    function: str
    was: str
    planted: str
    caught_by: str
    case: str | int = ""


HAND, OWED, FLOW = "games.blackjack.hand", "games.blackjack.owed", "games.blackjack.flow"
DECIDE, WAGERS, DEALER = "games.blackjack.decisions", "games.blackjack.wagers", "games.blackjack.dealer"
SETTLE = "games.blackjack.settlement"
MONEY = "core.money.paid_to_player"
DRAWS_TO_16 = f"{HANDS}::test_the_dealer_draws_to_sixteen_and_on_soft_seventeen_where_the_rules_say_so"
SEVERAL = "games/blackjack/test_payouts.py::test_several_persons_on_a_box_are_paid_each_by_their_own_stakes"
WRONG_PAY = "games/blackjack/test_scenarios.py::test_s48_wrong_payments_stay_open_until_put_right"
BONUSES = f"{PEOPLE}::test_a_bonus_by_its_conditions"

BUGS = [
    Bug("ace only as 1", f"{HAND}.total", "points <= 11", "points <= 0", f"{HANDS}::test_every_two_card_hand"),
    Bug(
        "ace as 11 that busts",
        f"{HAND}.total",
        "points <= 11",
        "points <= 20",
        f"{HANDS}::test_every_hand_of_one_to_five_ranks",
    ),
    Bug("blackjack in three cards", f"{HAND}.is_blackjack", "== 2 and", ">= 2 and", PAYOUTS, "P22"),
    Bug("dealer stands on 16", f"{HAND}.dealer_draws", "points < 17", "points < 16", DRAWS_TO_16),
    Bug("dealer draws on 17", f"{HAND}.dealer_draws", "points < 17", "points < 18", DRAWS_TO_16),
    Bug("dealer draws on soft 17", f"{HAND}.dealer_draws", "hits_soft_17 and", "", PAYOUTS, "soft 17 stands"),
    Bug("dealer stands on soft 17", f"{HAND}.dealer_draws", "hits_soft_17 and", "False and", PAYOUTS, "soft 17 hit"),
    Bug("no card to a ten", f"{HAND}.may_be_blackjack", "{1, 10}", "{1}", TWICE),
    Bug("3:2 floored the wrong way", MONEY, "Rounding.PLAYER", "Rounding.HOUSE", PAYOUTS, "P01 house"),
    Bug("odd part kept from the player", MONEY, "quanta += 1", "quanta += 0", PAYOUTS, "P02 player"),
    Bug("quanta taken for money", MONEY, "return quanta * quantum_minor", "return quanta", PAYOUTS, "P08 house"),
    Bug(
        "split 21 paid as blackjack",
        f"{FLOW}.status_with",
        "w.rules.blackjack_after_split and hand",
        "hand",
        PAYOUTS,
        "P20",
    ),
    Bug(
        "no blackjack after a split",
        f"{FLOW}.status_with",
        "if w.rules.blackjack_after_split and",
        "if not w.rules.blackjack_after_split and",
        PAYOUTS,
        "P20b",
    ),
    Bug("draws on after a double", f"{FLOW}.status_with", 'hand.asked == "double" or', "", PAYOUTS, "P18"),
    Bug(
        "blackjack pays 1:1",
        f"{OWED}._hand",
        "_pay(rules, first, parse_ratio(rules.blackjack_pays))",
        "first",
        PAYOUTS,
        "P01",
    ),
    Bug("blackjack beats blackjack", f"{OWED}._hand", 'return "push", 0', 'return "push", first', PAYOUTS, "P03"),
    Bug(
        "21 of the dealer is blackjack",
        f"{OWED}.Dealer.of",
        "is_blackjack(state.dealer)",
        "total(state.dealer)[0] == 21",
        TWICE,
    ),
    Bug("even money paid 3:2", f"{OWED}._hand", '"even_money", first', '"even_money", first * 3 // 2', TWICE),
    Bug("a tie loses", f"{OWED}._hand", '("push", 0) if', '("lose", -first) if', PAYOUTS, "push"),
    Bug("a bust pushes", f"{OWED}._hand", '("bust", -(first + extra))', '("bust", 0)', PAYOUTS, "P24"),
    Bug("a double wins once", f"{OWED}._hand", '"win", first + extra', '"win", first', PAYOUTS, "P16"),
    Bug(
        "a double loses once",
        f"{OWED}._hand",
        'else ("lose", -(first + extra))',
        'else ("lose", -first)',
        PAYOUTS,
        "P18",
    ),
    Bug("six cards win once", f"{OWED}._hand", '"six_cards", first + extra', '"six_cards", 0', TWICE),
    Bug("surrender takes all", f"{OWED}._surrendered", "Fraction(1, 2)", "Fraction(1, 99999)", PAYOUTS, "P09"),
    Bug("late surrender is early", f"{OWED}._surrendered", '== "late"', '== "early"', TWICE),
    Bug("blackjack takes the first stake", f"{OWED}._taken", "-(first + extra)", "-first", PAYOUTS, "P15"),
    Bug("all is original only", f"{OWED}._taken", "is DealerBlackjackTakes.ALL", "is None", PAYOUTS, "P19"),
    Bug("every hand loses its original", f"{OWED}._taken", "hand.number == lowest", "lowest", PAYOUTS, "P19b"),
    Bug("busted plus one is original only", f"{OWED}._taken", "bust and", "bust or", TWICE),
    Bug(
        "insurance on the doubled stake",
        f"{OWED}._insurance",
        "_pay(rules, stake",
        "2 * _pay(rules, stake",
        PAYOUTS,
        "P06",
    ),
    Bug("lost insurance goes back", f"{OWED}._insurance", '"lose", -stake.amount_minor', '"lose", 0', PAYOUTS, "P07"),
    Bug(
        "insurance goes with a surrender",
        f"{OWED}.insurance_stands",
        "rules.insurance_survives_surrender or",
        "",
        PAYOUTS,
        "P13 insurance stays",
    ),
    Bug("back bettor paid twice", f"{OWED}._of_hand", "in hand.stakes:", "in hand.stakes + hand.stakes[1:]:", SEVERAL),
    Bug("back bettor doubles unasked", f"{OWED}._of_hand", "hand.raise_of(stake.person)", "hand.raise_of(1)", SEVERAL),
    Bug("undivided stake goes along", f"{FLOW}._perform_split", "s.person in box", "s.person not in box", SEVERAL),
    Bug("bonus of a loser", f"{OWED}._of_hand", "or not rules.bonus_needs_win", "or True", BONUSES, 6),
    Bug("bonus of 6-7-8 unsuited", f"{OWED}.bonus_of", "elif suited and ranks", "elif ranks", BONUSES, 8),
    Bug("bonus of split hands", f"{OWED}.bonus_of", "and not rules.bonus_on_split", "and False", BONUSES, 11),
    Bug(
        "dealer never peeks",
        f"{DEALER}.peek",
        "!= 2 or",
        "!= 2 or True or",
        "games/blackjack/test_rules.py::test_a_key_changes_a_round",
        "peek_on_ten",
    ),
    Bug(
        "dealer plays for nobody",
        f"{DEALER}.goes_on",
        "any(h.status is Status.STOOD for h in hands)",
        "hands",
        PAYOUTS,
        "P24",
    ),
    Bug(
        "one split too many",
        f"{DECIDE}._why_not_split",
        ">= rules.split_hands",
        "> rules.split_hands",
        DEVIATIONS,
        "S38 fourth split",
    ),
    Bug(
        "king and ten of one rank",
        f"{DECIDE}._why_not_split",
        'rules.split_by == "value" and',
        "",
        DEVIATIONS,
        "S37 by rank",
    ),
    Bug(
        "split aces draw",
        f"{DECIDE}._why_not_hit",
        "and rules.split_aces",
        "and not rules.split_aces",
        DEVIATIONS,
        "S40 split ace",
    ),
    Bug("a card on 21", f"{DECIDE}._why_not_hit", ">= 21", "> 21", DEVIATIONS, "hit on 21"),
    Bug("a double on three cards", f"{DECIDE}._why_not_double", "!= 2", "< 2", DEVIATIONS, "double late"),
    Bug(
        "aces of a double as 11",
        f"{DECIDE}._why_not_double",
        "hard_total(hand.cards)",
        "total(hand.cards)[0]",
        DEVIATIONS,
        "double soft 16",
    ),
    Bug(
        "no double after a split",
        f"{DECIDE}._why_not_double",
        "and not rules.double_after_split",
        "",
        DEVIATIONS,
        "double after split",
    ),
    Bug(
        "surrender of a split hand",
        f"{DECIDE}._why_not_surrender",
        "or hand.from_split",
        "",
        DEVIATIONS,
        "surrender after a split",
    ),
    Bug("surrender against an ace", f"{DECIDE}._why_not_surrender", "and not rules", "and rules", DEVIATIONS, "no ace"),
    Bug(
        "anybody decides",
        f"{DECIDE}.decide",
        "not in {0, box.decider}",
        "< 0",
        "games/blackjack/test_wagers.py::test_only_the_decider_decides",
    ),
    Bug(
        "any insurance",
        f"{WAGERS}._insurance",
        "2 * now != stake if exact",
        "False if exact",
        DEVIATIONS,
        "insurance not half",
    ),
    Bug(
        "a stake after the first card",
        f"{WAGERS}._before_the_deal",
        "is not Phase.BETTING",
        "is Phase.PLAYERS",
        DEVIATIONS,
        "S11 late bet",
    ),
    Bug(
        "no box maximum",
        f"{WAGERS}.problem_of",
        "box.staked_minor + amount_minor >",
        "amount_minor >",
        DEVIATIONS,
        "box maximum",
    ),
    Bug(
        "a fourth person",
        f"{WAGERS}.problem_of",
        ">= rules.persons_per_box",
        "> rules.persons_per_box",
        DEVIATIONS,
        "S13 box full",
    ),
    Bug(
        "two to each box",
        f"{WAGERS}.deal_plan",
        "is DealOrder.ONE_BY_ONE",
        "is None",
        "games/blackjack/test_rules.py::test_a_key_changes_a_round",
        "deal_order",
    ),
    Bug(
        "a seventh king",
        "core.shoe.Shoe.would_exceed",
        ">= self.held_each",
        "> self.held_each",
        "games/blackjack/test_corrections.py::test_a_seventh_king_is_disputed_and_cannot_be_named_king",
    ),
    Bug(
        "dealer may stand below 17",
        "games.blackjack.game._dealer_stand",
        "is Phase.DEALER",
        "is None",
        DEVIATIONS,
        "S46 must draw",
    ),
    Bug(
        "a wrong payment is right",
        f"{SETTLE}._judge",
        "if not (due.difference_minor and",
        "if not (due.owed_minor < 0 and",
        WRONG_PAY,
        0,
    ),
    Bug(
        "the gate stands open",
        f"{SETTLE}.gate_shut",
        '== "hold"',
        '== "warn"',
        "games/blackjack/test_scenarios.py::test_a_payment_after_the_settlement_keeps_the_next_round_waiting",
    ),
    Bug(
        "king, ace, two in a row",
        "games.blackjack.side_bets._in_a_row",
        "(1, 1)",
        "(1, 1) or ranks == [1, 2, 13]",
        "games/blackjack/odds/test_side_odds.py::test_counts_of_six_decks",
    ),
    Bug(
        "a pair spoils a flush",
        "games.blackjack.side_bets._three",
        "if suited:\n        found.add(Category.FLUSH)",
        "if suited and len(set(ranks)) != 2:\n        found.add(Category.FLUSH)",
        "games/blackjack/odds/test_side_odds.py::test_worked_cases",
        "KD KD 4D",
    ),
]


@cache
def module(path: str) -> ModuleType:
    """A test file, or a conftest, as a module of its own."""
    name = "planted_" + path.replace("/", "_").removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name, TESTS / path)
    assert spec is not None
    assert spec.loader is not None
    loaded = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@cache
def honest(caught_by: str, case: str | int) -> None:
    """The catching test passes while no bug is in."""
    catching_test(caught_by, case)()


def catching_test(caught_by: str, case: str | int) -> Callable[[], None]:
    """A test function with its parameters."""
    path, _, name = caught_by.partition("::")
    function = getattr(module(path), name)
    given: dict[str, Any] = {}
    for mark in getattr(function, "pytestmark", ()):
        if mark.name == "parametrize":
            names, values = mark.args
            if isinstance(names, str):
                given[names] = case
                continue
            number = case if isinstance(case, int) else [value[0] for value in values].index(case)
            given |= dict(zip(names, values[number], strict=True))
    if "felt" in inspect.signature(function).parameters:
        given["felt"] = module("games/blackjack/conftest.py").Felt
    return lambda: function(**given)


def plant(monkeypatch: pytest.MonkeyPatch, bug: Bug) -> None:
    """Put the bug into the running product: every caller has it."""
    found: Any = importlib.import_module("controller")
    for word in bug.function.split("."):
        if not hasattr(found, word):
            importlib.import_module(f"{found.__name__}.{word}")
        found = getattr(found, word)
    source = textwrap.dedent(inspect.getsource(found))
    assert source.count(bug.was) == 1, f"{bug.name}: {bug.was!r} is {source.count(bug.was)} times in {bug.function}"
    changed = source.replace(bug.was, bug.planted)
    names = dict(found.__globals__)
    exec(compile(f"from __future__ import annotations\n{changed}", f"<{bug.name}>", "exec"), names)
    planted: Any = names[found.__name__]
    monkeypatch.setattr(found, "__code__", getattr(planted, "__func__", planted).__code__)


def test_there_are_many_and_each_is_another() -> None:
    assert len({bug.name for bug in BUGS}) == len({(bug.function, bug.was, bug.planted) for bug in BUGS}) == len(BUGS)
    assert len(BUGS) >= 60


@pytest.mark.parametrize("bug", BUGS, ids=[bug.name for bug in BUGS])
def test_a_planted_bug_is_caught(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    honest(bug.caught_by, bug.case)
    plant(monkeypatch, bug)
    with pytest.raises(AssertionError):
        catching_test(bug.caught_by, bug.case)()
