"""Settlement: what every bet is owed, what has moved, and whether the round may end.

Amounts are net in the bettor's sign: positive, the house pays; negative, the house takes the stake.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from controller.core.expectation import Due
from controller.core.money import format_money, paid_to_player, parse_ratio
from controller.core.verdicts import Finding, Settled, Severity
from controller.games.blackjack import facts
from controller.games.blackjack.hand import Hand, Status, is_blackjack, total, value
from controller.games.blackjack.rules import DealerBlackjackTakes, Rules
from controller.games.blackjack.state import BlackjackState, Moved, Phase, Work

OPEN = "open"
_FINISHED = frozenset({Phase.SETTLEMENT, Phase.COLLECTION})


def dues(rules: Rules, state: BlackjackState) -> tuple[Due, ...]:
    """Every bet of every person; ``outcome`` is ``open`` and nothing is owed until it is final."""
    if state.phase in {Phase.BETTING, Phase.DEALING} or not state.boxes:
        bets: list[Due] = []
    else:
        bets = _hand_dues(rules, state) + _insurance_dues(rules, state)
    if not state.moved:
        return tuple(bets)
    net = {(m.box, m.person, m.bet): m.net_minor for m in state.moved}
    joined = [replace(d, moved_minor=net.pop((d.box, d.person, d.bet), 0)) for d in bets]
    joined += [Due(box, person, bet, 0, 0, amount, "no_bet") for (box, person, bet), amount in net.items() if amount]
    return tuple(joined)


def _hand_dues(rules: Rules, state: BlackjackState) -> list[Due]:
    finished = state.phase in _FINISHED
    dealer_blackjack = finished and is_blackjack(state.dealer)
    dealer_total = total(state.dealer)[0] if finished else 0
    found = []
    for box in state.boxes:
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
    """The round is decided: say what every bet is owed, and end the settlement at once when nothing has to move."""
    for due in dues(w.rules, w.state):
        w.facts.append(facts.PayoutDue(due.box, due.person, due.bet, due.stake_minor, due.owed_minor, due.outcome))
        if due.moved_minor and not due.difference_minor:
            w.findings.append(Settled(_key(due)))
    check_settled(w)


def check_settled(w: Work) -> None:
    """End the settlement when every bet is paid and taken as owed."""
    if w.state.phase is not Phase.SETTLEMENT:
        return
    bets = dues(w.rules, w.state)
    if any(d.difference_minor for d in bets):
        return
    w.state = replace(w.state, phase=Phase.COLLECTION)
    w.facts.append(facts.RoundSettled(w.state.round_id, -sum(d.owed_minor for d in bets)))


def moved(w: Work, box: int, person: int, bet: str, net_minor: int) -> None:
    """Chips moved on a bet: they are kept on record whatever they were, and judged against what is owed."""
    key = (box, person, bet)
    had = sum(m.net_minor for m in w.state.moved if (m.box, m.person, m.bet) == key)
    others = tuple(m for m in w.state.moved if (m.box, m.person, m.bet) != key)
    now = had + net_minor
    w.state = replace(w.state, moved=(*others, Moved(box, person, bet, now)) if now else others)
    due = next((d for d in dues(w.rules, w.state) if (d.box, d.person, d.bet) == key), None)
    if due is None:
        due = Due(box, person, bet, 0, 0, now, "no_bet")
    if not due.difference_minor:
        w.facts.append(facts.PayoutMade(box, person, bet, net_minor, 0))
        w.findings.append(Settled(_key(due)))
        return check_settled(w)
    w.facts.append(facts.PayoutMismatch(box, person, bet, due.owed_minor, now))
    code = _code(due, net_minor)
    verb = "paid" if net_minor > 0 else "taken"
    actual = f"{format_money(abs(net_minor))} {verb} at box {box} person {person} {bet}"
    w.findings.append(Finding(code, Severity.OPEN, _wanted(due, net_minor), actual, key=_key(due)))
    return None


def _code(due: Due, net_minor: int) -> str:
    paid = net_minor > 0
    if due.outcome == OPEN:
        return "PAY_EARLY" if paid else "TAKE_EARLY"
    if due.outcome == "no_bet":
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


def _key(due: Due) -> str:
    return f"bet:{due.box}:{due.person}:{due.bet}"
