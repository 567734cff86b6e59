"""First cards that went astray: a box or the dealer skipped, a box dealt to without a stake.

What a shoe has read is a row of cards; which hand each belongs to is the order of the deal. A misdeal is another order:
the cards that are out are given to the hands anew. No card is moved along the boxes that lies where it was due.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from controller.core.cards import Card
from controller.core.inputs import CardLaid, DecisionSignalled
from controller.core.records import replace
from controller.core.verdicts import Correction
from controller.games.blackjack import dealing, facts, flow, laying, procedure, voiding, wagers
from controller.games.blackjack.dealer import DEALER
from controller.games.blackjack.hand import Box, total_text
from controller.games.blackjack.lookup import box_of
from controller.games.blackjack.rules import DealOrder
from controller.games.blackjack.state import Aside, BlackjackState, Phase, Spot, Work

DEAD_BOX: Final = Correction(
    "dead_box", "the box is out of the round, its stake goes back; the others keep their cards"
)
VOID_HAND: Final = Correction("void_hand", "the hand without a stake is void: its cards go to the discard rack")

Plan = tuple[Spot, ...]


def laid(w: Work, event: CardLaid) -> None:
    """A sensor noticed a card. A card of the second pass that lies at a later box, or the dealer's at a box, shows who
    was skipped; everything else is judged by `laying.laid`."""
    state, where = w.state, Spot(event.box, event.hand)
    at = state.dealt - 1
    follows = state.phase is Phase.DEALING and len(state.unlaid) == 1 and where in state.plan[state.dealt :]
    if not follows or state.unlaid[0] == where or state.plan[at] != state.unlaid[0]:
        return laying.laid(w, event)
    wanted, cards = state.unlaid[0], dealt_cards(state)
    first = wanted not in state.plan[:at]
    if wanted == DEALER and first and where == state.plan[state.dealt]:
        return _dealer_skipped(w, at, cards)
    if wanted != DEALER and not first:
        rest = list(state.plan[state.dealt :])
        rest.remove(where)
        return _second_skipped(w, wanted, _ending_with(wanted, (*state.plan[:at], where, *rest), at), cards)
    return laying.laid(w, event)


def skipped(w: Work, event: DecisionSignalled) -> None:
    """The dealer says that he skipped a box, or himself (box 0), and has found it now."""
    state = w.state
    spot = Spot(event.box)
    due = [i for i, s in enumerate(state.plan[: state.dealt]) if s == spot] if state.phase is Phase.DEALING else []
    if not due:
        return w.refuse("NOT_SKIPPED", "a place that a first card was due to", f"{spot} skipped")
    at, cards = due[-1], dealt_cards(state)
    if spot == DEALER:
        return _dealer_skipped(w, at, cards)
    if len(due) == 2 and w.rules.deal_order is DealOrder.ONE_BY_ONE:
        plan = (*state.plan[:at], *state.plan[at + 1 :])
        return _second_skipped(w, spot, _ending_with(spot, plan, at), cards)
    wanted = f"the first card to {spot}"
    if len(due) == 1 and at == state.dealt - 1:
        key = f"laid:{spot.box}:1:{state.plan[state.dealt].box}"
        return w.hold("BOX_SKIPPED", wanted, "it went to the next place", laying.MOVE, key=key)
    ways = (DEAD_BOX,) if len(state.boxes) > 1 else ()
    return w.hold("BOX_SKIPPED", wanted, "cards were dealt since", *ways, key=f"skipped:{spot.box}")


def no_stake(w: Work, event: DecisionSignalled) -> None:
    """The dealer says that he dealt to a box on which nobody has a stake."""
    state, box = w.state, event.box
    if state.phase is not Phase.DEALING or not state.dealt or not 1 <= box <= w.rules.boxes or box_of(state, box):
        return w.refuse("NOT_SKIPPED", "a box without a stake, while the first cards are dealt", f"box {box}")
    wanted = "no card to a box without a stake"
    return w.hold("NO_STAKE", wanted, f"box {box} was dealt to", VOID_HAND, key=f"no_stake:{box}")


def dead_box(w: Work, number: int) -> None:
    """A skipped box is out of the round: the cards out go to those who were dealt to."""
    box = box_of(w.state, number)
    assert box is not None
    cards, plan = dealt_cards(w.state), tuple(s for s in w.state.plan if s.box != number)
    w.state = replace(w.state, boxes=tuple(b for b in w.state.boxes if b.number != number))
    w.facts.append(facts.BoxDead(number, voiding.give_back(w, box)))
    redeal(w, plan, cards)


def void_hand(w: Work, number: int) -> None:
    """The cards that were dealt to a box without a stake are burned, the others belong to the boxes they lie at."""
    cards = dealt_cards(w.state)
    boxes = tuple(sorted((*w.state.boxes, Box(number)), key=lambda b: b.number))
    order = wagers.deal_plan(w.rules, boxes)[: len(cards)]
    redeal(w, w.state.plan, [card for spot, card in zip(order, cards, strict=False) if spot.box != number])
    for spot, card in zip(order, cards, strict=False):
        if spot.box == number:
            procedure.burn_one(w, Aside(0, card), "no_stake")


def dealt_cards(state: BlackjackState) -> list[Card]:
    """The first cards that are out, in the order they came."""
    taken: dict[Spot, int] = {}
    found = []
    for spot in state.plan[: state.dealt]:
        n = taken[spot] = taken.get(spot, -1) + 1
        box = box_of(state, spot.box)
        found.append((box.hands[0].cards if box else state.dealer)[n])
    return found


def redeal(w: Work, plan: Plan, cards: Sequence[Card]) -> None:
    """Give the cards that are out to the hands by another order; one too many lies aside."""
    before = w.state
    boxes = tuple(
        replace(b, hands=(replace(b.hands[0], cards=_of(Spot(b.number), plan, cards)),)) for b in before.boxes
    )
    dealt = min(len(cards), len(plan))
    dealer = _of(DEALER, plan, cards)
    w.state = replace(before, boxes=boxes, dealer=dealer, plan=plan, dealt=dealt, unlaid=(), early=())
    for box in boxes:
        old = box_of(before, box.number)
        if old is None or old.hands[0].cards != box.hands[0].cards:
            now = box.hands[0].cards
            w.facts.append(facts.HandCorrected(box.number, 1, now, total_text(now)))
    if dealer != before.dealer:
        w.facts.append(facts.HandCorrected(0, 1, dealer, total_text(dealer)))
    if dealt == len(plan):
        flow.deal_complete(w)
    for n, card in enumerate(cards[dealt:]):
        assert w.state.shoe is not None
        dealing.extra(w, Aside(n - w.state.shoe.drawn, card), "one card fewer in this order of the deal")


def _of(spot: Spot, plan: Plan, cards: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(card for where, card in zip(plan, cards, strict=False) if where == spot)


def _ending_with(spot: Spot, plan: Plan, at: int) -> Plan:
    """The order with one more card for ``spot`` behind all boxes, and before the dealer's hole card unless that is the
    card that came instead, at place ``at``."""
    end = len(plan) - (plan[-1] == DEALER)
    end = end if end > at else len(plan)
    return (*plan[:end], spot, *plan[end:])


def _second_skipped(w: Work, spot: Spot, plan: Plan, cards: Sequence[Card]) -> None:
    redeal(w, plan, cards)
    w.note("SECOND_CARD_SKIPPED", f"the second card to {spot}", "it was skipped, and gets its card after the others")


def _dealer_skipped(w: Work, at: int, cards: Sequence[Card]) -> None:
    """The players' first cards are finished. Without a hole card the dealer then draws at his turn, and the table is
    held first; with one he gets his cards after the players'."""
    plan = (*w.state.plan[:at], *w.state.plan[at + 1 :])
    if w.rules.hole_card == "dealt":
        w.note("DEALER_SKIPPED", "the dealer's card between the first and the second cards", "he gets it at the end")
        return redeal(w, (*plan, DEALER), cards)
    w.state = replace(w.state, missed=True)
    return redeal(w, plan, cards)
