"""Start the controller with a bug planted in it: ``planted.py BUG ARGUMENTS...``. A sleep widens each bug's window.

The product has no hooks for this: its own names are replaced before its own `main` runs.
"""

from __future__ import annotations

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
from drivers.api import Report
from drivers.native.stream import EventStream

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

    def begin_anew(self: Devices, heard: Mapping[str, str]) -> None:
        return None

    Engine._heard_before = engine_never  # type: ignore[method-assign]
    EventStream.is_duplicate = stream_never  # type: ignore[method-assign]
    Devices.resume = begin_anew  # type: ignore[method-assign]


BUGS = {
    "acknowledge-before-commit": acknowledge_before_commit,
    "cursor-before-acknowledgement": advance_before_acknowledgement,
    "duplicates-not-recognised": forget_what_was_heard,
}

if __name__ == "__main__":
    BUGS[sys.argv.pop(1)]()
    main()
