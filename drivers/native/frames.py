"""Frames of the native link: COBS, one header, a payload and a CRC-32, ended by a zero byte.

The layout is ours and is written down byte by byte in docs/native-link.md. All numbers are big-endian::

    COBS( version u8 | kind u8 | flags u8 | sequence u16 | length u8 | payload | crc32 u32 ) 00

CRC-32 is the IEEE 802.3 one (reflected 0xEDB88320, as ``zlib.crc32``) over version .. payload.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum, IntFlag, StrEnum

from cobs import cobs  # type: ignore[import-untyped]

PROTOCOL = 1
"""The version of this layout; the first byte inside every frame."""
WIRE_MAX = 255
"""Bytes of a frame on the wire, the closing zero included."""
_HEADER = struct.Struct(">BBBHB")
_CRC = struct.Struct(">I")
PAYLOAD_MAX = WIRE_MAX - 2 - _HEADER.size - _CRC.size
"""243: what a frame of WIRE_MAX leaves after the zero, one COBS byte, the header and the CRC."""
SEQUENCE_MODULO = 1 << 16


class Kind(IntEnum):
    """What a frame is for; who sends it is part of its meaning."""

    HELLO_REQ = 1
    HELLO = 2
    EVENT = 3
    ACK = 4
    NAK = 5
    REPLAY = 6
    REPLAY_INFO = 7
    COMMAND = 8
    COMMAND_RESULT = 9
    QUERY = 10
    HEARTBEAT = 11


class Flag(IntFlag):
    """Frame flags; a frame with any other bit set is refused."""

    NONE = 0
    RETRANSMITTED = 1
    REPLAYED = 2


_KNOWN_FLAGS = 0x03


class Rejection(StrEnum):
    """Why bytes between two zeros are not a frame."""

    TOO_LONG = "too_long"
    COBS = "cobs"
    TOO_SHORT = "too_short"
    CHECKSUM = "checksum"
    VERSION = "version"
    LENGTH = "length"
    KIND = "kind"
    FLAGS = "flags"


@dataclass(frozen=True, slots=True)
class FrameRejected:
    """Bytes that are not a frame: why, and how many bytes of the wire were given up. Nothing in them is
    used."""

    reason: Rejection
    size: int


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. ``sequence`` counts the sender's frames, 0..65535; ``payload`` has at most PAYLOAD_MAX
    bytes."""

    kind: Kind
    sequence: int
    payload: bytes = b""
    flags: Flag = Flag.NONE

    def to_bytes(self) -> bytes:
        """The frame as it goes onto the wire, closing zero included. Raises ValueError when the payload is
        too long."""
        if len(self.payload) > PAYLOAD_MAX:
            raise ValueError(f"a payload of {len(self.payload)} bytes does not fit; at most {PAYLOAD_MAX}")
        head = _HEADER.pack(PROTOCOL, self.kind, self.flags, self.sequence, len(self.payload))
        body = head + self.payload
        return bytes(cobs.encode(body + _CRC.pack(zlib.crc32(body)))) + b"\x00"

    @classmethod
    def from_bytes(cls, wire: bytes) -> Frame | FrameRejected:
        """Read what stood between two zeros (the closing zero left out). Never raises for any bytes."""
        if len(wire) >= WIRE_MAX:
            return FrameRejected(Rejection.TOO_LONG, len(wire))
        try:
            raw = bytes(cobs.decode(wire))
        except cobs.DecodeError:
            return FrameRejected(Rejection.COBS, len(wire))
        if len(raw) < _HEADER.size + _CRC.size:
            return FrameRejected(Rejection.TOO_SHORT, len(wire))
        body = raw[: -_CRC.size]
        if zlib.crc32(body) != _CRC.unpack(raw[-_CRC.size :])[0]:
            return FrameRejected(Rejection.CHECKSUM, len(wire))
        version, kind, flags, sequence, length = _HEADER.unpack_from(body)
        payload = body[_HEADER.size :]
        if version != PROTOCOL:
            return FrameRejected(Rejection.VERSION, len(wire))
        if length != len(payload):
            return FrameRejected(Rejection.LENGTH, len(wire))
        if kind not in Kind.__members__.values():
            return FrameRejected(Rejection.KIND, len(wire))
        if flags & ~_KNOWN_FLAGS:
            return FrameRejected(Rejection.FLAGS, len(wire))
        return cls(Kind(kind), sequence, payload, Flag(flags))


class FrameReader:
    """Cuts a byte stream at its zeros. Keeps at most WIRE_MAX bytes; after too many it waits for the next
    zero."""

    __slots__ = ("_buffer", "_overrun")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._overrun = 0

    def feed(self, data: bytes) -> list[Frame | FrameRejected]:
        """Take bytes, split anywhere; returns the frames and the rejections that they complete, in order."""
        found: list[Frame | FrameRejected] = []
        *whole, rest = data.split(b"\x00")
        for piece in whole:
            self._keep(piece)
            if self._overrun:
                found.append(FrameRejected(Rejection.TOO_LONG, self._overrun))
            elif self._buffer:
                found.append(Frame.from_bytes(bytes(self._buffer)))
            self.clear()
        self._keep(rest)
        return found

    def clear(self) -> None:
        """Forget an unfinished frame (a fresh connection)."""
        self._buffer.clear()
        self._overrun = 0

    def _keep(self, piece: bytes) -> None:
        if self._overrun or len(self._buffer) + len(piece) >= WIRE_MAX:
            self._overrun += len(self._buffer) + len(piece)
            self._buffer.clear()
        else:
            self._buffer += piece
