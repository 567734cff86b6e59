"""Cards that readers in the burn and discard places have read, set against the record once a shoe has ended.

A card may be put there, and read, until its packs are taken out to be spread or shuffled: then the two are compared.
"""

from __future__ import annotations

from controller.core.records import replace
from controller.games.blackjack import facts
from controller.games.blackjack.state import Rack, Work


def read(w: Work) -> None:
    """One more card was read there."""
    if w.rules.count_racked:
        w.state = replace(w.state, rack=replace(w.state.rack, read=w.state.rack.read + 1))


def ended(rack: Rack, shoe: int, cards: int) -> Rack:
    """The shoe of this number has ended, and so many of its ``cards`` went there."""
    return Rack() if rack.mixed else replace(rack, shoe=shoe, due=cards)


def compare(w: Work) -> None:
    """The packs are taken out: what was read is told with what is on record."""
    rack = w.state.rack
    if not rack.shoe:
        return
    if w.rules.count_racked:
        w.facts.append(facts.ShoeRacked(rack.shoe, rack.due, rack.read))
        if rack.read != rack.due:
            wanted = f"{rack.due} cards of shoe {rack.shoe} in the burn and discard places"
            w.note("RACK_DIFFERS", wanted, f"their readers have read {rack.read}")
    w.state = replace(w.state, rack=Rack())
