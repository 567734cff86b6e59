"""Cards out of the shoe: each goes where it is due, or the table waits for a supervisor."""

from __future__ import annotations

from typing import Final

from controller.core.cards import Card
from controller.core.inputs import CardDrawn, CardUnreadable, CutCardDrawn
from controller.core.records import replace
from controller.core.shoe import Shoe
from controller.core.verdicts import NEW_SHOE, SHUFFLE_AGAIN, Correction
from controller.games.blackjack import dealer, facts, flow, laying, procedure, voiding, wagers
from controller.games.blackjack.hand import total_text
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.state import Aside, BlackjackState, Phase, Work

NAME_CARD: Final = Correction("name_card", "a supervisor names the card after looking at it", needs_card=True)
SET_ASIDE: Final = Correction("set_aside", "nobody can name it: it is taken out, the packs are counted after the round")

FIRST_CARDS: Final = 26
"""Cards at the front of a shoe that are watched for the order of new packs."""
LIKE_NEW: Final = 8
"""So many of them that follow their neighbour in a new pack come by chance once in a million shoes or less."""

MOST_ASIDE: Final = 24
"""Cards that may wait for a supervisor at once; of more, only the number is kept. A hand never holds so many."""


def drawn(w: Work, event: CardDrawn) -> None:
    """A card was read as it left the shoe."""
    shoe = w.state.shoe
    if event.again and (shoe is None or _out_already(w.state, shoe, event.card)):
        face = "a card" if hidden(w.rules, w.state, event, held=w.held) else str(event.card)
        w.note("READ_AGAIN", "each card announced once", f"{face} announced again")
    elif shoe is None:
        _outside_play(w, str(event.card))
    elif shoe.would_exceed(event.card):
        face = "a face" if hidden(w.rules, w.state, event, held=w.held) else str(event.card)
        _disputed(w, shoe, face, due=not (w.held or event.outside))
    else:
        _known(w, shoe, event)


def hidden(rules: Rules, state: BlackjackState, event: CardDrawn, *, held: bool) -> str:
    """The name (`dealer.hidden_name`) of a card that lies face down where it is due, that was drawn in error, which
    nobody may have seen, or that is announced again while such a one is out; empty for every other."""
    shoe = state.shoe
    if shoe is None:
        return ""
    if event.again and _out_already(state, shoe, event.card):
        secret = bool(state.hole or state.face_down) or any(a.hidden for a in (*state.loose, *state.kept))
        secret = secret or _unread_last(state, shoe)
        return f"{dealer.hidden_name(state, shoe.next_number - 1)}:again" if secret else ""
    if state.face_up:
        return ""
    is_due = not (held or event.outside or event.again) and _is_due(rules, state)
    secret = not is_due or dealer.face_down_due(rules, state)
    return dealer.hidden_name(state, shoe.next_number) if secret else ""


def _out_already(state: BlackjackState, shoe: Shoe, card: Card) -> bool:
    """True when a card that is announced again can be one that is counted: this face is out, or the last card out was
    not read. That one still waits for its name: what a shoe reads the second time is no better than the first."""
    return shoe.seen[card.index] > 0 or _unread_last(state, shoe)


def _unread_last(state: BlackjackState, shoe: Shoe) -> bool:
    return bool(state.unnamed) and state.unnamed[-1].number == shoe.next_number - 1


def _is_due(rules: Rules, state: BlackjackState) -> bool:
    """True when a card may come, for all that is known before it: a burn is one, and the first card ends the bets."""
    if state.phase is Phase.BETTING:
        return bool(state.boxes) and not wagers.too_low(rules, state)
    return state.phase is Phase.BURN or flow.next_spot(state) is not None


def _known(w: Work, shoe: Shoe, event: CardDrawn) -> None:
    secret = bool(hidden(w.rules, w.state, event, held=w.held))
    drawn_shoe = shoe.with_drawn(event.card)
    if shoe.drawn < FIRST_CARDS:
        drawn_shoe = drawn_shoe.watched(event.card)
        if drawn_shoe.in_order == LIKE_NEW:
            actual = f"{LIKE_NEW + 1} cards one after the other as in a new pack"
            w.note("LIKE_NEW_PACKS", "the first cards of a shuffled shoe in an order of chance", actual)
    w.state = replace(w.state, shoe=drawn_shoe)
    aside = Aside(shoe.next_number, event.card, hidden=secret)
    if w.state.face_up:
        _face_up(w, aside)
    elif w.held:
        extra(w, aside, "no card while the table is held")
    elif event.outside:
        extra(w, aside, f"no card that the shoe itself counts out of the game ({event.outside})")
    elif event.again:
        extra(w, aside, "a card announced again was announced before")
    else:
        judge(w, aside)


def _face_up(w: Work, aside: Aside) -> None:
    """A card that lay face up in the shoe is not used: it is gone, and the deal goes on with the next one."""
    w.state = replace(w.state, face_up=False)
    procedure.burn_one(w, aside, "face_up")
    w.note("CARD_FACE_UP", "every card lies face down in the shoe", f"{aside} lay face up: it goes to the rack")


def named_unseen(w: Work, card: Card) -> None:
    """A supervisor names a card that no source announced: it left the shoe as the next one due."""
    shoe = w.state.shoe
    if shoe is None:
        return w.note("CARD_OUTSIDE_PLAY", f"no card leaves the shoe in {w.state.phase}", f"{card} named")
    if shoe.would_exceed(card):
        return _disputed(w, shoe, str(card), due=True)
    w.facts.append(facts.CardConfirmed(card))
    w.state = replace(w.state, shoe=shoe.with_drawn(card))
    return judge(w, Aside(shoe.next_number, card))


def judge(w: Work, aside: Aside) -> None:
    """Decide where a card belongs that is counted and known, and came at a time when a card may come."""
    state = w.state
    if state.phase is Phase.BURN:
        return laying.burned(w) if procedure.burn(w, aside) else None
    if state.phase is Phase.BETTING and state.boxes:
        if not wagers.close_bets(w):
            return extra(w, aside, "bets in order before the first card")
        flow.deal_kept(w)
    spot = flow.next_spot(w.state)
    if spot is None:
        return extra(w, aside, no_card_due(w))
    flow.place(w, spot, aside)
    return laying.placed(w, spot)


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


def extra(w: Work, aside: Aside, wanted: str) -> None:
    """A card came that was not due: it lies aside until a supervisor decides. One that a sensor noticed before is that
    card."""
    if _too_many(w):
        return
    where, early = (w.state.early[0], w.state.early[1:]) if w.state.early else (None, ())
    w.state = replace(w.state, loose=(*w.state.loose, aside), early=early)
    over = w.state.phase in {Phase.SETTLEMENT, Phase.COLLECTION} and bool(w.state.boxes)
    ways = (procedure.BURN,) if over else (procedure.NEXT_CARD, procedure.BURN, procedure.EXPOSED)
    w.hold("DEALER_OVERDRAW" if over else "EXTRA_CARD", wanted, f"{aside} was drawn", *ways, key=aside.key)
    if where is not None:
        laying.noticed(w, where)


def _too_many(w: Work) -> bool:
    if len(w.state.loose) + len(w.state.unnamed) < MOST_ASIDE:
        return False
    w.state = replace(w.state, pile=w.state.pile + 1)
    wanted = f"at most {MOST_ASIDE} cards that wait for a supervisor"
    w.hold("TOO_MANY_CARDS", wanted, "more cards; only their number is kept", NEW_SHOE, key="pile")
    return True


def _disputed(w: Work, shoe: Shoe, face: str, *, due: bool) -> None:
    """More of a face than the decks hold: a misread or a foreign card. Counted as a card without a name."""
    aside = Aside(shoe.next_number, due=due)
    wanted = f"at most {shoe.held_each} of {face} in {shoe.held_each} decks"
    _unnamed(w, shoe, aside, "CARD_DISPUTED", wanted, f"{face} again")


def unreadable(w: Work, event: CardUnreadable) -> None:
    """A card left the shoe and no source read it: a person names it; it is never skipped and never guessed."""
    shoe = w.state.shoe
    if shoe is None:
        return _outside_play(w, "an unreadable card")
    actual = "an unreadable card" + (f" ({event.detail})" if event.detail else "")
    aside = Aside(shoe.next_number, due=not w.held)
    return _unnamed(w, shoe, aside, "CARD_UNREADABLE", "a card that is read", actual)


def _unnamed(w: Work, shoe: Shoe, aside: Aside, code: str, wanted: str, actual: str) -> None:
    aside = replace(aside, due=aside.due and not w.state.face_up)
    w.state = replace(w.state, shoe=shoe.with_drawn(None), face_up=False)
    if not _too_many(w):
        w.state = replace(w.state, unnamed=(*w.state.unnamed, aside))
        w.hold(code, wanted, actual, NAME_CARD, SET_ASIDE, key=aside.key)


def _outside_play(w: Work, actual: str) -> None:
    """A card came while no shoe is loaded. From a pack that is shuffled already it would be missing later."""
    wanted = f"no card leaves the shoe in {w.state.phase}"
    if w.state.phase in {Phase.CUT, Phase.LOAD}:
        w.hold("CARD_OUTSIDE_PLAY", wanted, actual, SHUFFLE_AGAIN, NEW_SHOE, key="outside")
    else:
        w.note("CARD_OUTSIDE_PLAY", wanted, actual)


def cut_card(w: Work, _: CutCardDrawn) -> None:
    """The cut card came: the round in play is finished, then the shoe is shuffled."""
    shoe = w.state.shoe
    if shoe is None or shoe.cut_card_seen:
        return w.note("CUT_CARD_AGAIN", "one cut card from a loaded shoe", "a cut card")
    if w.state.phase is Phase.BURN:
        wanted = "the cut card near the end of the shoe"
        return w.hold("CUT_CARD_EARLY", wanted, "a cut card in the burn", SHUFFLE_AGAIN, key="cut_card")
    first = _first_of_a_round(w)
    w.state = replace(w.state, shoe=replace(shoe, cut_card_seen=True))
    if first and w.rules.cut_card_first == "shuffle_now":
        w.facts.append(facts.ShoeExhausted(shoe.number, shoe.drawn, ""))
        return voiding.call_off(w, "the cut card came first")
    w.facts.append(facts.ShoeExhausted(shoe.number, shoe.drawn, w.state.round_id))
    return None


def _first_of_a_round(w: Work) -> bool:
    """True when stakes are laid and no card is out yet, not even one that waits for a supervisor."""
    state = w.state
    waits = w.held or state.loose or state.unnamed or state.early
    begins = (state.phase is Phase.DEALING and not state.dealt) or (state.phase is Phase.BETTING and state.boxes)
    return bool(begins) and not waits
