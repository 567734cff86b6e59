"""Chips that must go back: refused ones still lying on the felt, and the word that keeps it and void bets open."""

from __future__ import annotations

from typing import Final

from controller.core.limits import MAX_MOVED_MINOR
from controller.core.records import replace
from controller.core.verdicts import Correction, Settled
from controller.games.blackjack import facts
from controller.games.blackjack.state import BlackjackState, Moved, Undone, Work

WRITTEN_OFF: Final = Correction("write_off", "the chips are not there any more, or were settled by hand: forget them")

MOST_RETURNS: Final = 32
"""Refused chips remembered until they have gone back; more hold the table until they have."""

_KEY: Final = "returns"


def remember(w: Work, box: int, person: int, bet: str, net_minor: int, *, undone: bool = False) -> None:
    """Chips are to go back (positive: to the bettor). Chips of one bet are one entry. An accepted stake that is
    ``undone`` is always remembered."""
    entries = w.state.to_return
    for i, entry in enumerate(entries):
        if (entry.box, entry.person, entry.bet) == (box, person, bet) and entry.net_minor * net_minor > 0:
            now = max(-MAX_MOVED_MINOR, min(MAX_MOVED_MINOR, entry.net_minor + net_minor))
            w.state = replace(w.state, to_return=(*entries[:i], replace(entry, net_minor=now), *entries[i + 1 :]))
            return
    if undone or len(entries) < MOST_RETURNS:
        w.state = replace(w.state, to_return=(*entries, Moved(box, person, bet, net_minor)))
        return
    wanted = f"at most {MOST_RETURNS} bets with refused chips on the felt"
    w.hold("CHIPS_NOT_RETURNED", wanted, "one more", WRITTEN_OFF, key=_KEY)


def strike(w: Work, box: int, person: int, bet: str, net_minor: int) -> bool:
    """Chips went back: strike them off. False when they were not to go back, or not so many."""
    for i, entry in enumerate(w.state.to_return):
        if (entry.box, entry.person) != (box, person) or not _same_bet(entry.bet, bet):
            continue
        left = entry.net_minor - net_minor
        if entry.net_minor * net_minor <= 0 or left * entry.net_minor < 0:
            continue
        rest = (replace(entry, net_minor=left),) if left else ()
        w.state = replace(w.state, to_return=(*w.state.to_return[:i], *rest, *w.state.to_return[i + 1 :]))
        all_back(w)
        return True
    return False


def all_back(w: Work) -> None:
    """Close the matter when nothing has to go back any more."""
    if not owed(w.state):
        w.state = replace(w.state, overdue=False)
        w.findings.append(Settled(_KEY))


def owed(state: BlackjackState) -> int:
    """Bets with chips that have still to go back."""
    return len(state.to_return) + len(state.undone)


def remind(w: Work) -> None:
    """Whatever has still not gone back is kept open: the round is over, or the table is left."""
    if owed(w.state):
        w.state = replace(w.state, overdue=True)
        actual = f"{owed(w.state)} bets with chips that have not"
        put_back(w, "CHIPS_NOT_RETURNED", "refused chips and those of a void round go back", actual)


def waits(w: Work) -> bool:
    """True while the rules let no round begin before what outlived an earlier one has gone back."""
    return w.rules.settlement_gate == "hold" and w.state.overdue


def put_back(w: Work, code: str, expected: str, actual: str) -> None:
    """Keep it open until all chips have gone back, or are written off."""
    w.keep_open(code, expected, actual, WRITTEN_OFF, key=_KEY)


def write_off(w: Work) -> None:
    """A supervisor says that nothing has to go back any more."""
    refused, undone = w.state.to_return, w.state.undone
    net_minor = sum(m.net_minor for m in refused) + sum(returns_minor(u) for u in undone)
    w.facts.append(facts.ReturnsWrittenOff(owed(w.state), net_minor))
    w.state = replace(w.state, to_return=(), undone=(), overdue=False)


def returns_minor(bet: Undone) -> int:
    """What the bettor of a void bet is still to get, or to give when it is negative (minor units): what the float gives
    back first is part of the stake that he takes then."""
    return bet.stake_minor + bet.float_minor if bet.float_minor < 0 else max(bet.stake_minor, bet.float_minor)


def _same_bet(entry: str, bet: str) -> bool:
    """The same name, or the same kind of bet where one of them does not say which hand."""
    kind, _, hand = entry.partition(":")
    other, _, number = bet.partition(":")
    return entry == bet or (kind == other and kind in {"double", "split"} and not (hand and number))
