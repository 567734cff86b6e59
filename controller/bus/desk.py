"""The desk where commands come in: judged, handed on, answered; and the replays that were asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

from controller.bus.board import Board
from controller.bus.commands import (
    CommandJudge,
    CommandRefusal,
    CommandRequest,
    ReadRequest,
    RefusalLimiter,
    Status,
    answer_of,
)
from controller.bus.ports import CommandSink, JournalReader
from controller.bus.topics import Topics
from controller.bus.wire import Message, now_text, to_json

MAX_REPLAY_EVENTS = 10_000
"""A longer range is served in parts: the answer says where the part ended."""
MAX_JOBS = 8
SERVED_EVERY_US = 1_000_000
"""Of the replays served, at most one a second goes on record."""
MAX_ANSWERS = 1024
"""Answers that wait for a connection; the oldest are dropped, since whoever asked has long given up."""


@dataclass(frozen=True, slots=True)
class _Job:
    request: ReadRequest
    first: int
    last: int
    head: int
    after: int


class CommandDesk:
    """Belongs to the publisher's thread, but for `answer`."""

    def __init__(
        self,
        topics: Topics,
        journal_id: str,
        journal: JournalReader,
        judge: CommandJudge,
        sink: CommandSink,
        board: Board,
    ) -> None:
        self._topics = topics
        self._journal_id = journal_id
        self._journal = journal
        self._judge = judge
        self._sink = sink
        self._board = board
        self._limiter = RefusalLimiter()
        self._answers: deque[Message] = deque(maxlen=MAX_ANSWERS)
        self._jobs: dict[str, _Job] = {}
        self._served_us = -SERVED_EVERY_US

    def received(self, name: str, payload: bytes, size: int, *, retained: bool, now_us: int) -> None:
        """A payload came on ``cmd/{name}``."""
        judgement = self._judge.judge(name, payload, size, retained=retained, now_us=now_us)
        match judgement:
            case ReadRequest():
                self._read(judgement, now_us)
                return
            case CommandRequest():
                self._sink.accepted(judgement)
            case CommandRefusal():
                self._hand_on(judgement, now_us)
        if judgement.client:
            self.answer(judgement.client, answer_of(judgement), now_us)

    def answer(self, client: str, content: Mapping[str, object], now_us: int) -> None:
        """Queue an answer on ``rsp/{client}``. From any thread. Raises ValueError when ``client`` is not an
        id.
        """
        payload = to_json({**content, "epoch": self._judge.target.epoch, "time": now_text(now_us)})
        self._answers.append(Message(self._topics.rsp(client), payload))

    def take_answer(self) -> Message | None:
        """The next answer to be sent, if any."""
        return self._answers.popleft() if self._answers else None

    def take_replay(self, room: int, now_us: int) -> list[Message]:
        """At most ``room`` events that somebody asked for, the bytes they have on ``evt``; ends answer
        themselves.
        """
        messages: list[Message] = []
        for client, job in tuple(self._jobs.items()):
            if len(messages) >= room:
                break
            events = self._journal.read(job.after, min(room - len(messages), job.last - job.after))
            messages += [Message(self._topics.replay(client), event.envelope) for event in events]
            after = events[-1].sequence if events else job.last
            if after < job.last:
                self._jobs[client] = replace(job, after=after)
            else:
                del self._jobs[client]
                self._finish(job, now_us)
        return messages

    @property
    def replaying(self) -> bool:
        """True while a replay is under way."""
        return bool(self._jobs)

    def _hand_on(self, refusal: CommandRefusal, now_us: int) -> None:
        admitted = self._limiter.admit(refusal, now_us)
        if admitted is not None:
            self._sink.refused(admitted)

    def _read(self, request: ReadRequest, now_us: int) -> None:
        content: dict[str, object] = {"corr": request.corr, "name": request.name, "status": Status.OK}
        match request.name:
            case "ping":
                content |= {"head": self._journal.head(), "journalid": self._journal_id}
            case "rebirth":
                self._board.refresh()
            case _:
                reason = self._begin_replay(request)
                if not reason:
                    return
                refusal = CommandRefusal(request.name, request.client, request.corr, "", Status.ERROR, reason)
                self._hand_on(refusal, now_us)
                content |= answer_of(refusal)
        self.answer(request.client, content, now_us)

    def _begin_replay(self, request: ReadRequest) -> str:
        """Begin, or say why not."""
        first, last = request.args.get("from"), request.args.get("to")
        if type(first) is not int or type(last) is not int or not 1 <= first <= last:
            return "from and to are not whole numbers with 1 <= from <= to"
        if request.args.get("journalid", self._journal_id) != self._journal_id:
            return f"the table's journal is {self._journal_id}"
        if request.client not in self._jobs and len(self._jobs) >= MAX_JOBS:
            return "too many replays at once; try again in a few seconds"
        head = self._journal.head()
        if first > head:
            return f"the journal ends at event {head}"
        last = min(last, head, first + MAX_REPLAY_EVENTS - 1)
        self._jobs[request.client] = _Job(request, first, last, head, first - 1)
        return ""

    def _finish(self, job: _Job, now_us: int) -> None:
        part = {"from": job.first, "to": job.last, "head": job.head, "journalid": self._journal_id}
        content = {"corr": job.request.corr, "name": job.request.name, "status": Status.OK, **part}
        self.answer(job.request.client, content, now_us)
        # Anybody may ask for replays: what is journaled of them must not fill the disk.
        if now_us - self._served_us >= SERVED_EVERY_US:
            self._served_us = now_us
            self._sink.served(job.request, f"events {job.first} to {job.last} to {job.request.client}")
