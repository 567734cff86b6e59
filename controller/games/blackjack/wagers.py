"""Wagers laid: first stakes and side bets before the deal; chips to double, split and insure when they are due."""

from __future__ import annotations

from controller.core.inputs import DecisionSignalled, WagerPlaced
from controller.core.limits import MAX_AMOUNT_MINOR
from controller.core.money import Rounding, exact_multiple, format_money
from controller.core.records import replace
from controller.games.blackjack import decisions, facts, flow, procedure, returns
from controller.games.blackjack.hand import Box, Hand, add_side, add_stake
from controller.games.blackjack.lookup import box_of, deciding_hand, put_box, put_hand
from controller.games.blackjack.rules import DealOrder, Rules
from controller.games.blackjack.state import IN_ROUND, MOST_PERSON, BlackjackState, Moved, Phase, Spot, Work


def placed(w: Work, event: WagerPlaced) -> None:
    """Chips were laid: accept them as what they say they are, or send them back with the reason."""
    if not 1 <= event.box <= w.rules.boxes:
        return _send_back(w, event, "NO_SUCH_BOX", f"a box from 1 to {w.rules.boxes}")
    if event.amount_minor <= 0 or not 1 <= event.person <= MOST_PERSON:
        return _send_back(w, event, "BAD_WAGER", f"an amount above nothing and a person from 1 to {MOST_PERSON}")
    if event.amount_minor > MAX_AMOUNT_MINOR:
        return _send_back(w, event, "AMOUNT_TOO_LARGE", f"at most {format_money(MAX_AMOUNT_MINOR)} in one motion")
    if w.held:
        return _send_back(w, event, "TABLE_HELD", "no bets while the table is held")
    kind, _, number = event.bet.partition(":")
    match kind:
        case "main" if not number:
            return _before_the_deal(w, event)
        case "side" if event.bet in w.rules.pay_tables:
            return _before_the_deal(w, event)
        case "double" | "split":
            return _at_hand(w, event, kind, number)
        case "insurance" if not number:
            return _insurance(w, event)
        case _:
            return _send_back(
                w,
                event,
                "BET_NOT_OFFERED",
                f"one of {', '.join(('main', 'double', 'split', 'insurance', *w.rules.pay_tables))}",
            )


def _before_the_deal(w: Work, event: WagerPlaced) -> None:
    """A first stake or a side bet."""
    if w.state.phase is Phase.BURN and (w.state.paused or not procedure.burn_done(w)):
        return _remember(w, event)
    if w.state.phase is not Phase.BETTING:
        return _main_not_now(w, event)
    problem = problem_of(w, event.box, event.person, event.bet, event.amount_minor)
    if problem:
        return _send_back(w, event, *problem)
    return accept(w, event.box, event.person, event.bet, event.amount_minor)


def accept(w: Work, number: int, person: int, bet: str, amount_minor: int) -> None:
    """Take a first stake or a side bet that is in order; the first one opens the round."""
    if not w.state.round_open:
        w.state = replace(w.state, round_open=True, round_number=w.state.round_number + 1)
        w.facts.append(facts.RoundOpened(w.state.round_id))
    box = box_of(w.state, number) or Box(number)
    if bet == "main":
        box = replace(box, mains=add_stake(box.mains, person, amount_minor))
    else:
        box = replace(box, sides=add_side(box.sides, person, bet, amount_minor))
    w.state = put_box(w.state, box)
    total = box.main_of(person) if bet == "main" else box.side_of(person, bet)
    w.facts.append(facts.BoxBet(number, person, bet, amount_minor, total))


def _main_not_now(w: Work, event: WagerPlaced) -> None:
    phase = w.state.phase
    if phase in {Phase.SETTLEMENT, Phase.COLLECTION}:
        return _send_back(w, event, "NEXT_ROUND_EARLY", "the round is settled and the cards collected before new bets")
    if phase in IN_ROUND:
        box = box_of(w.state, event.box)
        changed = box is not None and staked(box, *_parts(event.bet), event.person) > 0
        code = "BET_CHANGED" if changed else "LATE_BET"
        return _send_back(w, event, code, "no stake is laid or changed once the first card is out")
    return _send_back(w, event, "SHUFFLE_DUE", f"bets after shuffle, cut, loading and burn; the table is in {phase}")


def problem_of(w: Work, number: int, person: int, bet: str, amount_minor: int) -> tuple[str, str] | None:
    """Why a first stake or a side bet is not in order: the code and what would be; None when it is."""
    rules, box = w.rules, box_of(w.state, number) or Box(number)
    if not w.state.round_open and returns.waits(w):
        return "CHIPS_NOT_RETURNED", "chips of an earlier round go back before the next one begins"
    if bet != "main":
        return _problem_of_side(rules, box, person, bet, amount_minor)
    had = box.main_of(person)
    if not had and len(box.mains) >= rules.persons_per_box:
        return "BOX_FULL", f"at most {rules.persons_per_box} persons on a box"
    if not had and rules.hands_per_player:
        problem = _problem_of_hands(w, number, person)
        if problem:
            return problem
    if box.staked_minor + amount_minor > rules.box_max:
        return "BOX_MAXIMUM", f"at most {format_money(rules.box_max)} on a box"
    if had + amount_minor > rules.person_max:
        return "PERSON_MAXIMUM", f"at most {format_money(rules.person_max)} of a person on a box"
    if rules.rounding is Rounding.REJECT_BET and not rules.divisible(had + amount_minor):
        return "ODD_STAKE", f"a stake that pays in whole chips of {format_money(rules.chip_quantum)}"
    return None


def _problem_of_side(rules: Rules, box: Box, person: int, bet: str, amount_minor: int) -> tuple[str, str] | None:
    now = box.side_of(person, bet) + amount_minor
    if not box.main_of(person):
        return "SIDE_WITHOUT_MAIN", "a side bet beside a first stake of the same person"
    if now > rules.side_max:
        return "SIDE_MAXIMUM", f"at most {format_money(rules.side_max)} on a side bet"
    odds = rules.pay_tables[bet][1].values()
    if rules.rounding is Rounding.REJECT_BET and not all(exact_multiple(now, o, rules.chip_quantum) for o in odds):
        return "ODD_STAKE", f"a stake that pays in whole chips of {format_money(rules.chip_quantum)}"
    return None


def _problem_of_hands(w: Work, number: int, person: int) -> tuple[str, str] | None:
    """A person plays so many boxes, side by side."""
    mine = [b.number for b in w.state.boxes if b.main_of(person)]
    most = w.rules.hands_per_player
    if len(mine) >= most:
        return "HANDS_LIMIT", f"at most {most} boxes of one person"
    if mine and number not in {min(mine) - 1, max(mine) + 1}:
        return "NOT_ADJACENT", f"boxes side by side: {min(mine) - 1} or {max(mine) + 1}"
    return None


def _at_hand(w: Work, event: WagerPlaced, kind: str, number: str) -> None:
    found = deciding_hand(w.state)
    if found is None or found[0].number != event.box or number not in {"", str(found[1].number)}:
        return _send_back(w, event, f"{kind.upper()}_NOT_NOW", f"chips for a {kind} when that hand decides")
    box, hand = found
    if hand.asked not in {"", kind}:
        return _send_back(w, event, f"{kind.upper()}_NOT_NOW", f"chips for a {kind} before the card that is due")
    problem = decisions.why_not(w.rules, w.state, box, hand, kind)
    if problem:
        return _send_back(w, event, *problem)
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
    put_chips(w, box, hand, kind, person, amount_minor)
    w.facts.append(facts.BoxBet(box.number, person, flow.bet_at(hand, kind), amount_minor, amount_minor))
    return True


def put_chips(w: Work, box: Box, hand: Hand, kind: str, person: int, amount_minor: int) -> None:
    """Chips for a ``double`` or ``split`` of a hand are laid, or taken back (negative)."""
    if kind == "double":
        w.state = put_hand(w.state, box.number, replace(hand, raises=add_stake(hand.raises, person, amount_minor)))
    else:
        w.state = put_box(w.state, replace(box, splitting=add_stake(box.splitting, person, amount_minor)))


def _insurance(w: Work, event: WagerPlaced) -> None:
    if w.rules.insurance == "none":
        return _send_back(w, event, "NOT_OFFERED", "no insurance at this table")
    if w.state.phase is not Phase.INSURANCE:
        late = w.state.phase in IN_ROUND and w.state.phase is not Phase.DEALING
        code = "INS_LATE" if late else "INS_NOT_NOW"
        return _send_back(w, event, code, "insurance after the first cards, before the first decision, against an ace")
    box = box_of(w.state, event.box)
    stake = box.main_of(event.person) if box else 0
    had = insured(box, event.person) if box else 0
    now = had + event.amount_minor
    exact = w.rules.insurance == "exact_half"
    if box is not None and event.person in box.evened:
        return _send_back(w, event, "INS_NOT_NOW", "even money or insurance, not both")
    if box is None or not stake or (2 * now != stake if exact else 2 * now > stake):
        wanted = f"{'exactly' if exact else 'up to'} half the first stake of {format_money(stake)}"
        return _send_back(w, event, "INS_AMOUNT", wanted)
    w.state = put_box(w.state, replace(box, insurance=add_stake(box.insurance, event.person, event.amount_minor)))
    w.facts.append(facts.BoxBet(event.box, event.person, "insurance", event.amount_minor, now))
    return None


def insured(box: Box, person: int) -> int:
    """A person's insurance."""
    return sum(s.amount_minor for s in box.insurance if s.person == person)


def staked(box: Box, kind: str, number: str, person: int) -> int:
    """What a person has on this bet of a box, 0 for a bet that is not there."""
    match kind:
        case "main":
            return box.main_of(person) if not number else 0
        case "side":
            return box.side_of(person, f"side:{number}")
        case "insurance":
            return insured(box, person)
        case "double":
            return max((h.raise_of(person) for h in box.hands if number in {"", str(h.number)}), default=0)
        case "split":
            hands = [h.stake_of(person) for h in box.hands if h.number > 1 and number in {"", str(h.number)}]
            return max(box.splitting_of(person), *hands, 0)
        case _:
            return 0


def close_bets(w: Work) -> bool:
    """No more bets: the boxes in play get their hands and the order of the first cards. False with the refusal."""
    state, rules = w.state, w.rules
    if not state.boxes:
        w.refuse("NO_BETS", "at least one stake", "no more bets")
        return False
    low = too_low(rules, state)
    if low:
        w.refuse("UNDER_MINIMUM", f"at least {format_money(rules.box_min)} each: raise or take back", ", ".join(low))
        return False
    boxes = tuple([replace(b, hands=(Hand(1, stakes=b.mains),)) for b in state.boxes])
    bets = [Moved(b.number, s.person, "main", s.amount_minor) for b in boxes for s in b.mains]
    bets += [Moved(b.number, s.person, s.bet, s.amount_minor) for b in boxes for s in b.sides]
    last = tuple(bets) if rules.rebet else ()
    plan = deal_plan(rules, boxes)
    w.state = replace(state, phase=Phase.DEALING, boxes=boxes, plan=plan, dealt=0, last_bets=last)
    staked = sum([b.staked_minor for b in boxes])
    w.facts.append(facts.BetsClosed(state.round_id, tuple([b.number for b in boxes]), staked))
    return True


def too_low(rules: Rules, state: BlackjackState) -> list[str]:
    """First stakes and side bets below their minimum, as text."""
    low = [
        f"person {s.person} at box {b.number}" for b in state.boxes for s in b.mains if s.amount_minor < rules.box_min
    ]
    low += [
        f"{s.bet} of person {s.person} at box {b.number} (at least {format_money(rules.side_min)})"
        for b in state.boxes
        for s in b.sides
        if s.amount_minor < rules.side_min
    ]
    return low


def deal_plan(rules: Rules, boxes: tuple[Box, ...]) -> tuple[Spot, ...]:
    """The order of the first cards, from the dealer's left; the hole card, where there is one, is the last."""
    spots = tuple([Spot(b.number) for b in boxes])
    hole = (Spot(0),) if rules.hole_card == "dealt" else ()
    if rules.deal_order is DealOrder.ONE_BY_ONE:
        return (*spots, Spot(0), *spots, *hole)
    return (*(s for spot in spots for s in (spot, spot)), Spot(0), *hole)


def rebet(w: Work, number: int, person: int) -> None:
    """Lay the stakes of the round before again: of a box and a person, or of all (0)."""
    text = "rebet" + (f" at box {number}" if number else "")
    if not w.rules.rebet:
        return w.refuse("BET_NOT_OFFERED", "no rebet at this table", text)
    if w.state.phase is not Phase.BETTING:
        return w.refuse("WRONG_PHASE", f"bets are not open in {w.state.phase}", text)
    bets = [b for b in w.state.last_bets if number in {0, b.box} and person in {0, b.person}]
    boxes = {(b.number, s.person) for b in w.state.boxes for s in b.mains}
    if not bets or any((b.box, b.person) in boxes for b in bets):
        return w.refuse("NO_REBET", "stakes of the round before, not laid again yet", text)
    trial = Work(w.rules, w.state)
    for bet in bets:
        problem = problem_of(trial, bet.box, bet.person, bet.bet, bet.net_minor)
        if problem:
            return w.refuse(*problem, text)
        accept(trial, bet.box, bet.person, bet.bet, bet.net_minor)
    w.state = trial.state
    w.facts.extend(trial.facts)
    return None


def exchange(w: Work, event: DecisionSignalled) -> None:
    """Notes are changed into chips at the table."""
    amount = event.amount_minor
    if not 0 < amount <= MAX_AMOUNT_MINOR:
        return w.refuse("BAD_AMOUNT", "an amount above nothing", format_money(amount))
    if w.rules.exchange == "pause" and w.state.phase in IN_ROUND:
        wanted = "notes are changed into chips only while no round is in play"
        return w.refuse("CHANGE_IN_ROUND", wanted, format_money(amount))
    if not (1 <= event.box <= w.rules.boxes and 0 <= event.person <= MOST_PERSON):
        return w.refuse("NO_SUCH_BOX", f"a box from 1 to {w.rules.boxes}", f"change at box {event.box}")
    w.facts.append(facts.ChipsExchanged(event.box, event.person or 1, amount))
    return None


def _parts(bet: str) -> tuple[str, str]:
    kind, _, number = bet.partition(":")
    return kind, number


def _send_back(w: Work, event: WagerPlaced, code: str, expected: str) -> None:
    actual = f"{format_money(event.amount_minor)} {event.bet} of person {event.person} at box {event.box}"
    w.refuse(code, f"{expected}; the chips go back", actual)
    _remember(w, event)


def _remember(w: Work, event: WagerPlaced) -> None:
    if 0 < event.amount_minor <= MAX_AMOUNT_MINOR:
        returns.remember(w, event.box, event.person, event.bet, event.amount_minor)
