"""Chips taken back: refused ones, wagers while they may still be changed, and stakes after the dealer's misdeal."""

from __future__ import annotations

from typing import Final

from controller.core.inputs import WagerPlaced, WagerWithdrawn
from controller.core.limits import MAX_AMOUNT_MINOR
from controller.core.money import format_money
from controller.core.records import replace
from controller.games.blackjack import facts, flow, returns, undoing, wagers
from controller.games.blackjack.hand import Box, Hand, Status, add_side, add_stake
from controller.games.blackjack.lookup import box_of, deciding_hand, put_box
from controller.games.blackjack.state import BlackjackState, Moved, Phase, Work

_UNDECIDED: Final = frozenset({Status.WAITING, Status.PLAYING, Status.BLACKJACK})


def withdrawn(w: Work, event: WagerWithdrawn) -> None:
    """Chips were taken back: refused ones always may, a first stake only before the deal, insurance while it is
    offered, chips for a double or split until the card. After a misdeal that a supervisor lets them leave for, players
    take their first stakes, too. Other chips have to be put back."""
    if not 0 < event.amount_minor <= MAX_AMOUNT_MINOR:
        return w.refuse("BAD_AMOUNT", "an amount above nothing", str(event.amount_minor))
    chips = (event.box, event.person, event.bet, event.amount_minor)
    if returns.strike(w, *chips) or undoing.taken_back(w, *chips):
        return _went(w, event, refused=True)
    actual = f"{format_money(event.amount_minor)} {event.bet} of person {event.person} at box {event.box}"
    box = box_of(w.state, event.box)
    kind, _, number = event.bet.partition(":")
    gone = replace(event, amount_minor=event.amount_minor + _lifted(w.state, event))
    if box is None or gone.amount_minor > wagers.staked(box, kind, number, event.person):
        return w.refuse("NO_SUCH_STAKE", "a stake that is there", actual)
    if _taken(w, box, gone, kind, number):
        return _lift(w, event, 0)
    _lift(w, event, gone.amount_minor)
    return w.refuse("BET_WITHDRAWN", "no stake is taken back once the first card is out: put it back", actual)


def _taken(w: Work, box: Box, event: WagerWithdrawn, kind: str, number: str) -> bool:
    """Take the chips of ``event``, all that the bettor has taken up, off the bet; False when they may not go."""
    amount = event.amount_minor
    match kind:
        case "main" | "side" if w.state.phase is Phase.BETTING:
            _taken_back(w, box, event)
            return True
        case "main" if not w.held and amount == box.main_of(event.person) and may_leave(w.state, box):
            _leaves(w, box, event)
            return True
        case "insurance" if w.state.phase is Phase.INSURANCE and _leaves_whole(w, box, event):
            w.state = put_box(w.state, replace(box, insurance=add_stake(box.insurance, event.person, -amount)))
            _went(w, event)
            return True
        case "double" | "split":
            return _not_risked(w, box, event, kind, number)
        case _:
            return False


def _not_risked(w: Work, box: Box, event: WagerWithdrawn, kind: str, number: str) -> bool:
    """Chips for a double or a split that is not carried out yet go, all of them."""
    found = deciding_hand(w.state)
    if found is None or found[0].number != box.number or number not in {"", str(found[1].number)}:
        return False
    if event.amount_minor != _laid_now(box, found[1], kind, event.person):
        return False
    wagers.put_chips(w, box, found[1], kind, event.person, -event.amount_minor)
    _went(w, event)
    return True


def put_back(w: Work, event: WagerPlaced) -> bool:
    """True when these are chips of a bet in play that the bettor took up: they lie there again, and that is all."""
    up = _lifted(w.state, event)
    if not 0 < event.amount_minor <= up:
        return False
    _lift(w, event, up - event.amount_minor)
    return True


def _lifted(state: BlackjackState, event: WagerPlaced | WagerWithdrawn) -> int:
    """How much of this bet of this person the bettor has taken up (minor units)."""
    key = (event.box, event.person, event.bet)
    return sum(m.net_minor for m in state.lifted if (m.box, m.person, m.bet) == key)


def _lift(w: Work, event: WagerPlaced | WagerWithdrawn, amount_minor: int) -> None:
    key = (event.box, event.person, event.bet)
    others = tuple(m for m in w.state.lifted if (m.box, m.person, m.bet) != key)
    now = (Moved(*key, amount_minor),) if amount_minor else ()
    w.state = replace(w.state, lifted=(*others, *now))


def may_leave(state: BlackjackState, box: Box) -> bool:
    """True while the persons of a box, who have decided nothing, may take their stakes back after a misdeal."""
    hand = box.hands[0] if len(box.hands) == 1 else None
    fresh = hand is not None and len(hand.cards) == 2 and not (hand.asked or hand.raises or box.splitting)
    return state.withdrawable and not state.dealer and fresh and hand is not None and hand.status in _UNDECIDED


def _leaves(w: Work, box: Box, event: WagerWithdrawn) -> None:
    """A person leaves the round with his first stake. Cards for which nobody stakes any more lie until the end."""
    (hand,) = box.hands
    stakes = tuple(s for s in hand.stakes if s.person != event.person)
    _taken_back(w, replace(box, hands=(replace(hand, stakes=stakes),)), event)
    if not stakes:
        w.state = replace(w.state, pile=w.state.pile + len(hand.cards))
        flow.advance(w)


def _taken_back(w: Work, box: Box, event: WagerWithdrawn) -> None:
    """A first stake or a side bet goes; a side bet does not stay without its first stake."""
    left = box
    if event.bet == "main":
        left = replace(left, mains=add_stake(left.mains, event.person, -event.amount_minor))
    else:
        left = replace(left, sides=add_side(left.sides, event.person, event.bet, -event.amount_minor))
    alone = () if left.main_of(event.person) else tuple(s for s in left.sides if s.person == event.person)
    left = replace(left, sides=tuple(s for s in left.sides if s not in alone))
    w.state = put_box(w.state, left)
    _went(w, event)
    for side in alone:
        returns.remember(w, box.number, side.person, side.bet, side.amount_minor, undone=True)
        text = f"{format_money(side.amount_minor)} {side.bet} of person {side.person} at box {box.number}"
        w.note("SIDE_WITHOUT_MAIN", "no side bet without a first stake; the chips go back", text)


def _went(w: Work, event: WagerWithdrawn, *, refused: bool = False) -> None:
    fact = facts.BetWithdrawn(event.box, event.person, event.bet, event.amount_minor, refused=refused)
    w.facts.append(fact)


def _laid_now(box: Box, hand: Hand, kind: str, person: int) -> int:
    return hand.raise_of(person) if kind == "double" else box.splitting_of(person)


def _leaves_whole(w: Work, box: Box, event: WagerWithdrawn) -> bool:
    """Part of an insurance may go only where any part of half the stake is an insurance."""
    return w.rules.insurance == "up_to_half" or event.amount_minor == wagers.insured(box, event.person)
