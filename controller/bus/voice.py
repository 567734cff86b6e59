"""What the publisher's thread does on a connection: everything a table says on MQTT, in its order."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from controller.bus.archive import ArchiveWatch
from controller.bus.board import Board
from controller.bus.desk import CommandDesk
from controller.bus.link import Acknowledged, Denied, Link, Lost, Received, Woken
from controller.bus.payloads import Condition, Heartbeat, Status, Vitals, payload_bytes
from controller.bus.ports import Cursor, JournalReader
from controller.bus.topics import Topics
from controller.bus.window import Window
from controller.bus.wire import BadJsonError, Message, from_json, now_text
from controller.clock import now_us


@dataclass(frozen=True, slots=True)
class Pace:
    """How often and how patiently, in seconds. ``archive_s``: an archive behind and idle for so long lost
    something.
    """

    state_s: float = 0.25
    heartbeat_s: float = 5.0
    cursor_s: float = 0.2
    archive_s: float = 5.0
    farewell_s: float = 2.0
    retry_s: float = 1.0


@dataclass(frozen=True, slots=True)
class Identity:
    """Which table speaks, from which journal, in which life. ``archives`` are the consumers whose ack
    counts.
    """

    topics: Topics
    journal_id: str
    epoch: int
    archives: tuple[str, ...] = ("historian",)


@dataclass(frozen=True, slots=True)
class Health:
    """How publication stands. ``archived`` is None while no archive was heard; ``archive_silent_s`` is how
    long one has
    been behind without getting on; ``trouble`` is one line for a person, empty if there is none.
    """

    connected: bool
    published: int
    acknowledged: int
    archived: int | None
    archive_silent_s: float
    connections: int
    trouble: str


def status_payload(identity: Identity, how: Condition) -> bytes:
    """The payload of ``status`` as of now."""
    return payload_bytes(
        Status(state=how.state, reason=how.reason, service=how.service, epoch=identity.epoch, time=now_text(now_us()))
    )


class Voice:
    """The handler of the publisher's session; all of it on the session's thread, but for reading `health`."""

    def __init__(
        self,
        identity: Identity,
        journal: JournalReader,
        cursor: Cursor,
        desk: CommandDesk,
        board: Board,
        pace: Pace,
        vitals: Callable[[], Vitals],
        read_errors: tuple[type[Exception], ...],
    ) -> None:
        """See `Publisher`."""
        self._identity = identity
        self._topics = identity.topics
        self._journal = journal
        self._cursor = cursor
        self._desk = desk
        self._board = board
        self._pace = pace
        self._vitals = vitals
        self._read_errors = read_errors
        self._window = Window(cursor.sequence)
        self._archives = ArchiveWatch(identity.journal_id, identity.archives, pace.archive_s)
        self._own_status: deque[bytes] = deque(maxlen=16)
        self._link: Link | None = None
        self._overwritten = False
        self._commanded = False
        self._connections = 0
        self._head = 0
        self._troubles = {"link": "not connected yet"}
        self._due_s = {"heartbeat": 0.0, "cursor": 0.0, "status": 0.0, "read": 0.0, "kept": 0.0}
        self.health = Health(False, cursor.sequence, cursor.sequence, None, 0.0, 0, "not connected yet")

    def will(self) -> Message:
        """``lost``, retained."""
        payload = status_payload(self._identity, Condition("lost", "the connection ended without a goodbye"))
        return Message(self._topics.status, payload, 1, retain=True)

    def connected(self, link: Link) -> None:
        """Everything again: status, meta, state and alerts, and the events after the cursor."""
        self._link = link
        self._connections += 1
        self._troubles.clear()
        self._window.reconnected(self._cursor.sequence)
        self._board.all_again()
        self._due_s["heartbeat"] = 0.0
        base = self._topics.base
        link.subscribe([f"{base}/cmd/+", f"{base}/ack/+", f"{base}/alert/+", self._topics.status])

    def disconnected(self, reason: str) -> None:
        """Remember why; what was under way is sent again by the next connection."""
        self._link = None
        self._troubles["link"] = reason
        self._cursor.advance(self._window.safe_cursor())
        self.flush_cursor()
        self._observe(time.monotonic())

    def happened(self, event: Acknowledged | Received | Denied) -> None:
        """An acknowledgement is noted; messages go to the desk, the archives' watch and the board."""
        match event:
            case Acknowledged(mid):
                self._window.acknowledged(mid)
                self._board.acknowledged(mid)
            case Received():
                self._received(event)
            case Denied(filters):
                self._troubles["denied"] = (
                    f"the broker refused to subscribe {', '.join(filters)}; check its permissions"
                )

    def turn(self, now_s: float) -> float:
        """Send what is due and there is room for."""
        link = self._link
        if link is None:
            return self._pace.retry_s
        self._send_answers(link)
        if self._overwritten and now_s >= self._due_s["status"]:
            # Not at once each time: two controllers would outshout each other.
            self._overwritten = False
            self._due_s["status"] = now_s + self._pace.retry_s
            self._board.again(self._topics.status)
        self._look_for_kept(link, now_s)
        self._send_board(link, now_s)
        if now_s >= self._due_s["read"]:
            try:
                self._rewind_if_lost(now_s)
                self._send_events(link)
                self._heartbeat(link, now_s)
                self._troubles.pop("journal", None)
            except self._read_errors as error:
                self._troubles["journal"] = str(error)
                self._due_s["read"] = now_s + self._pace.retry_s
        for message in self._board.take_once():
            link.publish(message)
        self._cursor.advance(self._window.safe_cursor())
        if now_s >= self._due_s["cursor"]:
            self._due_s["cursor"] = now_s + self._pace.cursor_s
            self.flush_cursor()
        self._observe(now_s)
        return min(self._board.wait_s(now_s) if self._window.room() else 1.0, self._due_s["heartbeat"] - now_s)

    def farewell(self, link: Link) -> None:
        """For a moment at most: send the rest, and wait until the broker has all of it."""
        until_s = time.monotonic() + self._pace.farewell_s
        while time.monotonic() < until_s:
            self.turn(time.monotonic())
            if self._window.idle() and self._window.sent_through >= self._head and not self._board.waiting():
                break
            event = link.next(0.05)
            match event:
                case None | Woken():
                    continue
                case Lost():
                    break
                case _:
                    self.happened(event)

    def flush_cursor(self) -> None:
        """Make the cursor durable; a failure is a trouble, not an end: it costs duplicates only."""
        try:
            self._cursor.flush()
            self._troubles.pop("cursor", None)
        except OSError as error:
            self._troubles["cursor"] = f"the publisher's cursor cannot be written ({error}); free space"

    def _send_answers(self, link: Link) -> None:
        while self._window.room() and (message := self._desk.take_answer()):
            self._window.sent_other(link.publish(message))

    def _send_board(self, link: Link, now_s: float) -> None:
        while self._window.room() and (message := self._board.take_due(now_s)):
            mid = link.publish(message)
            self._window.sent_other(mid)
            self._board.sent(message, mid)
            if message.topic == self._topics.status:
                self._own_status.append(message.payload)

    def _send_events(self, link: Link) -> None:
        room = self._window.room()
        self._head = self._journal.head()
        if room and self._desk.replaying:
            for message in self._desk.take_replay((room + 1) // 2, now_us()):
                self._window.sent_other(link.publish(message))
            self._send_answers(link)
            room = self._window.room()
        if room and self._head > self._window.sent_through:
            for event in self._journal.read(self._window.sent_through, room):
                self._window.sent(event.sequence, link.publish(Message(self._topics.evt, event.envelope)))

    def _rewind_if_lost(self, now_s: float) -> None:
        target = self._archives.rewind_to(self._cursor.sequence, now_s)
        if target is not None:
            self._cursor.rewind(target)
            self._window.rewind(target)

    def _heartbeat(self, link: Link, now_s: float) -> None:
        if now_s < self._due_s["heartbeat"]:
            return
        self._due_s["heartbeat"] = now_s + self._pace.heartbeat_s
        vitals = self._vitals()
        beat = Heartbeat(
            head=self._head,
            published=self._window.sent_through,
            acknowledged=self._cursor.sequence,
            archived=self._archives.stored(),
            journalid=self._identity.journal_id,
            epoch=self._identity.epoch,
            time=now_text(now_us()),
            free_bytes=vitals.free_bytes,
            queue=vitals.queue,
            clock_offset_ms=vitals.clock_offset_ms,
        )
        link.publish(Message(self._topics.heartbeat, payload_bytes(beat), 0))

    def _received(self, event: Received) -> None:
        if not event.size:
            return
        if (name := self._topics.last_of(event.topic, "cmd")) is not None:
            try:
                self._desk.received(name, event.payload, event.size, retained=event.retained, now_us=now_us())
            except self._read_errors as error:
                self._troubles["journal"] = str(error)
            if event.retained:
                self._clear(event.topic)
            else:
                self._commanded = True
        elif (name := self._topics.last_of(event.topic, "ack")) is not None:
            self._archives.heard(name, event.payload, time.monotonic())
        elif event.topic == self._topics.status:
            self._status_heard(event.payload)
        elif event.retained and self._board.shown(event.topic) is None:
            # An alert of an earlier life, closed while nobody was there to say so.
            self._board.remove(event.topic)

    def _look_for_kept(self, link: Link, now_s: float) -> None:
        """A command that comes while we listen comes without its retain flag (MQTT 3.1.1, 3.3.1.3): whether the broker
        keeps it shows when the topics are asked for again, since then it must send what it keeps (3.8.4)."""
        if self._commanded and now_s >= self._due_s["kept"]:
            self._commanded = False
            self._due_s["kept"] = now_s + self._pace.retry_s
            link.subscribe([f"{self._topics.base}/cmd/+"])

    def _clear(self, topic: str) -> None:
        """Take a retained command off the broker, or it would come again with every connection."""
        if self._link is not None:
            self._window.sent_other(self._link.publish(Message(topic, b"", 1, retain=True)))

    def _status_heard(self, payload: bytes) -> None:
        """Somebody overwrote our status: the will of a connection that died late, or a second controller."""
        if payload in self._own_status:
            return
        self._overwritten = True
        try:
            said = from_json(payload, 4096)
        except BadJsonError:
            return
        epoch = said.get("epoch")
        if isinstance(epoch, int) and epoch >= self._identity.epoch and said.get("state") not in ("lost", "offline"):
            self._troubles["rival"] = f"another controller speaks for this table (epoch {epoch}); stop one of them"

    def _observe(self, now_s: float) -> None:
        cursor = self._cursor.sequence
        ahead = self._archives.ahead_of(self._head) if self._connections else None
        trouble = next(iter(self._troubles.values()), "")
        if ahead is not None and not trouble:
            trouble = f"an archive has event {ahead}, the journal ends at {self._head}: the journal lost its end, or "
            trouble += "somebody else publishes as this table"
        self.health = Health(
            connected=self._link is not None,
            published=self._window.sent_through,
            acknowledged=cursor,
            archived=self._archives.stored(),
            archive_silent_s=self._archives.silent_s(cursor, now_s),
            connections=self._connections,
            trouble=trouble,
        )
