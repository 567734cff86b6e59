"""Publishing a table: events from a cursor over the journal, retained topics, heartbeat, and the command
desk.

One thread does it all (`Voice` on a `Session`); the methods here only leave word for it. Nothing is
published from memory: after a lost connection sending goes on from the cursor, which moves over contiguous
acknowledgements only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import BaseModel

from controller.bus.backoff import Backoff
from controller.bus.board import Board
from controller.bus.commands import MAX_COMMAND_BYTES, CommandJudge
from controller.bus.desk import CommandDesk
from controller.bus.endpoint import Endpoint
from controller.bus.payloads import Alert, Condition, Vitals, payload_bytes
from controller.bus.ports import CommandSink, Cursor, JournalReader
from controller.bus.session import Session
from controller.bus.voice import Health, Identity, Pace, Voice, status_payload
from controller.clock import now_us


class Publisher:
    """The table's voice on MQTT. Its methods may be called from any thread and never wait for the broker,
    but `stop`.
    """

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        identity: Identity,
        journal: JournalReader,
        cursor: Cursor,
        judge: CommandJudge,
        sink: CommandSink,
        *,
        vitals: Callable[[], Vitals] = Vitals,
        read_errors: tuple[type[Exception], ...] = (OSError,),
        pace: Pace | None = None,
        backoff: Backoff | None = None,
    ) -> None:
        """``vitals`` adds to each heartbeat (disk, clock offset); ``read_errors`` is what ``journal`` may
        raise.
        """
        self._identity = identity
        self._topics = identity.topics
        self._pace = pace or Pace()
        self._board = Board()
        self._desk = CommandDesk(identity.topics, identity.journal_id, journal, judge, sink, self._board)
        self._voice = Voice(identity, journal, cursor, self._desk, self._board, self._pace, vitals, read_errors)
        name = f"{identity.topics.site}-{identity.topics.table}"
        self._session = Session(endpoints, name, self._voice, max_payload=MAX_COMMAND_BYTES, backoff=backoff)
        self.set_status(Condition("init"))

    def start(self) -> None:
        """Begin to connect."""
        self._session.start()

    def stop(self) -> None:
        """Say ``offline``, send what can be sent in a moment, and end. The cursor is flushed. A table that was lost
        stays so, with its reason: whoever looks later must not take it for one that was switched off."""
        if not self._lost:
            self.set_status(Condition("offline"))
        self._session.stop()
        self._voice.flush_cursor()

    def wake(self) -> None:
        """The journal has grown."""
        self._session.wake()

    def set_status(self, how: Condition) -> None:
        """Show the table's status."""
        self._lost = how.state == "lost"
        self._board.put(self._topics.status, status_payload(self._identity, how))
        self._session.wake()

    def set_meta(self, meta: BaseModel) -> None:
        """Show what the table is."""
        self._board.put(self._topics.meta, payload_bytes(meta))
        self._session.wake()

    def set_state(self, state: BaseModel) -> None:
        """Show how the table stands; at most four a second go out, always the newest."""
        self._board.put(self._topics.state, payload_bytes(state), self._pace.state_s)
        self._session.wake()

    def open_alert(self, alert: Alert) -> None:
        """Show an alert until it is closed. Alerts of an earlier life that are not opened again are taken
        down.
        """
        self._board.put(self._topics.alert(alert.id), payload_bytes(alert))
        self._session.wake()

    def close_alert(self, alert_id: str) -> None:
        """Take an alert down."""
        self._board.remove(self._topics.alert(alert_id))
        self._session.wake()

    def telemetry(self, device: str, values: BaseModel) -> None:
        """Send counters once, unretained; newer ones replace older ones that still wait for a connection."""
        self._board.tell_once(self._topics.tele(device), payload_bytes(values))
        self._session.wake()

    def respond(self, client: str, corr: str, status: str, **more: object) -> None:
        """Answer a command on ``rsp/{client}``; ``status`` is ok, error, denied or expired."""
        self._desk.answer(client, {**more, "corr": corr, "status": status}, now_us())
        self._session.wake()

    @property
    def running(self) -> bool:
        """True while the publisher's thread lives; False after `start` means that it failed."""
        return self._session.running

    def health(self) -> Health:
        """How publication stands."""
        return self._voice.health
