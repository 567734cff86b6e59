"""Finding and replacing boxes and hands in the frozen state."""

from __future__ import annotations

from controller.core.records import replace
from controller.games.blackjack.hand import Box, Hand
from controller.games.blackjack.state import BlackjackState, Phase


def box_of(state: BlackjackState, number: int) -> Box | None:
    """The box in play of this number."""
    for box in state.boxes:
        if box.number == number:
            return box
    return None


def hand_of(state: BlackjackState, box_number: int, hand_number: int) -> Hand | None:
    """The hand of this number of a box."""
    box = box_of(state, box_number)
    if box is not None:
        for hand in box.hands:
            if hand.number == hand_number:
                return hand
    return None


def deciding_hand(state: BlackjackState) -> tuple[Box, Hand] | None:
    """The hand whose turn it is, with its box."""
    if state.phase is not Phase.PLAYERS:
        return None
    box = box_of(state, state.turn[0])
    hand = hand_of(state, *state.turn)
    return (box, hand) if box is not None and hand is not None else None


def put_box(state: BlackjackState, box: Box) -> BlackjackState:
    """The state with this box instead of the one of its number; a box without stakes leaves the state."""
    boxes = state.boxes
    for i, old in enumerate(boxes):
        if old.number == box.number:
            rest = (box,) if box.mains else ()
            return replace(state, boxes=(*boxes[:i], *rest, *boxes[i + 1 :]))
    return replace(state, boxes=tuple(sorted((*boxes, box), key=_number)))


def put_hand(state: BlackjackState, box_number: int, hand: Hand) -> BlackjackState:
    """The state with this hand instead of the one of its number."""
    boxes = state.boxes
    for i, box in enumerate(boxes):
        if box.number == box_number:
            hands = tuple([hand if h.number == hand.number else h for h in box.hands])
            return replace(state, boxes=(*boxes[:i], replace(box, hands=hands), *boxes[i + 1 :]))
    raise AssertionError(f"box {box_number} is not in play")


def _number(box: Box) -> int:
    return box.number
