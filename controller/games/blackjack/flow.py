"""The flow of a round: where the next card goes, whose turn it is, when the dealer draws and when he is done."""

from __future__ import annotations

from controller.core.cards import Card
from controller.core.records import replace
from controller.games.blackjack import facts, laying, procedure, returns, settlement
from controller.games.blackjack.hand import Box, Hand, Status, dealer_draws, is_blackjack, total, total_text, value
from controller.games.blackjack.lookup import deciding_hand, hand_of, put_box, put_hand
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.state import BlackjackState, Phase, Spot, Work

DEALER = Spot(0)


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


def place(w: Work, spot: Spot, card: Card) -> None:
    """Give a card to the spot that is due; it is counted out of the shoe already."""
    if spot.box == 0:
        cards = (*w.state.dealer, card)
        w.state = replace(w.state, dealer=cards)
    else:
        found = deciding_hand(w.state)
        if found is not None and found[1].asked == "split":
            _perform_split(w, *found)
        hand = hand_of(w.state, spot.box, spot.hand)
        assert hand is not None
        cards = (*hand.cards, card)
        w.state = put_hand(w.state, spot.box, replace(hand, cards=cards))
    w.facts.append(facts.CardDealt(spot.box, spot.hand, card, total_text(cards)))
    _after_card(w, spot)


def deal_kept(w: Work) -> None:
    """Cards kept back by a correction are dealt, or burned, before the shoe gives the next one."""
    while w.state.kept and not w.stopped:
        aside, rest = w.state.kept[0], w.state.kept[1:]
        assert aside.card is not None
        burns = w.state.phase is Phase.BURN and w.state.burned < w.rules.burn_max
        spot = next_spot(w.state)
        if spot is None and not burns:
            return
        w.state = replace(w.state, kept=rest)
        if spot is None:
            procedure.burn_one(w, aside.card, "start")
        else:
            place(w, spot, aside.card)
            laying.placed(w, spot)


def _perform_split(w: Work, box: Box, hand: Hand) -> None:
    """Part the pair; those who laid chips follow, the stakes of the others stay on the first hand."""
    first, second = hand.cards
    aces = first.rank == 1
    number = max(h.number for h in box.hands) + 1
    kept = replace(hand, cards=(first,), from_split=True, split_aces=aces, asked="second")
    new = Hand(number, (second,), box.splitting, from_split=True, split_aces=aces)
    at = [h.number for h in box.hands].index(hand.number)
    hands = (*box.hands[:at], kept, new, *box.hands[at + 1 :])
    w.state = put_box(w.state, replace(box, hands=hands, splitting=()))
    w.facts.append(facts.HandSplit(box.number, hand.number, number))


def _after_card(w: Work, spot: Spot) -> None:
    match w.state.phase:
        case Phase.DEALING:
            w.state = replace(w.state, dealt=w.state.dealt + 1)
            if w.state.dealt == len(w.state.plan):
                _deal_complete(w)
        case Phase.DEALER:
            if not _dealer_goes_on(w.rules, w.state):
                _dealer_done(w)
        case _:
            _hand_got_card(w, spot)


def _deal_complete(w: Work) -> None:
    for box in w.state.boxes:
        if is_blackjack(box.hands[0].cards):
            w.state = put_hand(w.state, box.number, replace(box.hands[0], status=Status.BLACKJACK))
            w.facts.append(facts.HandBlackjack(box.number, 1))
    if w.state.dealer[0].rank == 1 and w.rules.insurance != "none":
        w.state = replace(w.state, phase=Phase.INSURANCE)
    else:
        w.state = replace(w.state, phase=Phase.PLAYERS)
        advance(w)


def close_insurance(w: Work) -> None:
    """No more insurance: the hands are played."""
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
    points = total(hand.cards)[0]
    status = Status.PLAYING
    if points > 21:
        status = Status.BUST
        w.facts.append(facts.HandBusted(spot.box, spot.hand, points))
    elif w.rules.blackjack_after_split and hand.from_split and is_blackjack(hand.cards):
        status = Status.BLACKJACK
        w.facts.append(facts.HandBlackjack(spot.box, spot.hand))
    elif hand.asked == "double" or (points == 21 and not w.rules.draw_on_21) or _last_card_of_ace(w, spot.box, hand):
        status = Status.STOOD
    w.state = put_hand(w.state, spot.box, replace(hand, status=status, asked=""))
    if status is not Status.PLAYING:
        advance(w)


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
    if _dealer_goes_on(w.rules, w.state):
        w.state = replace(w.state, phase=Phase.DEALER)
    else:
        _dealer_done(w)


def _begins(w: Work, box: Box, hand: Hand) -> bool:
    """Give the turn to a waiting hand; False when it has nothing to decide (21 on the first cards)."""
    second_due = len(hand.cards) == 1
    if not second_due and total(hand.cards)[0] == 21 and not w.rules.draw_on_21:
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


def _dealer_goes_on(rules: Rules, state: BlackjackState) -> bool:
    """Whether the dealer takes another card: to 17 while a stake depends on his total, one card while only a
    blackjack or an insurance depends on whether he has blackjack, else none."""
    hands = [h for b in state.boxes for h in b.hands]
    if any(h.status is Status.STOOD for h in hands):
        return dealer_draws(state.dealer, rules.dealer_hits_soft_17)
    depends = any(h.status is Status.BLACKJACK for h in hands) or any(b.insurance for b in state.boxes)
    return depends and len(state.dealer) == 1 and may_have_blackjack(state)


def may_have_blackjack(state: BlackjackState) -> bool:
    """The dealer's up card is an ace or a ten-value."""
    return value(state.dealer[0]) in {1, 10}


def _dealer_done(w: Work) -> None:
    if is_blackjack(w.state.dealer):
        w.facts.append(facts.HandBlackjack(0, 1))
    w.facts.append(facts.DealerDone(total_text(w.state.dealer), w.state.dealer))
    w.state = replace(w.state, phase=Phase.SETTLEMENT)
    settlement.announce(w)
