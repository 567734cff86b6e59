"""The line of a simulated Angel Eye shoe: three copies of everything it says, and the commands it hears."""

from __future__ import annotations

from collections import deque

from drivers.shoes.angel_eye.host_command import COMMAND_BYTES, BccSpan, HostCommand, Refusal, Reply
from drivers.shoes.angel_eye.telegram import COPIES, COPY_SPACING_MS, STX, Kind, Telegram, next_seq
from firmware_sim.faults import TelegramCopy

UNFINISHED_MS = 500
"""A command whose rest does not come within this is refused for want of its end."""


class ShoeLine:
    """Telegrams go out one after the other, each `COPIES` times, `COPY_SPACING_MS` apart; replies go out at once."""

    def __init__(self, command_bcc_span: BccSpan) -> None:
        self._span = command_bcc_span
        self._seq = "1"
        self._waiting: deque[bytes] = deque()
        self._copies_sent = 0
        self._next_copy_ms = 0
        self._ticked_ms = 0
        self._ready: deque[bytes] = deque()
        self._heard = bytearray()
        self._heard_ms = 0

    @property
    def quiet(self) -> bool:
        """Nothing left to say."""
        return not self._waiting and not self._ready

    def say(self, kind: Kind, payload: bytes = b"") -> None:
        """Queue a telegram; SEQ advances except on `S`."""
        self._waiting.append(Telegram(self._seq, kind, payload).to_bytes())
        if kind is not Kind.START:
            self._seq = next_seq(self._seq)

    def reply(self, reply: Reply) -> None:
        """Queue a reply."""
        self._ready.append(reply.to_bytes())

    def restart(self, seq: str) -> None:
        """Forget what is not yet sent or not yet heard; SEQ begins at ``seq``."""
        self._seq = seq
        self._waiting.clear()
        self._ready.clear()
        self._heard.clear()
        self._copies_sent = 0

    def tick(self, now_ms: int) -> None:
        """Make the copies ready that are due; several at once if the last tick was long ago."""
        while self._waiting and now_ms >= self._next_copy_ms:
            due_ms = max(self._next_copy_ms, self._ticked_ms)
            self._copies_sent += 1
            self._ready.append(TelegramCopy(self._waiting[0], self._copies_sent, COPIES))
            self._next_copy_ms = due_ms + COPY_SPACING_MS
            if self._copies_sent == COPIES:
                self._waiting.popleft()
                self._copies_sent = 0
        self._ticked_ms = now_ms
        if self._heard and now_ms - self._heard_ms > UNFINISHED_MS:
            self._heard.clear()
            self.reply(Reply(Refusal.NO_ETX.value))

    def outgoing(self) -> bytes:
        """The next copy or reply that is ready; empty when none is."""
        return self._ready.popleft() if self._ready else b""

    def receive(self, data: bytes, now_ms: int) -> list[HostCommand | Refusal]:
        """Commands that are complete, or why they are refused."""
        commands: list[HostCommand | Refusal] = []
        self._heard_ms = now_ms
        self._heard += data
        while (start := self._heard.find(STX)) >= 0 and len(self._heard) >= start + COMMAND_BYTES:
            commands.append(HostCommand.from_bytes(bytes(self._heard[start : start + COMMAND_BYTES]), self._span))
            del self._heard[: start + COMMAND_BYTES]
        if start < 0:
            self._heard.clear()
        return commands
