"""``python -m bench.devices``: every driver against its simulated device, on lines from perfect to hostile.

What a driver reports must be the truth, each thing once and in order, or a named gap; 10,000 acts a device and profile.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from bench.stamp import commit, machine
from controller.app.plugins import load_driver
from firmware_sim.profiles import PROFILES, profile
from firmware_sim.trials.registry import TRIALS
from firmware_sim.trials.rig import Result, Rig

COLUMNS = ("facts", "heard", "in gaps", "gaps", "repeats", "unseen", "faults", "hours", "s")


@dataclass(frozen=True, slots=True)
class Trial:
    """One run: a driver, a profile, how many acts, and the seed."""

    kind: str
    name: str
    profile: str
    acts: int
    seed: int


def play(trial: Trial) -> tuple[Trial, Result, float]:
    """Play it; also how many seconds of processor time it took."""
    began_s = time.process_time()
    device = TRIALS[trial.kind, trial.name]()
    driver = load_driver(trial.kind, trial.name, "bench")(dict(device.options))
    rig = Rig(driver, device, profile(trial.profile, trial.seed))
    rig.connect()
    result = rig.play(trial.acts)
    return trial, result, time.process_time() - began_s


def run(trials: Sequence[Trial], workers: int) -> Iterator[tuple[Trial, Result, float]]:
    """Play all of them, in order, in so many processes."""
    if workers == 1:
        yield from map(play, trials)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(play, trials)


def row(trial: Trial, result: Result, took_s: float) -> list[str]:
    """A line of the table."""
    found = result.judgement
    counts = (found.facts, found.heard, found.lost, found.gaps, found.repeats, result.unseen)
    faults = sum(result.counts.values())
    numbers = [f"{count:,}" for count in (*counts, faults)]
    return [trial.kind, trial.name, trial.profile, *numbers, f"{result.virtual_ms / 3_600_000:.1f}", f"{took_s:.1f}"]


def main() -> int:
    """Play and print; 1 when a driver said what is not true."""
    parser = argparse.ArgumentParser(prog="python -m bench.devices", description=__doc__)
    parser.add_argument("--acts", type=int, default=10_000, help="a device and profile (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of acts and faults (default: %(default)s)")
    parser.add_argument("--profile", choices=PROFILES, action="append", help="only these (default: all)")
    parser.add_argument("--device", action="append", help="only these, as KIND/DRIVER, e.g. shoe/native")
    parser.add_argument("--workers", type=int, default=1, help="processes (default: %(default)s)")
    given = parser.parse_args()
    known = {f"{kind}/{name}": (kind, name) for kind, name in TRIALS}
    wanted = given.device or list(known)
    if strange := [name for name in wanted if name not in known]:
        parser.error(f"no trial of {', '.join(strange)}; there are {', '.join(known)}")
    trials = [
        Trial(*known[name], profile_name, given.acts, given.seed)
        for name in wanted
        for profile_name in given.profile or PROFILES
    ]
    console = Console(width=None if sys.stdout.isatty() else 120)
    table = Table(title="What drivers report, against the truth")
    for name in ("kind", "driver", "profile"):
        table.add_column(name)
    for name in COLUMNS:
        table.add_column(name, justify="right")
    wrong: list[str] = []
    for trial, result, took_s in run(trials, given.workers):
        table.add_row(*row(trial, result, took_s))
        console.print(f"{trial.kind} {trial.name} {trial.profile}: {result.judgement.wrong or 'right'}")
        if result.judgement.wrong:
            wrong.append(f"{trial.kind} {trial.name} {trial.profile}")
    console.print(table)
    console.print(f"seed {given.seed}, {given.acts:,} acts each, commit {commit()}")
    console.print(machine())
    console.print(f"wrong: {', '.join(wrong)}" if wrong else "everything is told once, or named as missing")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
