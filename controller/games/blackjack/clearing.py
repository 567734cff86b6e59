"""The cards back to the rack, the end of a round and of a shoe, and what is missing or found then."""

from __future__ import annotations

from typing import Final

from controller.core.cards import DECK
from controller.core.limits import MAX_TEXT
from controller.core.records import replace
from controller.core.shoe import Shoe
from controller.core.verdicts import NEW_SHOE, Correction
from controller.games.blackjack import facts, racking, returns, settlement
from controller.games.blackjack.state import BlackjackState, Phase, Spot, Work

PUT_BACK: Final = Correction("put_back", "it is a card of this round or of the rack: it lies there again")
REBUILT: Final = Correction("rebuilt", "the cards were laid out again as they are on record")
RECOUNT: Final = Correction("recount", "look for the card, put it in the rack and count again")
NEW_PACKS: Final = "new_packs"
"""The dealer's signal, and the reason on record, for packs that are replaced."""
HAND_OVER: Final = "hand_over"
"""The reason on record for a shoe whose place another one takes."""
MOST_UNCOUNTED: Final = 64
"""Shoes remembered since the packs were counted last; the oldest are forgotten first."""


def collect(w: Work, counted: int) -> None:
    """The cards of the round go to the discard rack; ``counted`` is the rack's or the dealer's count, 0 for none."""
    state = w.state
    if state.phase is Phase.SETTLEMENT:
        return settlement.still_open(w)
    if state.phase in {Phase.DEALING, Phase.INSURANCE, Phase.PLAYERS, Phase.DEALER}:
        return _collected_early(w)
    if state.phase is not Phase.COLLECTION:
        wanted = f"cards are collected after the settlement, not in {state.phase}"
        return w.refuse("WRONG_PHASE", wanted, "cards collected")
    if settlement.gate_shut(w):
        return None
    if counted < 0:
        return w.refuse("BAD_COUNT", "a number of cards, or 0 for no count", str(counted))
    if counted and counted != state.on_table:
        wanted = f"{state.on_table} cards of this round in the rack"
        code = "CARD_MISSING" if counted < state.on_table else "CARD_SURPLUS"
        return w.hold(code, wanted, f"{counted} counted{since(state)}", RECOUNT, NEW_SHOE, key="count")
    w.facts.append(facts.CardsDiscarded(state.round_id, state.on_table, counted))
    return end_round(w)


def _collected_early(w: Work) -> None:
    """The cards were swept together before the round was decided: the record says how they lay."""
    lay = [(str(Spot(b.number, h.number)), h.cards) for b in w.state.boxes for h in b.hands]
    lay.append(("dealer", w.state.up_cards))
    dealt = "; ".join(f"{where} {' '.join(c.text for c in cards)}" for where, cards in lay if cards)
    wanted = f"the cards lie until the round is settled: {dealt}"
    w.hold("COLLECTED_EARLY", wanted[:MAX_TEXT], "cards collected", REBUILT, key="collected")


def found(w: Work, number: int) -> None:
    """A card was found where none belongs; ``number`` is its face, 1 to 52 in the order of `cards.DECK`, 0 unknown."""
    if not 0 <= number <= len(DECK):
        return w.refuse("BAD_COUNT", f"a face from 1 to {len(DECK)}, or 0", str(number))
    face = DECK[number - 1].pretty if number else "a card"
    ways = (PUT_BACK, NEW_SHOE) if w.state.shoe else (PUT_BACK,)
    return w.hold("CARD_MISSING", "every card in its place", f"{face} was found{since(w.state)}", *ways, key="found")


def quarantine(w: Work) -> None:
    """Packs that are not complete are taken away; other ones are spread and counted."""
    w.facts.append(facts.PacksQuarantined(w.state.shoe_number, uncounted_text(w.state)))
    w.state = replace(w.state, uncounted=())


def since(state: BlackjackState) -> str:
    """The rounds dealt since the packs were counted last, for a verdict; empty when there are none."""
    rounds = uncounted_text(state)
    return f"; rounds since the last good count: {rounds}" if rounds else ""


def uncounted_text(state: BlackjackState) -> str:
    """The rounds since the last good count by shoe: ``1-1 to 1-41, 2-1 to 2-17``; the one in play counts."""
    shoes = dict(_uncounted(state))
    return ", ".join(f"{shoe}-1 to {shoe}-{last}" if last > 1 else f"{shoe}-1" for shoe, last in shoes.items())[
        :MAX_TEXT
    ]


def end_round(w: Work) -> None:
    """Clear the table for the next round; what has not gone back to the players by now is a matter of its own."""
    state = w.state
    carried = len(state.kept) if state.carried else 0
    discarded = state.discarded + state.on_table - (state.carried - carried)
    w.state = replace(between(state), discarded=discarded, carried=carried, uncounted=_uncounted(state))
    if state.shoe is None:
        w.state = replace(w.state, phase=first_phase(w.rules.inspection), discarded=0, carried=0)
    elif state.shoe.number != state.shoe_number:
        w.state = replace(w.state, shoe_number=state.shoe.number, round_number=0, face_down=())
    returns.remind(w)


def _uncounted(state: BlackjackState) -> tuple[tuple[int, int], ...]:
    """Shoes and their rounds since the last good count; the round in play counts once a card of it is out."""
    if not (state.on_table and state.round_number):
        return state.uncounted
    shoes = {**dict(state.uncounted), state.shoe_number: state.round_number}
    return tuple(shoes.items())[-MOST_UNCOUNTED:]


def between(state: BlackjackState) -> BlackjackState:
    """The state between two rounds of a shoe: what does not belong to a round stays."""
    return BlackjackState(
        phase=Phase.BETTING,
        shoe=state.shoe,
        shoe_number=state.shoe_number,
        round_number=state.round_number,
        burned=state.burned,
        discarded=state.discarded,
        kept=state.kept,
        carried=state.carried,
        to_return=state.to_return,
        face_down=state.face_down,
        face_up=state.face_up,
        rack=state.rack,
        last_bets=state.last_bets,
        uncounted=state.uncounted,
        undone=state.undone,
        overdue=state.overdue,
    )


def end_shoe(w: Work, reason: str = "") -> None:
    """Take the pack out: it is shuffled; with a ``reason`` it has not come to its cut card. A shoe whose content is in
    doubt is counted first, and every shoe where the rules say so."""
    state = w.state
    shoe = state.shoe
    if shoe is not None:
        if reason:
            w.facts.append(facts.ShoeChanged(shoe.number, shoe.drawn, reason))
        undealt = (*state.kept, *state.loose, *state.unnamed)
        w.facts.extend(facts.CardPutBack(shoe.number, None if a.hidden else a.card) for a in undealt)
        w.facts.append(_reconciled(state, shoe, len(undealt)))
        rack = racking.ended(state.rack, shoe.number, shoe.drawn - shoe.returned - len(undealt))
        state = replace(state, rack=rack)
    doubtful = shoe is not None and shoe.doubtful
    count = reason in {NEW_SHOE.kind, NEW_PACKS, HAND_OVER} or w.rules.count_after_shoe or doubtful
    phase = first_phase(bool(count and w.rules.inspection))
    w.state = replace(fresh(state), phase=phase, uncounted=_uncounted(state))


def first_phase(inspection: bool) -> Phase:
    """Where packs begin on their way into a shoe."""
    return Phase.INSPECTION if inspection else Phase.SHUFFLE


def change_shoe(w: Work, signal: str) -> None:
    """The dealer ends the shoe between two rounds: the same packs are shuffled again, or new ones are taken."""
    idle = w.state.phase in {Phase.BURN, Phase.BETTING} and not w.state.boxes and not w.state.on_table
    if not idle:
        return w.refuse("WRONG_PHASE", "a shoe is changed between rounds, with no stake on the table", signal)
    return end_shoe(w, signal)


def _reconciled(state: BlackjackState, shoe: Shoe, put_back: int) -> facts.ShoeReconciled:
    """Where every card of a shoe is, by the record."""
    unread = shoe.drawn - shoe.returned - sum(shoe.seen)
    dealt = shoe.drawn - shoe.returned - state.burned - put_back
    return facts.ShoeReconciled(
        shoe.number, shoe.total, state.burned, dealt, shoe.left, unread, state.round_number, put_back
    )


def fresh(before: BlackjackState | None) -> BlackjackState:
    """A table without cards and bets whose numbers of shoes and rounds, and chips that have to go back, go on from
    ``before``."""
    if before is None:
        return BlackjackState()
    return BlackjackState(
        shoe_number=before.shoe_number,
        round_number=before.round_number,
        last_bets=before.last_bets,
        uncounted=before.uncounted,
        to_return=before.to_return,
        undone=before.undone,
        overdue=before.overdue,
        rack=before.rack,
    )
