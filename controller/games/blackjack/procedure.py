"""The life of a shoe: inspection, shuffle, cuts, loading, the burn, and the cards back to the rack."""

from __future__ import annotations

from typing import Final

from controller.core.cards import Card
from controller.core.inputs import DeckSpread
from controller.core.records import replace
from controller.core.shoe import Shoe, spread_faults
from controller.core.verdicts import NEW_SHOE, Correction
from controller.games.blackjack import facts, returns, settlement
from controller.games.blackjack.state import Aside, BlackjackState, Phase, Work

RESPREAD: Final = Correction("respread", "complete the packs, spread them again and count again")
BURN: Final = Correction("burn", "the card goes to the discard rack and is recorded as gone")
RECOUNT: Final = Correction("recount", "look for the card, put it in the rack and count again")
NEXT_CARD: Final = Correction("next_card", "the card was not exposed: it is the next card dealt")


def spread(w: Work, event: DeckSpread) -> None:
    """Packs counted face up: complete, or the table waits."""
    if w.state.phase is not Phase.INSPECTION:
        return w.refuse("WRONG_PHASE", f"packs are inspected before a shuffle, not in {w.state.phase}", "a spread")
    wrong = spread_faults(event.counts, w.rules.decks)
    if wrong:
        many = sum(event.counts)
        shown = ", ".join(wrong[:6]) + (f" and {len(wrong) - 6} more" if len(wrong) > 6 else "")
        wanted = f"{52 * w.rules.decks} cards, every face {w.rules.decks} times"
        return w.hold("DECK_INCOMPLETE", wanted, f"{many} cards: {shown}", RESPREAD, key="deck")
    w.state = replace(w.state, phase=Phase.SHUFFLE)
    w.facts.append(facts.ShoeInspected(w.rules.decks, 52 * w.rules.decks))
    return None


def shuffled(w: Work) -> None:
    """The dealer has shuffled."""
    if w.state.phase is Phase.INSPECTION and not w.rules.inspection:
        w.state = replace(w.state, phase=Phase.SHUFFLE)
    if w.state.phase is Phase.INSPECTION:
        return w.refuse("NOT_INSPECTED", "the packs are spread and counted first", "a shuffle")
    if w.state.phase not in {Phase.SHUFFLE, Phase.CUT, Phase.LOAD}:
        return w.refuse("WRONG_PHASE", f"no shuffle is due in {w.state.phase}", "a shuffle")
    number = w.state.shoe_number if w.state.phase is not Phase.SHUFFLE else w.state.shoe_number + 1
    w.state = replace(w.state, phase=Phase.CUT, shoe_number=number, cut_at=0, second_cut_at=0, round_number=0)
    w.facts.append(facts.ShoeShuffled(number))
    return None


def player_cut(w: Work, position: int) -> None:
    """A player cut at ``position`` cards from the front."""
    if w.state.phase is not Phase.CUT:
        return w.refuse("WRONG_PHASE", f"the cut follows the shuffle, not {w.state.phase}", "a cut")
    low, high = w.rules.cut_margin, 52 * w.rules.decks - w.rules.cut_margin
    if not low <= position <= high:
        return w.refuse(
            "CUT_RANGE", f"a cut between {low} and {high} cards from the front: offer it again", str(position)
        )
    w.state = replace(w.state, phase=Phase.LOAD, cut_at=position)
    w.facts.append(facts.ShoeCut(w.state.shoe_number, position))
    return None


def second_cut(w: Work, position: int) -> None:
    """The second cut card was put in at ``position`` cards from the front."""
    if w.state.phase is Phase.CUT and not w.rules.player_cut:
        w.state = replace(w.state, phase=Phase.LOAD)
    if w.state.phase is Phase.CUT:
        return w.refuse("CUT_MISSING", "a player cuts first", "the second cut card")
    if w.state.phase is not Phase.LOAD:
        return w.refuse(
            "WRONG_PHASE", f"the second cut card follows the cut, not {w.state.phase}", "the second cut card"
        )
    wanted, tolerance = w.rules.second_cut_at, w.rules.second_cut_tolerance
    if abs(position - wanted) > tolerance:
        return w.refuse("CUTCARD_POSITION", f"{wanted} ± {tolerance} cards from the front", str(position))
    w.state = replace(w.state, second_cut_at=position)
    return None


def loaded(w: Work) -> None:
    """The pack was put into the shoe."""
    state, rules = w.state, w.rules
    if state.phase is Phase.CUT:
        return w.refuse("CUT_MISSING", "a player cuts before the shoe is loaded", "the shoe was loaded")
    if state.phase is not Phase.LOAD:
        return w.refuse("WRONG_PHASE", f"loading follows the cut, not {state.phase}", "the shoe was loaded")
    if not state.second_cut_at:
        return w.refuse("CUTCARD_MISSING", "the second cut card is put in first", "the shoe was loaded")
    shoe = Shoe(state.shoe_number, rules.decks, cut_card_at=state.second_cut_at)
    w.state = replace(state, phase=Phase.BURN if rules.burn_max else Phase.BETTING, shoe=shoe, burned=0)
    w.facts.append(facts.ShoeLoaded(shoe.number, shoe.total, state.second_cut_at))
    return None


def burn(w: Work, aside: Aside) -> bool:
    """A card came out in the burn; False when it is one too many."""
    card = aside.card
    assert card is not None
    if w.state.burned < w.rules.burn_max:
        burn_one(w, card, "start")
        return True
    w.state = replace(w.state, loose=(*w.state.loose, aside))
    actual = f"{card} as card {w.state.burned + 1}"
    w.hold("BURN_TOO_MANY", f"at most {w.rules.burn_max} burned cards", actual, BURN, NEXT_CARD, key=aside.key)
    return False


def burn_one(w: Work, card: Card, why: str) -> None:
    """Send a card to the discard rack unplayed."""
    w.state = replace(w.state, burned=w.state.burned + 1)
    w.facts.append(facts.CardBurned(card, w.state.burned, why))


def burn_done(w: Work) -> bool:
    """Open the betting after the burn; False (with the refusal) while cards are still to be burned."""
    if w.state.burned < w.rules.burn_min:
        wanted = f"{w.rules.burn_min} to {w.rules.burn_max} cards are burned first"
        w.refuse("BURN_MISSING", wanted, f"{w.state.burned} burned")
        return False
    w.state = replace(w.state, phase=Phase.BETTING)
    return True


def collect(w: Work, counted: int) -> None:
    """The cards of the round go to the discard rack; ``counted`` is the rack's or the dealer's count, 0 for none."""
    state = w.state
    if state.phase is Phase.SETTLEMENT:
        return settlement.still_open(w)
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
        return w.hold(code, wanted, f"{counted} counted", RECOUNT, NEW_SHOE, key="count")
    w.facts.append(facts.CardsDiscarded(state.round_id, state.on_table, counted))
    return end_round(w)


def end_round(w: Work) -> None:
    """Clear the table for the next round; what has not gone back to the players by now is a matter of its own."""
    state = w.state
    w.state = BlackjackState(
        phase=Phase.BETTING,
        shoe=state.shoe,
        shoe_number=state.shoe_number,
        round_number=state.round_number,
        burned=state.burned,
        discarded=state.discarded + state.on_table,
        kept=state.kept,
        to_return=state.to_return,
    )
    if w.state.to_return:
        returns.remind(w)


def end_shoe(w: Work, reason: str = "") -> None:
    """Take the pack out: it is shuffled; with a ``reason`` it has not come to its cut card. A shoe whose content is in
    doubt is counted first."""
    state = w.state
    shoe = state.shoe
    if shoe is not None and reason:
        w.facts.append(facts.ShoeChanged(shoe.number, shoe.drawn, reason))
    count = reason == NEW_SHOE.kind or (shoe is not None and shoe.doubtful)
    phase = Phase.INSPECTION if count and w.rules.inspection else Phase.SHUFFLE
    w.state = replace(fresh(state), phase=phase, to_return=state.to_return)


def fresh(before: BlackjackState | None) -> BlackjackState:
    """A table without cards and bets whose numbers of shoes and rounds go on from ``before``."""
    if before is None:
        return BlackjackState()
    return BlackjackState(shoe_number=before.shoe_number, round_number=before.round_number)
