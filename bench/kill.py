"""``python -m bench.kill --kills 200 --broker-kills 10 --seed S``: the kill campaign, with its figures."""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import show
from bench.kills import KillFigures, Kills, kill_all


def arguments(words: Sequence[str] | None) -> tuple[Kills, Path | None]:
    """The plan and the folder to keep, from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.kill", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="kills of the controller (default: %(default)s)")
    parser.add_argument("--broker-kills", type=int, default=10, help="kills of the broker (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same cards and people (default: %(default)s)")
    parser.add_argument("--speed", type=float, default=8.0, help="of the people (default: %(default)s)")
    parser.add_argument("--embedded", action="store_true", help="the controller's own nats-server, not a mosquitto")
    parser.add_argument("--folder", type=Path, help="where everything is kept; without it, kept only when it fails")
    given = parser.parse_args(words)
    if given.kills < 1 or given.broker_kills < 0 or not given.speed > 0:
        parser.error("kills and speed must be above 0, broker kills not below")
    plan = Kills(
        kills=given.kills,
        broker_kills=given.broker_kills,
        seed=given.seed,
        speed=given.speed,
        embedded=given.embedded,
    )
    return plan, given.folder


def report(figures: KillFigures, plan: Kills) -> Table:
    """The figures of a campaign."""
    free = sorted(figures.free_s)
    own = {
        "kills of the controller (SIGKILL)": figures.kills,
        f"kills of {'its own nats-server' if plan.embedded else 'mosquitto'} (SIGKILL)": figures.broker_kills,
        "lives in which the dealer could go on": len(free),
        "start to table free again, median": f"{statistics.median(free):.2f} s" if free else "-",
        "start to table free again, longest": f"{free[-1]:.2f} s" if free else "-",
    }
    return show.report("Kill campaign", own, figures, plan)


def main(words: Sequence[str] | None = None) -> int:
    """Run it; 0 when every promise was kept, 1 when not."""
    plan, kept = arguments(words)
    console = Console()
    folder = show.new_folder(kept, "kill")
    figures: KillFigures = show.watched(
        console, "kills", plan.kills, lambda so_far: so_far.kills, lambda progress: kill_all(folder, plan, progress)
    )
    console.print(report(figures, plan))
    show.findings(console, figures)
    return show.tidy(console, folder, kept=kept is not None, ok=figures.ok)


if __name__ == "__main__":
    sys.exit(main())
