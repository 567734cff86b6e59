"""The croupier's own steps: who deals first, the shuffle, the cards collected."""

from __future__ import annotations

from typing import Final

from controller.core.inputs import DealerSignalled
from controller.core.records import replace
from controller.games.blot import facts, flow, scoring
from controller.games.blot.state import SEATS, Phase, Work

BETWEEN: Final = frozenset({"shuffled", "player_cut", "shoe_loaded", "next_round"})
"""Steps that are allowed between rounds and change nothing."""


def signalled(w: Work, event: DealerSignalled) -> None:
    """A step was keyed."""
    match event.signal:
        case "first_dealer":
            _first_dealer(w, event.value)
        case "collect":
            scoring.collected(w, event.value)
        case signal if signal in BETWEEN:
            if w.state.open:
                w.refuse("WRONG_PHASE", f"the round in {w.state.phase} is finished first", signal)
        case _:
            known = ", ".join(("first_dealer", "collect", *sorted(BETWEEN)))
            w.refuse("SIGNAL_UNKNOWN", f"one of {known}", event.signal)


def _first_dealer(w: Work, seat: int) -> None:
    """The operator states who deals the first round; it may be put right until the first card."""
    state = w.state
    match = state.match
    if match.rounds or match.winner or state.phase not in {Phase.INSPECTION, Phase.OPENING, Phase.DEALING}:
        wanted = f"the first dealer is stated before a match, not in {state.phase}"
        return w.refuse("WRONG_PHASE", wanted, f"seat {seat} deals first")
    if seat not in SEATS:
        return w.refuse("NO_SUCH_SEAT", "seat 1 or 2 deals first", f"seat {seat}")
    w.facts.append(facts.FirstDealer(match.number, seat))
    w.state = replace(state, match=replace(match, dealer=seat))
    if state.phase is not Phase.INSPECTION:
        flow.advance(w)
    return None
