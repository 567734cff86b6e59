"""Which events of which device the host has: the memory behind "exactly once, in order".

Event numbers of one device memory count on without a hole across its boots, so one number says everything:
what is below `EventStream.expected` was reported, what is up to `EventStream.committed` is durable.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from drivers.api import Report
from drivers.messages import DeviceGap
from drivers.native.hello import Hello, memory_of, serial_is_valid

_MAX_U32 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class EventIdentity:
    """The identity of a native event, unique for ever: serial number, boot id at its recording, event
    number."""

    serial: str
    boot: int
    number: int

    def __str__(self) -> str:
        return f"native:{self.serial}:{self.boot}:{self.number}"

    @classmethod
    def parse(cls, text: str) -> EventIdentity:
        """Read ``native:SERIAL:BOOT:NUMBER``. Raises ValueError saying what is wrong."""
        parts = text.split(":")
        if len(parts) == 4 and parts[0] == "native" and serial_is_valid(parts[1]):
            _, serial, boot, number = parts
            if all(part.isascii() and part.isdigit() and int(part) <= _MAX_U32 for part in (boot, number)):
                return cls(serial, int(boot), int(number))
        raise ValueError(f"{text!r} is no identity of a native event; native:SERIAL:BOOT:NUMBER is expected")


@dataclass(slots=True)
class EventStream:
    """Progress in the events of one memory of one device."""

    serial: str
    memory: int
    expected: int
    """the number that must come next"""
    committed: int
    """every reported event through this one is durable"""
    _open: deque[int] = field(default_factory=deque)
    """reported and not yet durable, in order"""
    _done: set[int] = field(default_factory=set)
    """durable, but one before it is not yet"""

    def is_duplicate(self, number: int) -> bool:
        """True for an event that was reported before: the only place where duplicates are recognised."""
        return number < self.expected

    def received(self, number: int) -> None:
        """The event of this number is being reported."""
        self._open.append(number)
        self.expected = number + 1

    def commit(self, number: int) -> bool:
        """The event of this number is durable; True when `committed` moved. Numbers never reported are
        ignored."""
        if number in self._open:
            self._done.add(number)
        moved = False
        while self._open and self._open[0] in self._done:
            self.committed = self._open.popleft()
            self._done.remove(self.committed)
            moved = True
        return moved

    def skip_to(self, first: int, boot: int, why: str) -> Report:
        """Events before ``first`` are gone for ever: go on from there. The gap's identity is that of the last
        missing event, so that it is journaled once, can be resumed from, and is acknowledged like an
        event."""
        missing = first - self.expected
        reason = f"{missing} event(s) of device {self.serial} from number {self.expected} on are lost: {why}"
        self.received(first - 1)
        identity = str(EventIdentity(self.serial, boot, first - 1))
        return Report(DeviceGap(missing, reason), identity, reliable=True)


class Streams:
    """The streams of all devices that were ever heard on one wire, by serial number."""

    __slots__ = ("_by_serial",)

    def __init__(self) -> None:
        self._by_serial: dict[str, EventStream] = {}

    def resume(self, identity: EventIdentity) -> None:
        """The event of this identity is the last durable one of its device: go on behind it."""
        self._by_serial[identity.serial] = EventStream(
            identity.serial, memory_of(identity.boot), identity.number + 1, identity.number
        )

    def find(self, identity: EventIdentity) -> EventStream | None:
        """The stream that an identity belongs to; None when that memory of that device is not known."""
        stream = self._by_serial.get(identity.serial)
        return stream if stream is not None and stream.memory == memory_of(identity.boot) else None

    def begin(self, hello: Hello) -> tuple[EventStream, list[Report]]:
        """The stream of the device that said this HELLO, and the gaps that it makes known.

        A device never seen begins with the oldest event that nobody has acknowledged. One whose memory is
        another than before, or whose numbers went back, has lost events nobody can count.
        """
        known = self._by_serial.get(hello.serial)
        memory = memory_of(hello.boot)
        if known is not None and known.memory == memory and hello.last + 1 >= known.expected:
            stream, reports = known, list[Report]()
        else:
            stream = EventStream(hello.serial, memory, hello.acked + 1, hello.acked)
            self._by_serial[hello.serial] = stream
            reports = [] if known is None else [_memory_lost(known, hello)]
        if hello.oldest > stream.expected:
            why = "it keeps its newest events only and they were not fetched in time"
            reports.append(stream.skip_to(hello.oldest, hello.boot, why))
        return stream, reports


def _memory_lost(known: EventStream, hello: Hello) -> Report:
    reason = (
        f"the event memory of device {hello.serial} was lost or exchanged: events after number {known.expected - 1} "
        f"are unknown, it goes on with number {hello.acked + 1}; check the table against the device"
    )
    identity = str(EventIdentity(hello.serial, hello.boot, hello.acked))
    return Report(DeviceGap(0, reason), identity, reliable=True)
