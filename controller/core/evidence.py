"""Inputs as one line: as evidence, with every field, and as a person says what came."""

from __future__ import annotations

from typing import assert_never

from controller.core.inputs import (
    CardDrawn,
    CardLaid,
    CardRacked,
    CardShown,
    CardUnreadable,
    ChipsCollected,
    ChipsPaid,
    CutCardDrawn,
    DealerSignalled,
    DecisionSignalled,
    DeckSpread,
    GameInput,
    Input,
    WagerPlaced,
    WagerWithdrawn,
)
from controller.core.words import bettor, money, spot

_LEFT_OUT = frozenset({"TYPE", "rules", "counts"})


def describe(event: Input, *, hidden: bool = False) -> str:
    """An input as one line, every field by its name, for the evidence of a verdict; the face of a ``hidden`` card is
    left out, and that of one in the burn or discard place with its tag."""
    left_out = _LEFT_OUT | {"card"} if hidden else _LEFT_OUT
    left_out = _LEFT_OUT | {"card", "tag"} if isinstance(event, CardRacked) else left_out
    parts = [f"{name}={getattr(event, name)}" for name in event.__dataclass_fields__ if name not in left_out]
    return f"{event.TYPE} " + " ".join(p for p in parts if not p.endswith(("=", "=None")))


def said(event: GameInput) -> str:
    """What came, as a person says it; for a table that is closed or held, whose game has no word on it."""
    match event:
        case CardDrawn():
            return f"{event.card} out of {event.device}"
        case CardUnreadable():
            return f"an unreadable card out of {event.device}"
        case CutCardDrawn():
            return f"the cut card out of {event.device}"
        case CardLaid():
            return f"a card at {spot(event.box, event.hand)}"
        case DeckSpread():
            return f"{sum(event.counts)} cards spread"
        case WagerPlaced():
            return f"{_chips(event)} laid"
        case WagerWithdrawn():
            return f"{_chips(event)} taken back"
        case ChipsCollected():
            return f"{_chips(event)} taken"
        case ChipsPaid():
            return f"{_chips(event)} paid"
        case DecisionSignalled():
            return f"{event.action} at {spot(event.box, event.hand)}".replace("_", " ")
        case DealerSignalled():
            return event.signal.replace("_", " ")
        case CardShown() | CardRacked():
            raise AssertionError("what an onlooker sees is refused at no table")
        case _:
            assert_never(event)


def _chips(event: WagerPlaced | WagerWithdrawn | ChipsCollected | ChipsPaid) -> str:
    return f"{money(event.amount_minor)} at {bettor(event.box, event.person, event.bet)}"
