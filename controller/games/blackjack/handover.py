"""A shoe fails and another one takes over: its packs are made ready, and the round goes on from them or is void."""

from __future__ import annotations

from typing import Final

from controller.core.records import replace
from controller.games.blackjack import clearing, facts, voiding
from controller.games.blackjack.state import Phase, Rack, Work

_NEEDS_CARDS: Final = frozenset({Phase.DEALING, Phase.INSURANCE, Phase.PLAYERS, Phase.DEALER})
_DECIDED: Final = frozenset({Phase.SETTLEMENT, Phase.COLLECTION})


def hand_over(w: Work) -> None:
    """The cards left in the shoe in use are kept apart; those of this round lie where they lie."""
    state = w.state
    if state.loose or state.unnamed or state.kept:
        wanted = "every card that left the shoe named and in its place: settle what waits for a supervisor first"
        return w.refuse("CARDS_WAIT", wanted, "a hand-over")
    if state.phase in _DECIDED and state.shoe is not None:
        w.state = replace(state, shoe=replace(state.shoe, doubtful=True))
        return None
    if state.paused is None and state.phase not in _NEEDS_CARDS:
        return clearing.end_shoe(w, clearing.HAND_OVER)
    if w.rules.spare_shoe == "void_round":
        return voiding.new_shoe(w, clearing.HAND_OVER)
    return _pause(w)


def _pause(w: Work) -> None:
    state, shoe = w.state, w.state.shoe
    if shoe is not None:
        counted = (shoe.total, state.burned, state.on_table - state.carried, state.discarded, shoe.left)
        w.facts.append(facts.ShoeHandedOver(shoe.number, *counted, state.round_id))
    w.state = replace(
        state,
        phase=clearing.first_phase(w.rules.inspection),
        paused=state.paused or state.phase,
        shoe=None,
        cut_at=0,
        second_cut_at=0,
        burned=0,
        discarded=0,
        face_down=(),
        face_up=False,
        rack=Rack(mixed=True),
        carried=state.on_table,
        numbered=state.numbered if shoe is None else shoe.next_number - 1,
    )
