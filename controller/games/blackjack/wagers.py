"""Wagers: first stakes before the deal; doubling, splitting and insurance chips when they are due."""

from __future__ import annotations

from dataclasses import replace

from controller.core.inputs import WagerPlaced, WagerWithdrawn
from controller.core.money import Rounding, format_money
from controller.games.blackjack import facts, procedure
from controller.games.blackjack.hand import Box, Hand, add_stake
from controller.games.blackjack.lookup import box_of, deciding_hand, put_box, put_hand
from controller.games.blackjack.state import IN_ROUND, Moved, Phase, Spot, Work

MOST_RETURNS = 64


def placed(w: Work, event: WagerPlaced) -> None:
    """Chips were laid: accept them as what they say they are, or send them back with the reason."""
    if not 1 <= event.box <= w.rules.boxes:
        return _send_back(w, event, "NO_SUCH_BOX", f"a box from 1 to {w.rules.boxes}")
    if event.amount_minor <= 0 or event.person < 1:
        return _send_back(w, event, "BAD_WAGER", "an amount above nothing and a person from 1")
    kind, _, number = event.bet.partition(":")
    match kind:
        case "main":
            return _main(w, event)
        case "double" | "split":
            return _at_hand(w, event, kind, int(number) if number.isdigit() else 1)
        case "insurance":
            return _insurance(w, event)
        case _:
            return _send_back(w, event, "BET_NOT_OFFERED", "main, double, split or insurance")


def _main(w: Work, event: WagerPlaced) -> None:
    if w.state.phase is Phase.BURN and not procedure.burn_done(w):
        _remember(w, event)
        return None
    if w.state.phase is not Phase.BETTING:
        return _main_not_now(w, event)
    box = box_of(w.state, event.box) or Box(event.box)
    problem = _limits(w, box, event)
    if problem:
        return _send_back(w, event, *problem)
    if not w.state.round_open:
        w.state = replace(w.state, round_open=True, round_number=w.state.round_number + 1)
        w.facts.append(facts.RoundOpened(w.state.round_id))
    box = replace(box, mains=add_stake(box.mains, event.person, event.amount_minor))
    w.state = put_box(w.state, box)
    stake = box.main_of(event.person)
    w.facts.append(facts.BoxBet(event.box, event.person, "main", event.amount_minor, stake))
    return None


def _main_not_now(w: Work, event: WagerPlaced) -> None:
    phase = w.state.phase
    if phase in {Phase.SETTLEMENT, Phase.COLLECTION}:
        return _send_back(w, event, "NEXT_ROUND_EARLY", "the round is settled and the cards collected before new bets")
    if phase in IN_ROUND:
        box = box_of(w.state, event.box)
        changed = box is not None and box.main_of(event.person) > 0
        code = "BET_CHANGED" if changed else "LATE_BET"
        return _send_back(w, event, code, "no stake is laid or changed once the first card is out")
    return _send_back(w, event, "SHUFFLE_DUE", f"bets after shuffle, cut, loading and burn; the table is in {phase}")


def _limits(w: Work, box: Box, event: WagerPlaced) -> tuple[str, str] | None:
    rules = w.rules
    had = box.main_of(event.person)
    if not had and len(box.mains) >= rules.persons_per_box:
        return "BOX_FULL", f"at most {rules.persons_per_box} persons on a box"
    if box.staked_minor + event.amount_minor > rules.box_max:
        return "BOX_MAXIMUM", f"at most {format_money(rules.box_max)} on a box"
    if rules.rounding is Rounding.REJECT_BET and not rules.divisible(had + event.amount_minor):
        return "ODD_STAKE", f"a stake that pays in whole chips of {format_money(rules.chip_quantum)}"
    return None


def _at_hand(w: Work, event: WagerPlaced, kind: str, number: int) -> None:
    found = deciding_hand(w.state)
    if found is None or (found[0].number, found[1].number) != (event.box, number):
        return _send_back(w, event, f"{kind.upper()}_NOT_NOW", f"chips for a {kind} when that hand decides")
    if not add_to_hand(w, kind, event.person, event.amount_minor):
        _remember(w, event)
    return None


def add_to_hand(w: Work, kind: str, person: int, amount_minor: int) -> bool:
    """Chips for a ``double`` or ``split`` of the hand that decides: exactly that person's stake on it, else refused."""
    found = deciding_hand(w.state)
    assert found is not None
    box, hand = found
    stake = hand.stake_of(person)
    had = hand.raise_of(person) if kind == "double" else box.splitting_of(person)
    if not stake or had + amount_minor != stake:
        actual = f"{format_money(amount_minor)} of person {person} at box {box.number}"
        w.refuse(f"{kind.upper()}_AMOUNT", f"exactly {format_money(stake)}, the first stake", actual)
        return False
    if kind == "double":
        w.state = put_hand(w.state, box.number, replace(hand, raises=add_stake(hand.raises, person, amount_minor)))
    else:
        w.state = put_box(w.state, replace(box, splitting=add_stake(box.splitting, person, amount_minor)))
    bet = kind if hand.number == 1 else f"{kind}:{hand.number}"
    w.facts.append(facts.BoxBet(box.number, person, bet, amount_minor, amount_minor))
    return True


def _insurance(w: Work, event: WagerPlaced) -> None:
    if w.rules.insurance == "none":
        return _send_back(w, event, "NOT_OFFERED", "no insurance at this table")
    if w.state.phase is not Phase.INSURANCE:
        late = w.state.phase in IN_ROUND and w.state.phase is not Phase.DEALING
        code = "INS_LATE" if late else "INS_NOT_NOW"
        return _send_back(w, event, code, "insurance after the first cards, before the first decision, against an ace")
    box = box_of(w.state, event.box)
    stake = box.main_of(event.person) if box else 0
    had = sum(s.amount_minor for s in box.insurance if s.person == event.person) if box else 0
    now = had + event.amount_minor
    exact = w.rules.insurance == "exact_half"
    if box is None or not stake or (2 * now != stake if exact else 2 * now > stake):
        wanted = f"{'exactly' if exact else 'up to'} half the first stake of {format_money(stake)}"
        return _send_back(w, event, "INS_AMOUNT", wanted)
    w.state = put_box(w.state, replace(box, insurance=add_stake(box.insurance, event.person, event.amount_minor)))
    w.facts.append(facts.BoxBet(event.box, event.person, "insurance", event.amount_minor, now))
    return None


def withdrawn(w: Work, event: WagerWithdrawn) -> None:
    """Chips were taken back: refused ones always may, a first stake only before the deal."""
    if returned(w, event.box, event.person, event.bet, event.amount_minor):
        fact = facts.BetWithdrawn(event.box, event.person, event.bet, event.amount_minor, refused=True)
        w.facts.append(fact)
        return None
    box = box_of(w.state, event.box)
    actual = f"{format_money(event.amount_minor)} {event.bet} of person {event.person} at box {event.box}"
    if box is None or event.bet != "main" or box.main_of(event.person) < event.amount_minor or event.amount_minor <= 0:
        return w.refuse("NO_SUCH_STAKE", "a stake that is there", actual)
    if w.state.phase is not Phase.BETTING:
        return w.refuse("BET_WITHDRAWN", "no stake is taken back once the first card is out: put it back", actual)
    w.state = put_box(w.state, replace(box, mains=add_stake(box.mains, event.person, -event.amount_minor)))
    w.facts.append(facts.BetWithdrawn(event.box, event.person, event.bet, event.amount_minor))
    return None


def close_bets(w: Work) -> bool:
    """No more bets: the boxes in play get their hands and the order of the first cards. False with the refusal."""
    state, rules = w.state, w.rules
    if not state.boxes:
        w.refuse("NO_BETS", "at least one stake", "no more bets")
        return False
    low = [
        f"person {s.person} at box {b.number}" for b in state.boxes for s in b.mains if s.amount_minor < rules.box_min
    ]
    if low:
        w.refuse("UNDER_MINIMUM", f"at least {format_money(rules.box_min)} each: raise or take back", ", ".join(low))
        return False
    boxes = tuple(replace(b, hands=(Hand(1, stakes=b.mains),)) for b in state.boxes)
    w.state = replace(state, phase=Phase.DEALING, boxes=boxes, plan=deal_plan(rules.deal_order, boxes), dealt=0)
    staked = sum(b.staked_minor for b in boxes)
    w.facts.append(facts.BetsClosed(state.round_id, tuple(b.number for b in boxes), staked))
    return True


def deal_plan(order: str, boxes: tuple[Box, ...]) -> tuple[Spot, ...]:
    """The order of the first cards, from the dealer's left, with no hole card."""
    spots = tuple(Spot(b.number) for b in boxes)
    if order == "one_by_one":
        return (*spots, Spot(0), *spots)
    return (*(s for spot in spots for s in (spot, spot)), Spot(0))


def returned(w: Work, box: int, person: int, bet: str, net_minor: int) -> bool:
    """Strike chips off the list of those to go back (positive: to the bettor). False when they are not on it."""
    for entry in w.state.to_return:
        if (entry.box, entry.person, entry.bet) == (box, person, bet) and net_minor * entry.net_minor > 0:
            left = entry.net_minor - net_minor
            if left * entry.net_minor < 0:
                return False
            rest = tuple(e for e in w.state.to_return if e is not entry)
            w.state = replace(w.state, to_return=(*rest, replace(entry, net_minor=left)) if left else rest)
            return True
    return False


def _send_back(w: Work, event: WagerPlaced, code: str, expected: str) -> None:
    actual = f"{format_money(event.amount_minor)} {event.bet} of person {event.person} at box {event.box}"
    w.refuse(code, f"{expected}; the chips go back", actual)
    _remember(w, event)


def _remember(w: Work, event: WagerPlaced) -> None:
    if event.amount_minor > 0:
        entry = Moved(event.box, event.person, event.bet, event.amount_minor)
        w.state = replace(w.state, to_return=(*w.state.to_return, entry)[-MOST_RETURNS:])
