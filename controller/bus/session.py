"""Staying connected: one thread that connects, lets its handler work, and connects again with a fresh
client.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Sequence
from typing import Protocol, assert_never

from controller.bus.backoff import Backoff
from controller.bus.endpoint import Endpoint
from controller.bus.link import Acknowledged, Denied, Link, LinkError, Lost, Received, Woken
from controller.bus.wire import Message

MAX_WAIT_S = 0.25
MAX_BURST = 256
"""Events taken before the handler gets its turn again, so that a flood cannot starve it."""


class Handler(Protocol):
    """What uses the connection. All methods are called on the session's thread."""

    def will(self) -> Message | None:
        """What the broker says for us when we die, if anything."""
        ...

    def connected(self, link: Link) -> None:
        """A fresh connection is up."""
        ...

    def disconnected(self, reason: str) -> None:
        """It is gone, or could not be made; ``reason`` is one line for a person."""
        ...

    def happened(self, event: Acknowledged | Received | Denied) -> None:
        """Something came from the broker."""
        ...

    def turn(self, now_s: float) -> float:
        """Do what is due (``now_s`` is monotonic); returns the seconds until something is due again."""
        ...

    def farewell(self, link: Link) -> None:
        """The session stops while connected: last words, before the goodbye."""
        ...


class Session:
    """The thread. ``endpoints`` are tried in turn."""

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        name: str,
        handler: Handler,
        *,
        max_payload: int,
        backoff: Backoff | None = None,
    ) -> None:
        """``name`` begins the client id; the rest is fresh each time, because a broker slows an id used
        again.
        """
        if not endpoints:
            raise ValueError("a session needs at least one broker")
        self._endpoints = tuple(endpoints)
        self._name = name
        self._handler = handler
        self._max_payload = max_payload
        self._backoff = backoff or Backoff()
        self._stop = threading.Event()
        self._link: Link | None = None
        self._thread = threading.Thread(target=self._run, name=f"mqtt-{name}")

    @property
    def running(self) -> bool:
        """True while the thread lives."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin, once."""
        self._thread.start()

    def wake(self) -> None:
        """There is something to do: give the handler its turn now. From any thread."""
        link = self._link
        if link is not None:
            link.wake()

    def stop(self) -> None:
        """Last words, goodbye, and wait for the thread; at once when it is not connected."""
        self._stop.set()
        self.wake()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        turn = 0
        while not self._stop.is_set():
            endpoint = self._endpoints[turn % len(self._endpoints)]
            turn += 1
            try:
                link = Link(endpoint, f"{self._name}-{secrets.token_hex(4)}", self._handler.will(), self._max_payload)
                link.open()
            except LinkError as error:
                self._handler.disconnected(str(error))
            else:
                self._backoff.reset()
                try:
                    reason = self._serve(link)
                finally:
                    # Also when a mistake of ours ends this thread: the broker must then send the will.
                    self._link = None
                    link.abort()
                self._handler.disconnected(reason)
            if not self._stop.is_set():
                self._stop.wait(self._backoff.next_s())

    def _serve(self, link: Link) -> str:
        """Work on a connection until it is lost (returns why) or the session stops."""
        self._link = link
        self._handler.connected(link)
        while not self._stop.is_set():
            wait_s = min(MAX_WAIT_S, self._handler.turn(time.monotonic()))
            for _ in range(MAX_BURST):
                event = link.next(wait_s)
                wait_s = 0.0
                match event:
                    case None:
                        break
                    case Woken():
                        continue
                    case Lost(reason):
                        return reason
                    case Acknowledged() | Received() | Denied():
                        self._handler.happened(event)
                    case _:
                        assert_never(event)
        self._handler.farewell(link)
        link.close()
        return "stopped"
