"""Cuts the byte stream of an Angel Eye shoe into telegrams and replies, wherever the line split or glued it.

Rules of resynchronisation: ENQ always begins a telegram, also in the middle of another one, which then was
unfinished. Any other control byte inside a telegram breaks it and is not itself believed: a flipped bit can turn
a payload byte into 06, and an acknowledgement that nobody gave is worse than one that is asked for again.
"""

from __future__ import annotations

from drivers.shoes.angel_eye.host_command import Refusal, Reply
from drivers.shoes.angel_eye.telegram import ACK, ENQ, ETX, MAX_TELEGRAM, NAK, FrameRejected, RejectReason, Telegram

Item = Telegram | Reply | FrameRejected

_BEFORE_CHECK = MAX_TELEGRAM - 2
"""Bytes of the longest telegram up to its ETX."""
_STARTERS = frozenset((ENQ, ACK, NAK))


class StreamDecoder:
    """Incremental decoder. It holds less than `MAX_TELEGRAM` bytes, whatever comes."""

    __slots__ = ("_buffer", "_ignored", "_offset")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._offset = 0
        self._ignored = 0

    @property
    def unfinished(self) -> bool:
        """Whether something has begun and not ended."""
        return bool(self._buffer)

    def take_ignored(self) -> int:
        """How many bytes belonged to nothing since this was asked last."""
        ignored, self._ignored = self._ignored, 0
        return ignored

    def feed(self, data: bytes) -> list[Item]:
        """Take bytes split anywhere; answers what is complete, in the order of the wire."""
        items: list[Item] = []
        for start in range(0, len(data), MAX_TELEGRAM):
            self._buffer += data[start : start + MAX_TELEGRAM]
            self._drain(items)
        return items

    def give_up(self) -> list[Item]:
        """Drop what has begun: the rest did not come in time."""
        if not self._buffer:
            return []
        rejected = self._rejected(RejectReason.UNFINISHED, "the rest did not come", len(self._buffer))
        self._take(len(self._buffer))
        return [rejected]

    def _drain(self, items: list[Item]) -> None:
        while self._buffer:
            first = self._buffer[0]
            if first == ENQ:
                item, used = self._telegram()
            elif first == NAK:
                item, used = self._refusal()
            elif first == ACK:
                item, used = Reply(), 1
            else:
                item, used = None, self._noise()
            if used == 0:
                return
            self._take(used)
            if item is not None:
                items.append(item)

    def _noise(self) -> int:
        used = next((at for at, value in enumerate(self._buffer) if value in _STARTERS), len(self._buffer))
        self._ignored += used
        return used

    def _telegram(self) -> tuple[Item | None, int]:
        buffer = self._buffer
        for at in range(1, min(len(buffer), _BEFORE_CHECK)):
            value = buffer[at]
            if value == ENQ:
                return self._rejected(RejectReason.UNFINISHED, "another telegram began", at), at
            if value == ETX:
                return self._close(at)
            if value < 0x20:
                detail = f"control byte {value:02X} at {at}"
                return self._rejected(RejectReason.CONTROL_BYTE, detail, at + 1), at + 1
        if len(buffer) >= _BEFORE_CHECK:
            detail = f"no end after {_BEFORE_CHECK} bytes"
            return self._rejected(RejectReason.TOO_LONG, detail, _BEFORE_CHECK), _BEFORE_CHECK
        return None, 0

    def _close(self, etx: int) -> tuple[Item | None, int]:
        check = self._buffer[etx + 1 : etx + 3]
        if ENQ in check:
            cut = etx + 1 + check.index(ENQ)
            return self._rejected(RejectReason.UNFINISHED, "another telegram began", cut), cut
        if len(check) < 2:
            return None, 0
        return Telegram.from_bytes(bytes(self._buffer[: etx + 3]), self._offset), etx + 3

    def _refusal(self) -> tuple[Item | None, int]:
        digits = bytes(self._buffer[1:3])
        complete = len(digits) == 2
        if digits.isdigit() or digits == Refusal.OTHER.encode()[: len(digits)]:
            return (Reply(digits.decode("ascii")), 3) if complete else (None, 0)
        self._ignored += 1
        return None, 1

    def _rejected(self, reason: RejectReason, detail: str, used: int) -> FrameRejected:
        seq = chr(self._buffer[1]) if used > 1 else ""
        return FrameRejected(reason, detail, seq, bytes(self._buffer[1:used]), self._offset)

    def _take(self, count: int) -> None:
        del self._buffer[:count]
        self._offset += count
