"""``python -m bench``: from wire to subscriber beside the parts, codecs, and rounds per second of processor time."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench import blackjack21, blot_speed, codecs, rounds, wire
from bench.brokers import BrokerMissingError
from bench.card_cost import CodecError, cost_of_a_card
from bench.figures import Samples
from bench.stamp import commit, machine


def latencies(figures: wire.WireFigures) -> Table:
    """Percentiles of the whole way and of its parts, and their ratios."""
    table = Table(title="From the shoe's wire to the subscriber")
    for name in ("", "samples", "p50", "p99"):
        table.add_column(name, justify="left" if not name else "right")
    for samples in (figures.cards, figures.commit, figures.round_trip):
        row = (f"{samples.p50_ms:.2f} ms", f"{samples.p99_ms:.2f} ms")
        table.add_row(samples.name, str(len(samples.durations_ms)), *row)
    table.add_section()
    for part in (figures.commit, figures.round_trip):
        table.add_row(f"card : {part.name}", "", *_ratios(figures.cards, part))
    both = [figures.commit.p50_ms + figures.round_trip.p50_ms, figures.commit.p99_ms + figures.round_trip.p99_ms]
    whole = (figures.cards.p50_ms / both[0], figures.cards.p99_ms / both[1])
    table.add_row("card : both together", "", *(f"{ratio:.1f}" for ratio in whole))
    return table


def _ratios(whole: Samples, part: Samples) -> tuple[str, str]:
    return f"{whole.p50_ms / part.p50_ms:.1f}", f"{whole.p99_ms / part.p99_ms:.1f}"


def throughput(figures: rounds.RoundFigures) -> Table:
    """Rounds per second of processor time."""
    table = Table(title="Rounds per second of processor time", show_header=False)
    table.add_row("through step alone", f"{figures.step_only:,.0f}")
    table.add_row("with envelopes and hash chain", f"{figures.with_encoder:,.0f}")
    table.add_row("inputs a round", f"{figures.inputs_a_round:.1f}")
    return table


def main() -> int:
    """Measure and print; 0, or 1 when it could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--cards", type=int, default=200, help="cards to be followed (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of cards and people (default: %(default)s)")
    given = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory(prefix="tablewatch-bench-") as folder:
        try:
            with Progress(console=console, transient=True) as bar:
                task = bar.add_task("cards", total=given.cards)
                figures = wire.measure(
                    Path(folder), cards=given.cards, seed=given.seed, progress=lambda n: bar.update(task, completed=n)
                )
            folded = rounds.measure(figures.journal)
            beside = blackjack21.compared(rounds.AT_LEAST_S, given.seed)
            blot = blot_speed.compared(rounds.AT_LEAST_S, given.seed)
            decoded, card = codecs.rates(given.seed), cost_of_a_card(given.seed)
        except (BrokerMissingError, wire.BenchError, CodecError, blackjack21.PackageMissingError, ValueError) as error:
            console.print(f"bench: {error}", style="red", markup=False)
            return 1
    console.print(latencies(figures), decoded, card, throughput(folded), beside, blot)
    console.print(f"seed {given.seed}, commit {commit()}\n{machine()}", markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
