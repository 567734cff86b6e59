"""The host's end of the native link: a `drivers.api.Driver` without I/O.

A connection begins, and every silence, boot or change of device is followed, by HELLO: until the device has
said who it is, nothing else of it is believed. Then events come in order, each once, and are acknowledged
when they are durable.
"""

from __future__ import annotations

from collections.abc import Sequence

from drivers.api import LinkCounters, Report
from drivers.messages import (
    CommandResult,
    DeviceCommand,
    DeviceGap,
    LineFault,
    LinkChanged,
    LinkState,
)
from drivers.native.admission import Admission, protocol_fault
from drivers.native.asking import Asking
from drivers.native.codec import DeviceCodec
from drivers.native.commands import CommandDesk
from drivers.native.fields import FieldReader, NakReason, PayloadError
from drivers.native.frames import PROTOCOL, Flag, Frame, FrameReader, FrameRejected, Kind, Rejection
from drivers.native.hello import Hello, hello_range, memory_of
from drivers.native.payloads import (
    SENSORS,
    Ack,
    Address,
    CommandAnswer,
    DeviceState,
    EventRecord,
    Heartbeat,
    Nak,
    Replay,
    ReplayInfo,
)
from drivers.native.sender import Sender
from drivers.native.stream import EventIdentity, EventStream, Streams
from drivers.native.watch import LinkWatch

HEARTBEAT_EVERY_MS = 1000
REPLAY_EVERY_MS = 300
"""events of a burst behind the same lost one ask for one replay, not for one each"""
BEHIND_AFTER_MS = 1000
"""the device has events that do not come for so long: ask for them again"""

_DEAF = LineFault(
    "line_settings", "bytes come but no frame of the native link: wrong line settings (115200 8N1) or a wrong device"
)


class NativeLink:
    """One device's link. Not thread-safe, but `pair` may be called from any thread.

    ``admission`` says who is let in, ``codec`` what codes mean. Counters in ``counters.extra``: ``early``
    (frames before HELLO), ``gaps`` (replays asked for), ``foreign`` (frames with another address), ``naks``
    (received), and ``device_*`` (the device's own, from its heartbeat).
    """

    def __init__(self, codec: DeviceCodec, admission: Admission) -> None:
        self.counters = LinkCounters()
        self._codec = codec
        self.capabilities = codec.capabilities
        self._admission = admission
        self._streams = Streams()
        self._desk = CommandDesk()
        self._watch = LinkWatch()
        self._reader = FrameReader()
        self._sender = Sender(self.counters)
        self._results: list[Report] = []
        self._asking = Asking()
        self._hello: Hello | None = None
        self._stream: EventStream | None = None
        self._fault: LineFault | None = None
        self._clock_ms = 0
        self._is_open = False
        self._next_beat_ms = 0
        self._replay_asked_ms = -BEHIND_AFTER_MS
        self._replay_asked_for = 0
        self._progress_ms = 0
        self._device_last = 0

    def pair(self, serial: str) -> None:
        """A supervisor says that the device with this serial number belongs here; it is let in within a
        second."""
        self._admission.pair(serial)

    def expect(self, serial: str) -> None:
        """The device with this serial number was here last: unless one is configured or paired, it belongs here. Call
        before the first connection."""
        self._admission.learn(serial)

    def resume_from(self, identity: str) -> None:
        """Go on behind this event, the last durable one of its device; call before the first connection, once
        for each known device. Where no serial number was configured, the device named last is the one that
        belongs here. Raises ValueError for anything but ``native:SERIAL:BOOT:NUMBER``."""
        known = EventIdentity.parse(identity)
        self._streams.resume(known)
        self._admission.learn(known.serial)

    def ask_identity(self) -> None:
        """Have the device say HELLO again; nothing of it is believed until it has."""
        self._lose_identity()

    def connected(self, connection: str, now_ms: int) -> Sequence[Report]:
        """See `drivers.api.Driver.connected`."""
        if self._asking.session:
            self.counters.reconnects += 1
        self._clock_ms, self._is_open = now_ms, True
        self._watch.opened(now_ms)
        self._reader.clear()
        self._sender.clear()
        self._sender.end_stale_frame()
        self._lose_identity()
        self._asking.connected(connection)
        self._ask_who(now_ms)
        return []

    def disconnected(self, reason: str, now_ms: int) -> Sequence[Report]:
        """See `drivers.api.Driver.disconnected`."""
        self._clock_ms, self._is_open = now_ms, False
        self._sender.clear()
        self._lose_identity()
        return self._change(LinkState.DOWN, reason)

    def receive(self, data: bytes, now_ms: int) -> Sequence[Report]:
        """See `drivers.api.Driver.receive`."""
        self._clock_ms = now_ms
        self.counters.bytes_in += len(data)
        self._watch.bytes_came(len(data))
        reports: list[Report] = []
        for item in self._reader.feed(data):
            match item:
                case Frame():
                    self.counters.frames_in += 1
                    self._watch.frame_came(now_ms)
                    reports += self._take(item, now_ms)
                case FrameRejected():
                    reports += self._rejected(item)
        return reports

    def tick(self, now_ms: int) -> Sequence[Report]:
        """See `drivers.api.Driver.tick`."""
        self._clock_ms = now_ms
        reports, self._results = self._results, []
        if not self._is_open:
            return reports + [Report(result) for result in self._desk.expired(now_ms)]
        state = self._watch.tick(now_ms)
        if state is not None:
            self.counters.timeouts += 1
            seconds = "2.5" if state is LinkState.SUSPECT else "5"
            silence = f"nothing heard from the device for {seconds} s: check cable and power"
            reports.append(Report(LinkChanged(state, silence)))
            self._lose_identity()
        if self._watch.is_deaf(now_ms):
            reports += self._line_fault(_DEAF)
        if self._hello is not None and self._hello.serial != self._admission.serial:
            self._lose_identity()
        if self._hello is None:
            if self._asking.is_due(now_ms):
                self._ask_who(now_ms)
        else:
            self._serve(self._hello.address, now_ms)
        return reports + [Report(result) for result in self._desk.expired(now_ms)]

    def outgoing(self) -> bytes:
        """See `drivers.api.Driver.outgoing`."""
        return self._sender.take()

    def committed(self, identity: str) -> None:
        """See `drivers.api.Driver.committed`. Raises ValueError for an identity that no native link ever
        gave."""
        durable = EventIdentity.parse(identity)
        stream = self._streams.find(durable)
        if stream is not None and stream.commit(durable.number) and stream is self._stream:
            self._progress_ms = self._clock_ms
            self._acknowledge()

    def command(self, command: DeviceCommand, request: int) -> None:
        """See `drivers.api.Driver.command`."""
        try:
            code, body = self._codec.encode_command(command)
        except ValueError as problem:
            refused = CommandResult(request, "refused", "not_supported", str(problem))
            self._results.append(Report(refused))
            return
        full = self._desk.add(request, code, body)
        if full is not None:
            self._results.append(Report(full))

    # What comes in

    def _take(self, frame: Frame, now_ms: int) -> list[Report]:
        try:
            if frame.kind is Kind.HELLO:
                return self._on_hello(frame.payload, now_ms)
            hello = self._hello
            if hello is None:
                self._count("early")
                return []
            if Address.read(FieldReader(frame.payload)) != hello.address:
                self._count("foreign")
                self._lose_identity()
                return []
            self._watch.heard(now_ms)
            return self._on_frame(frame, hello, now_ms)
        except PayloadError:
            self.counters.malformed += 1
            return []

    def _on_frame(self, frame: Frame, hello: Hello, now_ms: int) -> list[Report]:
        match frame.kind:
            case Kind.EVENT:
                return self._on_event(EventRecord.from_payload(frame.payload), hello, now_ms)
            case Kind.HEARTBEAT:
                self._on_heartbeat(Heartbeat.from_payload(frame.payload), hello)
            case Kind.REPLAY_INFO:
                return self._on_replay_info(ReplayInfo.from_payload(frame.payload), hello)
            case Kind.COMMAND_RESULT:
                answer = CommandAnswer.from_payload(frame.payload)
                result = self._desk.answered(answer) if answer.session == self._asking.session else None
                return [] if result is None else [Report(result)]
            case Kind.NAK:
                self._count("naks")
                if Nak.from_payload(frame.payload).reason is NakReason.WRONG_ADDRESS:
                    self._lose_identity()
            case Kind.HELLO | Kind.HELLO_REQ | Kind.ACK | Kind.REPLAY | Kind.COMMAND | Kind.QUERY:
                self.counters.malformed += 1
        return []

    def _on_hello(self, payload: bytes, now_ms: int) -> list[Report]:
        nonce, low, high = hello_range(payload)
        if nonce == 0:
            self._lose_identity()
            return []
        if not self._asking.is_answered_by(nonce, now_ms):
            return []
        fault = protocol_fault(low, high)
        if fault is not None:
            return self._refuse(fault)
        hello = Hello.from_payload(payload)
        fault = self._admission.judge(hello)
        return self._admit(hello, now_ms) if fault is None else self._refuse(fault)

    def _admit(self, hello: Hello, now_ms: int) -> list[Report]:
        self._admission.learn(hello.serial)
        self.capabilities = hello.capabilities
        self._fault, self._hello, self._device_last = None, hello, hello.last
        self._stream, gaps = self._streams.begin(hello)
        self._watch.heard(now_ms)
        self._beat(hello.address, now_ms)
        if self._stream.committed > hello.acked:
            self._acknowledge()
        if hello.last >= self._stream.expected:
            self._ask_replay(hello.address, self._stream, now_ms)
        up = self._change(LinkState.UP, f"device {hello.serial} ({hello.model}) is on the link")
        return [Report(hello.identified()), *up, *gaps]

    def _refuse(self, fault: LineFault) -> list[Report]:
        reports = self._change(LinkState.DOWN, fault.reason)
        return reports + self._line_fault(fault)

    def _on_event(self, event: EventRecord, hello: Hello, now_ms: int) -> list[Report]:
        stream = self._stream
        if stream is None or memory_of(event.boot) != stream.memory or event.boot > hello.boot:
            self.counters.malformed += 1
            return []
        self._device_last = max(self._device_last, event.number)
        if stream.is_duplicate(event.number):
            self.counters.duplicates += 1
            if event.number <= stream.committed:
                self._acknowledge()
            return []
        if event.number > stream.expected:
            is_new_hole = stream.expected != self._replay_asked_for
            if is_new_hole or now_ms - self._replay_asked_ms >= REPLAY_EVERY_MS:
                self._ask_replay(hello.address, stream, now_ms)
            return []
        stream.received(event.number)
        self._progress_ms = now_ms
        identity = str(EventIdentity(hello.serial, event.boot, event.number))
        try:
            message = self._codec.decode_event(event.code, event.body)
        except PayloadError as problem:
            self._sender.send(Nak(hello.address, Kind.EVENT, event.number, problem.nak))
            reason = f"event {event.number} of device {hello.serial} cannot be understood: {problem}"
            return [Report(DeviceGap(1, reason), identity, reliable=True)]
        return [Report(message, identity, reliable=True)]

    def _on_replay_info(self, info: ReplayInfo, hello: Hello) -> list[Report]:
        stream = self._stream
        if stream is None or info.asked != stream.expected or not stream.expected < info.first <= info.last + 1:
            return []
        return [stream.skip_to(info.first, hello.boot, "the device no longer has them")]

    def _on_heartbeat(self, beat: Heartbeat, hello: Hello) -> None:
        self._device_last = beat.event
        self.counters.extra |= {
            "device_state": int(beat.state),
            "device_clock_ms": beat.clock_ms,
            "device_bad_checksums": beat.bad_checksums,
            "device_bytes_ignored": beat.bytes_ignored,
            "device_timeouts": beat.timeouts,
            "device_retransmissions": beat.retransmissions,
        }
        if (beat.state ^ hello.state) & SENSORS:
            self._lose_identity()

    def _rejected(self, item: FrameRejected) -> list[Report]:
        self.counters.bytes_ignored += item.size
        if item.reason is Rejection.CHECKSUM:
            self.counters.bad_checksum += 1
        else:
            self.counters.malformed += 1
        if item.reason is not Rejection.VERSION:
            return []
        reason = f"frames of another protocol version than {PROTOCOL} come: update the older of device and controller"
        self._lose_identity()
        return self._refuse(LineFault("protocol", reason))

    # What goes out

    def _serve(self, address: Address, now_ms: int) -> None:
        if now_ms >= self._next_beat_ms:
            self._beat(address, now_ms)
        for item in self._desk.due(address, self._asking.session, now_ms):
            self._sender.send(item.payload, Flag.RETRANSMITTED if item.again else Flag.NONE)
        stream = self._stream
        if stream is not None and self._device_last >= stream.expected:
            quiet_ms = now_ms - max(self._progress_ms, self._replay_asked_ms)
            if quiet_ms >= BEHIND_AFTER_MS:
                self._ask_replay(address, stream, now_ms)

    def _lose_identity(self) -> None:
        if self._hello is not None:
            self._desk.link_lost()
        self._hello = self._stream = None
        self._asking.start_over(self._clock_ms)

    def _ask_who(self, now_ms: int) -> None:
        self._sender.send(self._asking.question(now_ms))

    def _acknowledge(self) -> None:
        if self._hello is not None and self._stream is not None:
            self._sender.send(Ack(self._hello.address, self._stream.committed))

    def _ask_replay(self, address: Address, stream: EventStream, now_ms: int) -> None:
        self._count("gaps")
        self._replay_asked_ms, self._replay_asked_for = now_ms, stream.expected
        self._sender.send(Replay(address, stream.expected))

    def _beat(self, address: Address, now_ms: int) -> None:
        self._next_beat_ms = now_ms + HEARTBEAT_EVERY_MS
        counters = self.counters
        attached = DeviceState.ATTACHED if self._watch.state is LinkState.UP else DeviceState.NONE
        self._sender.send(
            Heartbeat(
                address,
                attached,
                now_ms,
                0 if self._stream is None else self._stream.committed,
                counters.bad_checksum,
                counters.bytes_ignored,
                counters.timeouts,
                counters.retransmissions,
            )
        )

    def _change(self, state: LinkState, reason: str) -> list[Report]:
        return [Report(LinkChanged(state, reason))] if self._watch.become(state) else []

    def _line_fault(self, fault: LineFault) -> list[Report]:
        if fault == self._fault:
            return []
        self._fault = fault
        return [Report(fault)]

    def _count(self, name: str) -> None:
        self.counters.extra[name] = self.counters.extra.get(name, 0) + 1
