"""Payloads of every kind but HELLO: frozen records with their bytes. Layouts: docs/native-link.md.

All of them begin with the *address*, eight bytes that say which device in which boot is meant, so that
nothing said to one device is ever taken by another that was plugged in its place, nor by the same one after
its memory was lost.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar

from drivers.native.fields import FieldReader, NakReason, malformed, unknown
from drivers.native.frames import PAYLOAD_MAX, Kind

_ADDRESS = struct.Struct(">II")
_EVENT = struct.Struct(">IIQB")
_ONE = struct.Struct(">I")
_NAK = struct.Struct(">BIB")
_INFO = struct.Struct(">III")
_COMMAND = struct.Struct(">IIB")
_RESULT = struct.Struct(">IIBB")
_QUERY = struct.Struct(">II")
_BEAT = struct.Struct(">HQIIIII")

BODY_MAX = PAYLOAD_MAX - _ADDRESS.size - _EVENT.size
"""218: the most bytes that the body of an event may have; a command may have as many."""


class DeviceState(IntFlag):
    """The state word of HELLO and HEARTBEAT."""

    NONE = 0
    SIMULATED = 1
    LID_OPEN = 2
    TAMPER = 4
    CARD_IN_THROAT = 8
    ATTACHED = 16
    """the sender has heard from its peer within the last five seconds"""


SENSORS = DeviceState.LID_OPEN | DeviceState.TAMPER | DeviceState.CARD_IN_THROAT


class Outcome(IntEnum):
    """What the device says became of a command."""

    DONE = 0
    REFUSED = 1
    NOT_SEEN = 2
    """it never came, and what was sent before the question will not come any more"""
    UNSURE = 3
    """it was begun, then the power went: the device cannot say"""


class Refusal(IntEnum):
    """Why the device refused a command."""

    NONE = 0
    UNKNOWN_COMMAND = 1
    MALFORMED = 2
    REQUEST_REUSED = 3
    NOT_POSSIBLE = 4
    BUSY = 5


@dataclass(frozen=True, slots=True)
class Address:
    """Which device, which boot. ``device`` is the CRC-32 of the serial number's ASCII text."""

    device: int
    boot: int

    @classmethod
    def of(cls, serial: str, boot: int) -> Address:
        """The address of the device with this serial number in this boot."""
        return cls(zlib.crc32(serial.encode("ascii")), boot)

    def to_bytes(self) -> bytes:
        """Eight bytes."""
        return _ADDRESS.pack(self.device, self.boot)

    @classmethod
    def read(cls, fields: FieldReader) -> Address:
        """Take the address off the front of a payload."""
        return cls(*fields.numbers(_ADDRESS))


@dataclass(frozen=True, slots=True)
class EventRecord:
    """Device to host: something happened. ``boot`` and ``clock_ms`` are those of the recording, not of the
    sending."""

    kind: ClassVar[Kind] = Kind.EVENT
    address: Address
    boot: int
    number: int
    clock_ms: int
    code: int
    body: bytes

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        return self.address.to_bytes() + _EVENT.pack(self.boot, self.number, self.clock_ms, self.code) + self.body

    @classmethod
    def from_payload(cls, payload: bytes) -> EventRecord:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        address = Address.read(fields)
        boot, number, clock_ms, code = fields.numbers(_EVENT)
        return cls(address, boot, number, clock_ms, code, fields.rest())


@dataclass(frozen=True, slots=True)
class Ack:
    """Host to device: every event through ``number`` is durable."""

    kind: ClassVar[Kind] = Kind.ACK
    address: Address
    number: int

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        return self.address.to_bytes() + _ONE.pack(self.number)

    @classmethod
    def from_payload(cls, payload: bytes) -> Ack:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        ack = cls(Address.read(fields), *fields.numbers(_ONE))
        fields.end()
        return ack


@dataclass(frozen=True, slots=True)
class Nak:
    """Both ways: a frame of kind ``refused`` cannot be used. ``reference`` is its event number, its request,
    or its sequence."""

    kind: ClassVar[Kind] = Kind.NAK
    address: Address
    refused: Kind
    reference: int
    reason: NakReason

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        return self.address.to_bytes() + _NAK.pack(self.refused, self.reference, self.reason)

    @classmethod
    def from_payload(cls, payload: bytes) -> Nak:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        address = Address.read(fields)
        refused, reference, reason = fields.numbers(_NAK)
        fields.end()
        try:
            return cls(address, Kind(refused), reference, NakReason(reason))
        except ValueError:
            raise malformed(f"a NAK of kind {refused} for reason {reason}") from None


@dataclass(frozen=True, slots=True)
class Replay:
    """Host to device: send every event from ``number`` on; the host does not have them."""

    kind: ClassVar[Kind] = Kind.REPLAY
    address: Address
    number: int

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        return self.address.to_bytes() + _ONE.pack(self.number)

    @classmethod
    def from_payload(cls, payload: bytes) -> Replay:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        replay = cls(Address.read(fields), *fields.numbers(_ONE))
        fields.end()
        return replay


@dataclass(frozen=True, slots=True)
class ReplayInfo:
    """Device to host, before the replayed events: ``first`` is the oldest at or after ``asked`` that it still
    has, ``last`` its newest. Events ``asked`` .. ``first - 1`` are gone for ever; ``first = last + 1`` means
    none follow."""

    kind: ClassVar[Kind] = Kind.REPLAY_INFO
    address: Address
    asked: int
    first: int
    last: int

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        return self.address.to_bytes() + _INFO.pack(self.asked, self.first, self.last)

    @classmethod
    def from_payload(cls, payload: bytes) -> ReplayInfo:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        info = cls(Address.read(fields), *fields.numbers(_INFO))
        fields.end()
        return info


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """Host to device: do this once. (``session``, ``request``) names it; a copy of it is answered and not
    done again."""

    kind: ClassVar[Kind] = Kind.COMMAND
    address: Address
    session: int
    request: int
    code: int
    body: bytes

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        return self.address.to_bytes() + _COMMAND.pack(self.session, self.request, self.code) + self.body

    @classmethod
    def from_payload(cls, payload: bytes) -> CommandRequest:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        address = Address.read(fields)
        session, request, code = fields.numbers(_COMMAND)
        return cls(address, session, request, code, fields.rest())


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """Device to host: what became of a command; the answer to COMMAND and to QUERY."""

    kind: ClassVar[Kind] = Kind.COMMAND_RESULT
    address: Address
    session: int
    request: int
    outcome: Outcome
    refusal: Refusal = Refusal.NONE

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        return self.address.to_bytes() + _RESULT.pack(self.session, self.request, self.outcome, self.refusal)

    @classmethod
    def from_payload(cls, payload: bytes) -> CommandAnswer:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        address = Address.read(fields)
        session, request, outcome, refusal = fields.numbers(_RESULT)
        fields.end()
        try:
            return cls(address, session, request, Outcome(outcome), Refusal(refusal))
        except ValueError:
            raise unknown("command outcome", outcome * 256 + refusal) from None


@dataclass(frozen=True, slots=True)
class Query:
    """Host to device: what became of this command? Never has an effect."""

    kind: ClassVar[Kind] = Kind.QUERY
    address: Address
    session: int
    request: int

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        return self.address.to_bytes() + _QUERY.pack(self.session, self.request)

    @classmethod
    def from_payload(cls, payload: bytes) -> Query:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        query = cls(Address.read(fields), *fields.numbers(_QUERY))
        fields.end()
        return query


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Both ways, each second. ``event``: the device's newest number, or the host's last durable one.
    ``clock_ms`` is the sender's clock since its own start; the counters are the sender's, modulo 2**32."""

    kind: ClassVar[Kind] = Kind.HEARTBEAT
    address: Address
    state: DeviceState
    clock_ms: int
    event: int
    bad_checksums: int = 0
    bytes_ignored: int = 0
    timeouts: int = 0
    retransmissions: int = 0

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        counters = (self.bad_checksums, self.bytes_ignored, self.timeouts, self.retransmissions)
        wrapped = (count & 0xFFFFFFFF for count in counters)
        return self.address.to_bytes() + _BEAT.pack(self.state, self.clock_ms, self.event, *wrapped)

    @classmethod
    def from_payload(cls, payload: bytes) -> Heartbeat:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        address = Address.read(fields)
        state, clock_ms, event, bad, ignored, timeouts, retransmissions = fields.numbers(_BEAT)
        fields.end()
        return cls(address, DeviceState(state), clock_ms, event, bad, ignored, timeouts, retransmissions)


Payload = EventRecord | Ack | Nak | Replay | ReplayInfo | CommandRequest | CommandAnswer | Query | Heartbeat
