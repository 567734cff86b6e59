"""Frames of RDM6300 and ID-12 readers, to and from bytes; used by the driver and by the simulated reader.

::

    02 ten hex digits (5 bytes of the tag), two hex digits of their XOR [0D 0A] 03        upper-case ASCII

The ID-12 has CR LF before ETX, the RDM6300 has not; both are taken.
"""

from __future__ import annotations

from enum import StrEnum
from functools import reduce
from operator import xor

STX, ETX = 0x02, 0x03
UID_DIGITS = 10
_DIGITS = UID_DIGITS + 2
_FRAME_MAX = _DIGITS + 4
_HEX = frozenset(b"0123456789ABCDEF")


class Rejected(StrEnum):
    """Why bytes that began like a frame are none."""

    CHECKSUM = "checksum"
    MALFORMED = "malformed"


def tag_frame(uid: str, *, crlf: bool = False) -> bytes:
    """The frame of a tag; ``uid`` is ten upper-case hex digits. Raises ValueError for anything else."""
    if len(uid) != UID_DIGITS or not set(uid.encode()) <= _HEX:
        raise ValueError(f"{uid!r} is no tag of this kind: ten upper-case hex digits are needed")
    raw = bytes.fromhex(uid)
    text = f"{uid}{reduce(xor, raw):02X}" + ("\r\n" if crlf else "")
    return bytes((STX,)) + text.encode("ascii") + bytes((ETX,))


class TagReader:
    """Cuts a byte stream into UIDs. STX always begins a frame. Holds less than one frame, whatever comes."""

    __slots__ = ("_frame", "_ignored")

    def __init__(self) -> None:
        self._frame: bytearray | None = None
        self._ignored = 0

    def clear(self) -> None:
        """Forget what has begun."""
        self._frame = None

    def take_ignored(self) -> int:
        """How many bytes belonged to nothing since this was asked last."""
        ignored, self._ignored = self._ignored, 0
        return ignored

    def feed(self, data: bytes) -> list[str | Rejected]:
        """Take bytes split anywhere; answers UIDs in upper-case hex and rejections, in order."""
        found: list[str | Rejected] = []
        for value in data:
            if value == STX:
                if self._frame is not None:
                    found.append(Rejected.MALFORMED)
                self._frame = bytearray()
            elif self._frame is None:
                self._ignored += 1
            elif value == ETX:
                found.append(_uid(bytes(self._frame)))
                self._frame = None
            elif len(self._frame) >= _FRAME_MAX:
                found.append(Rejected.MALFORMED)
                self._frame = None
            else:
                self._frame.append(value)
        return found


def _uid(body: bytes) -> str | Rejected:
    digits = body.removesuffix(b"\r\n")
    if len(digits) != _DIGITS or not set(digits) <= _HEX:
        return Rejected.MALFORMED
    raw = bytes.fromhex(digits.decode("ascii"))
    return digits[:UID_DIGITS].decode("ascii") if reduce(xor, raw) == 0 else Rejected.CHECKSUM
