"""What card readers and the discard rack say, as inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from controller.adapters.link import Wiring
from controller.core.cards import Card
from controller.core.inputs import CardDrawn, CardRacked, CardShown, CardUnreadable, DeviceFault, DeviceReported, Input
from drivers import messages as m
from drivers.readers.options import SWIPE, spot_of

ReaderMessage = m.CardPresent | m.TagSeen | m.CardGone | m.Collision | m.ReadFailed | m.RackCounted

Faces = Callable[[str], Card | None]
"""The card of a tag's UID (upper-case hex); None for a tag of no enrolled deck."""


def no_faces(uid: str) -> Card | None:
    """Where there is no deck register no tag is known."""
    return None


def inputs_of(device: Wiring, message: ReaderMessage, faces: Faces) -> tuple[Input, ...]:
    """Inputs of a reader's message. A card passed over a swipe reader is drawn; one that lies at a spot is shown there;
    in the burn and discard places it is out of the round. What cannot be read is never "no card"."""
    match message:
        case m.CardPresent(position, rank, suit):
            return _card(device, position, Card.of(rank, suit))
        case m.TagSeen(position, uid):
            card = faces(uid)
            if card is None:
                return _unread(
                    device, position, "unknown_tag", f"tag {uid} is of no enrolled deck: enrol it, or remove it"
                )
            return _card(device, position, card, uid)
        case m.CardGone(position, uid):
            if position == SWIPE:
                return ()
            known = "" if device.capabilities.card_identity else uid  # whoever has seen a tag before knows the card
            return (DeviceReported(device.name, "card_gone", f"{position} {known}".rstrip()),)
        case m.Collision(position, uids):
            fault = _unread(device, position, "collision", f"two cards lie at {position}: separate them")
            return (*fault, *_both(device, position, uids, faces))
        case m.ReadFailed(position, detail):
            return _unread(device, position, "unreadable", f"{position}: {detail}")
        case m.RackCounted(count):
            return (DeviceReported(device.name, "rack_count", str(count)),)


def _both(device: Wiring, position: str, uids: tuple[str, ...], faces: Faces) -> Iterator[Input]:
    """Of two tags at a place where cards lie both were read, so both are known."""
    if spot_of(position) is not None:
        for uid in uids:
            card = faces(uid)
            if card is not None:
                yield from _card(device, position, card, uid)


def _card(device: Wiring, position: str, card: Card, tag: str = "") -> tuple[Input, ...]:
    if position == SWIPE:
        return (CardDrawn(device.name, card),)
    spot = spot_of(position)
    if spot is None:
        return (CardRacked(device.name, position, card, tag),)
    box, hand = spot
    return (CardShown(device.name, box, card, hand, tag),)


def _unread(device: Wiring, position: str, code: str, reason: str) -> tuple[Input, ...]:
    if position == SWIPE:
        return (CardUnreadable(device.name, reason),)
    return (DeviceFault(device.name, code, reason),)
