"""Telegrams of the Angel Eye II-EX shoe, to and from bytes; used by the driver and by the simulated firmware.

Shoe to host, unsolicited and never acknowledged, each sent three times about 50 ms apart::

    05 SEQ DATA... 03 BCC1 BCC2      BCC = XOR of SEQ .. ETX (ENQ excluded), two upper-case ASCII hex digits

DATA[0] is the letter; the payload bytes after it have bit 7 set, so that none can look like a control byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import xor

ENQ = 0x05
STX = 0x02
ETX = 0x03
ACK = 0x06
NAK = 0x15

COPIES = 3
COPY_SPACING_MS = 50
MAX_TELEGRAM = 32
"""Bytes of the longest telegram taken; the longest one known (`M`) has 12."""

SEQ_DIGITS = "123456789"
"""The cycle of SEQ seen on the wire; the range on hardware is unconfirmed, other characters are let through."""


class Kind(StrEnum):
    """The letter in DATA[0]."""

    START = "S"
    STAND_BY = "P"
    DRAWN = "D"
    DRAWN_OUTSIDE = "d"
    READ_AGAIN = "R"
    RESULT = "G"
    CUT_CARD = "C"
    ERROR = "E"
    ERROR_CLEARED = "e"
    KEY_LOCK = "L"
    SETTING = "M"


PAYLOAD_BYTES: Mapping[Kind, int] = {
    Kind.START: 0,
    Kind.STAND_BY: 0,
    Kind.DRAWN: 2,
    Kind.DRAWN_OUTSIDE: 2,
    Kind.READ_AGAIN: 2,
    Kind.RESULT: 1,
    Kind.CUT_CARD: 0,
    Kind.ERROR: 1,
    Kind.ERROR_CLEARED: 1,
    Kind.KEY_LOCK: 1,
    Kind.SETTING: 6,
}

_LETTERS = frozenset(kind.value for kind in Kind)


class RejectReason(StrEnum):
    """Why bytes that began like a telegram are not one."""

    UNFINISHED = "unfinished"
    CONTROL_BYTE = "control byte inside"
    TOO_LONG = "too long"
    BAD_CHECKSUM = "bad checksum"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class FrameRejected:
    """Bytes that began like a telegram and are not one. ``offset`` counts bytes since the connection began;
    ``seq`` and ``payload`` (the raw bytes after ENQ) are what was there, not to be believed unless the reason
    is ``MALFORMED`` (checksum right, content senseless). ``detail`` is one line for a person."""

    reason: RejectReason
    detail: str
    seq: str = ""
    payload: bytes = b""
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Telegram:
    """One telegram of the shoe. ``seq`` is one printable ASCII character; ``payload`` has 7-bit values (bit 7
    belongs to the wire), as many as `PAYLOAD_BYTES` says."""

    seq: str
    kind: Kind
    payload: bytes = b""

    def to_bytes(self) -> bytes:
        """The bytes of one copy."""
        body = self.seq.encode("ascii") + self.kind.value.encode("ascii")
        body += bytes(value | 0x80 for value in self.payload) + bytes((ETX,))
        return bytes((ENQ,)) + body + block_check(body)

    @classmethod
    def from_bytes(cls, raw: bytes, offset: int = 0) -> Telegram | FrameRejected:
        """Read one whole copy, ENQ to BCC2. ``offset`` only goes into the rejection."""
        if len(raw) < 6 or raw[0] != ENQ or raw[-3] != ETX:
            detail = f"{len(raw)} bytes do not begin with 05 and end with 03 and two digits"
            return FrameRejected(RejectReason.UNFINISHED, detail, payload=raw[1:], offset=offset)
        expected = block_check(raw[1:-2])
        seq = chr(raw[1])
        if raw[-2:] != expected:
            detail = f"BCC is {raw[-2:].hex(' ')}, computed {expected.hex(' ')}"
            return FrameRejected(RejectReason.BAD_CHECKSUM, detail, seq, raw[1:-3], offset)
        wrong = _content_fault(raw)
        if wrong:
            return FrameRejected(RejectReason.MALFORMED, wrong, seq, raw[1:-3], offset)
        return cls(seq, Kind(chr(raw[2])), bytes(value & 0x7F for value in raw[3:-3]))


def _content_fault(raw: bytes) -> str:
    if not 0x20 < raw[1] < 0x7F:
        return f"SEQ {raw[1]:02X} is not a printable character"
    letter = chr(raw[2])
    if letter not in _LETTERS:
        return f"letter {raw[2]:02X} is none of {' '.join(Kind)}"
    payload = raw[3:-3]
    if len(payload) != PAYLOAD_BYTES[Kind(letter)]:
        return f"{letter} has {len(payload)} payload bytes, not {PAYLOAD_BYTES[Kind(letter)]}"
    if not all(value & 0x80 for value in payload):
        return f"{letter} has a payload byte without bit 7: {payload.hex(' ')}"
    return ""


def block_check(body: bytes) -> bytes:
    """BCC of the bytes given: XOR of all as two upper-case ASCII hex digits."""
    return f"{reduce(xor, body, 0):02X}".encode("ascii")


def next_seq(seq: str) -> str:
    """The SEQ after this one, cycling 1 .. 9."""
    return SEQ_DIGITS[int(seq) % len(SEQ_DIGITS)]


def seq_jump(last: str, new: str) -> int | None:
    """How many telegrams are missing between two, modulo 9 (8 = the same SEQ again). None: a SEQ outside the
    cycle, nothing can be said."""
    if last not in SEQ_DIGITS or new not in SEQ_DIGITS:
        return None
    return (int(new) - int(last) - 1) % len(SEQ_DIGITS)
