"""HELLO: how a device says who it is, and how the host asks. Layout: docs/native-link.md."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from drivers.api import Capabilities
from drivers.messages import DeviceIdentified
from drivers.native.fields import FieldReader, malformed, text_field
from drivers.native.frames import Kind
from drivers.native.payloads import Address, DeviceState

_REQUEST = struct.Struct(">IIBB")
_RANGE = struct.Struct(">IBB")
_FIXED = struct.Struct(">BHHIBIII")
_SERIAL = re.compile(r"[A-Za-z0-9._-]{1,32}")
IMAGE_HASH_SIZE = 32
MEMORY_SHIFT = 16
"""The high 16 bits of a boot id name the device's memory (drawn when it is formatted), the low ones count
boots."""


class DeviceClass(IntEnum):
    """What kind of device answers; a driver talks to its own class only."""

    SHOE = 1
    READER = 2
    CONSOLE = 3
    BET_SENSOR = 4
    RACK = 5


class ResetReason(IntEnum):
    """Why the device booted."""

    POWER_ON = 1
    RESET_PIN = 2
    WATCHDOG = 3
    BROWN_OUT = 4
    SOFTWARE = 5
    UPDATE = 6


def memory_of(boot: int) -> int:
    """Which memory a boot id belongs to; event numbers and boots count on only within one memory."""
    return boot >> MEMORY_SHIFT


def serial_is_valid(serial: str) -> bool:
    """True for 1..32 characters out of letters, digits, dot, underscore and hyphen: what fits into an
    identity."""
    return _SERIAL.fullmatch(serial) is not None


@dataclass(frozen=True, slots=True)
class HelloRequest:
    """Host to device: who are you? ``nonce`` (never 0) comes back in the answer; ``session`` names the host's
    run."""

    kind: ClassVar[Kind] = Kind.HELLO_REQ
    nonce: int
    session: int
    protocol_min: int
    protocol_max: int

    def to_payload(self) -> bytes:
        """The payload's bytes."""
        return _REQUEST.pack(self.nonce, self.session, self.protocol_min, self.protocol_max)

    @classmethod
    def from_payload(cls, payload: bytes) -> HelloRequest:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        request = cls(*fields.numbers(_REQUEST))
        fields.end()
        return request


@dataclass(frozen=True, slots=True)
class Hello:
    """Device to host. ``nonce`` 0 = said at boot without being asked. ``oldest`` is the oldest event still
    kept (``last + 1`` when there is none), ``acked`` the newest one acknowledged, ``last`` the newest one (0
    = never any)."""

    kind: ClassVar[Kind] = Kind.HELLO
    nonce: int
    protocol_min: int
    protocol_max: int
    device_class: DeviceClass
    state: DeviceState
    capabilities: Capabilities
    boot: int
    reset_reason: ResetReason
    oldest: int
    acked: int
    last: int
    image_hash: bytes
    model: str
    serial: str
    hardware: str
    firmware: str

    @property
    def address(self) -> Address:
        """The address that every further frame to and from this device carries."""
        return Address.of(self.serial, self.boot)

    def identified(self) -> DeviceIdentified:
        """The device message of this HELLO."""
        state = self.state
        return DeviceIdentified(
            model=self.model,
            serial=self.serial,
            hardware=self.hardware,
            firmware=self.firmware,
            image_hash=self.image_hash.hex(),
            boot=self.boot,
            reset_reason=self.reset_reason.name.lower(),
            last_event=self.last,
            simulated=bool(state & DeviceState.SIMULATED),
            lid_open=bool(state & DeviceState.LID_OPEN),
            tamper=bool(state & DeviceState.TAMPER),
            card_in_throat=bool(state & DeviceState.CARD_IN_THROAT),
        )

    def to_payload(self) -> bytes:
        """The payload's bytes. Raises ValueError for a serial number or a text that breaks the layout."""
        if not serial_is_valid(self.serial) or len(self.image_hash) != IMAGE_HASH_SIZE:
            raise ValueError(f"serial {self.serial!r} or a hash of {len(self.image_hash)} bytes does not fit a HELLO")
        fixed = _FIXED.pack(
            self.device_class,
            self.state,
            _bits(self.capabilities),
            self.boot,
            self.reset_reason,
            self.oldest,
            self.acked,
            self.last,
        )
        texts = text_field(self.model, 24) + text_field(self.serial, 32)
        texts += text_field(self.hardware, 16) + text_field(self.firmware, 16)
        return _RANGE.pack(self.nonce, self.protocol_min, self.protocol_max) + fixed + self.image_hash + texts

    @classmethod
    def from_payload(cls, payload: bytes) -> Hello:
        """Read a payload. Raises PayloadError."""
        fields = FieldReader(payload)
        nonce, low, high = fields.numbers(_RANGE)
        device_class, state, bits, boot, reset, oldest, acked, last = fields.numbers(_FIXED)
        image_hash = fields.raw(IMAGE_HASH_SIZE)
        model, serial, hardware, firmware = (fields.text(limit) for limit in (24, 32, 16, 16))
        fields.end()
        if not serial_is_valid(serial):
            raise malformed(f"serial number {serial!r}: letters, digits, dot, underscore and hyphen are allowed")
        if not acked <= last or not oldest <= last + 1:
            raise malformed(f"event numbers {oldest}, {acked}, {last} contradict each other")
        try:
            known_class, known_reset = DeviceClass(device_class), ResetReason(reset)
        except ValueError:
            raise malformed(f"device class {device_class} or reset reason {reset} is unknown") from None
        return cls(
            nonce,
            low,
            high,
            known_class,
            DeviceState(state),
            _capabilities(bits),
            boot,
            known_reset,
            oldest,
            acked,
            last,
            image_hash,
            model,
            serial,
            hardware,
            firmware,
        )


def hello_range(payload: bytes) -> tuple[int, int, int]:
    """Nonce, lowest and highest protocol of a HELLO: its first six bytes, the same in every version for ever.
    Raises PayloadError."""
    nonce, low, high = FieldReader(payload).numbers(_RANGE)
    return nonce, low, high


_CAPABILITY_BITS = ("identity", "replay", "lock", "heartbeat", "position", "card_identity")


def _bits(capabilities: Capabilities) -> int:
    return sum(1 << bit for bit, name in enumerate(_CAPABILITY_BITS) if getattr(capabilities, name))


def _capabilities(bits: int) -> Capabilities:
    return Capabilities(**{name: bool(bits & 1 << bit) for bit, name in enumerate(_CAPABILITY_BITS)})
