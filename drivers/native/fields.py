"""Reading and writing the fields of a payload: fixed numbers and short texts, every length checked."""

from __future__ import annotations

import re
import struct
from enum import IntEnum

_TEXT = re.compile(r"[\x20-\x7e]*")


class NakReason(IntEnum):
    """Why a frame was understood but cannot be used."""

    UNKNOWN_CODE = 1
    MALFORMED = 2
    WRONG_ADDRESS = 3


class PayloadError(ValueError):
    """A payload that says something this side does not know or that breaks its layout; ``nak`` is the reason
    sent back."""

    def __init__(self, nak: NakReason, text: str) -> None:
        super().__init__(text)
        self.nak = nak


def malformed(text: str) -> PayloadError:
    """A PayloadError for a payload that breaks its layout."""
    return PayloadError(NakReason.MALFORMED, text)


def unknown(what: str, code: int) -> PayloadError:
    """A PayloadError for a code that is in no table."""
    return PayloadError(NakReason.UNKNOWN_CODE, f"{what} code {code} is unknown")


class FieldReader:
    """Takes fields off the front of a payload; raises PayloadError as soon as one is not there."""

    __slots__ = ("_at", "_payload")

    def __init__(self, payload: bytes) -> None:
        self._payload = payload
        self._at = 0

    def numbers(self, layout: struct.Struct) -> tuple[int, ...]:
        """The next fixed fields, all of them integers."""
        return tuple(layout.unpack(self.raw(layout.size)))

    def raw(self, size: int) -> bytes:
        """The next ``size`` bytes."""
        if self._at + size > len(self._payload):
            raise malformed(f"{len(self._payload)} bytes, at least {self._at + size} are needed")
        piece = self._payload[self._at : self._at + size]
        self._at += size
        return piece

    def text(self, limit: int) -> str:
        """The next text: one length byte, then printable ASCII of at most ``limit`` characters."""
        size = self.raw(1)[0]
        if size > limit:
            raise malformed(f"a text of {size} characters, at most {limit} are allowed")
        piece = self.raw(size).decode("latin-1")
        if not _TEXT.fullmatch(piece):
            raise malformed("a text that is not printable ASCII")
        return piece

    def rest(self) -> bytes:
        """Everything that is left."""
        return self.raw(len(self._payload) - self._at)

    def end(self) -> None:
        """Insist that nothing is left."""
        if self._at != len(self._payload):
            raise malformed(f"{len(self._payload) - self._at} bytes too many")


def text_field(text: str, limit: int) -> bytes:
    """A text as FieldReader.text reads it. Raises ValueError for one that is too long or not printable
    ASCII."""
    if len(text) > limit or not _TEXT.fullmatch(text):
        raise ValueError(f"{text!r} is not printable ASCII of at most {limit} characters")
    return bytes([len(text)]) + text.encode("ascii")
