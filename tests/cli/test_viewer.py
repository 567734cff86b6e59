"""What a viewer says of the connection to a broker."""

from __future__ import annotations

import io
import json

import pytest

from controller.bus.history import ArchivedEvent
from controller.bus.topics import Topics
from controller.cli.follow import LinkNews, Meta
from controller.cli.screen import Screen
from controller.cli.sequence import InOrder
from controller.cli.viewer import Mode, Viewer

REFUSED = LinkNews("127.0.0.1:1883: connection refused")


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


def viewer(out: io.StringIO, *, starting: bool) -> Viewer:
    return Viewer(Topics("lv1", "bj-012"), Screen(out), Mode.LINES, starting=starting)


def test_a_broker_that_is_being_started_is_waited_for_without_an_error(out: io.StringIO) -> None:
    seen = viewer(out, starting=True)
    assert seen.picture.broker == "connecting"
    seen.take(REFUSED)
    assert (seen.picture.broker, seen.picture.lines, out.getvalue()) == ("connecting", (), "")


def test_once_it_was_reached_its_loss_is_told(out: io.StringIO) -> None:
    seen = viewer(out, starting=True)
    seen.take(LinkNews(""))
    assert (seen.picture.broker, seen.picture.broker_ok) == ("connected", True)
    seen.take(REFUSED)
    assert (seen.picture.broker, seen.picture.broker_ok) == (REFUSED.reason, False)


def test_a_card_lies_where_the_game_says_that_it_lies(out: io.StringIO) -> None:
    seen = viewer(out, starting=False)
    seen.take(Meta({"game": "blot"}))
    shown = {"hidden": "1-1:4", "card": "KD", "box": 2, "hand": 1}
    envelope = json.dumps({"type": "tablewatch.card.revealed", "data": shown}).encode()
    seen.take(InOrder(ArchivedEvent("01J", 7, "00", "00", envelope)))
    assert "K♦ shown at seat 2" in out.getvalue()


def test_elsewhere_a_broker_that_cannot_be_reached_is_told_at_once(out: io.StringIO) -> None:
    seen = viewer(out, starting=False)
    seen.take(REFUSED)
    assert seen.picture.broker == REFUSED.reason
    assert f"! {REFUSED.reason}" in out.getvalue()
