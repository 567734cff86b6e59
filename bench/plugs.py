"""``python -m bench.plugs --times 100 --seed S``: cables pulled, ports asked for twice, device servers half open."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from rich.console import Console

from bench import show
from bench.disturbed import Disturb, Plan, WireFigures, disturb_all
from bench.hangs import SILENCE_LIMIT_S, hang
from bench.pulls import pull, rival

PTYS: Final = "ptys"
TCP: Final = "tcp"


def arguments(words: Sequence[str] | None) -> tuple[dict[str, tuple[Plan, Disturb]], Path | None]:
    """The plans by name, each with its disturbance, and the folder to keep, from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.plugs", description=__doc__)
    parser.add_argument("--times", type=int, default=100, help="cables pulled over ptys (default: %(default)s)")
    parser.add_argument("--rivals", type=int, default=5, help="second controllers meanwhile (default: %(default)s)")
    parser.add_argument(
        "--hangs", type=int, default=20, help="device servers half open over TCP (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="same seed, same cards and people (default: %(default)s)")
    parser.add_argument("--speed", type=float, default=8.0, help="of the people (default: %(default)s)")
    parser.add_argument("--folder", type=Path, help="where everything is kept; without it, kept only when it fails")
    given = parser.parse_args(words)
    if min(given.times, given.rivals, given.hangs) < 0 or not given.times + given.hangs or not given.speed > 0:
        parser.error("times or hangs, and speed, must be above 0, rivals not below")
    plans: dict[str, tuple[Plan, Disturb]] = {}
    if given.times:
        plans[PTYS] = plugs(given.times, given.rivals, given.seed, given.speed), pull
    if given.hangs:
        plans[TCP] = hangs(given.hangs, given.seed, given.speed), hang
    return plans, given.folder


def plugs(times: int, rivals: int, seed: int, speed: float = 8.0, launcher: Sequence[str] = ()) -> Plan:
    """A table on ptys whose cables are pulled so often."""
    return Plan(times=times, rivals=rivals, seed=seed, speed=speed, launcher=launcher, until_found=bool(launcher))


def hangs(times: int, seed: int, speed: float = 8.0) -> Plan:
    """A table behind device servers that become half open so often."""
    options = f"silence_limit_s = {SILENCE_LIMIT_S}"
    return Plan(times=times, seed=seed, speed=speed, transport="tcp", shoe_options=options)


def _run(console: Console, folder: Path, name: str, plan: Plan, disturb: Disturb) -> WireFigures:
    def run(progress: Callable[[WireFigures], None]) -> WireFigures:
        return disturb_all(folder, plan, disturb, rival, progress)

    figures = show.watched(console, name, plan.times, lambda so_far: so_far.disturbed, run)
    own = {
        "disturbances": figures.disturbed,
        **dict(sorted(figures.counts.items())),
        "absences of devices that had to be on record": figures.due.total(),
        "until all devices were heard again, median and longest": figures.back,
    }
    console.print(show.report(f"Plug campaign: {name}", own, figures, plan))
    show.findings(console, figures)
    return figures


def main(words: Sequence[str] | None = None) -> int:
    """Run it; 0 when every promise was kept, 1 when not."""
    plans, kept = arguments(words)
    console = Console(width=None if sys.stdout.isatty() else 120)
    folder = show.new_folder(kept, "plugs")
    ok = True
    for name, (plan, disturb) in plans.items():
        place = folder / name
        place.mkdir()
        ok = _run(console, place, name, plan, disturb).ok and ok
    return show.tidy(console, folder, kept=kept is not None, ok=ok)


if __name__ == "__main__":
    sys.exit(main())
