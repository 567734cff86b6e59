"""``python -m bench.kill --kills 200 --broker-kills 10 --seed S``: the kill campaign, with its figures."""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from bench.campaign import Campaign, Outcome, Plan
from bench.stamp import commit, machine


def arguments(words: Sequence[str] | None) -> tuple[Plan, Path | None]:
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
    plan = Plan(given.kills, given.broker_kills, given.seed, given.speed, embedded=given.embedded)
    return plan, given.folder


def watched(folder: Path, plan: Plan, console: Console) -> Outcome:
    """Run the campaign with a progress bar. Raises BrokerMissingError."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("kills", total=plan.kills)

        def progress(outcome: Outcome) -> None:
            found = f", {len(outcome.findings)} findings" if outcome.findings else ""
            bar.update(task, completed=outcome.kills, description=f"kills{found}")

        return Campaign(folder, plan, progress).run()


def report(outcome: Outcome) -> Table:
    """The figures of a campaign."""
    table = Table(title="Kill campaign", show_header=False)
    table.add_column(style="bold")
    table.add_column(justify="right")
    free = sorted(outcome.free_s)
    rows = {
        "kills of the controller (SIGKILL)": outcome.kills,
        f"kills of {'its own nats-server' if outcome.plan.embedded else 'mosquitto'} (SIGKILL)": outcome.broker_kills,
        "lives in which the dealer could go on": len(free),
        "rounds dealt": outcome.rounds,
        "cards that left the shoe": outcome.cards,
        "events of console and bet sensor": outcome.native_events,
        "events on record": outcome.journal_events,
        "gaps of the shoe on record": outcome.gaps,
        "signed states compared with the fold": outcome.checkpoints,
        "start to table free again, median": f"{statistics.median(free):.2f} s" if free else "-",
        "start to table free again, longest": f"{free[-1]:.2f} s" if free else "-",
        "duration": f"{outcome.wall_s:.0f} s",
        "lost, doubled or different": len(outcome.findings) or "nothing",
    }
    for name, value in rows.items():
        table.add_row(name, str(value))
    table.caption = f"seed {outcome.plan.seed}, speed {outcome.plan.speed:g}, commit {commit()}\n{machine()}"
    return table


def main(words: Sequence[str] | None = None) -> int:
    """Run it; 0 when every promise was kept, 1 when not."""
    plan, kept = arguments(words)
    console = Console()
    folder = kept or Path(tempfile.mkdtemp(prefix="tablewatch-kill-"))
    folder.mkdir(parents=True, exist_ok=True)
    outcome = watched(folder, plan, console)
    console.print(report(outcome))
    for remark in outcome.remarks:
        console.print(f"remark: {remark}", markup=False)
    for finding in outcome.findings:
        console.print(f"FINDING: {finding}", style="bold red", markup=False)
    if not outcome.ok:
        console.print(f"world, journal, archive and logs are in {folder}", markup=False)
    elif kept is None:
        shutil.rmtree(folder)
    return int(not outcome.ok)


if __name__ == "__main__":
    sys.exit(main())
