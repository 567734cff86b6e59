"""What the camera's process says, as messages of a device: to the table a camera is a reader of many positions.

The process writes one JSON object a line:

- ``{"link": "up"}``, ``{"link": "down", "reason": …}``: whether what it sees can be believed now
- ``{"fault": CODE, "reason": …, "cleared": false}``: what is wrong with camera or process, and that it is over
- ``{"card": "KH", "at": "box-1"}``: a card came to lie there and was read, once for each card
- ``{"gone": "KH", "at": "box-1"}``: it is not there any more
- ``{"unread": …, "at": "box-1"}``: a card lies there that cannot be read, and why
- an empty line: it looks, and has nothing else to say
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from controller.adapters.link import Wiring
from controller.core.cards import Card
from controller.core.sources import EVERY_HAND
from controller.core.words import clean
from drivers import messages as m
from drivers.api import Capabilities, Report
from drivers.readers.options import SWIPE, spot_of

KIND: Final = "camera"
MAX_LINE: Final = 4096
"""Characters of a line; a longer one is not of a camera's process."""


def camera_wiring(name: str, positions: Iterable[str]) -> Wiring:
    """A camera as the other adapters know a device: it says where a card lies and tells equal cards not apart. A box
    of which it looks at hand 1 alone is looked at as a whole: its hands are not told apart."""
    spots = {spot for position in positions if (spot := spot_of(position)) is not None}
    several = {box for box, hand in spots if hand > 1}
    told = {(box, hand if box in several or box == 0 else EVERY_HAND) for box, hand in spots}
    return Wiring(name, KIND, Capabilities(position=True), tuple(sorted(told)))


def report_of(line: str) -> Report:
    """The message that a line of the camera's process stands for; none has an identity, for a camera keeps nothing.

    Raises ValueError, one line, for a line that is none.
    """
    try:
        data = json.loads(line)
        if not isinstance(data, dict):
            raise ValueError("not an object")
        return Report(_message(data))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"not a line of a camera: {clean(line[:80])!r} ({type(error).__name__})") from None


def _message(data: dict[str, Any]) -> m.DeviceMessage:
    match data:
        case {"link": "up", **rest} if not rest:
            return m.LinkChanged(m.LinkState.UP, "the table is seen")
        case {"link": "down", "reason": str(reason)}:
            return m.LinkChanged(m.LinkState.DOWN, clean(reason))
        case {"fault": str(code), "reason": str(reason), "cleared": bool(cleared)}:
            return m.LineFault(clean(code), clean(reason), cleared)
        case {"card": str(face), "at": str(position)}:
            card = Card(face)
            return m.CardPresent(_position(position), card.rank, card.suit)
        case {"gone": str(face), "at": str(position)}:
            return m.CardGone(_position(position), Card(face).text)
        case {"unread": str(reason), "at": str(position)}:
            return m.ReadFailed(_position(position), clean(reason))
    raise ValueError("no such message")


def _position(word: str) -> str:
    spot_of(word)
    if word == SWIPE:
        raise ValueError("a camera sees where cards lie, not how they pass")
    return word
