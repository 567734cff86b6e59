"""Following a table from outside: what `tablewatch tail` and small tools need of MQTT."""

from __future__ import annotations

import queue
from collections.abc import Sequence

from controller.bus.backoff import Backoff
from controller.bus.endpoint import Endpoint
from controller.bus.lineage import MAX_EVENT_BYTES
from controller.bus.link import Acknowledged, Denied, Link, Received
from controller.bus.session import MAX_WAIT_S, Session
from controller.bus.topics import valid_id
from controller.bus.wire import Message

MAX_WAITING = 10_000
"""Messages kept for a slow reader; the newest beyond it are dropped and counted."""


class Follower:
    """A client that stays subscribed, however often the broker goes. Its methods may be called from any
    thread.
    """

    def __init__(
        self, endpoints: Sequence[Endpoint], client: str, filters: Sequence[str], *, backoff: Backoff | None = None
    ) -> None:
        """``client`` is an id; ``filters`` may hold ``+`` and ``#``."""
        self._filters = tuple(filters)
        self._received: queue.Queue[Received] = queue.Queue(MAX_WAITING)
        self._outgoing: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._session = Session(
            endpoints, valid_id(client, "client"), self, max_payload=MAX_EVENT_BYTES, backoff=backoff
        )
        self._link: Link | None = None
        self.trouble = "not connected yet"
        self.dropped = 0

    def start(self) -> None:
        """Begin to connect."""
        self._session.start()

    def stop(self) -> None:
        """Say goodbye and end."""
        self._session.stop()

    def next(self, timeout_s: float) -> Received | None:
        """The next message, or None after ``timeout_s`` seconds."""
        try:
            return self._received.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def send(self, message: Message) -> None:
        """Publish, now or once connected; not repeated when the connection breaks under it."""
        self._outgoing.put(message)
        self._session.wake()

    def will(self) -> None:
        """Nobody misses a follower."""

    def connected(self, link: Link) -> None:
        """Subscribe."""
        self._link = link
        self.trouble = ""
        link.subscribe(self._filters)

    def disconnected(self, reason: str) -> None:
        """Remember why."""
        self._link = None
        self.trouble = reason

    def happened(self, event: Acknowledged | Received | Denied) -> None:
        """Keep what came."""
        match event:
            case Received():
                try:
                    self._received.put_nowait(event)
                except queue.Full:
                    self.dropped += 1
            case Denied(filters):
                self.trouble = f"the broker refused to subscribe {', '.join(filters)}; check its permissions"
            case Acknowledged():
                return

    def turn(self, now_s: float) -> float:
        """Send what waits."""
        while self._link is not None and not self._outgoing.empty():
            self._link.publish(self._outgoing.get())
        return MAX_WAIT_S

    def farewell(self, link: Link) -> None:
        """Nothing to say."""
