"""The host's end of an Angel Eye II-EX shoe (docs/devices.md says what is on the wire)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from drivers.api import Capabilities, LinkCounters, Report
from drivers.messages import (
    CommandResult,
    DeviceCommand,
    DeviceGap,
    DeviceMessage,
    LinkChanged,
    LinkState,
)
from drivers.shoes.angel_eye.channel import CommandChannel, wire_command
from drivers.shoes.angel_eye.copies import CONFLICT_WINDOW_MS, Conflict, Copy, CopyFilter, Late, New
from drivers.shoes.angel_eye.host_command import Reply
from drivers.shoes.angel_eye.meaning import SenselessTelegramError, messages_of
from drivers.shoes.angel_eye.options import AngelEyeOptions
from drivers.shoes.angel_eye.stream import Item, StreamDecoder
from drivers.shoes.angel_eye.telegram import FrameRejected, Kind, RejectReason, Telegram, seq_jump
from drivers.shoes.angel_eye.watch import LineWatch

UNFINISHED_MS = 2000
"""A telegram whose rest does not come within this is given up. At 4800 baud the longest takes 25 ms; the rest is for a
network that stops for a moment."""


_LATE = (
    "telegram SEQ {seq} came again late: the line held a copy back, or telegrams are lost and the same card was drawn "
    "again; check the last cards on the table"
)


@dataclass(slots=True)
class _Senseless:
    """A telegram with a right checksum and impossible content, waiting for a sensible copy."""

    raw: bytes
    seq: str
    detail: str
    first_ms: int
    copies: int = 1


class AngelEyeDriver:
    """Driver of one shoe; see `drivers.api.Driver`. Identities are ``angel-eye:<connection>:<n>``, n from 1: the wire
    has none of its own, so an identity never comes twice but a lost telegram cannot be asked for again."""

    def __init__(self, options: AngelEyeOptions) -> None:
        self.capabilities = Capabilities(lock=True)
        self.counters = LinkCounters()
        self._decoder = StreamDecoder()
        self._copies = CopyFilter(options.copies_within_ms)
        self._channel = CommandChannel(options.command_bcc_span)
        self._watch = LineWatch(options.silence_limit_s)
        self._pending: list[Report] = []
        self._senseless: _Senseless | None = None
        self._connection = ""
        self._connected = False
        self._numbered = 0
        self._heard_ms = 0

    def connected(self, connection: str, now_ms: int) -> Sequence[Report]:
        """A fresh connection: duplicate detection, the receive buffer and the known lock state begin anew."""
        if self._connection:
            self.counters.reconnects += 1
        self._connection = connection
        self._connected = True
        self._numbered = 0
        self._heard_ms = now_ms
        self._decoder = StreamDecoder()
        self._copies.forget()
        self._senseless = None
        self._watch.opened(now_ms)
        self._pending.append(Report(LinkChanged(LinkState.UP, "port open")))
        return self._take_reports()

    def disconnected(self, reason: str, now_ms: int) -> Sequence[Report]:
        """The port is gone; commands under way end as unknown, waiting ones as refused (``link_down``)."""
        self._connected = False
        self._watch.closed()
        self._pending.append(Report(LinkChanged(LinkState.DOWN, reason)))
        self._pending += (Report(result) for result in self._channel.abandon(reason))
        return self._take_reports()

    def receive(self, data: bytes, now_ms: int) -> Sequence[Report]:
        """Bytes came, split anywhere; any bytes are survived."""
        if not data:
            return ()
        self._give_up_unfinished(now_ms)
        self.counters.bytes_in += len(data)
        self._heard_ms = now_ms
        self._note(self._watch.heard(len(data), now_ms))
        for item in self._decoder.feed(data):
            self._take_item(item, now_ms)
        self.counters.bytes_ignored += self._decoder.take_ignored()
        self._note(self._watch.diagnosis())
        return self._take_reports()

    def tick(self, now_ms: int) -> Sequence[Report]:
        """Time passed: timeouts of commands, silence, telegrams that never came to an end."""
        if self._connected:
            self._give_up_unfinished(now_ms)
            self._settle_senseless(now_ms)
            timed_out, result = self._channel.timed_out(now_ms)
            if timed_out:
                self.counters.timeouts += 1
                self._note(result)
                self._note(self._watch.no_reply(now_ms))
            self._probe(now_ms)
            if self._channel.send_next(now_ms):
                self.counters.frames_out += 1
        return self._take_reports()

    def outgoing(self) -> bytes:
        """Take the bytes to be written now."""
        output = self._channel.take_output()
        self.counters.bytes_out += len(output)
        return output

    def committed(self, identity: str) -> None:
        """Nothing: this shoe is never acknowledged."""

    def command(self, command: DeviceCommand, request: int) -> None:
        """Queue lock, unlock, clear error or confirm game; anything else is refused as ``unsupported``."""
        wire = wire_command(command)
        if wire is None:
            known = "Lock, Unlock, ClearError, ConfirmGame"
            reason = f"an Angel Eye shoe has no {type(command).__name__}; it takes {known}"
            self._note(CommandResult(request, "refused", "unsupported", reason))
        elif not self._connected:
            self._note(CommandResult(request, "refused", "link_down", "the port of the shoe is not open; not sent"))
        else:
            self._note(self._channel.submit(wire, request))

    def _take_item(self, item: Item, now_ms: int) -> None:
        match item:
            case Telegram():
                self._watch.understood()
                self.counters.frames_in += 1
                self._take_telegram(item, now_ms)
            case Reply():
                self._take_reply(item)
            case FrameRejected():
                self._count_rejected(item)
                if item.reason is RejectReason.MALFORMED:
                    self._watch.understood()
                    self._remember_senseless(item.payload, item.seq, item.detail, now_ms)
            case _:
                assert_never(item)

    def _take_telegram(self, telegram: Telegram, now_ms: int) -> None:
        try:
            messages = messages_of(telegram)
        except SenselessTelegramError as error:
            self.counters.malformed += 1
            self._remember_senseless(telegram.to_bytes(), telegram.seq, str(error), now_ms)
            return
        judgement = self._copies.judge(telegram, now_ms)
        match judgement:
            case Copy():
                self.counters.duplicates += 1
            case Conflict():
                self._count("conflicts")
                self._number(DeviceGap(0, _conflict_reason(judgement, telegram)))
            case Late():
                self._count("late")
                self._number(DeviceGap(0, _LATE.format(seq=telegram.seq)))
            case New():
                self._take_new(telegram, judgement, messages)
            case _:
                assert_never(judgement)

    def _take_new(self, telegram: Telegram, new: New, messages: tuple[DeviceMessage, ...]) -> None:
        detail = f" ({self._senseless.detail})" if self._senseless else ""
        self._senseless = None
        if new.missing is None:
            self._count("seq_outside_cycle")
        elif new.missing:
            self._count("gaps")
            reason = (
                f"SEQ went from {new.last_seq} to {telegram.seq}: {new.missing} telegrams (or 9, 18 ... more) "
                f"are lost, or the shoe was restarted{detail}; align the table"
            )
            self._number(DeviceGap(new.missing, reason))
        if telegram.kind is Kind.START:
            self._channel.shoe_started()
        for message in messages:
            self._number(message)

    def _take_reply(self, reply: Reply) -> None:
        expected, result = self._channel.replied(reply)
        if expected:
            self._watch.understood()
            self.counters.frames_in += 1
            self._note(result)
        else:
            self._count("stray_replies")

    def _probe(self, now_ms: int) -> None:
        if not self._channel.idle or not self._watch.probe_due(now_ms):
            return
        if self._channel.lock_state is None:
            self._note(self._watch.cannot_probe(now_ms))
        else:
            self._count("probes")
            self._channel.submit(self._channel.lock_state, None)

    def _give_up_unfinished(self, now_ms: int) -> None:
        if self._decoder.unfinished and now_ms - self._heard_ms >= UNFINISHED_MS:
            for item in self._decoder.give_up():
                self._take_item(item, now_ms)

    def _remember_senseless(self, raw: bytes, seq: str, detail: str, now_ms: int) -> None:
        known = self._senseless
        if known and known.raw == raw:
            known.copies += 1
        else:
            self._senseless = _Senseless(raw, seq, detail, now_ms)

    def _settle_senseless(self, now_ms: int) -> None:
        """Two equal copies are what the shoe really sent: something happened that nobody can read."""
        known = self._senseless
        if known is None or now_ms - known.first_ms < CONFLICT_WINDOW_MS:
            return
        self._senseless = None
        last = self._copies.last_seq
        if known.copies >= 2:
            missing = 1 + ((seq_jump(last, known.seq) or 0) if last else 0)
            self._count("gaps")
            self._copies.skip_to(known.seq)
            reason = f"the shoe sent a telegram (SEQ {known.seq}) that makes no sense: {known.detail}; align the table"
            self._number(DeviceGap(missing, reason))

    def _count_rejected(self, rejected: FrameRejected) -> None:
        if rejected.reason is RejectReason.BAD_CHECKSUM:
            self.counters.bad_checksum += 1
        else:
            self.counters.malformed += 1
            self._count(rejected.reason.value.replace(" ", "_"))

    def _count(self, name: str) -> None:
        self.counters.extra[name] = self.counters.extra.get(name, 0) + 1

    def _note(self, message: DeviceMessage | None) -> None:
        """A message about the link, without identity."""
        if message is not None:
            self._pending.append(Report(message))

    def _number(self, message: DeviceMessage) -> None:
        """A message that stands for something that happened at the shoe."""
        self._numbered += 1
        self._pending.append(Report(message, identity=f"angel-eye:{self._connection}:{self._numbered}"))

    def _take_reports(self) -> Sequence[Report]:
        reports, self._pending = self._pending, []
        return reports


def _conflict_reason(conflict: Conflict, second: Telegram) -> str:
    first = conflict.first
    return (
        f"copies of telegram SEQ {second.seq} disagree: first {first.kind.value} {first.payload.hex(' ')}, "
        f"then {second.kind.value} {second.payload.hex(' ')}; check the last card on the table"
    )
