"""Another face for a card on the table: the shoe misread it, and another source or a person knows better.

What followed from the old face is judged anew. Where a decision or a dealer's card could not have come with the new
face, it is refused: then only voiding the round is right.
"""

from __future__ import annotations

from controller.core.cards import Card
from controller.core.records import replace
from controller.games.blackjack import facts, flow, settlement
from controller.games.blackjack.hand import Hand, Status, dealer_draws, is_blackjack, total, total_text, value
from controller.games.blackjack.lookup import hand_of, put_hand
from controller.games.blackjack.state import Phase, Spot, Work

_PLAYED = frozenset({Phase.PLAYERS, Phase.DEALER, Phase.SETTLEMENT, Phase.COLLECTION})


def rename(w: Work, spot: Spot, at: int, card: Card, *, former: bool = False) -> None:
    """The card of this place in the hand (from 0) is ``card``. ``former``: the shoe in use does not count it."""
    shoe = w.state.shoe
    hand = hand_of(w.state, spot.box, spot.hand)
    cards = w.state.dealer if spot.box == 0 else hand.cards if hand else ()
    if shoe is None or at >= len(cards):
        return _refuse(w, "a card on the table", f"{card} named at {spot}")
    old = cards[at]
    if old == card:
        return None
    if not former and shoe.cannot_be(card):
        return _refuse(w, "a card the shoe can hold", f"{card} named, and {shoe.held_each} of it are out already")
    now = (*cards[:at], card, *cards[at + 1 :])
    why = _dealer_fault(w, now, at, old) if hand is None else _hand_fault(w, hand, now, at)
    if why:
        return _refuse(w, "a face with which the round could have gone the same way", f"{why}: void the round")
    if not former:
        w.state = replace(w.state, shoe=shoe.with_other(old, card))
    w.facts.append(facts.HandCorrected(spot.box, spot.hand, now, total_text(now)))
    return _dealer_has(w, now) if hand is None else _hand_has(w, spot, hand, now, at)


def _refuse(w: Work, expected: str, actual: str) -> None:
    w.refuse("FACE_IMPOSSIBLE", expected, actual)


def _hand_fault(w: Work, hand: Hand, now: tuple[Card, ...], at: int) -> str:
    """Why the hand could not have come to where it is with these cards; empty when it could."""
    if w.state.phase is Phase.DEALING:
        return ""
    if hand.from_split and at == 0 and value(now[0]) != value(hand.cards[0]):
        return "the hand was split on that card"
    if hand.asked in {"double", "split"}:
        return f"the hand is being {'doubled' if hand.asked == 'double' else 'split'} on that card"
    last = 22 if w.rules.draw_on_21 else 21
    if any(total(now[:n])[0] >= last for n in range(2, len(now) + bool(hand.asked))):
        return "the hand would have had its last card before"
    if _plays_again(w, hand, now) and len(w.state.dealer) > (2 if w.rules.hole_card == "dealt" else 1):
        return "the hand would still decide, and the dealer has played"
    evened = any(b.evened for b in w.state.boxes if hand in b.hands)
    return "even money was taken on that card" if evened and not is_blackjack(now) else ""


def _plays_again(w: Work, hand: Hand, now: tuple[Card, ...]) -> bool:
    """True when the hand was over by its cards and is not with the new ones."""
    points = total(now)[0]
    if hand.status is Status.BLACKJACK:
        return not is_blackjack(now)
    if hand.status is Status.BUST:
        return points <= 21 and not hand.raises
    if hand.status is Status.WON:
        return points > 21
    full = hand.status is Status.STOOD and total(hand.cards)[0] == 21 and not w.rules.draw_on_21
    return full and points < 21 and not (hand.raises or hand.split_aces)


def _hand_has(w: Work, spot: Spot, hand: Hand, now: tuple[Card, ...], at: int) -> None:
    status = hand.status if w.state.phase is Phase.DEALING else _status(w, hand, now)
    w.state = put_hand(w.state, spot.box, replace(hand, cards=now, status=status))
    _say(w, spot, hand.status, status, total(now)[0])
    if at < 2 and w.state.phase is not Phase.DEALING:
        settlement.announce_sides(w)
    _goes_on(w)


def _status(w: Work, hand: Hand, now: tuple[Card, ...]) -> Status:
    """What the hand is with these cards."""
    points, full = total(now)[0], 22 if w.rules.draw_on_21 else 21
    if hand.status is Status.SURRENDERED:
        return hand.status
    if is_blackjack(now) and (not hand.from_split or w.rules.blackjack_after_split):
        return Status.BLACKJACK
    if points > 21:
        return Status.BUST
    if _plays_again(w, hand, now):
        return Status.WAITING
    ended = hand.status is Status.PLAYING and not hand.asked and points >= full
    return Status.STOOD if ended or hand.status is Status.BUST else hand.status


def _say(w: Work, spot: Spot, was: Status, status: Status, points: int) -> None:
    if status is Status.BUST and was is not Status.BUST:
        w.facts.append(facts.HandBusted(spot.box, spot.hand, points))
    if status is Status.BLACKJACK and was is not Status.BLACKJACK:
        w.facts.append(facts.HandBlackjack(spot.box, spot.hand))


def _dealer_fault(w: Work, now: tuple[Card, ...], at: int, old: Card) -> str:
    """Why the dealer could not have come to where he is with these cards; empty when he could."""
    rules = w.rules
    if w.state.phase is Phase.DEALING:
        return ""
    if at == 0 and (old.rank == 1) != (now[0].rank == 1):
        return "insurance and surrender hang on the dealer's ace"
    if rules.hole_card == "dealt" and at < 2 and (rules.peeks(old) or rules.peeks(now[at]) or is_blackjack(now[:2])):
        return "the dealer has looked for a blackjack, or would have"
    if any(not dealer_draws(now[:n], rules.dealer_hits_soft_17) for n in range(2, len(now))):
        return "the dealer would have stood before his last card"
    return ""


def _dealer_has(w: Work, now: tuple[Card, ...]) -> None:
    w.state = replace(w.state, dealer=now)
    _goes_on(w)


def _goes_on(w: Work) -> None:
    """Whose turn it is with the new face: a hand's, the dealer's, or nobody's."""
    if w.state.phase in _PLAYED:
        w.state = replace(w.state, phase=Phase.PLAYERS)
        flow.advance(w)
