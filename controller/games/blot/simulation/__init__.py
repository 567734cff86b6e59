"""Simulations of Blot: who plays, what is counted, how it reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.core.simulation import Report, SelfPlayed, Told
from controller.games.blot.policies import POLICIES, policy_for
from controller.games.blot.rules import Rules
from controller.games.blot.simulation.player import Player, Setup
from controller.games.blot.simulation.report import report
from controller.games.blot.simulation.tally import Tally


class BlotSimulation:
    """See `controller.core.simulation.Simulation`."""

    policies = POLICIES
    options: tuple[str, ...] = ()
    part_rounds = 4000

    def setup(self, rules: Rules, policy: str, options: Mapping[str, int]) -> Setup:
        """What to simulate. Raises ValueError for a policy that there is not."""
        del rules, options
        return Setup(policy, policy_for(policy))

    def tally(self, setup: Setup) -> Tally:
        """An empty tally."""
        del setup
        return Tally()

    def play(self, setup: Setup, table: SelfPlayed, rounds: int) -> Tally:
        """Play so many rounds; a match that is not over then is not counted as one. Raises SimulationError."""
        tally, player = Tally(), Player(table, setup)
        while tally.rounds < rounds:
            player.round(tally)
        return tally

    def report(self, rules: Rules, setup: Setup, tally: Tally, told: Told) -> Report:
        """The takers' success, what was seen, mean points and the matches' length."""
        del told
        return report(rules, setup, tally)


SIMULATION: Final = BlotSimulation()
