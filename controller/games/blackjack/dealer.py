"""The dealer's own hand: the card face down, the peek, when he draws and when he is done."""

from __future__ import annotations

from controller.core.facts import CardRevealed
from controller.core.inputs import CardShown
from controller.core.records import replace
from controller.games.blackjack import facts, owed, settlement
from controller.games.blackjack.hand import Box, Status, dealer_draws, is_blackjack, may_be_blackjack, total_text
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.state import Aside, BlackjackState, Phase, Spot, Work

DEALER = Spot(0)


def face_down_due(rules: Rules, state: BlackjackState) -> bool:
    """True when the next card out of the shoe lies face down: a burned one where the rules say so, or the hole card."""
    if state.phase is Phase.BURN:
        return rules.burn_face_down
    hole = rules.hole_card == "dealt" and state.phase is Phase.DEALING and len(state.dealer) == 1
    return hole and state.plan[state.dealt] == DEALER


def hidden_name(state: BlackjackState, number: int) -> str:
    """The name, unique in the journal, of the ``number``-th card of the shoe while its face is secret."""
    return f"{state.shoe_number}:{number}"


def hidden_sight(state: BlackjackState, event: CardShown) -> str:
    """A name for what a source sees at the dealer's place while the hole card lies face down there, and for what it
    sees anywhere of a face that a card has which was drawn in error and lies face down: a tag is read through the card.
    It does not depend on the tag, which is not on record of what is hidden."""
    if state.hole and event.box == DEALER.box:
        return f"{state.round_id}:{event.device}:hole"
    aside = any(a.hidden and a.card == event.card for a in (*state.loose, *state.kept))
    return f"{state.round_id}:{event.device}:aside" if aside else ""


def reveal(w: Work, aside: Aside, spot: Spot) -> None:
    """Everybody sees a card now that was hidden."""
    assert aside.card is not None
    w.facts.append(CardRevealed(hidden_name(w.state, aside.number), aside.card, spot.box, spot.hand))


def show_hole(w: Work) -> None:
    """The dealer turns the hole card, if he has one face down."""
    if w.state.hole:
        reveal(w, Aside(w.state.hole, w.state.dealer[-1]), DEALER)
        w.state = replace(w.state, hole=0)


def peek(w: Work) -> bool:
    """The dealer looks at the hole card where the rules say so. True when he has a blackjack: the round is over.

    The shoe has read the card, so nothing needs to be reported; the dealer turns it when the table says blackjack.
    """
    if len(w.state.dealer) != 2 or not w.rules.peeks(w.state.dealer[0]):
        return False
    found = is_blackjack(w.state.dealer)
    w.facts.append(facts.DealerPeeked(found))
    if found:
        show_hole(w)
        done(w)
    else:
        w.state = replace(w.state, peeked=True)
    return found


def goes_on(rules: Rules, state: BlackjackState) -> bool:
    """Whether the dealer takes another card: to 17 while a stake depends on his total, to the second card while only
    a blackjack or an insurance depends on whether he has blackjack, else none."""
    hands = [h for b in state.boxes for h in b.hands]
    if rules.dealer_draws_for_nobody or any(h.status is Status.STOOD for h in hands):
        return dealer_draws(state.dealer, rules.dealer_hits_soft_17)
    return may_be_blackjack(state.dealer) and any(_asks_for_blackjack(rules, b) for b in state.boxes)


def _asks_for_blackjack(rules: Rules, box: Box) -> bool:
    """True when a bet of the box depends on whether the dealer has blackjack."""
    for hand in box.hands:
        if hand.status is Status.BLACKJACK and any(s.person not in box.evened for s in hand.stakes):
            return True
        if hand.status is Status.SURRENDERED and rules.surrender == "late":
            return True
    return bool(box.insurance) and owed.insurance_stands(rules, box)


def done(w: Work) -> None:
    """The dealer takes no more cards: the round is decided."""
    if is_blackjack(w.state.dealer):
        w.facts.append(facts.HandBlackjack(0, 1))
    w.facts.append(facts.DealerDone(total_text(w.state.dealer), w.state.dealer))
    w.state = replace(w.state, phase=Phase.SETTLEMENT, turn=(0, 0))
    settlement.announce(w)
