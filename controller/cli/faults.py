"""What the commands with simulated wires share: the record of faults that a person names, and the counts of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from firmware_sim.faults import Faults


def fault_record(source: str, seed: int) -> Faults:
    """The profile of this name, or the record in this TOML file. Raises BadParameter saying what is wrong."""
    # Here and not above, so that a live table never loads the simulator.
    from firmware_sim.profiles import load_faults

    try:
        return load_faults(source, seed)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--faults") from None


def counted(counts: Mapping[str, int]) -> str:
    """So many of each kind, for a person; ``none`` when nothing went wrong."""
    return ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()) if count) or "none"
