"""What ``tablewatch vision`` prints: sightings as a table for people and as JSON for programs, names of sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

if TYPE_CHECKING:
    from vision.readings import Sighting


def sighting_json(name: str, sighting: Sighting) -> dict[str, object]:
    """A picture's readings as plain data."""
    readings = [
        {
            "kind": r.kind.value,
            "face": r.face,
            "confidence_permille": r.confidence_permille,
            "reasons": [reason.value for reason in r.reasons],
            "region": r.region,
            "order": r.order,
            "corners": [[round(x, 1), round(y, 1)] for x, y in r.corners],
        }
        for r in sighting.readings
    ]
    return {"picture": name, "readings": readings, "look_ms": round(sighting.look_ms, 1)}


def sighting_table(sighting: Sighting) -> Table:
    """A row a card, by region and order."""
    rows = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("region", "order", "card", "permille", "at", "why"):
        rows.add_column(heading)
    for r in sorted(sighting.readings, key=lambda r: (r.region, r.order, r.centre)):
        at = f"{r.centre[0]:.0f}, {r.centre[1]:.0f}"
        why = "; ".join(reason.sentence for reason in r.reasons)
        card = r.face or r.kind.value
        rows.add_row(r.region or "-", str(r.order), card, str(r.confidence_permille), at, why)
    if not sighting.readings:
        rows.add_row("-", "", "nothing", "", "", "no card is seen")
    return rows


def set_labels(sets: Sequence[str]) -> dict[str, str]:
    """What each set is called in the figures: a folder by its last name, unless two end in the same one."""
    ends = {name: Path(name).name if Path(name).is_dir() else name for name in sets}
    return {name: end if end and list(ends.values()).count(end) == 1 else name for name, end in ends.items()}
