"""Start the controller with a bug planted in it: ``planted.py BUG ARGUMENTS...``. A sleep widens each bug's window.

The product has no hooks for this: its own names are replaced before its own `main` runs.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Mapping

from controller.app.devices import Devices
from controller.app.engine import Engine
from controller.app.hub import Hub
from controller.bus.link import Link
from controller.bus.voice import Voice
from controller.bus.wire import Message
from controller.cli.main import main
from controller.core.sources.fusion import NOTHING, Fusion
from drivers.api import Report
from drivers.messages import DeviceMessage, KeyPressed, LinkChanged, LinkState
from drivers.native.stream import EventStream
from drivers.shoes.angel_eye.copies import New
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.telegram import Telegram

WINDOW_S = 0.2
CURSOR_WINDOW_S = 0.5


def acknowledge_before_commit() -> None:
    """A device is told that its event is durable before it is."""
    honest = Engine.report

    def hasty(self: Engine, device: str, report: Report, at_us: int) -> None:
        if report.identity:
            self._outlet.acknowledged(device, report.identity)
            time.sleep(WINDOW_S)
        honest(self, device, report, at_us)

    Engine.report = hasty  # type: ignore[method-assign]


def advance_before_acknowledgement() -> None:
    """The publisher's cursor says that events are out before the broker has them, or has even been sent them."""

    def hasty(self: Voice, link: Link) -> None:
        self._head = self._journal.head()
        if self._head > self._window.sent_through:
            events = self._journal.read(self._window.sent_through, self._window.room())
            self._cursor.advance(events[-1].sequence)
            self._cursor.flush()
            time.sleep(CURSOR_WINDOW_S)
            for event in events:
                self._window.sent(event.sequence, link.publish(Message(self._topics.evt, event.envelope)))

    Voice._send_events = hasty  # type: ignore[method-assign]


def forget_what_was_heard() -> None:
    """An event that comes again is taken for a new one; acknowledgements are slow, so that some do."""
    honest = Hub.acknowledged

    def slow(self: Hub, device: str, identity: str) -> None:
        time.sleep(WINDOW_S)
        honest(self, device, identity)

    Hub.acknowledged = slow  # type: ignore[method-assign]

    def engine_never(self: Engine, identity: str) -> bool:
        return False

    def stream_never(self: EventStream, number: int) -> bool:
        return False

    def begin_anew(self: Devices, heard: Mapping[str, str], fusion: Fusion = NOTHING) -> None:
        return None

    Engine._heard_before = engine_never  # type: ignore[method-assign]
    EventStream.is_duplicate = stream_never  # type: ignore[method-assign]
    Devices.resume = begin_anew  # type: ignore[method-assign]


def session_dies() -> None:
    """The shoe's driver raises at the second card, once."""
    honest = AngelEyeDriver._take_new
    taken = itertools.count(1)

    def fragile(self: AngelEyeDriver, telegram: Telegram, new: New, messages: tuple[DeviceMessage, ...]) -> None:
        if next(taken) == 2:
            raise ZeroDivisionError("planted in the driver")
        honest(self, telegram, new, messages)

    AngelEyeDriver._take_new = fragile  # type: ignore[method-assign]


def publication_dies() -> None:
    """The publisher raises at the third turn of its first connection."""
    honest = Voice.turn
    turns = itertools.count(1)

    def fragile(self: Voice, now_s: float) -> float:
        if next(turns) == 3:
            raise ZeroDivisionError("planted in the publisher")
        return honest(self, now_s)

    Voice.turn = fragile  # type: ignore[method-assign]


def writer_dies() -> None:
    """The table's writer raises at a key that is pressed."""
    honest = Engine.report

    def fragile(self: Engine, device: str, report: Report, at_us: int) -> None:
        if isinstance(report.message, KeyPressed):
            raise ZeroDivisionError("planted in the writer")
        honest(self, device, report, at_us)

    Engine.report = fragile  # type: ignore[method-assign]


def drop_at_a_replug() -> None:
    """What a device that comes back says first is acknowledged and put on no record."""
    honest = Engine.report
    back: set[str] = set()

    def forgetful(self: Engine, device: str, report: Report, at_us: int) -> None:
        if isinstance(report.message, LinkChanged) and report.message.state is LinkState.DOWN:
            back.add(device)
        if report.identity and report.reliable and device in back:
            back.discard(device)
            self._outlet.acknowledged(device, report.identity)
            return
        honest(self, device, report, at_us)

    Engine.report = forgetful  # type: ignore[method-assign]


BUGS = {
    "dropped-at-a-replug": drop_at_a_replug,
    "session-dies": session_dies,
    "publication-dies": publication_dies,
    "writer-dies": writer_dies,
    "acknowledge-before-commit": acknowledge_before_commit,
    "cursor-before-acknowledgement": advance_before_acknowledgement,
    "duplicates-not-recognised": forget_what_was_heard,
}

if __name__ == "__main__":
    BUGS[sys.argv.pop(1)]()
    main()
