"""``python -m bench.blot_campaign``: very many random rounds of Blot against the invariants and the second scorer.

Rule sets are drawn by chance over every key in both forms; every second shoe is stacked so that combinations abound.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import Progress

from bench.blot_checks import agreement, invariants, legal_by_definition, permuted, totals_never_fall
from bench.blot_rounds import Dealer, Round, random_keys
from controller.games.blot.cards import DECK_MASK, bits
from controller.games.blot.legal import denied, legal

SUITS = tuple("".join(names) for names in itertools.permutations("SHDC"))
MOST_WRONG = 5
ROUNDS_A_TABLE = 4


@dataclass(slots=True)
class Tally:
    """What a campaign has seen; ``wrong`` has what did not hold, with what reproduces it."""

    rounds: int = 0
    checked: int = 0
    positions: int = 0
    unshown: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    contracts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def play_table(rng: random.Random, tally: Tally, *, checks: bool) -> None:
    """A table of one random rule set for some rounds, every round judged by the second scorer; with ``checks`` against
    the invariants and with other names of the suits, too."""
    table = Dealer(random_keys(rng), rng, keep=checks)
    record = []
    for _ in range(ROUNDS_A_TABLE):
        played = table.round(gives_up=rng.choice((0.0, 0.02)), careless=rng.choice((0.0, 0.3)), rich=rng.random() < 0.5)
        found = agreement(played)
        if checks:
            tally.checked += 1
            found += invariants(table, played)
            found += permuted(played, rng.choice(SUITS))
            _positions(played, tally)
        table.finish()
        record += table.facts
        _count(tally, played, found)
    tally.unshown += table.unshown
    tally.wrong += totals_never_fall(record, table.rules)


def _count(tally: Tally, played: Round, found: list[str]) -> None:
    scored = played.scored
    assert scored is not None
    tally.rounds += 1
    tally.statuses[scored.status] += 1
    tally.contracts[scored.contract] += 1
    if found:
        tally.wrong.append(f"{'; '.join(found)}\n  rules {played.keys}\n  dealer {played.dealer}: {played.steps}")


def _positions(played: Round, tally: Tally) -> None:
    """The legal set of every position of a round against its definition."""
    for state in played.states:
        play, deal = state.play, state.deal
        if play is not None and deal is not None and play.hands[play.turn - 1]:
            tally.wrong += legal_differences(play.hands[play.turn - 1], play.led, deal.contract)
            tally.positions += 1


def legal_differences(hand: int, led: int, contract: int) -> list[str]:
    """Where the two ways to say what is legal, and the definition, differ."""
    wrong = []
    for beat_plain in (False, True):
        may = legal(hand, led, contract, beat_plain=beat_plain)
        by_denial = 0
        for card in bits(hand):
            duties = denied(card, led, contract, beat_plain=beat_plain)
            if not any(cards & hand for _, cards in duties):
                by_denial |= 1 << card
        wanted = legal_by_definition(hand, led, contract, beat_plain=beat_plain)
        if not may == by_denial == wanted:
            wrong.append(
                f"legal: hand {hand:x}, led {led}, contract {contract}: {may:x}, {by_denial:x}, not {wanted:x}"
            )
    return wrong


def random_position(rng: random.Random) -> tuple[int, int, int]:
    """A hand, a card led or -1, and a contract, of any sizes that play can have."""
    cards = rng.sample(list(bits(DECK_MASK)), rng.randint(2, 10))
    led = cards[0] if rng.random() < 0.9 else -1
    return sum(1 << card for card in cards[1:]), led, rng.randrange(6)


def _quiet(_rounds: int) -> None:
    """Nobody watches."""


def run(rounds: int, checked: int, positions: int, seed: int, progress: Callable[[int], None] = _quiet) -> Tally:
    """Play and judge; ``progress`` hears the rounds played. Stops early when too much is wrong."""
    rng, tally = random.Random(seed), Tally()
    while tally.rounds < rounds and len(tally.wrong) < MOST_WRONG:
        play_table(rng, tally, checks=tally.checked < checked)
        progress(tally.rounds)
    for _ in range(positions):
        tally.wrong += legal_differences(*random_position(rng))
    tally.positions += positions
    return tally


def main() -> int:
    """Run the campaign and print what came of it; 0 when everything held."""
    parser = argparse.ArgumentParser(prog="python -m bench.blot_campaign", description=__doc__)
    parser.add_argument(
        "--rounds", type=int, default=200_000, help="judged by the second scorer (default: %(default)s)"
    )
    parser.add_argument("--checked", type=int, default=100_000, help="against the invariants (default: %(default)s)")
    parser.add_argument("--positions", type=int, default=200_000, help="of the legal set (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of everything (default: %(default)s)")
    given = parser.parse_args()
    console = Console()
    began_s = time.process_time()
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("rounds", total=given.rounds)
        update = functools.partial(bar.update, task)
        tally = run(given.rounds, given.checked, given.positions, given.seed, lambda rounds: update(completed=rounds))
    for wrong in tally.wrong[:MOST_WRONG]:
        console.print(f"WRONG {wrong}", style="red", markup=False)
    held = (
        f"{tally.rounds:,} rounds agree with the second scorer under every key, in both forms; {tally.checked:,} of "
        f"them keep the invariants and do not care what suits are called; {tally.positions:,} legal sets are as defined"
    )
    console.print(f"after {tally.rounds:,} rounds: stopped" if tally.wrong else held, markup=False)
    counts = [
        f"{name} {count:,}" for name, count in (*sorted(tally.statuses.items()), *sorted(tally.contracts.items()))
    ]
    console.print(f"{', '.join(counts)}; combinations not shown in time {tally.unshown:,}", markup=False)
    console.print(f"seed {given.seed}, {time.process_time() - began_s:.0f} s of processor time", markup=False)
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
