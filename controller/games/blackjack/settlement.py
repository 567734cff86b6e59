"""Settlement: what every bet is owed, what has moved, and whether the round may end.

Amounts are net in the bettor's sign: positive, the house pays; negative, the house takes the stake.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from controller.core.expectation import Due
from controller.core.limits import MAX_MOVED_MINOR
from controller.core.money import format_money, paid_to_player, parse_ratio
from controller.core.records import replace
from controller.core.verdicts import Correction, Settled
from controller.games.blackjack import facts, returns
from controller.games.blackjack.hand import Hand, Status, is_blackjack, total, value
from controller.games.blackjack.rules import DealerBlackjackTakes, Rules
from controller.games.blackjack.state import IN_ROUND, MOST_PERSON, BlackjackState, Moved, Phase, Work

OPEN: Final = "open"
NO_BET: Final = "no_bet"
ACCEPT: Final = Correction("accept", "let the difference stand as it is, on record")
MOST_MOVED: Final = 128
"""Bets with chips moved on them that are remembered where no stake is; a table has a few boxes."""
_FINISHED = frozenset({Phase.SETTLEMENT, Phase.COLLECTION})


def dues(rules: Rules, state: BlackjackState) -> tuple[Due, ...]:
    """Every bet of every person; ``outcome`` is ``open`` and nothing is owed until it is final."""
    bets = _hand_dues(rules, state) + _insurance_dues(rules, state)
    if not (state.moved or state.waived):
        return tuple(bets)
    net = {(m.box, m.person, m.bet): m.net_minor for m in state.moved}
    let = {(m.box, m.person, m.bet): m.net_minor for m in state.waived}
    joined = []
    for due in bets:
        key = (due.box, due.person, due.bet)
        if key in net or key in let:
            due = replace(due, moved_minor=net.pop(key, 0), waived_minor=let.pop(key, 0))
        joined.append(due)
    for key in sorted(net.keys() | let.keys()):
        joined.append(Due(*key, 0, 0, net.get(key, 0), NO_BET, let.get(key, 0)))
    return tuple(joined)


def _hand_dues(rules: Rules, state: BlackjackState) -> list[Due]:
    finished = state.phase in _FINISHED
    dealer_blackjack = finished and is_blackjack(state.dealer)
    dealer_total = total(state.dealer)[0] if finished else 0
    found = []
    for box in state.boxes:
        if not box.hands:
            found += [Due(box.number, s.person, "main", s.amount_minor, 0, 0, OPEN) for s in box.mains]
        for hand in box.hands:
            bet = "main" if hand.number == 1 else f"main:{hand.number}"
            for stake in hand.stakes:
                first, extra = stake.amount_minor, hand.raise_of(stake.person)
                outcome, owed = _owed(rules, state, hand, first, extra, dealer_blackjack, dealer_total)
                found.append(Due(box.number, stake.person, bet, first + extra, owed, 0, outcome))
    return found


def _owed(
    rules: Rules, state: BlackjackState, hand: Hand, first: int, extra: int, dealer_blackjack: bool, dealer_total: int
) -> tuple[str, int]:
    """Outcome and net of one stake on one hand."""
    finished = state.phase in _FINISHED
    match hand.status:
        case Status.BUST:
            return ("bust", -(first + extra)) if finished or rules.bust_collect == "immediate" else (OPEN, 0)
        case Status.SURRENDERED:
            kept = paid_to_player(first, Fraction(1, 2), rules.chip_quantum, rules.rounding)
            return "surrender", kept - first
        case Status.BLACKJACK:
            if dealer_blackjack:
                return "push", 0
            if finished or value(state.dealer[0]) not in {1, 10}:
                odds = parse_ratio(rules.blackjack_pays)
                return "blackjack", paid_to_player(first, odds, rules.chip_quantum, rules.rounding)
            return OPEN, 0
        case _:
            if not finished:
                return OPEN, 0
    if dealer_blackjack:
        if rules.dealer_blackjack_takes is DealerBlackjackTakes.ALL:
            return "lose", -(first + extra)
        return ("lose", -first) if hand.number == 1 else ("returned", 0)
    points = total(hand.cards)[0]
    if dealer_total > 21 or points > dealer_total:
        return "win", first + extra
    return ("push", 0) if points == dealer_total else ("lose", -(first + extra))


def _insurance_dues(rules: Rules, state: BlackjackState) -> list[Due]:
    found = []
    for box in state.boxes:
        for stake in box.insurance:
            outcome, owed = OPEN, 0
            if state.phase in _FINISHED:
                if is_blackjack(state.dealer):
                    odds = parse_ratio(rules.insurance_pays)
                    outcome, owed = "win", paid_to_player(stake.amount_minor, odds, rules.chip_quantum, rules.rounding)
                else:
                    outcome, owed = "lose", -stake.amount_minor
            found.append(Due(box.number, stake.person, "insurance", stake.amount_minor, owed, 0, outcome))
    return found


def announce(w: Work) -> None:
    """The round is decided: say what every bet is owed, judge what has moved already, and end the settlement at once
    when nothing has to move."""
    for due in dues(w.rules, w.state):
        w.facts.append(facts.PayoutDue(due.box, due.person, due.bet, due.stake_minor, due.owed_minor, due.outcome))
        if due.moved_minor and due.difference_minor:
            _judge(w, due, due.moved_minor)
        elif due.moved_minor:
            w.findings.append(Settled(_key(w, due)))
    check_settled(w)


def check_settled(w: Work) -> None:
    """End the settlement when every bet is paid and taken as owed, or the difference let stand."""
    if w.state.phase not in _FINISHED:
        return
    bets = dues(w.rules, w.state)
    if any(d.difference_minor for d in bets):
        return
    w.findings.append(Settled(f"settlement:{w.state.round_id}"))
    if w.state.phase is Phase.COLLECTION:
        return
    w.state = replace(w.state, phase=Phase.COLLECTION)
    w.facts.append(facts.RoundSettled(w.state.round_id, -sum(d.moved_minor for d in bets)))


def gate_shut(w: Work) -> bool:
    """True while the rules let nothing go on before every bet is paid and taken; it is then said so."""
    shut = w.rules.settlement_gate == "hold" and any(d.difference_minor for d in dues(w.rules, w.state))
    if shut:
        still_open(w)
    return shut


def still_open(w: Work) -> None:
    """The next round, or collecting the cards, before every bet is paid and taken: that waits."""
    bets = ", ".join(f"box {d.box} person {d.person} {d.bet}" for d in dues(w.rules, w.state) if d.difference_minor)
    wanted = "every bet paid and taken before the next round"
    w.keep_open("SETTLEMENT_OPEN", wanted, f"still open: {bets}"[:400], ACCEPT, key=f"settlement:{w.state.round_id}")


def moved(w: Work, box: int, person: int, bet: str, net_minor: int) -> None:
    """Chips moved on a bet: they are kept on record whatever they were, and judged against what is owed."""
    bets = dues(w.rules, w.state)
    shares = _shares(bets, box, person, bet, net_minor)
    if shares is None and not (1 <= box <= w.rules.boxes and 1 <= person <= MOST_PERSON):
        return w.refuse(
            "NO_SUCH_BET", f"a bet at a box from 1 to {w.rules.boxes}", _moved_text(box, person, bet, net_minor)
        )
    if w.state.phase not in IN_ROUND or not w.state.boxes:
        return _outside_round(w, box, person, bet, net_minor, staked=shares is not None)
    for name, share in shares or ((bet, net_minor),):
        _move(w, bets, Moved(box, person, name, share))
    return check_settled(w)


def _outside_round(w: Work, box: int, person: int, bet: str, net_minor: int, *, staked: bool) -> None:
    """Nothing is owed before the deal or after a voided round: chips that moved then have to move back."""
    code = ("PAY" if net_minor > 0 else "TAKE") + ("_EARLY" if staked else "_NO_BET")
    returns.remember(w, box, person, bet, -net_minor)
    if not w.stopped:
        text = _moved_text(box, person, bet, net_minor)
        returns.put_back(w, code, "nothing is owed outside a round: the chips go back", text)


def _shares(
    bets: tuple[Due, ...], box: int, person: int, bet: str, net_minor: int
) -> tuple[tuple[str, int], ...] | None:
    """The bets these chips belong to, each with its part; None when there is no such bet.

    A chip sensor knows the place of a stake and not the hand it belongs to, so ``main``, ``double`` and ``split``
    without a number mean whichever hand is owed just this; or all hands together; or the first that is owed anything.
    """
    kind, _, number = bet.partition(":")
    at = [d for d in bets if (d.box, d.person) == (box, person) and d.outcome != NO_BET]
    if kind not in {"main", "double", "split"}:
        return ((bet, net_minor),) if any(d.bet == bet for d in at) else None
    hands = [d for d in at if d.bet.startswith("main")]
    if number:
        wanted = "main" if number == "1" else f"main:{number}"
        return ((wanted, net_minor),) if any(d.bet == wanted for d in hands) else None
    if kind == "split":
        hands.sort(key=lambda d: d.bet == "main")
    if not hands:
        return None
    exact = [d for d in hands if d.difference_minor == net_minor]
    if exact or len(hands) == 1:
        return (((exact or hands)[0].bet, net_minor),)
    same = [d for d in hands if d.difference_minor * net_minor > 0]
    if same and sum(d.difference_minor for d in same) == net_minor:
        return tuple((d.bet, d.difference_minor) for d in same)
    undone = [d for d in hands if d.moved_minor * net_minor < 0]
    return (((same or undone or hands)[0].bet, net_minor),)


def _move(w: Work, bets: tuple[Due, ...], chips: Moved) -> None:
    key = (chips.box, chips.person, chips.bet)
    due = next((d for d in bets if (d.box, d.person, d.bet) == key), None)
    had = due.moved_minor if due else 0
    now = had + chips.net_minor
    text = _moved_text(*key, chips.net_minor)
    if abs(now) > MAX_MOVED_MINOR:
        return w.refuse("AMOUNT_TOO_LARGE", f"at most {format_money(MAX_MOVED_MINOR)} on a bet", text)
    if due is None and len(w.state.moved) >= MOST_MOVED:
        return w.refuse("NO_SUCH_BET", "chips on bets that are there: put the others right first", text)
    others = tuple(m for m in w.state.moved if (m.box, m.person, m.bet) != key)
    w.state = replace(w.state, moved=(*others, replace(chips, net_minor=now)) if now else others)
    due = replace(due, moved_minor=now) if due else Due(*key, 0, 0, now, NO_BET)
    return _judge(w, due, chips.net_minor)


def _judge(w: Work, due: Due, net_minor: int) -> None:
    """Say whether a bet is right after ``net_minor`` moved on it; it is when all that moved has moved back, too."""
    key = _key(w, due)
    if not (due.difference_minor and due.moved_minor):
        left = due.difference_minor if due.outcome != OPEN else 0
        w.facts.append(facts.PayoutMade(due.box, due.person, due.bet, net_minor, left))
        w.findings.append(Settled(key))
        return
    w.facts.append(facts.PayoutMismatch(due.box, due.person, due.bet, due.owed_minor, due.moved_minor))
    ways = () if due.outcome == OPEN else (ACCEPT,)
    text = _moved_text(due.box, due.person, due.bet, net_minor)
    w.keep_open(_code(due, net_minor), _wanted(due, net_minor), text, *ways, key=key)


def accept(w: Work, key: str) -> None:
    """A supervisor lets differences stand: of the bet that ``key`` is about, or of every bet of the round."""
    kind, round_id, *bet = key.split(":", 4)
    if round_id != w.state.round_id:
        return
    for due in dues(w.rules, w.state):
        mine = kind == "settlement" or bet == [str(due.box), str(due.person), due.bet]
        if mine and due.difference_minor and due.outcome != OPEN:
            _waive(w, due)
    check_settled(w)


def _waive(w: Work, due: Due) -> None:
    others = tuple(m for m in w.state.waived if (m.box, m.person, m.bet) != (due.box, due.person, due.bet))
    let = Moved(due.box, due.person, due.bet, due.waived_minor + due.difference_minor)
    w.state = replace(w.state, waived=(*others, let))
    w.facts.append(facts.PayoutConfirmed(due.box, due.person, due.bet, due.difference_minor))
    w.findings.append(Settled(_key(w, due)))


def _moved_text(box: int, person: int, bet: str, net_minor: int) -> str:
    verb = "paid" if net_minor > 0 else "taken"
    return f"{format_money(abs(net_minor))} {verb} at box {box} person {person} {bet}"


def _code(due: Due, net_minor: int) -> str:
    paid = net_minor > 0
    if due.outcome == OPEN:
        return "PAY_EARLY" if paid else "TAKE_EARLY"
    if due.outcome == NO_BET:
        return "PAY_NO_BET" if paid else "TAKE_NO_BET"
    if due.owed_minor == 0:
        return "PUSH_PAID" if paid else "PUSH_TAKEN"
    if due.owed_minor < 0:
        if paid:
            return "BUST_PAID" if due.outcome == "bust" else "LOSER_PAID"
        return "TAKE_AMOUNT"
    return "PAY_AMOUNT" if paid else "WINNER_TAKEN"


def _wanted(due: Due, net_minor: int) -> str:
    if due.outcome == OPEN:
        return "the bet is still open: nothing moves"
    before = due.difference_minor + net_minor
    owed = f"{due.outcome}: " + {True: "pay ", False: "take "}[before > 0] + format_money(abs(before))
    return f"{due.outcome}: nothing moves" if before == 0 else owed


def _key(w: Work, due: Due) -> str:
    return f"bet:{w.state.round_id}:{due.box}:{due.person}:{due.bet}"
