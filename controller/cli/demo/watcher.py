"""An observer on the bus: the newest state and status of one table, and its last events."""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

from controller.bus.endpoint import Endpoint
from controller.bus.follower import Follower
from controller.bus.link import Received
from controller.bus.topics import Topics
from controller.bus.wire import BadJsonError, from_json

MAX_BYTES = 512 * 1024
KEPT_EVENTS = 200
POLL_S = 0.2


class Watcher:
    """Follows a table over MQTT in a thread of its own; what it knows may be read from any thread."""

    def __init__(self, endpoint: Endpoint, topics: Topics) -> None:
        """Prepare; `start` connects."""
        self._topics = topics
        filters = (topics.evt, topics.state, topics.status, topics.heartbeat)
        self._follower = Follower((endpoint,), f"{topics.table}-watcher", filters)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._last: dict[str, int] = {}
        self.state: dict[str, Any] = {}
        self.status: dict[str, Any] = {}
        self.heartbeat: dict[str, Any] = {}
        self.events: deque[dict[str, Any]] = deque(maxlen=KEPT_EVENTS)
        """envelopes, each once, in order"""
        self.received = 0

    def start(self) -> None:
        """Begin to connect."""
        self._follower.start()
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stopping.set()
        self._thread.join()
        self._follower.stop()

    @property
    def trouble(self) -> str:
        """Why nothing comes, one line; empty while connected."""
        return self._follower.trouble

    def _run(self) -> None:
        while not self._stopping.is_set():
            message = self._follower.next(POLL_S)
            if message is not None and message.payload:
                self._take(message)

    def _take(self, message: Received) -> None:
        try:
            content = from_json(message.payload, MAX_BYTES)
        except BadJsonError:
            return
        topics = self._topics
        if message.topic == topics.state:
            self.state = content
        elif message.topic == topics.status:
            self.status = content
        elif message.topic == topics.heartbeat:
            self.heartbeat = content
        elif message.topic == topics.evt and self._is_new(content):
            self.received += 1
            self.events.append(content)

    def _is_new(self, content: dict[str, Any]) -> bool:
        journal, sequence = str(content.get("journalid")), int(str(content.get("sequence", "0")))
        if sequence <= self._last.get(journal, 0):
            return False
        self._last[journal] = sequence
        return True
