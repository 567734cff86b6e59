"""Chips that must go back: refused ones still lying on the felt, and what a voided round undoes."""

from __future__ import annotations

from typing import Final

from controller.core.limits import MAX_MOVED_MINOR
from controller.core.records import replace
from controller.core.verdicts import Correction, Settled
from controller.games.blackjack import facts
from controller.games.blackjack.state import Moved, Work

WRITTEN_OFF: Final = Correction("write_off", "the chips are not there any more, or were settled by hand: forget them")

MOST_RETURNS: Final = 32
"""Refused chips remembered until they have gone back; more hold the table until they have."""

_KEY: Final = "returns"


def remember(w: Work, box: int, person: int, bet: str, net_minor: int, *, undone: bool = False) -> None:
    """Chips are to go back (positive: to the bettor). Chips of one bet are one entry. What a voided round undoes is
    always remembered; the chips moved in a round have a limit of their own."""
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
        if not w.state.to_return:
            w.findings.append(Settled(_KEY))
        return True
    return False


def remind(w: Work) -> None:
    """The round is over and chips have still not gone back."""
    actual = f"{len(w.state.to_return)} bets with chips that have not"
    put_back(w, "CHIPS_NOT_RETURNED", "refused chips go back to the bettors", actual)


def put_back(w: Work, code: str, expected: str, actual: str) -> None:
    """Keep it open until all chips have gone back, or are written off."""
    w.keep_open(code, expected, actual, WRITTEN_OFF, key=_KEY)


def write_off(w: Work) -> None:
    """A supervisor says that nothing has to go back any more."""
    entries = w.state.to_return
    w.facts.append(facts.ReturnsWrittenOff(len(entries), sum(m.net_minor for m in entries)))
    w.state = replace(w.state, to_return=())


def _same_bet(entry: str, bet: str) -> bool:
    """The same name, or the same kind of bet where one of them does not say which hand."""
    kind, _, hand = entry.partition(":")
    other, _, number = bet.partition(":")
    return entry == bet or (kind == other and kind in {"double", "split"} and not (hand and number))
