"""Settlement: what every bet is owed, what has moved, and whether the round may end.

Amounts are net in the bettor's sign: positive, the house pays; negative, the house takes the stake.
"""

from __future__ import annotations

from typing import Final

from controller.core.expectation import Due
from controller.core.limits import MAX_MOVED_MINOR
from controller.core.money import format_money
from controller.core.records import replace
from controller.core.verdicts import Correction, Settled
from controller.games.blackjack import facts, owed, returns
from controller.games.blackjack.owed import OPEN
from controller.games.blackjack.rules import Rules
from controller.games.blackjack.state import IN_ROUND, MOST_PERSON, BlackjackState, Moved, Phase, Work

NO_BET: Final = "no_bet"
SIDE: Final = "side:"
"""How the name of a side bet begins."""
ACCEPT: Final = Correction("accept", "let the difference stand as it is, on record")
MOST_MOVED: Final = 128
"""Bets with chips moved on them that are remembered where no stake is; a table has a few boxes."""
_FINISHED = frozenset({Phase.SETTLEMENT, Phase.COLLECTION})


def dues(rules: Rules, state: BlackjackState) -> tuple[Due, ...]:
    """Every bet of every person; ``outcome`` is ``open`` and nothing is owed until it is final."""
    bets = owed.bets(rules, state)
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


def announce(w: Work) -> None:
    """The round is decided: say what every bet is owed, judge what has moved already, and end the settlement at once
    when nothing has to move."""
    for due in dues(w.rules, w.state):
        if w.state.missed or not due.bet.startswith(SIDE):
            _say_due(w, due)
    check_settled(w)


def announce_sides(w: Work) -> None:
    """The first cards lie: say what every side bet is owed."""
    if w.rules.side_bets:
        for due in dues(w.rules, w.state):
            if due.bet.startswith(SIDE) and due.outcome != OPEN:
                _say_due(w, due)


def _say_due(w: Work, due: Due) -> None:
    w.facts.append(facts.PayoutDue(due.box, due.person, due.bet, due.stake_minor, due.owed_minor, due.outcome))
    if due.moved_minor and due.difference_minor:
        _judge(w, due, due.moved_minor)
    elif due.moved_minor:
        w.findings.append(Settled(_key(w, due)))


def check_settled(w: Work) -> None:
    """End the settlement when every bet is paid and taken as owed, or the difference let stand. Chips that move later
    correct the result that is on record."""
    if w.state.phase not in _FINISHED:
        return
    bets = dues(w.rules, w.state)
    house_minor = -sum(d.moved_minor for d in bets)
    if w.state.result not in {(), (house_minor,)}:
        w.state = replace(w.state, result=(house_minor,))
        w.facts.append(facts.RoundCorrected(w.state.round_id, house_minor))
    if any(d.difference_minor for d in bets):
        return
    w.findings.append(Settled(f"settlement:{w.state.round_id}"))
    if w.state.phase is Phase.COLLECTION:
        return
    conclude(w)


def conclude(w: Work) -> None:
    """Put the round's result on record, as the chips have moved by now, and go on to the collection."""
    house_minor = -sum(d.moved_minor for d in dues(w.rules, w.state))
    w.state = replace(w.state, phase=Phase.COLLECTION, result=(house_minor,))
    w.facts.append(facts.RoundSettled(w.state.round_id, house_minor))


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
    without a number mean whichever hand, or bonus of it, is owed just this; or those that are owed anything, one after
    the other until each has got its own, and the last of them what is left over.
    """
    kind, _, number = bet.partition(":")
    at = [d for d in bets if (d.box, d.person) == (box, person) and d.outcome != NO_BET]
    if kind not in {"main", "double", "split"}:
        return ((bet, net_minor),) if any(d.bet == bet for d in at) else None
    hands = [d for d in at if d.bet.startswith(("main", "bonus"))]
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
    if same:
        return _one_after_the_other(same, net_minor)
    undone = [d for d in hands if d.moved_minor * net_minor < 0]
    return (((undone or hands)[0].bet, net_minor),)


def _one_after_the_other(bets: list[Due], net_minor: int) -> tuple[tuple[str, int], ...]:
    shares: list[tuple[str, int]] = []
    left = abs(net_minor)
    for due in bets:
        share = left if due is bets[-1] else min(left, abs(due.difference_minor))
        left -= share
        if share:
            shares.append((due.bet, share if net_minor > 0 else -share))
    return tuple(shares)


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
