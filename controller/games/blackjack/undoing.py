"""What a void round undoes, bet by bet: stakes that their bettors take back, and what was paid or taken by then.

A chip sensor knows the place of a stake and not the hand it belongs to, so all hands of a person at a box are one bet
here, ``main``: first stakes, doubles and splits together.
"""

from __future__ import annotations

from controller.core.limits import MAX_MOVED_MINOR
from controller.core.money import format_money
from controller.core.records import replace
from controller.games.blackjack import facts, returns, settlement
from controller.games.blackjack.hand import Box
from controller.games.blackjack.state import BlackjackState, Undone, Work

_OF_HANDS = frozenset({"main", "double", "split", "bonus"})


def round_of(w: Work, before: BlackjackState) -> None:
    """Remember what the void round ``before`` leaves to be undone."""
    for due in settlement.dues(w.rules, before):
        _add(w, due.box, due.person, due.bet, due.stake_minor, -due.moved_minor)
    for box in before.boxes:
        for stake in box.splitting:
            _add(w, box.number, stake.person, "main", stake.amount_minor, 0)
    for chips in before.lifted:
        _add(w, chips.box, chips.person, chips.bet, -chips.net_minor, 0)


def stakes_of(w: Work, box: Box) -> None:
    """Remember that the first stakes and side bets of a box go back, but for what their bettors have taken up."""
    for stake in box.mains:
        _add(w, box.number, stake.person, "main", stake.amount_minor, 0)
    for side in box.sides:
        _add(w, box.number, side.person, side.bet, side.amount_minor, 0)
    for chips in w.state.lifted:
        if chips.box == box.number:
            _add(w, chips.box, chips.person, chips.bet, -chips.net_minor, 0)
    w.state = replace(w.state, lifted=tuple(m for m in w.state.lifted if m.box != box.number))


def taken_back(w: Work, box: int, person: int, bet: str, amount_minor: int) -> bool:
    """A bettor took his stake of a void bet, or a part of it. False when he has not so many there; what he was paid is
    not his."""
    entry = _find(w.state, box, person, bet)
    if entry is None or amount_minor > entry.stake_minor:
        return False
    _put(w, replace(entry, stake_minor=entry.stake_minor - amount_minor))
    return True


def moved(w: Work, box: int, person: int, bet: str, net_minor: int) -> bool:
    """The dealer paid chips to a void bet (positive) or took some: what was taken goes back so, what was paid is
    recovered, and anything else is to be put right. False when that bet has nothing to be undone."""
    entry = _find(w.state, box, person, bet)
    if entry is None or abs(entry.float_minor - net_minor) > MAX_MOVED_MINOR:
        return False
    after = replace(entry, float_minor=entry.float_minor - net_minor)
    _put(w, after)
    w.facts.append(facts.PayoutMade(box, person, entry.bet, net_minor, after.float_minor))
    if abs(after.float_minor) > abs(entry.float_minor):
        code = "PAY_NO_BET" if net_minor > 0 else "TAKE_NO_BET"
        wanted = f"{format_money(abs(entry.float_minor))} goes back" if entry.float_minor else "nothing moves"
        text = f"{format_money(abs(net_minor))} {'paid' if net_minor > 0 else 'taken'} at box {box} person {person}"
        returns.put_back(w, code, f"the round is void: {wanted}", text)
    return True


def _find(state: BlackjackState, box: int, person: int, bet: str) -> Undone | None:
    at = (box, person, _name(bet))
    return next((e for e in state.undone if (e.box, e.person, e.bet) == at), None)


def _name(bet: str) -> str:
    return "main" if bet.partition(":")[0] in _OF_HANDS else bet


def _add(w: Work, box: int, person: int, bet: str, stake_minor: int, float_minor: int) -> None:
    had = _find(w.state, box, person, bet) or Undone(box, person, _name(bet), 0, 0)
    _put(w, replace(had, stake_minor=had.stake_minor + stake_minor, float_minor=had.float_minor + float_minor))


def _put(w: Work, entry: Undone) -> None:
    """Keep an entry, in the place of the one of the same bet; one with nothing left goes."""
    at = (entry.box, entry.person, entry.bet)
    entries = [e for e in w.state.undone if (e.box, e.person, e.bet) != at]
    if entry.stake_minor or entry.float_minor:
        entries.append(entry)
    w.state = replace(w.state, undone=tuple(sorted(entries, key=lambda e: (e.box, e.person, e.bet))))
    returns.all_back(w)
