"""What comes next, and the public picture of the table."""

from __future__ import annotations

from controller.core.expectation import Expected, Kind
from controller.core.money import format_money
from controller.games.blackjack import dealer, decisions, flow, returns, settlement, withdrawals
from controller.games.blackjack.hand import Box, Hand, Status, total_text
from controller.games.blackjack.lookup import deciding_hand
from controller.games.blackjack.picture import (
    BlackjackView,
    BoxView,
    DealerView,
    HandStakeView,
    HandView,
    ReturnView,
    ShoeView,
    SideBetView,
    StakeView,
)
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.state import BlackjackState, Moved, Phase


def expectation(rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
    """What must or may come next, most likely first; before it come chips that go back or are put back."""
    back = tuple(
        Expected(
            Kind.PAYMENT,
            f"box {m.box} person {m.person}: {format_money(abs(m.net_minor))} {m.bet} "
            f"{'goes back' if m.net_minor > 0 else 'is recovered'}",
            m.box,
            person=m.person,
            amount_minor=m.net_minor,
        )
        for m in _to_return(state)
    )
    up = tuple(
        Expected(
            Kind.WAGER,
            f"box {m.box} person {m.person}: {format_money(m.net_minor)} {m.bet} is put back",
            m.box,
            person=m.person,
            options=(m.bet,),
            amount_minor=m.net_minor,
        )
        for m in state.lifted
    )
    rack = (Expected(Kind.CARD, "the card that lies face up in the shoe goes to the rack"),) if state.face_up else ()
    return back + up + rack + _by_phase(rules, state)


def _to_return(state: BlackjackState) -> tuple[Moved, ...]:
    """What has to go back, refused or void, with the bettor's sign; what the float gives back first is part of a
    stake."""
    undone = [(u, u.stake_minor if u.float_minor < 0 else returns.returns_minor(u)) for u in state.undone]
    stakes = [Moved(u.box, u.person, u.bet, net) for u, net in undone if net]
    paid = [Moved(u.box, u.person, u.bet, u.float_minor) for u in state.undone if u.float_minor < 0]
    return (*state.to_return, *paid, *stakes)


def _by_phase(rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
    match state.phase:
        case Phase.INSPECTION:
            text = f"spread {rules.decks} packs, {52 * rules.decks} cards, face up"
            return (Expected(Kind.PROCEDURE, text, options=("spread",)),)
        case Phase.SHUFFLE:
            return (Expected(Kind.PROCEDURE, "shuffle", options=("shuffled",)),)
        case Phase.CUT:
            return (
                Expected(Kind.PROCEDURE, "a player cuts", options=("player_cut",)),
                Expected(Kind.PROCEDURE, "or every player declines", options=("decline",)),
            )
        case Phase.LOAD:
            return _load(rules, state)
        case Phase.BURN:
            return _burn(rules, state)
        case Phase.BETTING:
            return _betting(rules, state)
        case Phase.INSURANCE:
            return _insurance(rules, state)
        case Phase.DEALING | Phase.PLAYERS | Phase.DEALER:
            return _card_or_decision(rules, state)
        case Phase.SETTLEMENT:
            return _payments(rules, state)
        case Phase.COLLECTION:
            return (Expected(Kind.PROCEDURE, f"collect {state.on_table} cards", options=("collect",)),)


def _load(rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
    if not state.second_cut_at:
        text = f"second cut card at {rules.second_cut_at} ± {rules.second_cut_tolerance} cards"
        return (Expected(Kind.PROCEDURE, text, options=("second_cut",)),)
    return (Expected(Kind.PROCEDURE, "load the shoe", options=("shoe_loaded",)),)


def _betting(rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
    again = rules.rebet and bool(state.last_bets) and not state.boxes
    bets = Expected(Kind.WAGER, "bets" + (", or the same as before" if again else ""), options=("rebet",) * again)
    closing = Expected(Kind.PROCEDURE, "no more bets, then deal", options=("no_more_bets",))
    return (bets, closing) if state.boxes else (bets,)


def _insurance(rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
    offered: tuple[str, ...] = ("insurance",) if rules.insurance != "none" else ()
    natural = any(h.status is Status.BLACKJACK for b in state.boxes for h in b.hands)
    offered += ("even_money",) if rules.even_money and natural else ()
    peeks = len(state.dealer) == 2 and rules.peeks(state.dealer[0])
    then = "the dealer looks at the hole card" if peeks else "the first decision"
    words = " or ".join(offered).replace("_", " ")
    return (Expected(Kind.WAGER, f"{words}, then {then}", options=(*offered, "no_more_bets")),)


def _burn(rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
    found = []
    if state.burned < rules.burn_max:
        how = "down" if rules.burn_face_down else "up"
        text = f"burn a card face {how} ({state.burned} of {rules.burn_min} to {rules.burn_max})"
        found.append(Expected(Kind.CARD, text))
    if state.burned >= rules.burn_min:
        found.append(Expected(Kind.WAGER, "bets", options=("next_round",)))
    return tuple(found)


def _card_or_decision(rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
    spot = flow.next_spot(state)
    if spot is not None:
        how = " face down" if dealer.face_down_due(rules, state) else ""
        return (Expected(Kind.CARD, f"card to {spot}{how}", spot.box, spot.hand),)
    found = deciding_hand(state)
    if found is None:
        return ()
    box, hand = found
    if hand.asked in {"double", "split"}:
        stake = hand.stake_of(box.decider)
        text = f"{format_money(stake)} at box {box.number} for the {hand.asked}"
        return (Expected(Kind.WAGER, text, box.number, hand.number, box.decider, (hand.asked,), stake),)
    options = decisions.options(rules, state, box, hand)
    text = f"box {box.number}" + (f" hand {hand.number}" if len(box.hands) > 1 else "")
    text = f"{text} decides on {total_text(hand.cards)}"
    decision = Expected(Kind.DECISION, text, box.number, hand.number, box.decider, options)
    if any(withdrawals.may_leave(state, b) for b in state.boxes):
        text = "or players who have decided nothing take their stakes back"
        return decision, Expected(Kind.WAGER, text, options=("withdraw",))
    return (decision,)


def _payments(rules: Rules, state: BlackjackState) -> tuple[Expected, ...]:
    found = []
    for due in settlement.dues(rules, state):
        difference = due.difference_minor
        if difference:
            verb = "pay" if difference > 0 else "take"
            text = (
                f"{verb} {format_money(abs(difference))} at box {due.box} person {due.person} {due.bet} ({due.outcome})"
            )
            found.append(Expected(Kind.PAYMENT, text, due.box, person=due.person, amount_minor=difference))
    return tuple(found)


def view(rules: Rules, state: BlackjackState) -> BlackjackView:
    """The table as everybody may see it: boxes with hands and stakes, dealer, shoe gauge."""
    shoe = state.shoe
    return BlackjackView(
        phase=state.phase.value,
        round=state.round_id,
        boxes=tuple(_box(state, b) for b in state.boxes),
        dealer=DealerView(
            cards=tuple(c.text for c in state.up_cards),
            face_down=len(state.dealer) - len(state.up_cards),
            total=total_text(state.up_cards),
        ),
        shoe=ShoeView(
            number=shoe.number if shoe else state.shoe_number,
            cards=shoe.total if shoe else 0,
            drawn=shoe.drawn if shoe else 0,
            left=shoe.left if shoe else 0,
            cut_card_at=shoe.cut_card_at if shoe else 0,
            cut_card_seen=bool(shoe and shoe.cut_card_seen),
            burned=state.burned,
        ),
        cards_on_table=state.on_table,
        to_return=tuple(ReturnView(m.box, m.person, m.bet, m.net_minor) for m in _to_return(state)),
    )


def _box(state: BlackjackState, box: Box) -> BoxView:
    return BoxView(
        box=box.number,
        decider=box.decider,
        mains=tuple(StakeView(s.person, s.amount_minor) for s in box.mains),
        insurance=tuple(StakeView(s.person, s.amount_minor) for s in box.insurance),
        side_bets=tuple(SideBetView(s.person, s.bet, s.amount_minor) for s in box.sides),
        even_money=tuple(box.evened),
        hands=tuple(_hand(state, box, h) for h in box.hands),
    )


def _hand(state: BlackjackState, box: Box, hand: Hand) -> HandView:
    return HandView(
        hand=hand.number,
        cards=tuple(c.text for c in hand.cards),
        total=total_text(hand.cards),
        status=hand.status.value,
        asked=hand.asked,
        turn=state.turn == (box.number, hand.number),
        stakes=tuple(HandStakeView(s.person, s.amount_minor, hand.raise_of(s.person)) for s in hand.stakes),
    )
