"""Cards laid at places: what presence sensors noticed, compared with where each card was due.

A table has sensors at every place or none. Without them nothing is compared. A card may be noticed before its source
has announced it. After the deal, the places are where tricks are played and say nothing.
"""

from __future__ import annotations

from typing import Final

from controller.core.inputs import CardLaid
from controller.core.records import replace
from controller.core.verdicts import Correction
from controller.games.blot.state import IN_DEAL, Work

MOVE: Final = Correction("move", "nothing was dealt since: move the card to the right place")
LIES_RIGHT: Final = Correction("lies_right", "the sensor was wrong: the card lies where it was due")
NAME_UNSEEN: Final = Correction("name_card", "a supervisor names the card after looking at it", needs_card=True)
NO_CARD: Final = Correction("no_card", "the sensor was wrong: there is no card")

MOST_UNCONFIRMED: Final = 8
"""Cards a sensor may be behind the shoe."""
MOST_EARLY: Final = 4
"""Places remembered where a card lies that no source has announced; the second one already holds the table."""


def place_name(place: int) -> str:
    """A place for people."""
    return f"seat {place}" if place else "the table"


def laid(w: Work, event: CardLaid) -> None:
    """A place's sensor noticed a card: it must be the place a card was due at."""
    deal = w.state.deal
    if deal is None:
        return
    behind = range(max(deal.confirmed, deal.dealt - MOST_UNCONFIRMED), deal.dealt)
    found = next((i for i in behind if deal.plan[i] == event.box), None)
    if found is not None:
        w.state = replace(w.state, deal=replace(deal, confirmed=found + 1))
    elif w.state.phase not in IN_DEAL:
        return
    elif behind:
        wanted = deal.plan[behind[0]]
        w.state = replace(w.state, deal=replace(deal, confirmed=behind[0] + 1))
        wrong_place(w, wanted, event.box, last=len(behind) == 1)
    elif len(w.state.early) < MOST_EARLY:
        w.state = replace(w.state, early=(*w.state.early, event.box))
        if len(w.state.early) > 1:
            unseen(w)


def placed(w: Work, place: int) -> None:
    """A card was dealt to a place; where a sensor had noticed one before, it was this one."""
    if not w.state.early:
        return
    where, early, deal = w.state.early[0], w.state.early[1:], w.state.deal
    assert deal is not None
    w.state = replace(w.state, early=early, deal=replace(deal, confirmed=deal.dealt))
    if where != place:
        wrong_place(w, place, where, last=True)


def unseen(w: Work) -> None:
    """A card lies at a place and no source has announced it: nothing goes on before somebody has looked."""
    where = place_name(w.state.early[0])
    actual = "another card was laid before it"
    w.hold("CARD_UNSEEN", f"the card at {where} is announced by the shoe", actual, NAME_UNSEEN, NO_CARD, key="unseen")


def next_early(w: Work) -> None:
    """The first unannounced card is dealt with; others that were noticed meanwhile are next."""
    w.state = replace(w.state, early=w.state.early[1:])
    if len(w.state.early) > 1:
        unseen(w)


def wrong_place(w: Work, wanted: int, where: int, *, last: bool) -> None:
    """A card lies elsewhere than it was due."""
    ways = (MOVE, LIES_RIGHT) if last else (LIES_RIGHT,)
    expected, actual = f"the card goes to {place_name(wanted)}", f"it was laid at {place_name(where)}"
    w.hold("WRONG_DESTINATION", expected, actual, *ways, key=f"laid:{wanted}:{where}")
