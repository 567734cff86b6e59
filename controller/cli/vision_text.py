"""What ``tablewatch vision read`` prints of a sighting: a table for people, JSON for programs."""

from __future__ import annotations

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
