"""Participation fees: laid before a match, paid to the winner after it, less the house's rake."""

from __future__ import annotations

from typing import Final

from controller.core.expectation import Due
from controller.core.inputs import ChipsCollected, ChipsPaid, WagerPlaced, WagerWithdrawn
from controller.core.limits import MAX_AMOUNT_MINOR, MAX_MOVED_MINOR
from controller.core.money import format_money
from controller.core.records import replace
from controller.core.verdicts import Correction, Settled
from controller.games.blot import flow
from controller.games.blot.facts import FeeLaid, FeeMoved, FeeWaived
from controller.games.blot.rules import Rules
from controller.games.blot.state import SEATS, Match, Phase, Work, with_seat

BET: Final = "main"
"""The word under which bet sensors report the fee."""
ACCEPT: Final = Correction("accept_fee", "a supervisor lets the difference stand")
_BEFORE: Final = frozenset({Phase.INSPECTION, Phase.OPENING})


def placed(w: Work, event: WagerPlaced) -> None:
    """A player lays the fee."""
    fee, match = w.rules.fee_minor, w.state.match
    actual = f"{format_money(event.amount_minor)} {event.bet} at seat {event.box}"
    if not fee or event.bet != BET or event.box not in SEATS:
        wanted = f"a fee of {format_money(fee)} at seat 1 or 2" if fee else "no chips: this table plays without a fee"
        return w.refuse("BET_NOT_OFFERED", wanted, actual)
    if w.state.phase not in _BEFORE or match.rounds or match.fees[event.box - 1]:
        return w.refuse("FEE_NOT_NOW", "one fee of each player, before a match", actual)
    if event.amount_minor != fee:
        return w.refuse("WRONG_FEE", f"a fee of {format_money(fee)}", actual)
    return _lay(w, match, event.box, fee)


def withdrawn(w: Work, event: WagerWithdrawn) -> None:
    """A player takes the fee back, which is free before the match."""
    match = w.state.match
    actual = f"{format_money(event.amount_minor)} {event.bet} from seat {event.box}"
    laid = match.fees[event.box - 1] if event.box in SEATS else 0
    if event.bet != BET or not laid:
        return w.refuse("BET_NOT_OFFERED", "a fee that was laid", actual)
    if w.state.phase not in _BEFORE or match.rounds or event.amount_minor != laid:
        return w.refuse("FEE_NOT_NOW", f"the fee of {format_money(laid)}, before a match", actual)
    return _lay(w, match, event.box, 0)


def _lay(w: Work, match: Match, seat: int, amount_minor: int) -> None:
    w.facts.append(FeeLaid(match.number, seat, amount_minor))
    w.state = replace(w.state, match=replace(match, fees=with_seat(match.fees, seat, amount_minor)))
    if w.state.phase is Phase.OPENING:
        flow.advance(w)


def moved(w: Work, event: ChipsPaid | ChipsCollected) -> None:
    """Chips of a fee moved after the match: to the winner, or from the loser into the float."""
    match, seat = w.state.match, event.box
    net = event.amount_minor if isinstance(event, ChipsPaid) else -event.amount_minor
    actual = f"{format_money(net)} at seat {seat}"
    if not match.winner or event.bet != BET or seat not in SEATS or not w.rules.fee_minor:
        return w.refuse("PAYMENT_NOT_DUE", "fees move when a match has ended", actual)
    if not 0 < event.amount_minor <= MAX_AMOUNT_MINOR or abs(match.moved[seat - 1] + net) > MAX_MOVED_MINOR:
        return w.refuse("BAD_AMOUNT", f"an amount above nothing, at most {format_money(MAX_AMOUNT_MINOR)}", actual)
    match = replace(match, moved=with_seat(match.moved, seat, match.moved[seat - 1] + net))
    w.state = replace(w.state, match=match)
    owed, done = flow.owed_minor(w.rules, match, seat), flow.settled_minor(match, seat)
    w.facts.append(FeeMoved(seat, net, owed))
    if done * owed < 0 or abs(done) > abs(owed):
        key = f"fee:{seat}"
        return w.keep_open("PAYOUT_MISMATCH", format_money(owed), format_money(done), ACCEPT, key=key)
    w.findings.append(Settled(f"fee:{seat}"))
    return _go_on(w)


def accept(w: Work, seat: int) -> None:
    """A supervisor lets a difference stand."""
    match = w.state.match
    difference = flow.owed_minor(w.rules, match, seat) - flow.settled_minor(match, seat)
    w.facts.append(FeeWaived(seat, difference))
    waived = with_seat(match.waived, seat, match.waived[seat - 1] + difference)
    w.state = replace(w.state, match=replace(match, waived=waived))
    _go_on(w)


def _go_on(w: Work) -> None:
    if w.state.phase is Phase.SETTLEMENT:
        flow.advance(w)


def dues(rules: Rules, match: Match) -> tuple[Due, ...]:
    """What each fee is owed and what has moved."""
    return tuple(
        Due(
            seat,
            1,
            BET,
            match.fees[seat - 1],
            flow.owed_minor(rules, match, seat),
            match.moved[seat - 1],
            ("won" if seat == match.winner else "lost") if match.winner else "playing",
            match.waived[seat - 1],
        )
        for seat in SEATS
        if match.fees[seat - 1]
    )
