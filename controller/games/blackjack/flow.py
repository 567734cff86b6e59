"""The flow of a round: where the next card goes, whose turn it is, when the dealer draws and when he is done."""

from __future__ import annotations

from controller.core.records import replace
from controller.core.verdicts import Correction
from controller.games.blackjack import dealer, facts, laying, procedure, returns, settlement
from controller.games.blackjack.dealer import DEALER
from controller.games.blackjack.hand import Box, Hand, Status, is_blackjack, total, total_text, value
from controller.games.blackjack.lookup import deciding_hand, hand_of, put_box, put_hand
from controller.games.blackjack.state import Aside, BlackjackState, Phase, Spot, Work

DEALER_LATER = Correction("dealer_later", "the players go on; the dealer draws all his cards at his turn")
MAY_WITHDRAW = Correction("may_withdraw", "the same, and players who have decided nothing may take their stakes back")
_NOBODY_DRAWS = frozenset({Phase.BETTING, Phase.SETTLEMENT, Phase.COLLECTION})
SIX = 6
"""Cards of a hand that may win at once."""


def next_spot(state: BlackjackState) -> Spot | None:
    """Where the next card goes; None when no card is due."""
    phase = state.phase
    if phase is Phase.DEALING:
        return state.plan[state.dealt]
    if phase is Phase.DEALER:
        return DEALER
    found = deciding_hand(state)
    if found is None:
        return None
    box, hand = found
    spot = Spot(box.number, hand.number)
    match hand.asked:
        case "hit" | "second":
            return spot
        case "double":
            return spot if hand.raise_of(box.decider) else None
        case "split":
            return spot if box.splitting_of(box.decider) else None
        case _:
            return None


def place(w: Work, spot: Spot, aside: Aside) -> None:
    """Give a card to the spot that is due; it is counted out of the shoe already and its face is known."""
    assert aside.card is not None
    down = aside.hidden and dealer.face_down_due(w.rules, w.state)
    if aside.hidden and not down:
        dealer.reveal(w, aside, spot)
    if spot.box == 0:
        cards = (*w.state.dealer, aside.card)
        w.state = replace(w.state, dealer=cards, hole=aside.number if down else 0)
        cards = w.state.up_cards
    else:
        found = deciding_hand(w.state)
        if found is not None and found[1].asked == "split":
            _perform_split(w, *found)
        hand = hand_of(w.state, spot.box, spot.hand)
        assert hand is not None
        cards = (*hand.cards, aside.card)
        w.state = put_hand(w.state, spot.box, replace(hand, cards=cards))
    w.facts.append(facts.CardDealt(spot.box, spot.hand, None if down else aside.card, total_text(cards)))
    _after_card(w, spot)


def deal_kept(w: Work) -> None:
    """Cards kept back by a correction are dealt, or burned, before the shoe gives the next one. One that was exposed is
    burned once nobody draws any more, and never begins a round."""
    while w.state.kept and not w.stopped:
        aside = w.state.kept[0]
        burns = w.state.phase is Phase.BURN and w.state.burned < w.rules.burn_max
        spot = next_spot(w.state)
        if spot is None and not burns:
            return _burn_exposed(w) if w.state.phase in _NOBODY_DRAWS else None
        w.state = replace(w.state, kept=w.state.kept[1:])
        if spot is None:
            procedure.burn_one(w, aside, "start")
        else:
            place(w, spot, aside)
            if aside.at != spot:
                laying.placed(w, spot)
    return None


def _burn_exposed(w: Work) -> None:
    exposed = [a for a in w.state.kept if a.exposed]
    w.state = replace(w.state, kept=tuple(a for a in w.state.kept if not a.exposed))
    for aside in exposed:
        procedure.burn_one(w, aside, "exposed")


def _perform_split(w: Work, box: Box, hand: Hand) -> None:
    """Part the pair; those who laid chips follow. The stakes of the others stay on the first hand, or go with the new
    one where they chose so."""
    first, second = hand.cards
    aces = first.rank == 1
    number = max(h.number for h in box.hands) + 1
    gone = tuple(s for s in hand.stakes if s.person in box.following and not box.splitting_of(s.person))
    stay = tuple(s for s in hand.stakes if s not in gone)
    kept = replace(hand, cards=(first,), stakes=stay, from_split=True, split_aces=aces, asked="second")
    stakes = tuple(sorted((*box.splitting, *gone), key=lambda s: s.person))
    new = Hand(number, (second,), stakes, from_split=True, split_aces=aces)
    at = [h.number for h in box.hands].index(hand.number)
    hands = (*box.hands[:at], kept, new, *box.hands[at + 1 :])
    w.state = put_box(w.state, replace(box, hands=hands, splitting=(), following=()))
    w.facts.append(facts.HandSplit(box.number, hand.number, number))


def _after_card(w: Work, spot: Spot) -> None:
    match w.state.phase:
        case Phase.DEALING:
            w.state = replace(w.state, dealt=w.state.dealt + 1)
            if w.state.dealt == len(w.state.plan):
                deal_complete(w)
        case Phase.DEALER:
            if not dealer.goes_on(w.rules, w.state):
                dealer.done(w)
        case _:
            _hand_got_card(w, spot)


def deal_complete(w: Work) -> None:
    """The first cards lie: blackjacks are named, side bets decided, insurance offered or the hole card looked at."""
    blackjacks = False
    for box in w.state.boxes:
        if is_blackjack(box.hands[0].cards):
            blackjacks = True
            w.state = put_hand(w.state, box.number, replace(box.hands[0], status=Status.BLACKJACK))
            w.facts.append(facts.HandBlackjack(box.number, 1))
    settlement.announce_sides(w)
    up_cards = w.state.up_cards
    asked = w.rules.insurance != "none" or (w.rules.even_money and blackjacks)
    if up_cards and up_cards[0].rank == 1 and asked:
        w.state = replace(w.state, phase=Phase.INSURANCE)
    else:
        close_insurance(w)
    if w.state.missed:
        wanted = "the dealer's card between the first and the second cards"
        ways = (DEALER_LATER, MAY_WITHDRAW) if w.rules.dealer_skipped == "may_withdraw" else (DEALER_LATER,)
        w.hold("DEALER_SKIPPED", wanted, "the dealer has no card", *ways, key="dealer")


def close_insurance(w: Work) -> None:
    """No more insurance: the dealer looks at the hole card where he may, and the hands are played."""
    if not dealer.peek(w):
        w.state = replace(w.state, phase=Phase.PLAYERS)
        advance(w)


def first_to_play(state: BlackjackState) -> int:
    """The box that decides first after the insurance; 0 when none will."""
    for box in state.boxes:
        if any(h.status is Status.WAITING for h in box.hands):
            return box.number
    return 0


def _hand_got_card(w: Work, spot: Spot) -> None:
    hand = hand_of(w.state, spot.box, spot.hand)
    assert hand is not None
    status = status_with(w, spot, hand)
    w.state = put_hand(w.state, spot.box, replace(hand, status=status, asked=""))
    if status is not Status.PLAYING:
        advance(w)


def status_with(w: Work, spot: Spot, hand: Hand) -> Status:
    """What a hand that got a card after the deal is now; playing while it may decide. Says so when it is the last."""
    points = total(hand.cards)[0]
    if points > 21:
        w.facts.append(facts.HandBusted(spot.box, spot.hand, points))
        return Status.BUST
    if w.rules.blackjack_after_split and hand.from_split and is_blackjack(hand.cards):
        w.facts.append(facts.HandBlackjack(spot.box, spot.hand))
        return Status.BLACKJACK
    if w.rules.six_cards == "win" and len(hand.cards) >= SIX and (w.rules.bonus_on_split or not hand.from_split):
        w.facts.append(facts.HandWon(spot.box, spot.hand, total_text(hand.cards)))
        return Status.WON
    if hand.asked == "double" or (points == 21 and not w.rules.draw_on_21) or _last_card_of_ace(w, spot.box, hand):
        return Status.STOOD
    return Status.PLAYING


def _last_card_of_ace(w: Work, box_number: int, hand: Hand) -> bool:
    """A split ace has had its one card, and is not another ace that may be split again."""
    if not (hand.split_aces and w.rules.split_aces_one_card):
        return False
    hands = next(len(b.hands) for b in w.state.boxes if b.number == box_number)
    limit = min(w.rules.split_hands, w.rules.split_aces_hands)
    return not (value(hand.cards[-1]) == 1 and hands < limit)


def advance(w: Work) -> None:
    """Move the turn to the next hand that decides; after the last one, to the dealer."""
    for box in w.state.boxes:
        for hand in box.hands:
            if hand.status is Status.PLAYING:
                w.state = replace(w.state, turn=(box.number, hand.number))
                return
            if hand.status is Status.WAITING and _begins(w, box, hand):
                return
    w.state = replace(w.state, turn=(0, 0))
    dealer.show_hole(w)
    if dealer.goes_on(w.rules, w.state):
        w.state = replace(w.state, phase=Phase.DEALER)
    else:
        dealer.done(w)


def _begins(w: Work, box: Box, hand: Hand) -> bool:
    """Give the turn to a waiting hand; False when it has nothing to decide (21 on the first cards)."""
    second_due = len(hand.cards) == 1
    full = total(hand.cards)[0] == 21 and not w.rules.draw_on_21
    if not second_due and (full or _last_card_of_ace(w, box.number, hand)):
        w.state = put_hand(w.state, box.number, replace(hand, status=Status.STOOD))
        return False
    begun = replace(hand, status=Status.PLAYING, asked="second" if second_due else "")
    w.state = replace(put_hand(w.state, box.number, begun), turn=(box.number, hand.number))
    return True


def return_unused(w: Work, action: str) -> None:
    """Chips laid for a double or a split that was not chosen go back."""
    found = deciding_hand(w.state)
    assert found is not None
    box, hand = found
    if action != "double" and hand.raises:
        w.state = put_hand(w.state, box.number, replace(hand, raises=()))
        for stake in hand.raises:
            returns.remember(w, box.number, stake.person, bet_at(hand, "double"), stake.amount_minor)
    if action != "split" and box.splitting:
        held = next(b for b in w.state.boxes if b.number == box.number)
        w.state = put_box(w.state, replace(held, splitting=()))
        for stake in box.splitting:
            returns.remember(w, box.number, stake.person, bet_at(hand, "split"), stake.amount_minor)


def bet_at(hand: Hand, kind: str) -> str:
    """The name of a bet at a hand: ``double`` at the first, ``double:2`` at the second."""
    return kind if hand.number == 1 else f"{kind}:{hand.number}"
