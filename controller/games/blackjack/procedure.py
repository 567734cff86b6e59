"""A shoe is made ready: inspection, shuffle, cuts, loading and the burn."""

from __future__ import annotations

from typing import Final

from controller.core.inputs import DeckSpread
from controller.core.records import replace
from controller.core.shoe import Shoe, spread_faults
from controller.core.verdicts import Correction
from controller.games.blackjack import clearing, dealer, facts, racking
from controller.games.blackjack.state import Aside, Phase, Spot, Work

RESPREAD: Final = Correction("respread", "complete the packs, spread them again and count again")
BURN: Final = Correction("burn", "the card goes to the discard rack and is recorded as gone")
NEXT_CARD: Final = Correction("next_card", "the card was not exposed: it is the next card dealt")
EXPOSED: Final = Correction("exposed", "it was exposed: offered to the hands that still draw, in order, then burned")
QUARANTINE: Final = Correction("quarantine", "these packs are taken away and kept; other packs are spread and counted")


def spread(w: Work, event: DeckSpread) -> None:
    """Packs counted face up: complete, or the table waits."""
    if w.state.phase is not Phase.INSPECTION:
        return w.refuse("WRONG_PHASE", f"packs are inspected before a shuffle, not in {w.state.phase}", "a spread")
    wrong = spread_faults(event.counts, w.rules.decks)
    if wrong:
        many = sum(event.counts)
        shown = ", ".join(wrong[:6]) + (f" and {len(wrong) - 6} more" if len(wrong) > 6 else "")
        wanted = f"{52 * w.rules.decks} cards, every face {w.rules.decks} times"
        ways = (RESPREAD, QUARANTINE) if w.state.uncounted else (RESPREAD,)
        return w.hold("DECK_INCOMPLETE", wanted, f"{many} cards: {shown}{clearing.since(w.state)}", *ways, key="deck")
    racking.compare(w)
    w.state = replace(w.state, phase=Phase.SHUFFLE, uncounted=())
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
    racking.compare(w)
    if w.state.paused is None:
        number = w.state.shoe_number if w.state.phase is not Phase.SHUFFLE else w.state.shoe_number + 1
        w.state = replace(w.state, shoe_number=number, round_number=0)
    w.state = replace(w.state, phase=Phase.CUT, cut_at=0, second_cut_at=0)
    w.facts.append(facts.ShoeShuffled(w.state.making))
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
    w.facts.append(facts.ShoeCut(w.state.making, position))
    return None


def cut_declined(w: Work) -> None:
    """Every player declined to cut: the pack is loaded as it was shuffled."""
    w.state = replace(w.state, phase=Phase.LOAD)
    w.facts.append(facts.CutDeclined(w.state.making))


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
    shoe = Shoe(state.making, rules.decks, cut_card_at=state.second_cut_at, others=state.numbered)
    w.state = replace(state, phase=Phase.BURN, shoe=shoe, burned=0)
    if not rules.burn_max:
        _ready(w)
    w.facts.append(facts.ShoeLoaded(shoe.number, shoe.total, state.second_cut_at))
    return None


def burn(w: Work, aside: Aside) -> bool:
    """A card came out in the burn; False when it is one too many."""
    if w.state.burned < w.rules.burn_max:
        burn_one(w, aside, "start")
        return True
    w.state = replace(w.state, loose=(*w.state.loose, aside))
    actual = f"{aside} as card {w.state.burned + 1}"
    w.hold("BURN_TOO_MANY", f"at most {w.rules.burn_max} burned cards", actual, BURN, NEXT_CARD, key=aside.key)
    return False


def burn_one(w: Work, aside: Aside, why: str) -> None:
    """Send a card to the discard rack unplayed: a hidden one face down in the burn, else everybody sees it."""
    down = aside.hidden and why == "start"
    if aside.hidden and not down:
        dealer.reveal(w, aside, Spot(0, 0))
    face_down = (*w.state.face_down, aside) if down else w.state.face_down
    w.state = replace(w.state, burned=w.state.burned + 1, face_down=face_down)
    w.facts.append(facts.CardBurned(None if down else aside.card, w.state.burned, why))


NEXT_IN_SHOE: Final = 1
"""The number keyed with `exposed` for the card in the mouth of the shoe."""


def exposed(w: Work, number: int) -> None:
    """The dealer says that a card was seen that lies face down: the last one burned, or the hole card; or, with the
    ``number`` `NEXT_IN_SHOE`, that the next card lies face up in the shoe, and again that it does not. In the burn it
    is burned as every card."""
    if number == NEXT_IN_SHOE and w.state.shoe is not None and w.state.phase is not Phase.BURN:
        w.state = replace(w.state, face_up=not w.state.face_up)
        return None
    if w.state.hole:
        dealer.show_hole(w)
        return w.note("EXPOSED_HOLE", "the hole card is seen by nobody before the dealer turns it", "it was seen")
    if w.state.face_down and w.state.phase in {Phase.BURN, Phase.BETTING}:
        *rest, last = w.state.face_down
        dealer.reveal(w, last, Spot(0, 0))
        w.state = replace(w.state, face_down=tuple(rest))
        return w.note("EXPOSED_BURN", "burned cards lie face down", f"{last.card} was seen")
    return w.refuse("NOTHING_HIDDEN", "a card that lies face down", "a card was exposed")


def burn_done(w: Work) -> bool:
    """Open the betting after the burn; False (with the refusal) while cards are still to be burned."""
    if w.state.burned < w.rules.burn_min:
        wanted = f"{w.rules.burn_min} to {w.rules.burn_max} cards are burned first"
        w.refuse("BURN_MISSING", wanted, f"{w.state.burned} burned")
        return False
    _ready(w)
    return True


def _ready(w: Work) -> None:
    """Cards may be dealt from the shoe: bets are open, or a round that waited for it goes on."""
    w.state = replace(w.state, phase=w.state.paused or Phase.BETTING, paused=None)
