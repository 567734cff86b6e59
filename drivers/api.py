"""The shape of every driver: the host's end of one device's wire, without I/O.

A driver is fed bytes and time and answers with reports; it never opens a port, sleeps or reads a clock. Times are
milliseconds of one monotonic clock of the caller. `drivers.session` runs a driver on a real port in a thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from drivers.messages import DeviceCommand, DeviceMessage


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Which guarantees a device gives; the controller asks these and never the device's kind or wire."""

    identity: bool = False
    """every event has an identity of its own across reboots"""
    replay: bool = False
    """events missed by the host can be asked for again"""
    lock: bool = False
    heartbeat: bool = False
    position: bool = False
    """says where a card lies"""
    card_identity: bool = False
    """knows the physical card, not only its face"""


@dataclass(frozen=True, slots=True)
class LineSettings:
    """Serial line settings of a wire; ignored on a pty or TCP."""

    baudrate: int
    bytesize: int = 8
    parity: str = "N"
    stopbits: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """One device message. ``identity`` is unique for ever for a message that stands for something that happened on
    the table, and empty for one about the link. ``reliable``: the device waits for `Driver.committed`."""

    message: DeviceMessage
    identity: str = ""
    reliable: bool = False


@dataclass(slots=True)
class LinkCounters:
    """What a link has counted since it was made; published as telemetry."""

    bytes_in: int = 0
    bytes_out: int = 0
    frames_in: int = 0
    frames_out: int = 0
    bytes_ignored: int = 0
    bad_checksum: int = 0
    malformed: int = 0
    duplicates: int = 0
    timeouts: int = 0
    retransmissions: int = 0
    reconnects: int = 0
    extra: dict[str, int] = field(default_factory=dict)


class Driver(Protocol):
    """The host's end of a wire, as a pure state machine over bytes and time."""

    capabilities: Capabilities
    counters: LinkCounters

    def connected(self, connection: str, now_ms: int) -> Sequence[Report]:
        """A fresh connection. ``connection`` is unique for ever (it goes into identities of wires that have none)."""
        ...

    def disconnected(self, reason: str, now_ms: int) -> Sequence[Report]:
        """The port is gone; ``reason`` is one line for a person."""
        ...

    def receive(self, data: bytes, now_ms: int) -> Sequence[Report]:
        """Bytes came, split anywhere. Never raises for any bytes."""
        ...

    def tick(self, now_ms: int) -> Sequence[Report]:
        """Time passed; called at least every 100 ms."""
        ...

    def outgoing(self) -> bytes:
        """Take the bytes to be written now; empty when there are none."""
        ...

    def committed(self, identity: str) -> None:
        """The event of this identity is durable; the device may be told."""
        ...

    def command(self, command: DeviceCommand, request: int) -> None:
        """Queue a command; its CommandResult comes as a report with this ``request`` number."""
        ...


class DriverFactory(Protocol):
    """What an entry point of ``tablewatch.shoes`` (or of another device group) names."""

    name: str
    line: LineSettings

    def __call__(self, options: Mapping[str, object]) -> Driver:
        """Make a driver. Raises ValueError naming a wrong option, its value and the allowed ones."""
        ...
