"""The life of a shoe: inspection, shuffle, cuts, loading, and the burn."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.core.cards import Card
from controller.core.inputs import DeckSpread
from controller.core.shoe import Shoe, spread_faults
from controller.core.verdicts import Correction
from controller.games.blackjack import facts
from controller.games.blackjack.state import Phase, Work

RESPREAD: Final = Correction("respread", "complete the packs, spread them again and count again")
BURN: Final = Correction("burn", "the card goes to the discard rack and is recorded as gone")
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


def burn(w: Work, card: Card) -> None:
    """A card came out in the burn."""
    if w.state.burned >= w.rules.burn_max:
        w.state = replace(w.state, loose=(*w.state.loose, card), on_table=w.state.on_table + 1)
        limit = f"at most {w.rules.burn_max} burned cards"
        key = loose_key(w, card)
        return w.hold("BURN_TOO_MANY", limit, f"{card} as card {w.state.burned + 1}", BURN, NEXT_CARD, key=key)
    return burn_one(w, card, "start")


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


def loose_key(w: Work, card: Card) -> str:
    """The key that ties a verdict to a loose card."""
    drawn = w.state.shoe.drawn if w.state.shoe else 0
    return f"loose:{card.text}:{drawn}"
