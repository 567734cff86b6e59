"""The discard rack on the native link: how many cards lie in it, and which, where it reads tags.

Codes and bodies are written down in docs/native-link.md.
"""

from __future__ import annotations

import struct
from enum import IntEnum

from drivers.api import Capabilities
from drivers.messages import DeviceCommand, DeviceMessage, RackCounted, ReadFailed, TagSeen
from drivers.native.factory import NativeFactory
from drivers.native.fields import FieldReader, malformed, unknown
from drivers.native.hello import DeviceClass

POSITION = "discard"
"""The position that every message of a rack names."""
UNREAD_TAG = "a card went into the rack and its tag could not be read"
UID_MIN, UID_MAX = 4, 10
"""Bytes of a tag's UID."""
_COUNT = struct.Struct(">H")
_HEX = frozenset("0123456789ABCDEF")


class RackEvent(IntEnum):
    """Event codes of a rack."""

    COUNTED = 0x40
    TAG_SEEN = 0x41
    TAG_UNREAD = 0x42


class RackCodec:
    """The rack's codes; see `drivers.native.codec.DeviceCodec`."""

    device_class = DeviceClass.RACK
    capabilities = Capabilities(identity=True, replay=True, heartbeat=True, position=True, card_identity=True)

    def encode_event(self, message: DeviceMessage) -> tuple[int, bytes]:
        """Code and body of an event. Raises ValueError for a message that a rack cannot say."""
        match message:
            case RackCounted(count) if 0 <= count <= 0xFFFF:
                return RackEvent.COUNTED, _COUNT.pack(count)
            case TagSeen("discard", uid) if set(uid) <= _HEX and len(uid) % 2 == 0 and _fits(len(uid) // 2):
                raw = bytes.fromhex(uid)
                return RackEvent.TAG_SEEN, bytes([len(raw)]) + raw
            case ReadFailed("discard", detail) if detail == UNREAD_TAG:
                return RackEvent.TAG_UNREAD, b""
            case _:
                raise ValueError(f"a rack does not say {message}")

    def decode_event(self, code: int, body: bytes) -> DeviceMessage:
        """The message of an event. Raises PayloadError."""
        fields = FieldReader(body)
        message = _decoded(code, fields)
        fields.end()
        return message

    def encode_command(self, command: DeviceCommand) -> tuple[int, bytes]:
        """A rack has no commands: raises ValueError."""
        raise ValueError(f"a rack cannot {type(command).__name__}")

    def decode_command(self, code: int, body: bytes) -> DeviceCommand:
        """A rack has no commands: raises PayloadError."""
        raise unknown("rack command", code)


def _decoded(code: int, fields: FieldReader) -> DeviceMessage:
    match code:
        case RackEvent.COUNTED:
            return RackCounted(fields.numbers(_COUNT)[0])
        case RackEvent.TAG_SEEN:
            size = fields.raw(1)[0]
            if not _fits(size):
                raise malformed(f"a UID of {size} bytes; {UID_MIN} to {UID_MAX} are allowed")
            return TagSeen(POSITION, fields.raw(size).hex().upper())
        case RackEvent.TAG_UNREAD:
            return ReadFailed(POSITION, UNREAD_TAG)
        case _:
            raise unknown("rack event", code)


def _fits(size: int) -> bool:
    return UID_MIN <= size <= UID_MAX


DRIVER = NativeFactory("rack", RackCodec())
"""The driver of the discard rack; options as in `drivers.native.factory.NativeFactory`."""
