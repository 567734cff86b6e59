"""Hands with cards that no source has read: what is certain about them, and duties found broken later."""

from __future__ import annotations

from typing import Final

from controller.core.cards import Card
from controller.core.records import replace
from controller.core.verdicts import Correction
from controller.games.blot.cards import DECK_MASK
from controller.games.blot.state import Deal, Denial, Play, Work, with_seat

TAKE_BACK: Final = Correction("take_back", "the card goes back to the hand, another one is played")
HAND_UNKNOWN: Final = Correction("hand_unknown", "the deal was misread: the hand counts as unread, the card is played")
ACCEPT: Final = Correction("accept", "the play stands as it is")


def owned(w: Work, deal: Deal, play: Play, seat: int, card: Card) -> bool:
    """Whether a card that is not among the known ones of a hand can be one of its unread cards; else the verdict."""
    bit = 1 << card.index
    if not DECK_MASK & bit:
        w.refuse("CARD_NOT_IN_DECK", "a card from 9 to A", f"{card} by seat {seat}", TAKE_BACK)
        return False
    left_up = 0 if deal.kept else 1 << deal.up
    if play.unknown[seat - 1] and not bit & (play.hands[2 - seat] | left_up):
        return True
    ways = (TAKE_BACK,) if bit & left_up else (TAKE_BACK, HAND_UNKNOWN)
    wanted = f"a card of seat {seat}'s hand"
    w.hold("CARD_NOT_OWNED", wanted, f"{card} by seat {seat}", *ways, key=f"owner:{seat}:{card.index}")
    return False


def identified(play: Play, seat: int, index: int) -> Play:
    """One of the unread cards of a hand is this one."""
    return replace(
        play,
        hands=with_seat(play.hands, seat, play.hands[seat - 1] | 1 << index),
        unknown=with_seat(play.unknown, seat, play.unknown[seat - 1] - 1),
        start=with_seat(play.start, seat, play.start[seat - 1] | 1 << index),
    )


def find_denial(play: Play, seat: int, card: Card) -> Denial | None:
    """The duty that this seat has broken earlier when it holds this card."""
    return next((d for d in play.denials if d.seat == seat and d.cards >> card.index & 1), None)


def say_late(w: Work, denial: Denial, card: Card) -> None:
    """A broken duty that has come to light."""
    wanted = f"no such card in seat {denial.seat}'s hand, by what it played in trick {denial.trick}"
    key = f"late:{denial.seat}:{denial.trick}"
    w.hold(denial.code, wanted, f"{card} from seat {denial.seat}", ACCEPT, key=key)


def unread_hand(w: Work, seat: int, index: int) -> None:
    """A supervisor says that the deal was misread: the cards of this seat count as unread, and so does the card of this
    index where it is recorded at the other seat."""
    play = w.state.play
    assert play is not None
    bit = 1 << index
    count = play.left(seat)
    play = replace(
        play,
        hands=with_seat(play.hands, seat, 0),
        unknown=with_seat(play.unknown, seat, count),
        start=with_seat(play.start, seat, play.start[seat - 1] & play.played),
    )
    other = 3 - seat
    if play.hands[other - 1] & bit:
        play = replace(
            play,
            hands=with_seat(play.hands, other, play.hands[other - 1] & ~bit),
            unknown=with_seat(play.unknown, other, play.unknown[other - 1] + 1),
            start=with_seat(play.start, other, play.start[other - 1] & ~bit),
        )
    w.state = replace(w.state, play=play)
