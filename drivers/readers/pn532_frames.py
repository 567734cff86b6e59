"""Frames of the PN532 on its serial line (HSU), to and from bytes; used by the driver and by the simulated module.

::

    00 00 FF LEN LCS TFI DATA... DCS 00        LEN + LCS = 0 and TFI + DATA... + DCS = 0 (mod 256)
    00 00 FF 00 FF 00 ACK        00 00 FF FF 00 00 NACK        00 00 FF 01 FF 7F 81 00 error

TFI is D4 to the module, D5 from it; a reply has the command's code + 1. From the public user manual of the
chip, UM0701-02, sections 6.2 and 7; frames longer than 255 bytes (extended ones) are not used here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

WAKE = bytes.fromhex("5555000000")
ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
START = bytes.fromhex("00FF")
FRAME_MAX = 262
TO_MODULE, FROM_MODULE, ERROR_TFI = 0xD4, 0xD5, 0x7F


class Code(IntEnum):
    """Commands; a reply has the code + 1."""

    GET_FIRMWARE_VERSION = 0x02
    SAM_CONFIGURATION = 0x14
    RF_CONFIGURATION = 0x32
    LIST_PASSIVE_TARGET = 0x4A


class Signal(StrEnum):
    """Frames without data."""

    ACK = "ack"
    NACK = "nack"
    ERROR = "error"
    """the module does not understand, or failed"""


@dataclass(frozen=True, slots=True)
class Message:
    """An information frame: ``tfi``, the code (of a command, or of a reply) and its data, at most 253 bytes."""

    tfi: int
    code: int
    data: bytes = b""

    def to_bytes(self) -> bytes:
        """The whole frame."""
        body = bytes((self.tfi, self.code)) + self.data
        head = bytes((len(body), -len(body) & 0xFF))
        return b"\x00" + START + head + body + bytes((-sum(body) & 0xFF, 0))


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes that began like a frame and are none: ``checksum`` (of the data), ``malformed``, or ``overlap``: the
    message before was none, for it took bytes of the next frame."""

    reason: str


Item = Message | Signal | Damaged
_INCOMPLETE: tuple[Item, int] = Damaged("unfinished"), 0
ERROR_FRAME = b"\x00" + START + bytes.fromhex("01FF7F8100")


class FrameReader:
    """Cuts a byte stream into frames. Holds at most one frame, whatever comes.

    When a zero of the data is lost, DCS and the zeros behind it shift by one and may fit. So the zero behind DCS is
    waited for, and a frame that is followed by another one without the zero before it is taken back: `Damaged`
    (``overlap``).
    """

    __slots__ = ("_buffer", "_follows", "ignored")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._follows = False
        """nothing has come yet since the last frame"""
        self.ignored = 0
        """bytes that belonged to nothing"""

    def clear(self) -> None:
        """Forget what has begun."""
        self._buffer.clear()
        self._follows = False

    def feed(self, data: bytes) -> list[Item]:
        """Take bytes split anywhere; answers what is complete, in order."""
        self._buffer += data
        items: list[Item] = []
        while (at := self._buffer.find(START)) >= 0:
            if at == 0 and self._follows:
                items.append(Damaged("overlap"))
            self._skip(at)
            self._follows = False
            item, used = _first(bytes(self._buffer[:FRAME_MAX]))
            if not used:
                return items
            del self._buffer[:used]
            items.append(item)
            self._follows = isinstance(item, Message)
        rest = len(self._buffer) - self._buffer.endswith(START[:1])
        self._follows = self._follows and not rest
        self._skip(rest)
        return items

    def _skip(self, count: int) -> None:
        self.ignored += sum(1 for value in self._buffer[:count] if value)
        del self._buffer[:count]


def _first(raw: bytes) -> tuple[Item, int]:
    """What begins with the START at the front, and how many bytes it takes; 0 while it is not complete."""
    head = raw[len(START) : len(START) + 2]
    if len(head) < 2:
        return _INCOMPLETE
    length, check = head
    if (length, check) in ((0x00, 0xFF), (0xFF, 0x00)):
        return (Signal.ACK if length == 0 else Signal.NACK), 4
    if (length + check) & 0xFF or not length:
        return Damaged("malformed"), len(START)
    end = len(START) + 2 + length
    if len(raw) < end + 2:
        return _INCOMPLETE
    body = raw[len(START) + 2 : end]
    if (sum(body) + raw[end]) & 0xFF or raw[end + 1]:
        return Damaged("checksum"), len(START)
    if body[0] == ERROR_TFI:
        return Signal.ERROR, end + 2
    if length < 2 or body[0] not in (TO_MODULE, FROM_MODULE):
        return Damaged("malformed"), end + 2
    return Message(body[0], body[1], body[2:]), end + 2
