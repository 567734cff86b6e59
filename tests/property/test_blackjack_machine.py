"""Any input in any phase: an answer, never an exception; cards and chips conserved; the fold is the live state.

Hypothesis finds the strange and makes it small; the seeded walks go deep.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from bench.blackjack_walk import (
    BETS,
    DECISIONS,
    FEW_CARDS,
    FINISHED,
    NAMES,
    RULE_SETS,
    SIGNALS,
    Checked,
    a_misdeal,
    a_payment,
    as_input,
    at_the_hand,
    walk,
)
from controller.core import inputs as i
from controller.core.authority import AUTHORITY
from controller.core.cards import DECK
from controller.core.table import expected
from controller.games.blackjack import GAME

cards = st.sampled_from(DECK)
numbers = st.one_of(st.integers(0, 3), st.integers(0, 3), st.integers(-1, 8), st.integers())
amounts = st.one_of(st.sampled_from([500, 1000, 250, 2500, 750]), st.integers(-10, 3000), st.integers())
texts = st.one_of(st.sampled_from(["", "x"]), st.text(), st.text(st.characters(), max_size=3))
bets = st.one_of(st.sampled_from(BETS), texts)
actions = st.one_of(st.sampled_from(["insurance", *DECISIONS]), texts)
signals = st.one_of(st.sampled_from(SIGNALS), texts)
counts = st.one_of(st.just((6,) * 52), st.lists(numbers, max_size=60).map(tuple))
corrections = st.one_of(
    st.sampled_from(["", "#1", "#2", "#3", "#9", "#²", "name_card", "burn", "next_card", "new_shoe", "void_round"]),
    texts,
)
roles = st.sampled_from(["supervisor", "dealer", "surveillance", "technician", ""])
commands = st.builds(
    i.CommandReceived,
    name=st.one_of(
        st.sampled_from(sorted(AUTHORITY)),
        texts,
    ),
    actor=st.sampled_from(["1", ""]),
    role=roles,
    approver=st.sampled_from(["2", "1", ""]),
    approver_role=roles,
    reason=texts,
    verdict=st.sampled_from(["", "v1", "v2", "v3", "zz"]),
    correction=corrections,
    card=st.one_of(st.none(), cards),
)
wagers = (i.WagerPlaced, i.WagerWithdrawn, i.ChipsCollected, i.ChipsPaid)
anything: st.SearchStrategy[Any] = st.one_of(
    st.builds(i.CardDrawn, st.just("shoe"), cards, st.sampled_from(["", "locked", "in_error"]), st.booleans()),
    st.builds(i.CardUnreadable, st.just("shoe"), texts),
    st.just(i.CutCardDrawn("shoe")),
    st.builds(i.CardLaid, st.just("bets"), numbers, st.sampled_from([1, 2, 0])),
    st.builds(i.CardShown, st.just("camera"), numbers, cards, numbers),
    st.builds(i.CardRacked, st.just("rack"), st.sampled_from(("burn", "discard")), cards),
    st.builds(i.DeckSpread, st.just("console"), counts),
    *(st.builds(w, st.just("bets"), numbers, numbers, bets, amounts) for w in wagers),
    st.builds(i.DecisionSignalled, st.just("console"), numbers, actions, numbers, numbers, amounts),
    st.builds(i.DealerSignalled, st.just("console"), signals, numbers),
    st.builds(i.DeviceGap, st.sampled_from(["shoe", "x"]), texts, numbers),
    st.builds(i.DeviceOffline, st.sampled_from(["shoe", "x"]), texts),
    st.builds(i.DeviceOnline, st.sampled_from(["shoe", "x"])),
    st.builds(i.DeviceFault, texts, texts, texts),
    st.builds(i.DeviceReported, texts, texts, texts),
    st.builds(i.StaffPresented, st.just("console"), st.sampled_from(["1", "2", "3"]), roles),
    st.builds(i.SystemStarted, numbers, texts),
    commands,
)


class Table(RuleBasedStateMachine):
    """A table that gets what is expected, and anything else."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Checked()

    @initialize(good=st.integers(0, 9), burned=st.integers(0, 7), rules=st.sampled_from(NAMES))
    def begin(self, good: int, burned: int, rules: str) -> None:
        self.table.put(i.SystemStarted(1, "1"))
        if good < 9:
            self.table.open(burned, rules)
        else:
            self.table.put(i.RulesChosen("blackjack", rules, RULE_SETS[rules], "0"))

    @rule(event=anything)
    def anything(self, event: Any) -> None:
        self.table.put(event)

    @rule(stakes=st.lists(st.tuples(st.integers(1, 7), st.integers(1, 2)), min_size=1, max_size=3), drawn=st.data())
    def a_round_begins(self, stakes: list[tuple[int, int]], drawn: st.DataObject) -> None:
        for box, person in stakes:
            self.table.put(i.WagerPlaced("bets", box, person, "main", 1000))
            self.table.put(i.WagerPlaced("bets", box, person, "side:trilux", 500))
        for _ in range(2 * len(stakes) + 2):
            if self.table.phase in {"betting", "dealing"}:
                self.table.put(i.CardDrawn("shoe", drawn.draw(st.sampled_from(FEW_CARDS))))

    @rule(data=st.data())
    def something_at_the_hand_that_decides(self, data: st.DataObject) -> None:
        if self.table.phase == "players":
            self.table.put(at_the_hand(self.table, lambda some: data.draw(st.sampled_from(some))))

    @rule(data=st.data())
    def something_at_the_deal(self, data: st.DataObject) -> None:
        if self.table.phase == "dealing":
            self.table.put(a_misdeal(self.table, lambda some: data.draw(st.sampled_from(some))))

    @rule(data=st.data())
    def payments(self, data: st.DataObject) -> None:
        for _ in range(3):
            if self.table.phase in FINISHED and GAME.dues(self.table.state.rules, self.table.state.game):
                self.table.put(a_payment(self.table, lambda some: data.draw(st.sampled_from(some))))

    @rule(data=st.data())
    def what_is_expected(self, data: st.DataObject) -> None:
        for _ in range(data.draw(st.integers(1, 12))):
            options = expected(GAME, self.table.state) if self.table.state.rules is not None else ()
            if options:
                wanted = data.draw(st.sampled_from(options))
                self.table.put(as_input(wanted, lambda some: data.draw(st.sampled_from(some))))

    @invariant()
    def the_state_is_sound(self) -> None:
        self.table.check_state()

    def teardown(self) -> None:
        self.table.check_fold()


TestTable = Table.TestCase
TestTable.settings = settings(
    max_examples=40,
    derandomize=True,
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


@pytest.mark.parametrize("seed", range(42))
def test_a_long_walk(seed: int) -> None:
    walk(seed)
