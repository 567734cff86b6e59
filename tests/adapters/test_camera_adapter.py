"""What the camera's process says becomes inputs of the table; what is no line of it is refused in one line."""

from __future__ import annotations

import pytest

from controller.adapters.camera import camera_wiring, report_of
from controller.adapters.translate import translate
from controller.core.cards import Card
from controller.core.inputs import CardShown, DeviceFault, DeviceOffline, DeviceOnline, DeviceReported, Input
from controller.core.sources import EVERY_HAND

EYE = camera_wiring("eye", ("dealer", "box-3"))

CASES: list[tuple[str, tuple[Input, ...]]] = [
    ('{"link": "up"}', (DeviceOnline("eye"),)),
    ('{"link": "down", "reason": "cable\\u001b[2J"}', (DeviceOffline("eye", "cable?[2J"),)),
    (
        '{"fault": "moved", "reason": "put it back", "cleared": false}',
        (DeviceFault("eye", "moved", "put it back"),),
    ),
    (
        '{"fault": "moved", "reason": "put it back", "cleared": true}',
        (DeviceFault("eye", "moved", "put it back", cleared=True),),
    ),
    ('{"card": "KH", "at": "dealer"}', (CardShown("eye", 0, Card("KH")),)),
    ('{"card": "TS", "at": "box-3"}', (CardShown("eye", 3, Card("TS")),)),
    ('{"card": "TS", "at": "box-3-2"}', (CardShown("eye", 3, Card("TS"), 2),)),
    ('{"gone": "TS", "at": "box-3"}', (DeviceReported("eye", "card_gone", "box-3 TS"),)),
    (
        '{"unread": "light bleaches the print", "at": "box-3"}',
        (DeviceFault("eye", "unreadable", "box-3: light bleaches the print"),),
    ),
]


@pytest.mark.parametrize(("line", "wanted"), CASES)
def test_a_line_becomes_inputs(line: str, wanted: tuple[Input, ...]) -> None:
    assert translate(EYE, report_of(line).message, {}) == wanted


@pytest.mark.parametrize(
    "line",
    [
        "",
        "KH",
        "[]",
        "null",
        '{"card": "ZZ", "at": "box-1"}',
        '{"card": "KH", "at": "the left one"}',
        '{"card": "KH", "at": "swipe"}',
        '{"card": "KH"}',
        '{"card": 7, "at": "box-1"}',
        '{"link": "up", "card": "KH"}',
        '{"link": "sideways"}',
        '{"fault": "moved", "reason": "x", "cleared": "yes"}',
        "[" * 100_000,
        "{" * 4000 + "\x1b",
    ],
)
def test_what_is_no_line_of_a_camera_is_refused_in_one_line(line: str) -> None:
    with pytest.raises(ValueError, match="not a line of a camera") as refused:
        report_of(line)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 200


def test_a_camera_that_was_away_leaves_no_gap_in_the_cards_of_the_shoe() -> None:
    assert not EYE.sees_cards


def test_hands_of_a_box_are_told_apart_only_where_they_have_regions_of_their_own() -> None:
    wiring = camera_wiring("eye", ("dealer", "box-1", "box-3", "box-3-2", "burn"))
    assert wiring.spots == ((0, 1), (1, EVERY_HAND), (3, 1), (3, 2))
