"""Following a table over MQTT as a subscriber of its own, which believes nothing but hashes."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from controller.bus.endpoint import Endpoint
from controller.bus.follower import Follower
from controller.bus.history import BadEventError, read_event
from controller.bus.keys import unsigned_request
from controller.bus.lineage import MAX_EVENT_BYTES
from controller.bus.link import Received
from controller.bus.topics import Topics
from controller.bus.wire import BadJsonError, Message, from_json
from controller.cli.sequence import Broken, InOrder, Sequencer

STALE_S: Final = 15.0
"""Three heartbeats: a table that is silent for longer is not believed to be there."""
PATIENCE_S: Final = 0.5
"""How long a gap may close by itself."""
ASK_S: Final = 2.0
MAX_ASKED: Final = 5
"""How often a gap is asked for before it is given up."""


@dataclass(frozen=True, slots=True)
class Status:
    """The table's ``status``; ``state`` is ready, init, held, degraded, offline or lost."""

    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table's ``state``: how it stands."""

    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Meta:
    """The table's ``meta``: what it is."""

    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class LinkNews:
    """The connection came up (``reason`` empty) or is gone."""

    reason: str


@dataclass(frozen=True, slots=True)
class GapNews:
    """Events are missing and were asked for."""

    first: int
    last: int


News = InOrder | Broken | Status | Snapshot | Meta | LinkNews | GapNews


@dataclass(slots=True)
class _Gap:
    first: int = 0
    since_s: float = 0.0
    asked_s: float = float("-inf")
    asked: int = 0


class TableFollower:
    """Follows one table: `next` gives what is new, in order. ``first`` as in `Sequencer`. Belongs to one thread."""

    def __init__(self, endpoints: Sequence[Endpoint], topics: Topics, first: int | None = None) -> None:
        """Prepare; `start` connects."""
        client = f"tail-{secrets.token_hex(4)}"
        told = (topics.status, topics.meta, topics.state, topics.evt, topics.heartbeat, topics.replay(client))
        self._topics = topics
        self._client = client
        self._follower = Follower(endpoints, client, told)
        self._order = Sequencer(first)
        self._gap = _Gap()
        self._heard_s = time.monotonic()
        self._trouble = self._follower.trouble

    def start(self) -> None:
        """Begin to connect."""
        self._follower.start()

    def stop(self) -> None:
        """Say goodbye and end."""
        self._follower.stop()

    def next(self, timeout_s: float) -> list[News]:
        """What is new; empty when nothing came in ``timeout_s`` seconds."""
        message = self._follower.next(timeout_s)
        now_s = time.monotonic()
        news: list[News] = self._connection(now_s)
        if message is not None:
            news += self._received(message, now_s)
        if now_s - self._heard_s >= STALE_S:
            self._heard_s = float("inf")
            news.append(Broken(f"no heartbeat of the table for {STALE_S:.0f} s: what is shown may be old"))
        gap = self._order.gap()
        if gap is not None and not self._trouble:
            news += self._close_gap(*gap, now_s)
        return news

    def _connection(self, now_s: float) -> list[News]:
        trouble = self._follower.trouble
        if trouble == self._trouble:
            return []
        if not trouble:
            self._gap, self._heard_s = _Gap(), now_s
        self._trouble = trouble
        return [LinkNews(trouble)]

    def _close_gap(self, first: int, last: int, now_s: float) -> list[News]:
        gap = self._gap
        if gap.first != first:
            gap = self._gap = _Gap(first, now_s)
        if now_s - gap.since_s < PATIENCE_S or now_s - gap.asked_s < ASK_S:
            return []
        if gap.asked == MAX_ASKED:
            return [*self._order.give_up()]
        gap.asked, gap.asked_s = gap.asked + 1, now_s
        args = {"journalid": self._order.journal_id, "from": first, "to": last}
        request = unsigned_request(self._client, f"gap-{first}", args)
        self._follower.send(Message(self._topics.cmd("replay"), request))
        return [GapNews(first, last)] if gap.asked == 1 else []

    def _received(self, message: Received, now_s: float) -> list[News]:
        topics, topic, payload = self._topics, message.topic, message.payload
        if message.size != len(payload):
            return [Broken(f"{message.size} bytes on {topic[-40:]}: too long, passed over")]
        if topic in (topics.evt, topics.replay(self._client)):
            try:
                return [*self._order.take(read_event(topics, payload))]
            except BadEventError as error:
                return [Broken(f"a payload that is no event of this table: {error}")]
        if not payload:
            return []
        try:
            value = from_json(payload, MAX_EVENT_BYTES)
        except BadJsonError as error:
            return [Broken(f"{topic.rpartition('/')[2]} is no JSON of a table: {error}")]
        if topic == topics.heartbeat:
            self._heard_s = now_s
            return self._heartbeat(value)
        if topic == topics.status:
            return [Status(str(value.get("state")), str(value.get("reason", "")))]
        return [Snapshot(value) if topic == topics.state else Meta(value)]

    def _heartbeat(self, value: dict[str, Any]) -> list[News]:
        journal_id, head = value.get("journalid"), value.get("head")
        if isinstance(journal_id, str) and journal_id and type(head) is int and head >= 0:
            return [*self._order.announced(journal_id, head)]
        return []
