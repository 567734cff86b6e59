"""Cards out of the shoe: each goes where it is due, or the table waits for a supervisor."""

from __future__ import annotations

from dataclasses import replace

from controller.core.cards import Card
from controller.core.inputs import CardDrawn, CardLaid, CardUnreadable, CutCardDrawn
from controller.core.verdicts import Correction, Finding, Severity
from controller.games.blackjack import facts, flow, procedure, wagers
from controller.games.blackjack.hand import total_text
from controller.games.blackjack.state import Phase, Spot, Work

NAME_CARD = Correction("name_card", "a supervisor names the card after looking at it", needs_card=True)
MOVE = Correction("move", "nothing was dealt since: move the card to the right spot")


def drawn(w: Work, event: CardDrawn, *, held: bool) -> None:
    """A card was read as it left the shoe."""
    if event.again:
        note = Finding("READ_AGAIN", Severity.NOTE, "each card announced once", f"{event.card} announced again")
        w.findings.append(note)
        return
    receive(w, event.card, held=held, outside=event.outside)


def receive(w: Work, card: Card, *, held: bool, outside: str = "") -> None:
    """Take a known card into account: count it out of the shoe and give it to the spot that is due."""
    shoe = w.state.shoe
    if shoe is None:
        wanted = f"no card leaves the shoe in {w.state.phase}"
        w.findings.append(Finding("CARD_OUTSIDE_PLAY", Severity.NOTE, wanted, str(card)))
        return
    if shoe.would_exceed(card):
        _disputed(w, card)
        return
    w.state = replace(w.state, shoe=shoe.with_drawn(card))
    judge(w, card, held=held or bool(outside))


def judge(w: Work, card: Card, *, held: bool) -> None:
    """Decide where a counted card belongs."""
    state = w.state
    if held:
        return extra(w, card, "no card while the table is held")
    if state.phase is Phase.BURN:
        if state.early:
            w.state = replace(state, early=())
            return laid_in_burn(w, card, state.early[0])
        return procedure.burn(w, card)
    if state.phase is Phase.BETTING and state.boxes and not wagers.close_bets(w):
        return extra(w, card, "bets in order before the first card")
    flow.deal_kept(w)
    if flow.next_spot(w.state) is None:
        return extra(w, card, no_card_due(w))
    flow.place(w, card)
    return match_early(w)


def no_card_due(w: Work) -> str:
    """Why no card is due, for a verdict."""
    match w.state.phase:
        case Phase.PLAYERS:
            box, hand = w.state.turn
            return f"the decision of box {box} hand {hand} comes first"
        case Phase.SETTLEMENT | Phase.COLLECTION:
            return f"the dealer stands on {total_text(w.state.dealer)}: no card is drawn"
        case phase:
            return f"no card is drawn in {phase}"


def extra(w: Work, card: Card, wanted: str) -> None:
    """A card came that was not due: it lies aside until a supervisor decides."""
    w.state = replace(w.state, loose=(*w.state.loose, card), on_table=w.state.on_table + 1)
    over = w.state.phase in {Phase.SETTLEMENT, Phase.COLLECTION} and bool(w.state.boxes)
    ways = (procedure.BURN,) if over else (procedure.NEXT_CARD, procedure.BURN)
    code = "DEALER_OVERDRAW" if over else "EXTRA_CARD"
    w.hold(code, wanted, f"{card} was drawn", *ways, key=procedure.loose_key(w, card))


def _disputed(w: Work, card: Card) -> None:
    """More of a face than the decks hold: a misread or a foreign card. Counted as a card without a name."""
    shoe = w.state.shoe
    assert shoe is not None
    _unnamed(w)
    wanted = f"at most {shoe.held_each} of {card} in {shoe.held_each} decks"
    w.hold("CARD_DISPUTED", wanted, f"{card} once more", NAME_CARD, key=f"unnamed:{w.state.shoe.drawn}")  # type: ignore[union-attr]


def unreadable(w: Work, event: CardUnreadable) -> None:
    """A card left the shoe and no source read it: a person names it; it is never skipped and never guessed."""
    if w.state.shoe is None:
        w.findings.append(Finding("CARD_OUTSIDE_PLAY", Severity.NOTE, "no card leaves the shoe", "an unreadable card"))
        return
    _unnamed(w)
    actual = "an unreadable card" + (f" ({event.detail})" if event.detail else "")
    w.hold("CARD_UNREADABLE", "a card that is read", actual, NAME_CARD, key=f"unnamed:{w.state.shoe.drawn}")


def _unnamed(w: Work) -> None:
    assert w.state.shoe is not None
    w.state = replace(w.state, shoe=w.state.shoe.with_drawn(None), unnamed=w.state.unnamed + 1)


def cut_card(w: Work, _: CutCardDrawn) -> None:
    """The cut card came: the round in play is finished, then the shoe is shuffled."""
    shoe = w.state.shoe
    if shoe is None or shoe.cut_card_seen:
        wanted = "one cut card from a loaded shoe"
        w.findings.append(Finding("CUT_CARD_AGAIN", Severity.NOTE, wanted, "a cut card"))
        return
    if w.state.phase is Phase.BURN:
        w.hold("CUT_CARD_EARLY", "the cut card near the end of the shoe", "a cut card in the burn", SHUFFLE_AGAIN)
        return
    w.state = replace(w.state, shoe=replace(shoe, cut_card_seen=True))
    w.facts.append(facts.ShoeExhausted(shoe.number, shoe.drawn, w.state.round_id))
    if w.state.phase is Phase.BETTING and not w.state.boxes:
        w.state = replace(w.state, phase=Phase.SHUFFLE, shoe=None, round_open=False)


SHUFFLE_AGAIN = Correction("shuffle_again", "take the pack out, shuffle, cut and load it again")


def laid(w: Work, event: CardLaid) -> None:
    """A spot's sensor noticed a card: it must be the spot the last card was due at."""
    where = Spot(event.box, event.hand)
    if w.state.unlaid:
        wanted, rest = w.state.unlaid[0], w.state.unlaid[1:]
        w.state = replace(w.state, unlaid=rest)
        if not _same_spot(wanted, where):
            _wrong_box(w, wanted, where, last=not rest)
        return
    if w.state.phase is Phase.BURN and w.state.burned:
        rack = "the burned card goes to the discard rack"
        w.hold("BURN_MISSING", rack, f"it was laid at {where}", MOVE, key="laid")
        return
    if w.state.early:
        unseen(w, f"a second card at {where}")
        return
    w.state = replace(w.state, early=(where,))


def laid_in_burn(w: Work, card: Card, where: Spot) -> None:
    """A card was laid at a spot while cards are still to be burned."""
    procedure.burn(w, card)
    wanted = "the first cards of the shoe are burned"
    w.hold("BURN_MISSING", wanted, f"{card} was laid at {where}", MOVE, key="laid")


def match_early(w: Work) -> None:
    """A card was laid before it was announced: compare now."""
    if not (w.state.early and w.state.unlaid):
        return
    where, wanted = w.state.early[0], w.state.unlaid[0]
    w.state = replace(w.state, early=(), unlaid=w.state.unlaid[1:])
    if not _same_spot(wanted, where):
        _wrong_box(w, wanted, where, last=not w.state.unlaid)


def unseen(w: Work, actual: str) -> None:
    """A card lies at a spot and no source has announced it."""
    where = w.state.early[0]
    w.hold("CARD_UNSEEN", f"the card at {where} is announced by the shoe", actual, NAME_CARD, key=f"unseen:{where}")


def _wrong_box(w: Work, wanted: Spot, where: Spot, *, last: bool) -> None:
    ways = (MOVE,) if last else ()
    key = f"laid:{wanted.box}:{wanted.hand}:{where.box}"
    w.hold("WRONG_BOX", f"the card goes to {wanted}", f"it was laid at {where}", *ways, key=key)


def _same_spot(wanted: Spot, where: Spot) -> bool:
    return wanted == where
