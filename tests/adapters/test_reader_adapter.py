"""What readers, rack and the shoe's sensors say becomes inputs of the table; nothing unreadable becomes "no card"."""

from __future__ import annotations

import pytest

from controller.adapters.link import Wiring
from controller.adapters.translate import translate
from controller.core.cards import Card
from controller.core.inputs import (
    CardDrawn,
    CardRacked,
    CardShown,
    CardUnreadable,
    DeviceFault,
    DeviceGap,
    DeviceOffline,
    DeviceReported,
    Input,
)
from drivers import messages as m
from drivers.api import Capabilities

SWIPE = Wiring("r", "reader", Capabilities())
BOX = Wiring("r", "reader", Capabilities(position=True))
TAG = Wiring("r", "reader", Capabilities(position=True, card_identity=True))
RACK = Wiring("r", "rack", Capabilities(identity=True, replay=True, position=True))
SHOE = Wiring("r", "shoe", Capabilities(identity=True, replay=True))
TAGS = {"04A1": Card("QH")}

CASES: list[tuple[Wiring, m.DeviceMessage, tuple[Input, ...]]] = [
    (SWIPE, m.CardPresent("swipe", 12, "H", "D1"), (CardDrawn("r", Card("QH")),)),
    (SWIPE, m.TagSeen("swipe", "04A1"), (CardDrawn("r", Card("QH")),)),
    (
        SWIPE,
        m.TagSeen("swipe", "04FF"),
        (CardUnreadable("r", "tag 04FF is of no enrolled deck: enrol it, or remove it"),),
    ),
    (SWIPE, m.CardGone("swipe", "04A1"), ()),
    (
        SWIPE,
        m.Collision("swipe", ("04A1", "04A2")),
        (CardUnreadable("r", "two cards lie at swipe: separate them"),),
    ),
    (SWIPE, m.ReadFailed("swipe", "smudged"), (CardUnreadable("r", "swipe: smudged"),)),
    (BOX, m.CardPresent("box-3", 12, "H"), (CardShown("r", 3, Card("QH"), 1),)),
    (BOX, m.TagSeen("box-3-2", "04A1"), (CardShown("r", 3, Card("QH"), 2, "04A1"),)),
    (BOX, m.TagSeen("dealer", "04A1"), (CardShown("r", 0, Card("QH"), 1, "04A1"),)),
    (BOX, m.TagSeen("burn", "04A1"), (CardRacked("r", "burn", Card("QH"), "04A1"),)),
    (BOX, m.CardPresent("discard", 12, "H", "D1"), (CardRacked("r", "discard", Card("QH")),)),
    (BOX, m.CardGone("box-3", "04A1"), (DeviceReported("r", "card_gone", "box-3 04A1"),)),
    (TAG, m.CardGone("dealer", "04A1"), (DeviceReported("r", "card_gone", "dealer"),)),
    (BOX, m.CardGone("box-3"), (DeviceReported("r", "card_gone", "box-3"),)),
    (BOX, m.Collision("box-3"), (DeviceFault("r", "collision", "two cards lie at box-3: separate them"),)),
    (
        BOX,
        m.Collision("box-3", ("04A1", "04FF")),
        (
            DeviceFault("r", "collision", "two cards lie at box-3: separate them"),
            CardShown("r", 3, Card("QH"), 1, "04A1"),
        ),
    ),
    (BOX, m.ReadFailed("box-3", "stacked"), (DeviceFault("r", "unreadable", "box-3: stacked"),)),
    (
        BOX,
        m.TagSeen("box-3", "04FF"),
        (DeviceFault("r", "unknown_tag", "tag 04FF is of no enrolled deck: enrol it, or remove it"),),
    ),
    (RACK, m.RackCounted(57), (DeviceReported("r", "rack_count", "57"),)),
    (RACK, m.TagSeen("discard", "04A1"), (CardRacked("r", "discard", Card("QH"), "04A1"),)),
    (SHOE, m.SensorChanged("lid", True), (DeviceFault("r", "lid_open", "the lid is open"),)),
    (SHOE, m.SensorChanged("tamper", False), (DeviceFault("r", "tamper", "the tamper sensor is tripped", True),)),
    (
        SHOE,
        m.SensorChanged("throat", True),
        (DeviceFault("r", "card_in_throat", "a card lies in the throat: draw it, or take it out"),),
    ),
    (SHOE, m.ShoeStarted("brown_out"), (DeviceReported("r", "started", "brown_out"),)),
]


@pytest.mark.parametrize(("device", "message", "inputs"), CASES)
def test_a_message_becomes_these_inputs(device: Wiring, message: m.DeviceMessage, inputs: tuple[Input, ...]) -> None:
    assert translate(device, message, {}, TAGS.get) == inputs


def test_without_a_register_no_tag_is_a_card() -> None:
    (fault,) = translate(BOX, m.TagSeen("box-1", "04A1"), {})
    assert isinstance(fault, DeviceFault)


def test_a_swipe_reader_is_a_source_of_cards_and_a_position_reader_is_not() -> None:
    down = m.LinkChanged(m.LinkState.DOWN, "unplugged")
    assert [type(event) for event in translate(SWIPE, down, {})] == [DeviceOffline, DeviceGap]
    assert [type(event) for event in translate(BOX, down, {})] == [DeviceOffline]
