"""``python -m bench.fuzz``: hostile inputs for every decoder. 0 when all kept their promises."""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import time

from rich.console import Console
from rich.table import Table

from bench.fuzz.run import Found, run
from bench.fuzz.targets import TARGETS
from bench.stamp import commit, machine

SHOWN = 200
LAST_LINES = 12


def guided(name: str, inputs: int, seed: int) -> Found:
    """Let atheris choose the inputs of one target."""
    began_s = time.monotonic()
    command = [sys.executable, "-m", "bench.fuzz.guided", name, str(inputs), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
    said = "\n".join((done.stdout + done.stderr).splitlines()[-LAST_LINES:])
    return Found(name, inputs, 0, time.monotonic() - began_s, said if done.returncode else "")


def main() -> int:
    """Fuzz and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000, help="a decoder (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the inputs (default: %(default)s)")
    parser.add_argument("--target", action="append", choices=TARGETS, help="only these (default: all)")
    parser.add_argument("--guided", action="store_true", help="let atheris choose the inputs (the extra 'fuzz')")
    given = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 120)
    if given.guided and importlib.util.find_spec("atheris") is None:
        advice = "pip install -e '.[fuzz]' (Linux only); without --guided chance chooses them"
        console.print(f"fuzz: atheris is not installed: nothing was guided; {advice}", markup=False)
        return 0
    play = guided if given.guided else lambda name, inputs, seed: run(TARGETS[name], inputs, seed)
    table = Table(title="Decoders against hostile inputs" + (", guided by atheris" if given.guided else ""))
    for column in ("decoder", "inputs", "accepted", "s"):
        table.add_column(column, justify="left" if column == "decoder" else "right")
    wrong = []
    for name in given.target or TARGETS:
        found = play(name, given.inputs, given.seed)
        console.print(f"{name}: {found.wrong or 'every promise kept'}", markup=False)
        if found.wrong:
            wrong.append(name)
            console.print(f"  input {found.inputs}: {found.by.hex(' ')[:SHOWN]}", markup=False)
        accepted = "" if given.guided else f"{found.accepted:,}"
        table.add_row(name, f"{found.inputs:,}", accepted, f"{found.seconds:.0f}")
    console.print(table, f"seed {given.seed}, commit {commit()}\n{machine()}")
    console.print(f"wrong: {', '.join(wrong)}" if wrong else "no exception, no buffer without a bound, nothing corrupt")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
