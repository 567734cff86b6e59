"""The reference firmware of the native link, without I/O: feed it bytes and time, write what it hands out.

Whatever the line and the host do, it goes on recording; an event is in its memory before a byte of it is sent. A dealer
script may call its actions from another thread.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, field
from threading import RLock

from drivers.api import LinkCounters
from drivers.messages import DeviceCommand, DeviceMessage
from drivers.native.codec import DeviceCodec
from drivers.native.fields import FieldReader, NakReason, PayloadError
from drivers.native.frames import PROTOCOL, Flag, Frame, FrameReader, FrameRejected, Kind, Rejection
from drivers.native.hello import Hello, HelloRequest, ResetReason
from drivers.native.payloads import (
    Ack,
    Address,
    CommandAnswer,
    CommandRequest,
    DeviceState,
    EventRecord,
    Heartbeat,
    Nak,
    Outcome,
    Query,
    Refusal,
    Replay,
    ReplayInfo,
)
from drivers.native.sender import Sender
from firmware_sim.nvram import DeviceMemory, MemoryNvram, Nvram

WINDOW = 8
"""events on their way without an acknowledgement; more would only be sent in vain when one is lost"""
FIRST_RETRY_MS = 250
LAST_RETRY_MS = 4000
HEARTBEAT_EVERY_MS = 1000
HOST_GONE_AFTER_MS = 5000


@dataclass(frozen=True, slots=True)
class Profile:
    """Who the simulated device says it is."""

    model: str
    serial: str
    hardware: str = "sim"
    firmware: str = "1.0.0"
    image_hash: bytes = field(default=hashlib.sha256(b"tablewatch simulated firmware").digest(), repr=False)
    protocol_min: int = PROTOCOL
    protocol_max: int = PROTOCOL
    simulated: bool = True


class NativeFirmware:
    """One device, a `firmware_sim.wire.Firmware`. Every method may be called from any thread. Times are milliseconds of
    one monotonic clock that should run as fast as the host's: the link's time limits hold for both ends."""

    def __init__(
        self, profile: Profile, codec: DeviceCodec, nvram: Nvram | None = None, memory_id: int | None = None
    ) -> None:
        """Switch the device on. ``nvram`` is its memory (a fresh one if None); ``memory_id``: see `DeviceMemory`."""
        self.profile = profile
        self.counters = LinkCounters()
        self._codec = codec
        self._nvram = MemoryNvram() if nvram is None else nvram
        self._memory_id = memory_id
        self._lock = RLock()
        self._reader = FrameReader()
        self._sender = Sender(self.counters)
        self._sensors = DeviceState.NONE
        self._now_ms = 0
        self._powered = True
        self._boot(ResetReason.POWER_ON)

    def _boot(self, reason: ResetReason) -> None:
        self._memory = DeviceMemory(self._nvram, self._memory_id)
        self._memory.count_boot()
        self._reset_reason = reason
        self._address = Address.of(self.profile.serial, self._memory.boot)
        self._boot_ms = self._now_ms
        self._host_heard_ms: int | None = None
        self._cursor = self._memory.acked + 1
        self._replay_until = 0
        self._retry_ms = FIRST_RETRY_MS
        self._retry_at_ms = 0
        self._next_beat_ms = self._now_ms
        self._sender.send(self._hello(nonce=0))

    # The wire

    def connected(self, now_ms: int) -> None:
        """A host opened the port (as far as the wire lets the device know)."""
        with self._lock:
            self._now_ms = now_ms
            self._reader.clear()
            self._detach()

    def receive(self, data: bytes, now_ms: int) -> None:
        """Bytes came from the host, split anywhere."""
        with self._lock:
            self._now_ms = now_ms
            if not self._powered:
                return
            self.counters.bytes_in += len(data)
            for item in self._reader.feed(data):
                match item:
                    case Frame():
                        self.counters.frames_in += 1
                        self._take(item)
                    case FrameRejected(reason, size):
                        self.counters.bytes_ignored += size
                        self.counters.bad_checksum += reason is Rejection.CHECKSUM
            self._pump()

    def tick(self, now_ms: int) -> None:
        """Time passed."""
        with self._lock:
            self._now_ms = now_ms
            if not self._powered:
                return
            if self._host_heard_ms is not None and now_ms - self._host_heard_ms >= HOST_GONE_AFTER_MS:
                self.counters.timeouts += 1
                self._detach()
            if now_ms >= self._next_beat_ms:
                self._next_beat_ms = now_ms + HEARTBEAT_EVERY_MS
                self._beat()
            self._retransmit()
            self._pump()

    def outgoing(self) -> bytes:
        """Take the next frame to be written; empty when there is none now."""
        with self._lock:
            return self._sender.take_frame()

    # What happens to the device

    def record(self, message: DeviceMessage) -> int | None:
        """Something happened: keep it and tell the host when there is one. Returns the event's number, None without
        power. Raises ValueError for a message that this device cannot say."""
        return self.record_raw(*self._codec.encode_event(message))

    def record_raw(self, code: int, body: bytes) -> int | None:
        """As `record`, with any code and body: what a firmware newer than the host might say."""
        with self._lock:
            if not self._powered:
                return None
            event = self._memory.append(self._now_ms - self._boot_ms, code, body)
            self._pump()
            return event.number

    def set_sensor(self, sensor: DeviceState, active: bool) -> None:
        """LID_OPEN, TAMPER or CARD_IN_THROAT changed."""
        with self._lock:
            self._sensors = self._sensors | sensor if active else self._sensors & ~sensor

    def reboot(self, reason: ResetReason = ResetReason.SOFTWARE) -> None:
        """The device starts anew; what it has not sent yet is sent later, from its memory."""
        self.power_loss()
        self.power_on(reason)

    def power_loss(self) -> None:
        """The power goes, in the middle of whatever is being sent."""
        with self._lock:
            self._powered = False
            self._reader.clear()
            self._sender.clear()

    def power_on(self, reason: ResetReason = ResetReason.POWER_ON) -> None:
        """The power is back."""
        with self._lock:
            if not self._powered:
                self._powered = True
                self._boot(reason)

    def format_with(self, memory_id: int) -> None:
        """A memory that is blank at the next boot gets this id, 0 .. 65535."""
        with self._lock:
            self._memory_id = memory_id

    @property
    def boot(self) -> int:
        """The boot id of now."""
        with self._lock:
            return self._memory.boot

    @property
    def last_event(self) -> int:
        """The newest event's number, 0 when there never was one."""
        with self._lock:
            return self._memory.last

    @property
    def acked(self) -> int:
        """The newest event that the host has acknowledged (or that is no longer kept)."""
        with self._lock:
            return self._memory.acked

    def apply(self, command: DeviceCommand) -> Refusal:
        """Carry out a command; called once for each request. A device that has commands overrides this."""
        return Refusal.UNKNOWN_COMMAND

    # Frames from the host

    def _take(self, frame: Frame) -> None:
        try:
            if frame.kind is Kind.HELLO_REQ:
                self._sender.send(self._hello(HelloRequest.from_payload(frame.payload).nonce))
            elif Address.read(FieldReader(frame.payload)) != self._address:
                self._refuse(frame, NakReason.WRONG_ADDRESS)
            else:
                self._heard()
                self._serve(frame)
        except PayloadError as problem:
            self.counters.malformed += 1
            self._refuse(frame, problem.nak)

    def _serve(self, frame: Frame) -> None:
        match frame.kind:
            case Kind.ACK:
                self._on_ack(Ack.from_payload(frame.payload).number)
            case Kind.REPLAY:
                self._on_replay(Replay.from_payload(frame.payload).number)
            case Kind.COMMAND:
                self._on_command(CommandRequest.from_payload(frame.payload))
            case Kind.QUERY:
                query = Query.from_payload(frame.payload)
                record = self._memory.request(query.session, query.request)
                outcome, refusal = (
                    (Outcome.NOT_SEEN, Refusal.NONE) if record is None else (record.outcome, record.refusal)
                )
                self._answer(query.session, query.request, outcome, refusal)
            case Kind.HEARTBEAT:
                Heartbeat.from_payload(frame.payload)
            case Kind.NAK:
                Nak.from_payload(frame.payload)
                self.counters.extra["naks"] = self.counters.extra.get("naks", 0) + 1
            case Kind.HELLO | Kind.HELLO_REQ | Kind.EVENT | Kind.REPLAY_INFO | Kind.COMMAND_RESULT:
                self._refuse(frame, NakReason.MALFORMED)

    def _on_ack(self, number: int) -> None:
        memory = self._memory
        if memory.acked < number <= memory.last:
            memory.acknowledge(number)
            self._cursor = max(self._cursor, number + 1)
            self._hurry()

    def _on_replay(self, number: int) -> None:
        memory = self._memory
        first = min(max(number, memory.oldest), memory.last + 1)
        if first <= memory.acked:
            memory.acknowledge(first - 1)
        self._sender.send(ReplayInfo(self._address, number, first, memory.last))
        self._cursor, self._replay_until = first, memory.last
        self._hurry()

    def _on_command(self, command: CommandRequest) -> None:
        digest = zlib.crc32(bytes([command.code]) + command.body)
        record = self._memory.request(command.session, command.request)
        if record is None:
            self._memory.begin_request(command.session, command.request, digest)
            refusal = self._carry_out(command)
            if not self._powered:
                return
            record = self._memory.finish_request(command.session, command.request, digest, refusal)
        if record.digest == digest:
            self._answer(command.session, command.request, record.outcome, record.refusal)
        else:
            self._answer(command.session, command.request, Outcome.REFUSED, Refusal.REQUEST_REUSED)

    def _carry_out(self, command: CommandRequest) -> Refusal:
        try:
            return self.apply(self._codec.decode_command(command.code, command.body))
        except PayloadError as problem:
            is_unknown = problem.nak is NakReason.UNKNOWN_CODE
            return Refusal.UNKNOWN_COMMAND if is_unknown else Refusal.MALFORMED

    # Frames to the host

    def _heard(self) -> None:
        if self._host_heard_ms is None:
            self._cursor = self._memory.acked + 1
            self._hurry()
        self._host_heard_ms = self._now_ms

    def _detach(self) -> None:
        self._host_heard_ms = None

    def _hurry(self) -> None:
        self._retry_ms = FIRST_RETRY_MS
        self._retry_at_ms = self._now_ms + self._retry_ms

    def _pump(self) -> None:
        if self._host_heard_ms is None or not self._powered:
            return
        memory = self._memory
        if self._cursor <= memory.acked:
            self._cursor = memory.acked + 1
        if self._cursor == memory.acked + 1:
            self._hurry()
        while self._cursor <= min(memory.last, memory.acked + WINDOW):
            self._send_event(self._cursor, Flag.REPLAYED if self._cursor <= self._replay_until else Flag.NONE)
            self._cursor += 1

    def _retransmit(self) -> None:
        memory = self._memory
        first = memory.acked + 1
        if self._host_heard_ms is None or first >= self._cursor or self._now_ms < self._retry_at_ms:
            return
        self._retry_ms = min(self._retry_ms * 2, LAST_RETRY_MS)
        self._retry_at_ms = self._now_ms + self._retry_ms
        for number in range(first, self._cursor):
            self._send_event(number, Flag.RETRANSMITTED)

    def _send_event(self, number: int, flags: Flag) -> None:
        event = self._memory.event(number)
        record = EventRecord(self._address, event.boot, event.number, event.clock_ms, event.code, event.body)
        self._sender.send(record, flags)

    def _answer(self, session: int, request: int, outcome: Outcome, refusal: Refusal) -> None:
        self._sender.send(CommandAnswer(self._address, session, request, outcome, refusal))

    def _refuse(self, frame: Frame, reason: NakReason) -> None:
        self._sender.send(Nak(self._address, frame.kind, frame.sequence, reason))

    def _beat(self) -> None:
        counters = self.counters
        self._sender.send(
            Heartbeat(
                self._address,
                self._state(),
                self._now_ms - self._boot_ms,
                self._memory.last,
                counters.bad_checksum,
                counters.bytes_ignored,
                counters.timeouts,
                counters.retransmissions,
            )
        )

    def _state(self) -> DeviceState:
        simulated = DeviceState.SIMULATED if self.profile.simulated else DeviceState.NONE
        attached = DeviceState.NONE if self._host_heard_ms is None else DeviceState.ATTACHED
        return self._sensors | simulated | attached

    def _hello(self, nonce: int) -> Hello:
        profile, memory = self.profile, self._memory
        return Hello(
            nonce=nonce,
            protocol_min=profile.protocol_min,
            protocol_max=profile.protocol_max,
            device_class=self._codec.device_class,
            state=self._state(),
            capabilities=self._codec.capabilities,
            boot=memory.boot,
            reset_reason=self._reset_reason,
            oldest=memory.oldest,
            acked=memory.acked,
            last=memory.last,
            image_hash=profile.image_hash,
            model=profile.model,
            serial=profile.serial,
            hardware=profile.hardware,
            firmware=profile.firmware,
        )
