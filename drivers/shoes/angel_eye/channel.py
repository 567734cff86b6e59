"""Commands to the Angel Eye shoe, one in flight: the wire has no request number, so a reply can only be the reply to
what was sent last."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from drivers.messages import ClearError, CommandResult, ConfirmGame, DeviceCommand, Lock, Unlock
from drivers.shoes.angel_eye.host_command import (
    CLEAR_ERROR,
    CONFIRM_GAME,
    LOCK,
    REPLY_TIMEOUT_MS,
    UNLOCK,
    BccSpan,
    HostCommand,
    Reply,
    refusal_wording,
)

MAX_QUEUED = 16
"""Commands waiting; a shoe that answers within 3 s never needs as many."""

SETTLE_MS = 500
"""Pause after an unknown outcome, so that a late reply is not taken for the next command's."""

_NAMES = {LOCK: "lock", UNLOCK: "unlock", CLEAR_ERROR: "clear error", CONFIRM_GAME: "confirm game"}


def wire_command(command: DeviceCommand) -> HostCommand | None:
    """The wire's command; None for one that a shoe does not have."""
    match command:
        case Lock():
            return LOCK
        case Unlock():
            return UNLOCK
        case ClearError():
            return CLEAR_ERROR
        case ConfirmGame():
            return CONFIRM_GAME
        case _:
            return None


@dataclass(frozen=True, slots=True)
class _Job:
    command: HostCommand
    request: int | None
    sent_ms: int = 0
    lock_state_before: HostCommand | None = None

    @property
    def name(self) -> str:
        return f"{_NAMES[self.command]} ({self.command.type}{self.command.data})"


class CommandChannel:
    """Queue of commands with one in flight. ``lock_state`` is the lock or unlock that the shoe was last told and
    did not refuse, None when it was told nothing since it started or was connected."""

    __slots__ = ("_in_flight", "_not_before_ms", "_output", "_queue", "_span", "lock_state")

    def __init__(self, span: BccSpan) -> None:
        self._span = span
        self._queue: deque[_Job] = deque()
        self._in_flight: _Job | None = None
        self._not_before_ms = 0
        self._output = bytearray()
        self.lock_state: HostCommand | None = None

    @property
    def idle(self) -> bool:
        """Nothing in flight and nothing waiting."""
        return self._in_flight is None and not self._queue

    def submit(self, command: HostCommand, request: int | None) -> CommandResult | None:
        """Queue a command. ``request`` None is the driver's own probe, which has no result. A full queue refuses."""
        if len(self._queue) >= MAX_QUEUED:
            reason = f"{MAX_QUEUED} commands already wait for the shoe; the command was not sent"
            return _result(_Job(command, request), "refused", "queue_full", reason)
        self._queue.append(_Job(command, request))
        return None

    def replied(self, reply: Reply) -> tuple[bool, CommandResult | None]:
        """A reply came. First: whether it belongs to a command in flight; second: the result to report."""
        job, self._in_flight = self._in_flight, None
        if job is None:
            return False, None
        if not reply.refusal:
            return True, _result(job, "done", "", f"{job.name} done")
        self.lock_state = job.lock_state_before
        wording = refusal_wording(reply.refusal)
        return True, _result(job, "refused", wording.word, f"{job.name} refused with {reply.refusal}: {wording.text}")

    def timed_out(self, now_ms: int) -> tuple[bool, CommandResult | None]:
        """First: whether the command in flight got no reply in time; second: the result to report."""
        job = self._in_flight
        if job is None or now_ms - job.sent_ms < REPLY_TIMEOUT_MS:
            return False, None
        self._in_flight = None
        self._not_before_ms = now_ms + SETTLE_MS
        reason = f"{job.name}: no reply within {REPLY_TIMEOUT_MS // 1000} s; the shoe may or may not have obeyed"
        return True, _result(job, "unknown", "no_reply", reason)

    def send_next(self, now_ms: int) -> bool:
        """Put the next command on the wire if none is in flight; whether one was."""
        if self._in_flight is not None or not self._queue or now_ms < self._not_before_ms:
            return False
        job = self._queue.popleft()
        self._in_flight = _Job(job.command, job.request, now_ms, self.lock_state)
        if job.command in (LOCK, UNLOCK):
            self.lock_state = job.command
        self._output += job.command.to_bytes(self._span)
        return True

    def shoe_started(self) -> None:
        """The shoe booted: what it was told before is forgotten there and here."""
        self.lock_state = None
        if self._in_flight is not None:
            self._in_flight = replace(self._in_flight, lock_state_before=None)

    def take_output(self) -> bytes:
        """Bytes to be written now."""
        output = bytes(self._output)
        self._output.clear()
        return output

    def abandon(self, reason: str) -> list[CommandResult]:
        """The link is gone: what was sent is unknown, what was not sent is refused."""
        results = []
        if self._in_flight is not None:
            text = f"{self._in_flight.name}: {reason}; the shoe may or may not have obeyed"
            results.append(_result(self._in_flight, "unknown", "link_down", text))
        for job in self._queue:
            results.append(_result(job, "refused", "link_down", f"{job.name} was not sent: {reason}"))
        self._in_flight = None
        self._queue.clear()
        self._output.clear()
        self._not_before_ms = 0
        self.lock_state = None
        return [result for result in results if result is not None]


def _result(job: _Job, outcome: str, code: str, reason: str) -> CommandResult | None:
    return None if job.request is None else CommandResult(job.request, outcome, code, reason)
