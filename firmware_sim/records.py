"""What a slot of a simulated device's memory holds."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from drivers.native.payloads import Outcome, Refusal

_EVENT = struct.Struct(">IIQB")
_REQUEST = struct.Struct(">IIIIBB")


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as it was recorded; ``clock_ms`` since the boot ``boot``."""

    boot: int
    number: int
    clock_ms: int
    code: int
    body: bytes

    def to_bytes(self) -> bytes:
        """A slot's bytes."""
        return _EVENT.pack(self.boot, self.number, self.clock_ms, self.code) + self.body

    @classmethod
    def from_bytes(cls, raw: bytes) -> StoredEvent:
        """Read what `to_bytes` made."""
        boot, number, clock_ms, code = _EVENT.unpack_from(raw)
        return cls(boot, number, clock_ms, code, raw[_EVENT.size :])


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """What became of a command. ``digest`` is the CRC-32 of its code and body."""

    session: int
    request: int
    digest: int
    outcome: Outcome
    refusal: Refusal

    def to_bytes(self, order: int) -> bytes:
        """A slot's bytes; ``order`` counts the requests, so that the ring is found again after a boot."""
        return _REQUEST.pack(order, self.session, self.request, self.digest, self.outcome, self.refusal)

    @classmethod
    def from_bytes(cls, raw: bytes) -> tuple[int, RequestRecord]:
        """Read what `to_bytes` made: the order and the record."""
        order, session, request, digest, outcome, refusal = _REQUEST.unpack(raw)
        return order, cls(session, request, digest, Outcome(outcome), Refusal(refusal))
