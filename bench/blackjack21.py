"""``python -m bench.blackjack21``: validated rounds per second of processor time, beside blackjack21 of PyPI.

Both play six decks with a hole card, hitting below 17, at one box and at seven. Ours goes through `step` as a live
table does: bets, every card with its place, decisions, the peek, what every bet is owed, each payout and the cards
collected are all judged. The package keeps its own score and validates nothing from outside.
"""

from __future__ import annotations

import argparse
import cProfile
import importlib
import pstats
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from bench.stamp import commit, machine
from controller.app.rulesets import load_rules
from controller.app.simulate.table import SimulatedTable
from controller.games.blackjack import GAME
from controller.games.blackjack.simulation import SIMULATION
from controller.games.blackjack.simulation.player import Player

BOXES: Final = (1, 7)
AT_A_TIME: Final = 100
"""Rounds between two looks at the clock."""
LINES: Final = 12


class PackageMissingError(Exception):
    """blackjack21 is not installed; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Rounds a second of processor time at so many boxes."""

    boxes: int
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        """Ours by theirs."""
        return self.ours / self.theirs


def measure(boxes: int, seconds: float, seed: int) -> Pace:
    """Play both for ``seconds`` of processor time each. Raises PackageMissingError."""
    theirs = _their_rounds(boxes, seed)
    return Pace(boxes, _rounds_a_second(_our_rounds(boxes, seed), seconds), _rounds_a_second(theirs, seconds))


def _rounds_a_second(play: Callable[[int], None], seconds: float) -> float:
    play(AT_A_TIME)
    began_s, rounds = time.process_time(), 0
    while time.process_time() - began_s < seconds:
        play(AT_A_TIME)
        rounds += AT_A_TIME
    return rounds / (time.process_time() - began_s)


def _our_rounds(boxes: int, seed: int) -> Callable[[int], None]:
    loaded = load_rules(GAME, "hebrew", {})
    setup = SIMULATION.setup(loaded.rules, "mimic", {"boxes": boxes})
    player = Player(SimulatedTable(GAME, loaded.name, loaded.data, str(seed)), setup)
    tally = SIMULATION.tally(setup)

    def play(rounds: int) -> None:
        wanted = tally.rounds + rounds
        while tally.rounds < wanted:
            player.shoe(wanted - tally.rounds, tally)

    return play


def _their_rounds(boxes: int, seed: int) -> Callable[[int], None]:
    try:
        package: Any = importlib.import_module("blackjack21")
    except ModuleNotFoundError:
        raise PackageMissingError("blackjack21 is not installed: pip install 'tablewatch[dev]'") from None
    random.seed(seed)
    deck = package.Deck(("Hearts", "Diamonds", "Spades", "Clubs"), count=6)
    players = [(f"player {n}", 500) for n in range(1, boxes + 1)]
    table = package.Table(players, deck, on_round_reset=package.shoe_reset_hook(deck, 0.6))

    def play(rounds: int) -> None:
        for _ in range(rounds):
            table.start_game()
            while (hand := table.current_hand) is not None:
                if hand.total < 17:
                    table.hit()
                else:
                    table.stand()

    return play


def profile(rounds: int, seed: int) -> list[tuple[str, float]]:
    """Where the time goes in our rounds at one box: functions with their share of it, largest first."""
    play = _our_rounds(1, seed)
    profiler = cProfile.Profile()
    profiler.runcall(play, rounds)
    stats: Any = pstats.Stats(profiler)
    whole: float = stats.total_tt
    own = [(_place(*where), figures[2] / whole) for where, figures in stats.stats.items()]
    return sorted(own, key=lambda pair: -pair[1])[:LINES]


def _place(file: str, line: int, function: str) -> str:
    parts = file.replace("\\", "/").rpartition("controller/")
    return f"controller/{parts[2]}:{line} {function}" if parts[1] else function


def compared(seconds: float, seed: int) -> Table:
    """Both beside each other, ``seconds`` of processor time for each. Raises PackageMissingError."""
    rows = Table(title="Rounds per second of processor time, beside blackjack21")
    for name in ("boxes", "ours, validated", "blackjack21", "ratio"):
        rows.add_column(name, justify="right")
    for boxes in BOXES:
        pace = measure(boxes, seconds, seed)
        rows.add_row(str(boxes), f"{pace.ours:,.0f}", f"{pace.theirs:,.0f}", f"{pace.ratio:.2f}")
    return rows


def main() -> int:
    """Measure and print; 0, or 1 when it could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.blackjack21", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="of processor time each (default: %(default)s)")
    parser.add_argument("--profiled", type=int, default=2000, help="rounds of the profile (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the cards (default: %(default)s)")
    given = parser.parse_args()
    console = Console()
    try:
        console.print(compared(given.seconds, given.seed))
    except PackageMissingError as error:
        console.print(f"bench: {error}", style="red", markup=False)
        return 1
    shares = Table(title="Where our time goes (own time, profiled)", show_header=False)
    for place, share in profile(given.profiled, given.seed):
        shares.add_row(f"{100 * share:.1f} %", place)
    console.print(shares)
    console.print(f"seed {given.seed}, commit {commit()}\n{machine()}", markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
