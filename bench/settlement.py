"""``python -m bench.settlement``: random rounds by random rule sets, settled a second time by a referee of its own."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from rich.console import Console
from rich.progress import Progress

from bench.blackjack_referee import Referee, dealer_fault
from bench.blackjack_rounds import RandomTable, Round, random_keys

ROUNDS_A_TABLE: Final = 20
MOST_WRONG: Final = 5


@dataclass(slots=True)
class Tally:
    """What a campaign has seen; ``wrong`` has what did not agree, with what reproduces it."""

    rounds: int = 0
    bets: Counter[str] = field(default_factory=Counter)
    decisions: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    moved_minor: int = 0
    wrong: list[str] = field(default_factory=list)


def differences(played: Round) -> list[str]:
    """Where the referee and the game disagree about a round: one line a bet, and the dealer's own hand."""
    settled = Referee(played.keys).settle(played.record)
    found = []
    for bet in sorted(settled.keys() | played.owed.keys()):
        if settled.get(bet) != played.owed.get(bet):
            found.append(f"box {bet[0]} person {bet[1]} {bet[2]}: {played.owed.get(bet)}, not {settled.get(bet)}")
    fault = dealer_fault(played.keys, played.record)
    return [*found, f"the dealer {fault}"] if fault else found


def play_table(rng: random.Random, tally: Tally) -> None:
    """A table of one random rule set for some rounds."""
    table = RandomTable(random_keys(rng), rng)
    for _ in range(ROUNDS_A_TABLE):
        played = table.round()
        found = differences(played)
        tally.rounds += 1
        tally.hands += sum(name.startswith("main") for _, _, name in played.owed)
        tally.moved_minor += sum(abs(net) for net in played.owed.values())
        tally.bets.update(name if name.startswith("side:") else name.partition(":")[0] for _, _, name in played.owed)
        tally.decisions.update(step[4] for step in played.record if step[0] == "decision")
        if found:
            tally.wrong.append(f"{'; '.join(found)}\n  rules {played.keys}\n  record {played.record}")


def run(rounds: int, seed: int, console: Console) -> Tally:
    """Play and settle twice. Stops early when too much is wrong."""
    rng, tally = random.Random(seed), Tally()
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("rounds", total=rounds)
        while tally.rounds < rounds and len(tally.wrong) < MOST_WRONG:
            play_table(rng, tally)
            bar.update(task, completed=tally.rounds)
    return tally


def main() -> int:
    """Run the campaign and print what came of it; 0 when nothing differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.settlement", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000_000, help="finished rounds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of everything (default: %(default)s)")
    given = parser.parse_args()
    console = Console()
    began_s = time.process_time()
    tally = run(given.rounds, given.seed, console)
    for wrong in tally.wrong[:MOST_WRONG]:
        console.print(f"WRONG {wrong}", style="red", markup=False)
    bets = sum(tally.bets.values())
    held = f"{tally.rounds:,} rounds settled twice, no bet differs: {tally.hands:,} hands, {bets:,} bets"
    console.print(f"after {tally.rounds:,} rounds: stopped" if tally.wrong else held, markup=False)
    counts = [f"{name} {count:,}" for name, count in (*tally.bets.most_common(), *tally.decisions.most_common())]
    console.print(", ".join(counts), markup=False)
    console.print(f"seed {given.seed}, {time.process_time() - began_s:.0f} s of processor time", markup=False)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
