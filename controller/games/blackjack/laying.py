"""Cards laid at spots: what presence sensors noticed, compared with where each card was due.

A table has sensors at every spot or none. Without them nothing is compared: the spots of the last cards stay
unconfirmed. A card may be noticed before its source has announced it.
"""

from __future__ import annotations

from typing import Final

from controller.core.inputs import CardLaid
from controller.core.records import replace
from controller.core.verdicts import Correction
from controller.games.blackjack import procedure
from controller.games.blackjack.hand import Status
from controller.games.blackjack.lookup import hand_of
from controller.games.blackjack.state import Phase, Spot, Work

MOVE: Final = Correction("move", "nothing was dealt since: move the card to the right spot")
LIES_RIGHT: Final = Correction("lies_right", "the sensor was wrong: the card lies where it was due")
TO_THE_RACK: Final = Correction("to_the_rack", "put the card into the discard rack")
NAME_UNSEEN: Final = Correction("name_card", "a supervisor names the card after looking at it", needs_card=True)
STAYS: Final = Correction("stays", "the card stays where it lies: it is the second card of that hand")
NO_CARD: Final = Correction("no_card", "the sensor was wrong: there is no card")

MOST_UNLAID: Final = 8
"""Spots remembered until a sensor confirms them; a sensor is at most a card or two behind."""
MOST_EARLY: Final = 4
"""Spots remembered where a card lies that no source has announced; the second one already holds the table."""


def laid(w: Work, event: CardLaid) -> None:
    """A spot's sensor noticed a card: it must be the spot a card was due at. Spread packs are not followed."""
    state = w.state
    if state.shoe is None:
        return
    where = Spot(event.box, event.hand)
    if where in state.unlaid:
        w.state = replace(state, unlaid=state.unlaid[state.unlaid.index(where) + 1 :])
    elif state.unlaid:
        wanted, rest = state.unlaid[0], state.unlaid[1:]
        w.state = replace(state, unlaid=rest)
        wrong_box(w, wanted, where, last=not rest)
    elif state.phase is Phase.BURN and state.burned:
        _burn_laid(w, where)
    elif state.loose and state.loose[-1].at is None:
        noticed(w, where)
    elif len(state.early) < MOST_EARLY:
        w.state = replace(state, early=(*state.early, where))
        if state.early:
            unseen(w, f"a card laid at {where} before it")


def placed(w: Work, spot: Spot) -> None:
    """A card was given to a spot: it is to be noticed there, or was already."""
    state = w.state
    if not state.early:
        w.state = replace(state, unlaid=(*state.unlaid[1 - MOST_UNLAID :], spot))
        return
    where = state.early[0]
    w.state = replace(state, early=state.early[1:])
    if where != spot:
        wrong_box(w, spot, where, last=True)


def burned(w: Work) -> None:
    """A card came that has to be burned: it must not have been laid at a spot."""
    if w.state.early:
        where = w.state.early[0]
        w.state = replace(w.state, early=w.state.early[1:])
        _burn_laid(w, where)


def noticed(w: Work, where: Spot) -> None:
    """The newest card that was not due lies at ``where``: some places say more about what went wrong."""
    *others, aside = w.state.loose
    w.state = replace(w.state, loose=(*others, replace(aside, at=where)))
    playing = w.state.phase in {Phase.INSURANCE, Phase.PLAYERS}
    if playing and where.box == 0 and w.rules.hole_card == "none" and len(w.state.dealer) == 1:
        ways = (procedure.NEXT_CARD, procedure.EXPOSED)
        return w.hold("HOLE_CARD", "no second card of the dealer before his turn", "he has one", *ways, key=aside.key)
    hand = hand_of(w.state, where.box, where.hand)
    if playing and hand is not None and hand.status is Status.WAITING and len(hand.cards) == 1:
        wanted = f"the second card to {where} when the hands before it are played"
        return w.hold("SPLIT_ORDER", wanted, f"{aside} lies there", STAYS, procedure.BURN, key=aside.key)
    return None


def unseen(w: Work, actual: str) -> None:
    """A card lies at a spot and no source has announced it: nothing goes on before somebody has looked."""
    where = w.state.early[0]
    w.hold("CARD_UNSEEN", f"the card at {where} is announced by the shoe", actual, NAME_UNSEEN, NO_CARD, key="unseen")


def _burn_laid(w: Work, where: Spot) -> None:
    wanted = "the first cards of the shoe go to the discard rack"
    w.hold("BURN_MISSING", wanted, f"a card was laid at {where}", TO_THE_RACK, LIES_RIGHT, key="laid")


def wrong_box(w: Work, wanted: Spot, where: Spot, *, last: bool) -> None:
    """A card lies at another spot than the one due; it may be moved while it is the ``last`` one dealt."""
    ways = (MOVE, LIES_RIGHT) if last else (LIES_RIGHT,)
    key = f"laid:{wanted.box}:{wanted.hand}:{where.box}"
    w.hold("WRONG_BOX", f"the card goes to {wanted}", f"it was laid at {where}", *ways, key=key)
