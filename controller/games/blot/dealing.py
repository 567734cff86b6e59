"""Cards out of the shoe: each goes where the plan says, or the table waits for a supervisor.

A card that cannot be dealt now waits, and so do all that come behind it; they are judged in order by `settle_waiting`.
"""

from __future__ import annotations

from typing import Final

from controller.core.cards import DECK, Card
from controller.core.facts import CardRevealed
from controller.core.inputs import CardDrawn, CardUnreadable
from controller.core.records import replace
from controller.core.verdicts import NEW_SHOE, SHUFFLE_AGAIN, Correction
from controller.games.blot import facts, flow, laying, play
from controller.games.blot.cards import DECK_MASK
from controller.games.blot.state import IN_DEAL, MOST_WAITING, TABLE, BlotState, Deal, Phase, Waiting, Work, with_seat

NAME_CARD: Final = Correction("name_card", "a supervisor looks at the card and names it", needs_card=True)
DEAL_UNKNOWN: Final = Correction("deal_unknown", "it goes to its hand face down and is judged when it is played")
TAKE_OUT: Final = Correction("take_out", "it does not belong here: it is taken out, the next card takes its place")
NEXT_CARD: Final = Correction("next_card", "nobody saw its face: it is the next card dealt")
PUT_BACK: Final = Correction("put_back", "it goes back under the cards that are not dealt")

FIRST_DEAL: Final = 13
"""Cards of the first deal, the turned-up one among them."""


def hidden(state: BlotState, event: CardDrawn) -> str:
    """The name of a card that comes face down; empty for the turned-up card and outside a deal."""
    deal = state.deal
    if deal is None or (_up_is_due(state, deal) and not event.outside and not event.again):
        return ""
    return f"{deal.round}:{deal.drawn + 1}"


def _up_is_due(state: BlotState, deal: Deal) -> bool:
    return state.phase is Phase.DEALING and deal.plan[deal.dealt] == TABLE and not state.waiting


def drawn(w: Work, event: CardDrawn) -> None:
    """A card was read as it left the shoe."""
    deal = w.state.deal
    if deal is None:
        return _outside(w)
    index = event.card.index
    number = deal.drawn + 1
    if not (event.again or event.outside or w.held or w.state.waiting) and w.state.phase in IN_DEAL:
        sealed = deal.plan[deal.dealt] != TABLE
        if DECK_MASK & ~_out(deal) & 1 << index:
            return _place(w, deal, index, number, sealed=sealed)
        return _wait(w, deal, Waiting(number, index, sealed=sealed))
    if event.again and _out(deal) >> index & 1:
        w.state = replace(w.state, deal=replace(deal, drawn=number))
        return w.note("READ_AGAIN", "each card announced once", "a card was announced again")
    _wait(w, deal, Waiting(number, index, sealed=bool(hidden(w.state, event))))
    if event.outside and not w.stopped:
        _extra(w, w.state.waiting[-1], f"no card that the shoe itself counts out of the game ({event.outside})")
    return None


def unreadable(w: Work, event: CardUnreadable) -> None:
    """A card left the shoe and no source read it."""
    del event
    if w.state.deal is None:
        return _outside(w)
    return _wait(w, w.state.deal, Waiting(w.state.deal.drawn + 1, -1))


def named(w: Work, card: Card) -> None:
    """A supervisor names a card that no source announced: it left the shoe as the next one due."""
    deal = w.state.deal
    if deal is None:
        return _outside(w)
    return _wait(w, deal, Waiting(deal.drawn + 1, card.index))


def settle_waiting(w: Work) -> None:
    """Judge what waits, in order, until something holds the table or all that is left is dealt later."""
    while not w.stopped:
        bidding = w.state.phase is Phase.BIDDING
        item = next((i for i in w.state.waiting if not (bidding and i.kept)), None)
        if item is None:
            return
        if item.seat:
            w.state = replace(w.state, waiting=tuple(i for i in w.state.waiting if i is not item))
            play.card_shown(w, item.seat, DECK[item.card], item.hand)
        elif w.state.phase in IN_DEAL:
            _judge(w, item)
        else:
            _extra(w, item, no_card_due(w.state))


def no_card_due(state: BlotState) -> str:
    """Why no card is due, for a verdict."""
    if state.phase is Phase.BIDDING:
        return "the bidding is over before more cards are dealt"
    return f"no card is dealt in {state.phase}"


def _wait(w: Work, deal: Deal, item: Waiting) -> None:
    waiting = w.state.waiting
    if len(waiting) >= MOST_WAITING:
        w.hold("TOO_MANY_CARDS", f"at most {MOST_WAITING} cards that wait", "more cards", NEW_SHOE, key="cards")
        return
    _say_opened(w, deal)
    w.state = replace(w.state, deal=replace(deal, drawn=item.number), waiting=(*waiting, item))


def _say_opened(w: Work, deal: Deal) -> None:
    if not deal.drawn:
        w.facts.append(facts.RoundOpened(deal.round, deal.dealer))
        w.state = replace(w.state, match=replace(w.state.match, rounds=w.state.match.rounds + 1))


def _extra(w: Work, item: Waiting, wanted: str) -> None:
    early = w.state.phase in {Phase.BIDDING, *IN_DEAL}
    ways = (NEXT_CARD, PUT_BACK) if early else (PUT_BACK,)
    w.hold("EXTRA_CARD", wanted, "a card was drawn", *ways, key=item.key)


def _judge(w: Work, item: Waiting) -> None:
    """A card is due and this is the next one that came."""
    deal = w.state.deal
    assert deal is not None
    face_up = deal.plan[deal.dealt] == TABLE
    if item.card < 0 and (face_up or w.rules.unread_cards == "hold"):
        ways = (NAME_CARD, TAKE_OUT) if face_up else (NAME_CARD, DEAL_UNKNOWN, TAKE_OUT)
        return w.hold("CARD_UNREADABLE", "a card that is read", "an unreadable card", *ways, key=item.key)
    if item.card >= 0 and not DECK_MASK >> item.card & 1:
        ways = (NAME_CARD, TAKE_OUT)
        return w.hold("CARD_NOT_IN_DECK", "a card from 9 to A", "a card below 9", *ways, key=item.key)
    if item.card >= 0 and _out(deal) >> item.card & 1:
        ways = (NAME_CARD, TAKE_OUT) if face_up else (NAME_CARD, DEAL_UNKNOWN, TAKE_OUT)
        return w.hold("DUPLICATE_CARD", "each card once", "a card that is out already", *ways, key=item.key)
    w.state = replace(w.state, waiting=w.state.waiting[1:])
    if item.card < 0:
        return deal_unknown(w)
    return _place(w, deal, item.card, item.number, sealed=item.sealed)


def _out(deal: Deal) -> int:
    """The known cards that are dealt."""
    up = 0 if deal.up < 0 else 1 << deal.up
    return deal.hands[0] | deal.hands[1] | up


def deal_unknown(w: Work) -> None:
    """An unread card goes to the hand that is due one."""
    deal = w.state.deal
    assert deal is not None
    seat = deal.plan[deal.dealt]
    unknown = with_seat(deal.unknown, seat, deal.unknown[seat - 1] + 1)
    _dealt(w, replace(deal, unknown=unknown, dealt=deal.dealt + 1), seat)


def _place(w: Work, deal: Deal, index: int, number: int, *, sealed: bool) -> None:
    """A known card goes where the plan says."""
    if not deal.drawn:
        _say_opened(w, deal)
    seat = deal.plan[deal.dealt]
    drawn = max(deal.drawn, number)
    if seat == TABLE:
        w.facts.append(facts.TurnUp(DECK[index]))
        if sealed:
            w.facts.append(CardRevealed(f"{deal.round}:{number}", DECK[index], TABLE))
        after = replace(deal, up=index, drawn=drawn, dealt=deal.dealt + 1)
        w.state = replace(w.state, phase=Phase.BIDDING, deal=after)
        return laying.placed(w, TABLE)
    one, two = deal.hands
    after = Deal(
        deal.round,
        deal.dealer,
        deal.plan,
        deal.dealt + 1,
        deal.confirmed,
        drawn,
        (*deal.sealed, (number, index)) if sealed else deal.sealed,
        (one | 1 << index, two) if seat == 1 else (one, two | 1 << index),
        deal.unknown,
        deal.named if sealed else deal.named | 1 << index,
        deal.up,
        deal.passes,
        deal.taker,
        deal.contract,
        deal.kept,
    )
    return _dealt(w, after, seat)


def _dealt(w: Work, deal: Deal, seat: int) -> None:
    """One more card of the plan is at its place; say so when a packet is complete."""
    state, plan, dealt = w.state, deal.plan, deal.dealt
    if dealt == len(plan) or plan[dealt] != seat:
        first = state.phase is Phase.DEALING
        begin = dealt - 1
        while begin > (0 if first else FIRST_DEAL + deal.kept) and plan[begin - 1] == seat:
            begin -= 1
        w.facts.append(facts.DealPacket(seat, dealt - begin, 1 if first else 2))
    if dealt == len(plan):
        flow.open_play(w, deal)
    else:
        w.state = BlotState(state.phase, state.match, deal, None, None, state.recorded, state.waiting, state.early)
    laying.placed(w, seat)


def _outside(w: Work) -> None:
    """A card came while none is to be dealt. From a deck that is counted already it would be missing later."""
    wanted = f"no card leaves the shoe in {w.state.phase}"
    if w.state.phase is Phase.INSPECTION:
        w.note("CARD_OUTSIDE_PLAY", wanted, "a card was drawn")
    else:
        w.hold("CARD_OUTSIDE_PLAY", wanted, "a card was drawn", SHUFFLE_AGAIN, NEW_SHOE, key="outside")
