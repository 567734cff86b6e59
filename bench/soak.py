"""``python -m bench.soak [--campaigns N]``: what `make soak` runs, kill campaigns with one seed after another."""

from __future__ import annotations

import argparse
import sys

from bench import kill


def main() -> int:
    """Run them all; 0 when every promise was kept."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--campaigns", type=int, default=1, help="how many, each with the next seed (default: 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the first campaign (default: 1)")
    given, rest = parser.parse_known_args()
    return max(kill.main([*rest, "--seed", str(given.seed + number)]) for number in range(given.campaigns))


if __name__ == "__main__":
    sys.exit(main())
