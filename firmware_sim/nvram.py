"""The memory of a simulated device that outlives its power: events, acknowledgements, boots, command results.

It is a fixed number of slots, each written whole or not at all, as in a battery-backed RAM: a slot that was being
written when the power went reads as empty.
"""

from __future__ import annotations

import os
import secrets
import struct
import zlib
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from drivers.native.hello import MEMORY_SHIFT
from drivers.native.payloads import Outcome, Refusal
from firmware_sim.records import RequestRecord, StoredEvent

EVENT_SLOTS = 512
RESULT_SLOTS = 64
_HEADERS = 2
"""The header is kept twice and written in turns, so that one good copy is always there."""
SLOTS = _HEADERS + EVENT_SLOTS + RESULT_SLOTS
_SLOT = struct.Struct(">HI")
SLOT_SIZE = 272
_MAGIC = b"TWNVRAM1"
_HEADER = struct.Struct(">III")


class Nvram(Protocol):
    """Slots 0 .. SLOTS - 1 of at most SLOT_SIZE - 6 bytes each."""

    def read(self, slot: int) -> bytes:
        """What was written last, empty for nothing or a torn write."""
        ...

    def write(self, slot: int, data: bytes) -> None:
        """Replace a slot, whole or not at all."""
        ...


class MemoryNvram:
    """Slots in this process; they outlive the simulated device, not the process."""

    def __init__(self) -> None:
        self._slots: dict[int, bytes] = {}

    def read(self, slot: int) -> bytes:
        """See `Nvram.read`."""
        return self._slots.get(slot, b"")

    def write(self, slot: int, data: bytes) -> None:
        """See `Nvram.write`."""
        self._slots[slot] = data

    def wipe(self) -> None:
        """The battery fell out."""
        self._slots.clear()


class FileNvram:
    """Slots in a file, for a simulated device that outlives its process. Close it, or use it as a context manager."""

    def __init__(self, path: Path) -> None:
        """Open or make the file. Raises ValueError for one that is no such memory, OSError when it cannot be opened."""
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        found = os.pread(self._fd, len(_MAGIC), 0)
        if not found:
            os.pwrite(self._fd, _MAGIC, 0)
        elif found != _MAGIC:
            os.close(self._fd)
            raise ValueError(f"{path} is no memory of a simulated device; name a new file or remove it")

    def read(self, slot: int) -> bytes:
        """See `Nvram.read`."""
        raw = os.pread(self._fd, SLOT_SIZE, self._offset(slot))
        if len(raw) < _SLOT.size:
            return b""
        size, checksum = _SLOT.unpack_from(raw)
        data = raw[_SLOT.size : _SLOT.size + size]
        return data if zlib.crc32(data) == checksum else b""

    def write(self, slot: int, data: bytes) -> None:
        """See `Nvram.write`."""
        os.pwrite(self._fd, _SLOT.pack(len(data), zlib.crc32(data)) + data, self._offset(slot))

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _offset(self, slot: int) -> int:
        return len(_MAGIC) + slot * SLOT_SIZE


class DeviceMemory:
    """What the firmware keeps in its Nvram. A blank one is formatted: its boot ids then begin at a random multiple of
    65536, so that no identity of an event is ever given twice, even after the memory was lost."""

    def __init__(self, nvram: Nvram, memory_id: int | None = None) -> None:
        """Read everything back. ``memory_id`` 0..65535 replaces chance when a blank memory is formatted."""
        self._nvram = nvram
        self._events: dict[int, StoredEvent] = {}
        self._requests: dict[tuple[int, int], RequestRecord] = {}
        self._writes = 0
        self._request_writes = 0
        self.boot = 0
        self._acked = 0
        self.last = 0
        """newest event number, 0 when there never was one"""
        self.oldest = 1
        """the oldest event from which on all are kept; ``last + 1`` when none is"""
        headers = [_HEADER.unpack(raw) for slot in range(_HEADERS) if (raw := nvram.read(slot))]
        if headers:
            self._writes, self.boot, self._acked = max(headers)
        else:
            self.boot = (secrets.randbelow(1 << 16) if memory_id is None else memory_id) << MEMORY_SHIFT
        self._load()

    def _load(self) -> None:
        for slot in range(_HEADERS, _HEADERS + EVENT_SLOTS):
            if raw := self._nvram.read(slot):
                event = StoredEvent.from_bytes(raw)
                self._events[event.number] = event
        self.last = max(self._events, default=self._acked)
        self.oldest = self.last + 1
        while self.oldest - 1 in self._events:
            self.oldest -= 1
        order = 0
        for slot in range(_HEADERS + EVENT_SLOTS, SLOTS):
            if raw := self._nvram.read(slot):
                order, record = RequestRecord.from_bytes(raw)
                self._requests[record.session, record.request] = record
                self._request_writes = max(self._request_writes, order)

    @property
    def acked(self) -> int:
        """Nothing up to this one has to be sent: acknowledged, or no longer kept."""
        return max(self._acked, self.oldest - 1)

    def count_boot(self) -> None:
        """The device booted."""
        self.boot += 1
        self._write_header()

    def acknowledge(self, number: int) -> None:
        """Events through ``number`` need not be sent any more; a smaller number than before has them sent again."""
        if number != self._acked:
            self._acked = number
            self._write_header()

    def append(self, clock_ms: int, code: int, body: bytes) -> StoredEvent:
        """Keep a new event, over the oldest one when all slots are full."""
        self.last += 1
        event = StoredEvent(self.boot, self.last, clock_ms, code, body)
        self._nvram.write(_HEADERS + event.number % EVENT_SLOTS, event.to_bytes())
        self._events[event.number] = event
        self._events.pop(event.number - EVENT_SLOTS, None)
        self.oldest = max(self.oldest, event.number - EVENT_SLOTS + 1)
        return event

    def event(self, number: int) -> StoredEvent:
        """A kept event, ``oldest`` <= ``number`` <= ``last``."""
        return self._events[number]

    def request(self, session: int, request: int) -> RequestRecord | None:
        """What is known of a command; None when it never came (or more than 64 came after it)."""
        return self._requests.get((session, request))

    def begin_request(self, session: int, request: int, digest: int) -> None:
        """A command is about to be carried out; until it is finished its outcome is unsure."""
        self._request_writes += 1
        self._store(RequestRecord(session, request, digest, Outcome.UNSURE, Refusal.NONE))

    def finish_request(self, session: int, request: int, digest: int, refusal: Refusal) -> RequestRecord:
        """The command begun last was carried out, or refused for a reason other than NONE."""
        outcome = Outcome.DONE if refusal is Refusal.NONE else Outcome.REFUSED
        record = RequestRecord(session, request, digest, outcome, refusal)
        self._store(record)
        return record

    def _store(self, record: RequestRecord) -> None:
        slot = _HEADERS + EVENT_SLOTS + self._request_writes % RESULT_SLOTS
        if replaced := self._nvram.read(slot):
            _, old = RequestRecord.from_bytes(replaced)
            self._requests.pop((old.session, old.request), None)
        self._nvram.write(slot, record.to_bytes(self._request_writes))
        self._requests[record.session, record.request] = record

    def _write_header(self) -> None:
        self._writes += 1
        self._nvram.write(self._writes % _HEADERS, _HEADER.pack(self._writes, self.boot, self._acked))
