"""What of a followed table is shown: lines as they come, envelopes as JSON, or a picture for the live view."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Final, assert_never

from rich.text import Text

from controller.app.narrate import narrate
from controller.bus.history import ArchivedEvent
from controller.bus.topics import Topics
from controller.bus.wire import time_us_of
from controller.cli.follow import GapNews, LinkNews, Meta, News, Snapshot, Status
from controller.cli.live import Picture
from controller.cli.screen import Screen, complain, styled
from controller.cli.sequence import Broken, InOrder
from controller.core.words import Line, Tone, clean, line

KEPT_LINES: Final = 60
"""Lines the live view remembers: no terminal shows more."""

_STATUS_TONES: Final = {"held": Tone.ALARM, "ready": Tone.STEP}


class Mode(Enum):
    """How to show a table."""

    LINES = "lines"
    JSON = "json"
    """the envelopes, one a line; troubles on standard error"""
    LIVE = "live"
    """nothing is printed, the picture is kept"""


class Viewer:
    """Shows news of a table. ``shown`` counts its events."""

    def __init__(
        self, topics: Topics, screen: Screen, mode: Mode, currency: str = "", *, starting: bool = False
    ) -> None:
        """``currency`` is that of the configuration; without one the table's own word is taken. ``starting``: the
        broker is only being started, so that it is no trouble before it was reached once."""
        self._screen = screen
        self._mode = mode
        self._currency = currency
        self._lines: deque[Line] = deque(maxlen=KEPT_LINES)
        self._starting = starting
        self._picture = Picture(topics.site, topics.table, {})
        if starting:
            self._picture = replace(self._picture, broker="connecting")
        self.shown = 0

    @property
    def picture(self) -> Picture:
        """The picture for the live view."""
        return replace(self._picture, lines=tuple(self._lines))

    def take(self, news: News) -> None:
        """Show what is new."""
        match news:
            case InOrder(event):
                self._event(event)
            case Broken(text):
                self._say(line(f"! {text}", Tone.WARN))
            case GapNews(first, last):
                self._say(line(f"! events {first} to {last} are missing: asked the table for them", Tone.WARN))
            case LinkNews(reason):
                self._link(reason)
            case Status(state, reason):
                text = f"table {state}" + (f": {reason}" if reason else "")
                self._say(line(text, _STATUS_TONES.get(state, Tone.WARN)))
                self._picture = replace(self._picture, status=clean(state), reason=clean(reason))
            case Snapshot(data):
                self._picture = replace(self._picture, state=data)
            case Meta(data):
                self._picture = replace(self._picture, meta=data)
            case _:
                assert_never(news)

    def _link(self, reason: str) -> None:
        if reason and self._starting:
            return
        self._starting = False
        self._say(line(f"! {reason}", Tone.WARN) if reason else line("connected to the broker", Tone.QUIET))
        self._picture = replace(self._picture, broker=clean(reason) or "connected", broker_ok=not reason)

    def _event(self, event: ArchivedEvent) -> None:
        self.shown += 1
        if self._mode is Mode.JSON:
            self._screen.print(event.envelope.decode())
            return
        envelope: dict[str, Any] = json.loads(event.envelope)
        data = envelope.get("data")
        event_type = str(envelope.get("type")).removeprefix("tablewatch.")
        currency = self._currency or clean(str(self._picture.meta.get("currency", "")), 8)
        game = str(self._picture.meta.get("game", ""))
        told = narrate(event_type, data if isinstance(data, dict) else {}, currency, game)
        if told is not None:
            self._say(told, f"{_clock(envelope.get('time'))} {event.sequence:>7} ")

    def _say(self, said: Line, head: str = "") -> None:
        self._lines.append(said)
        if self._mode is Mode.LINES:
            self._screen.print(Text.assemble((head or f"{'':17}", "dim"), styled(said)))
        elif self._mode is Mode.JSON and said.tone is Tone.WARN:
            complain(said.text)


def _clock(moment: object) -> str:
    try:
        return f"{datetime.fromtimestamp(time_us_of(moment) / 1_000_000, UTC):%H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return "--:--:--"
