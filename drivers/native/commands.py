"""Commands on their way to a device: sent again until answered, then asked about, never assumed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from drivers.messages import CommandResult
from drivers.native.hello import memory_of
from drivers.native.payloads import Address, CommandAnswer, CommandRequest, Outcome, Query

FIRST_RETRY_MS = 300
COMMAND_COPIES = 4
"""after so many copies without an answer (300, 600, 1200 ms apart) the device is asked what became of it"""
QUERY_EVERY_MS = 1000
NOT_SENT_AFTER_MS = 3000
"""a command that could not be sent for so long is given up: it must not take effect minutes later"""
UNKNOWN_AFTER_MS = 15_000
"""a command without any answer for so long has an unknown outcome"""
QUEUE_MAX = 64
_DEVICE_UNSURE = "the device lost power while it carried the command out; look at the device"
_NO_ANSWER = "the device gave no answer for 15 s; look at the device before repeating"
_NOT_SENT = "not sent within 3 s: no identified device on the link, or an earlier command is still unanswered"
_MEMORY_LOST = "the device lost its memory after the command was sent; look at the device before repeating"


@dataclass(slots=True)
class _Pending:
    request: int
    code: int
    body: bytes
    waiting_since_ms: int | None = None
    sent_ms: int | None = None
    memory: int = 0
    copies: int = 0
    next_ms: int = 0


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A command's frame to be sent. ``again`` is True for a copy of one that was sent before."""

    payload: CommandRequest | Query
    again: bool


class CommandDesk:
    """The queue of commands of one device; one at a time is on its way, in order."""

    __slots__ = ("_queue",)

    def __init__(self) -> None:
        self._queue: deque[_Pending] = deque()

    def add(self, request: int, code: int, body: bytes) -> CommandResult | None:
        """Queue a command; the result at once when the queue is full."""
        if len(self._queue) >= QUEUE_MAX:
            return CommandResult(request, "refused", "queue_full", f"{QUEUE_MAX} commands wait already")
        self._queue.append(_Pending(request, code, body))
        return None

    def link_lost(self) -> None:
        """The device must be identified anew; what was on its way is asked about first when it is back."""
        if self._queue and self._queue[0].copies:
            self._queue[0].copies = COMMAND_COPIES
            self._queue[0].next_ms = 0

    def expired(self, now_ms: int) -> list[CommandResult]:
        """Results of commands whose time is over."""
        results, kept = list[CommandResult](), deque[_Pending]()
        for item in self._queue:
            if item.waiting_since_ms is None:
                item.waiting_since_ms = now_ms
            result = _expiry(item, now_ms, item.waiting_since_ms)
            if result is None:
                kept.append(item)
            else:
                results.append(result)
        self._queue = kept
        return results

    def due(self, address: Address, session: int, now_ms: int) -> Iterator[Outgoing]:
        """What must be sent now to the identified device of this address."""
        if not self._queue or now_ms < self._queue[0].next_ms:
            return
        head = self._queue[0]
        if head.copies >= COMMAND_COPIES:
            head.next_ms = now_ms + QUERY_EVERY_MS
            yield Outgoing(Query(address, session, head.request), again=False)
            return
        if head.sent_ms is None:
            head.sent_ms, head.memory = now_ms, memory_of(address.boot)
        head.next_ms = now_ms + (FIRST_RETRY_MS << head.copies)
        head.copies += 1
        request = CommandRequest(address, session, head.request, head.code, head.body)
        yield Outgoing(request, again=head.copies > 1)

    def answered(self, answer: CommandAnswer) -> CommandResult | None:
        """The device answered; None when nobody waits for this answer any more."""
        if not self._queue or self._queue[0].sent_ms is None or self._queue[0].request != answer.request:
            return None
        head = self._queue.popleft()
        match answer.outcome:
            case Outcome.DONE:
                return CommandResult(head.request, "done")
            case Outcome.REFUSED:
                code = answer.refusal.name.lower()
                return CommandResult(head.request, "refused", code, f"the device refused: {code}")
            case Outcome.NOT_SEEN if head.memory == memory_of(answer.address.boot):
                return CommandResult(head.request, "refused", "not_received", "it never reached the device")
            case Outcome.NOT_SEEN:
                return CommandResult(head.request, "unknown", "memory_lost", _MEMORY_LOST)
            case Outcome.UNSURE:
                return CommandResult(head.request, "unknown", "power_lost", _DEVICE_UNSURE)


def _expiry(item: _Pending, now_ms: int, waiting_since_ms: int) -> CommandResult | None:
    if item.sent_ms is not None:
        if now_ms - item.sent_ms >= UNKNOWN_AFTER_MS:
            return CommandResult(item.request, "unknown", "no_answer", _NO_ANSWER)
    elif now_ms - waiting_since_ms >= NOT_SENT_AFTER_MS:
        return CommandResult(item.request, "refused", "not_sent", _NOT_SENT)
    return None
