"""The historian: an independent subscriber that stores every table's events without a gap and says how far
it is.

It trusts no acknowledgement but its own disk: ``ack/{name}`` follows a commit. What is missing it asks the
table for with ``cmd/replay``; that there is more it learns from the table's heartbeat.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.bus.backoff import Backoff
from controller.bus.endpoint import Endpoint
from controller.bus.history import (
    BadEventError,
    History,
    HistoryFinding,
    Progress,
    read_event,
)
from controller.bus.keys import unsigned_request
from controller.bus.lineage import MAX_EVENT_BYTES
from controller.bus.link import Acknowledged, Denied, Link, Received
from controller.bus.payloads import Ack, payload_bytes
from controller.bus.session import Session
from controller.bus.topics import ROOT, Topics, host_status, table_of, valid_id
from controller.bus.wire import BadJsonError, Message, from_json, now_text, to_json
from controller.clock import now_us

KEPT_JOURNALS = 4
"""How many of a table's confirmed journals stand in its ack, the newest; older ones are history."""
KEPT_UNCONFIRMED = 16
"""How many of those that no checkpoint has confirmed yet, the ones that grew last: anybody may invent a journal."""

MAX_ANNOUNCED = 4096
"""Journals that heartbeats may announce: a site has some hundreds of tables, a liar has no end."""


@dataclass(frozen=True, slots=True)
class HistorianPace:
    """In seconds: how long a gap may heal by itself, how often it is asked for, how often the ack is
    repeated while
    behind, and how long a disk that failed is left alone.
    """

    patience_s: float = 0.5
    ask_s: float = 2.0
    repeat_s: float = 5.0
    retry_s: float = 1.0


@dataclass(slots=True)
class _Watched:
    head: int = 0
    behind_since_s: float | None = None
    asked_s: float = float("-inf")
    told: int = -1
    grown: int = 0
    """the commit in which it grew last"""
    told_s: float = float("-inf")


class Historian:
    """The archive of a site, in its own thread. ``name`` is its consumer's id, ``historian`` unless there
    are several.
    """

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        site: str,
        path: Path,
        *,
        name: str = "historian",
        ask_gaps: bool = True,
        pace: HistorianPace | None = None,
        backoff: Backoff | None = None,
        trusted: Mapping[Topics, str] | None = None,
    ) -> None:
        """Open the archive in ``path``. ``trusted`` are public keys of tables (64 hexadecimal digits); the key of any
        other is that of its first checkpoint. Raises sqlite3.Error when that fails, ValueError for a bad id."""
        self._site = valid_id(site, "site")
        self._name = valid_id(name, "consumer")
        self._history = History(path)
        for topics, public_key in (trusted or {}).items():
            self._history.trust(topics, public_key)
        self._ask_gaps = ask_gaps
        self._pace = pace or HistorianPace()
        self._waiting: dict[Topics, list[bytes]] = defaultdict(list)
        self._watched: dict[str, _Watched] = defaultdict(_Watched)
        self._announced: dict[str, Progress] = {}
        self._progress: list[Progress] = []
        self._looks = 0
        self._look()
        self._link: Link | None = None
        self._retry_at_s = 0.0
        self._trouble = "not connected yet"
        self._session = Session(endpoints, f"{site}-{name}", self, max_payload=MAX_EVENT_BYTES, backoff=backoff)

    def start(self) -> None:
        """Begin to connect."""
        self._session.start()

    def stop(self) -> None:
        """Store what has come, say ``offline``, and end."""
        self._session.stop()
        self._history.close()

    @property
    def trouble(self) -> str:
        """What keeps it from working, one line, empty if nothing. From any thread."""
        return self._trouble

    def stored(self) -> dict[str, int]:
        """The contiguous sequence of each journal. From any thread."""
        return {progress.journal_id: progress.contiguous for progress in self._progress}

    def will(self) -> Message:
        """``offline``, retained."""
        return self._status("offline")

    def connected(self, link: Link) -> None:
        """Subscribe, say ``online`` and how far each journal is."""
        self._link = link
        self._trouble = ""
        every = f"{ROOT}/{self._site}/+"
        link.subscribe([f"{every}/evt", f"{every}/tele/heartbeat", f"{every}/replay/{self._name}"])
        link.publish(self._status("online"))
        for watched in self._watched.values():
            watched.told, watched.asked_s = -1, float("-inf")

    def disconnected(self, reason: str) -> None:
        """Remember why."""
        self._link = None
        self._trouble = reason

    def happened(self, event: Acknowledged | Received | Denied) -> None:
        """Events wait for the next commit; heartbeats say how far a journal goes."""
        match event:
            case Received(topic, payload, size) if (topics := table_of(topic)) is not None:
                if topic == topics.heartbeat:
                    self._heartbeat(topics, payload)
                elif size == len(payload):
                    self._waiting[topics].append(payload)
            case Denied(filters):
                self._trouble = f"the broker refused to subscribe {', '.join(filters)}; check its permissions"
            case _:
                return

    def turn(self, now_s: float) -> float:
        """Commit what has come, say so, ask for what is missing."""
        if now_s < self._retry_at_s:
            return self._retry_at_s - now_s
        try:
            self._commit()
        except sqlite3.Error as error:
            # What waited is dropped: it was not acknowledged and will be asked for again.
            self._waiting.clear()
            self._retry_at_s = now_s + self._pace.retry_s
            self._trouble = f"the archive cannot be written ({error}); free space or check the disk"
            return self._pace.retry_s
        link = self._link
        if link is not None:
            for topics in {progress.topics for progress in self._progress}:
                self._tell(link, topics, now_s)
            if self._ask_gaps:
                for progress in self._progress:
                    self._ask(link, progress, now_s)
        return self._pace.patience_s

    def farewell(self, link: Link) -> None:
        """The last commit and ``offline``."""
        self.turn(float("inf"))
        link.publish(self._status("offline"))

    def _commit(self) -> None:
        for topics in tuple(self._waiting):
            events = []
            for payload in self._waiting[topics]:
                try:
                    events.append(read_event(topics, payload))
                except BadEventError as error:
                    self._history.note(HistoryFinding("", 0, f"{topics.base}: {error}"))
            self._history.add(topics, events)
            del self._waiting[topics]
            self._look()

    def _look(self) -> None:
        """Take stock: the archived journals, which of them grew, and those that were only announced."""
        archived = self._history.progress()
        before = {progress.journal_id: progress.contiguous for progress in self._progress}
        self._looks += 1
        for progress in archived:
            if progress.contiguous > before.get(progress.journal_id, 0):
                self._watched[progress.journal_id].grown = self._looks
        known = {progress.journal_id for progress in archived}
        self._progress = archived + [new for new in self._announced.values() if new.journal_id not in known]

    def _tell(self, link: Link, topics: Topics, now_s: float) -> None:
        """Publish the table's ack when it moved, and again now and then while it is behind."""
        journals = self._acknowledged(topics)
        due = False
        for progress in journals:
            watched = self._watched[progress.journal_id]
            behind = self._end(progress) > progress.contiguous
            due = due or watched.told != progress.undisputed
            due = due or (behind and now_s - watched.told_s >= self._pace.repeat_s)
        if not due:
            return
        for progress in journals:
            watched = self._watched[progress.journal_id]
            watched.told, watched.told_s = progress.undisputed, now_s
        sequences = {progress.journal_id: progress.undisputed for progress in journals}
        payload = payload_bytes(Ack(sequences=sequences, time=now_text(now_us())))
        link.publish(Message(topics.ack(self._name), payload, 1, retain=True))

    def _acknowledged(self, topics: Topics) -> list[Progress]:
        """The table's journals that stand in its ack."""
        mine = [progress for progress in self._progress if progress.topics == topics]
        doubtful = [progress for progress in mine if not progress.confirmed]
        doubtful.sort(key=lambda progress: self._watched[progress.journal_id].grown)
        return [p for p in mine if p.confirmed][-KEPT_JOURNALS:] + doubtful[-KEPT_UNCONFIRMED:]

    def _ask(self, link: Link, progress: Progress, now_s: float) -> None:
        """Ask for the first gap, when it did not close by itself."""
        watched = self._watched[progress.journal_id]
        end = self._end(progress)
        if end <= progress.contiguous:
            watched.behind_since_s = None
            return
        if watched.behind_since_s is None:
            watched.behind_since_s = now_s
        waited = now_s - watched.behind_since_s >= self._pace.patience_s
        if not waited or now_s - watched.asked_s < self._pace.ask_s:
            return
        watched.asked_s = now_s
        first, last = progress.contiguous + 1, end if progress.next_stored is None else progress.next_stored - 1
        args = {"journalid": progress.journal_id, "from": first, "to": last}
        request = unsigned_request(self._name, f"gap-{first}", args)
        link.publish(Message(progress.topics.cmd("replay"), request))

    def _end(self, progress: Progress) -> int:
        """The highest event known to exist: more than the contiguous one means a gap."""
        return max(self._watched[progress.journal_id].head, (progress.next_stored or 1) - 1)

    def _heartbeat(self, topics: Topics, payload: bytes) -> None:
        try:
            value = from_json(payload, 4096)
        except BadJsonError:
            return
        journal_id, head = value.get("journalid"), value.get("head")
        if not isinstance(journal_id, str) or not 1 <= len(journal_id) <= 64 or type(head) is not int:
            return
        if journal_id in self._watched or len(self._watched) < MAX_ANNOUNCED:
            self._watched[journal_id].head = head
        if journal_id not in self.stored() and len(self._announced) < MAX_ANNOUNCED:
            self._announced[journal_id] = Progress(topics, journal_id, 0, None)
            self._look()

    def _status(self, state: str) -> Message:
        payload = to_json({"state": state, "role": "historian", "time": now_text(now_us())})
        return Message(host_status(self._site, self._name), payload, 1, retain=True)
