"""``python -m bench.soak [--campaigns N]``: what `make soak` runs, campaigns of kills and plugs seed after seed."""

from __future__ import annotations

import argparse
import sys

from bench import kill, plugs


def main() -> int:
    """Run them all; 0 when every promise was kept. Words that are not known here are for the kills."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--campaigns", type=int, default=1, help="how many, each with the next seed (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the first campaign (default: 1)")
    parser.add_argument("--plugs", type=int, default=100, help="cables pulled in each; 0: none (default: 100)")
    given, rest = parser.parse_known_args()
    status = 0
    for seed in range(given.seed, given.seed + given.campaigns):
        status = max(status, kill.main([*rest, "--seed", str(seed)]))
        if given.plugs:
            status = max(status, plugs.main(["--times", str(given.plugs), "--seed", str(seed)]))
    return status


if __name__ == "__main__":
    sys.exit(main())
