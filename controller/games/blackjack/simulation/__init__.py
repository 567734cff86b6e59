"""Simulations of blackjack: who plays, what is counted, how it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.core.simulation import Report, SelfPlayed, Told
from controller.games.blackjack.policies import POLICIES, policy_for
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.simulation.player import Player, Setup
from controller.games.blackjack.simulation.report import report
from controller.games.blackjack.simulation.tally import Tally

CARDS_A_HAND: Final = 2.9
"""Cards that a hand takes on average, splits included."""
DEALT_SHARE: Final = 0.6
"""Part of a shoe that is dealt on average before it is left: far from its end even when hands are long."""
MOST_TRIED: Final = 1000


class BlackjackSimulation:
    """See `controller.core.simulation.Simulation`."""

    policies = POLICIES
    options = ("boxes", "stake", "side", "to_cut_card", "exact")
    part_rounds = 4000

    def setup(self, rules: Rules, policy: str, options: Mapping[str, int]) -> Setup:
        """What to simulate: ``boxes`` in play, each with a ``stake`` (0: the least that every payout is a whole amount
        of) and with ``side`` on every side bet. Raises ValueError naming what is allowed."""
        boxes, side = options.get("boxes", 1), options.get("side", 0)
        if not 1 <= boxes <= rules.boxes:
            raise ValueError(f"{boxes} boxes: this rule set has 1 to {rules.boxes}")
        stake = options.get("stake", 0) or _stake(rules)
        if not rules.box_min <= stake <= min(rules.box_max, rules.person_max):
            raise ValueError(f"a stake of {stake}: this rule set takes {rules.box_min} to {rules.box_max}")
        if side and not rules.pay_tables:
            raise ValueError("this rule set has no side bet")
        if side and not rules.side_min <= side <= rules.side_max:
            raise ValueError(f"a side bet of {side}: this rule set takes {rules.side_min} to {rules.side_max}")
        rounds = max(1, int(DEALT_SHARE * 52 * rules.decks / (CARDS_A_HAND * (boxes + 1))))
        if options.get("to_cut_card", 0):
            rounds = 0
        exact = bool(options.get("exact", 0))
        return Setup(policy, policy_for(policy, rules), boxes, stake, side, rounds, exact)

    def tally(self, setup: Setup) -> Tally:
        """An empty tally."""
        return Tally(setup.stake_minor)

    def play(self, setup: Setup, table: SelfPlayed, rounds: int) -> Tally:
        """Play so many rounds. Raises SimulationError."""
        tally, player = self.tally(setup), Player(table, setup)
        while tally.rounds < rounds:
            player.shoe(rounds - tally.rounds, tally)
        return tally

    def report(self, rules: Rules, setup: Setup, tally: Tally, told: Told) -> Report:
        """The player's expectation, every outcome and every decision."""
        return report(rules, setup, tally, told)


def _stake(rules: Rules) -> int:
    first = -(-rules.box_min // rules.chip_quantum) * rules.chip_quantum
    stakes = range(first, first + MOST_TRIED * rules.chip_quantum, rules.chip_quantum)
    return next((stake for stake in stakes if rules.divisible(stake)), first)


SIMULATION: Final = BlackjackSimulation()
