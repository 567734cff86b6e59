"""PN532 RFID modules on a serial line (HSU): the driver; `DRIVER` is the entry.

The host asks, the module answers: wake it, ask its firmware version, configure it, then ask again and again which
targets (at most two, 106 kbit/s type A) lie in the field. Bytes: `drivers.readers.pn532_frames` and docs/devices.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from drivers.api import Capabilities, LineSettings, LinkCounters, Report
from drivers.messages import CommandResult, DeviceCommand, DeviceGap, LinkState, SelfTest
from drivers.readers.field import Field, Sample
from drivers.readers.options import SWIPE, OptionReader
from drivers.readers.outlet import Outlet
from drivers.readers.pn532_exchange import Answer, Exchange
from drivers.readers.pn532_frames import Code
from drivers.readers.pn532_targets import uids_of

RETRY_INIT_MS = 1000
DEAF_AFTER_BYTES = 64
BLIND_MS = 1000
"""Without a look into the field for so long (and for ten pauses between two looks) a card may have passed unseen."""
LOST_AFTER = 3
"""Questions without an answer, each asked several times, after which the module is gone."""
_KNOWN = ("position", "poll_ms", "confirm")
_SETUP = (
    (Code.GET_FIRMWARE_VERSION, b""),
    (Code.SAM_CONFIGURATION, bytes((1, 0, 0))),  # normal mode, no timeout, no IRQ line
    (Code.RF_CONFIGURATION, bytes((5, 0xFF, 1, 1))),  # give up looking for a target soon and say that there is none
)
_POLL = (Code.LIST_PASSIVE_TARGET, bytes((2, 0)))


class Pn532Driver:
    """Driver of one module; see `drivers.api.Driver`. Counters in ``counters.extra``: ``stray`` replies, ``polls``,
    ``doubtful`` samples that were not used, times it was ``blind``."""

    def __init__(self, position: str, poll_ms: int, confirm: int) -> None:
        self.capabilities = Capabilities(heartbeat=True, position=position != SWIPE, card_identity=True)
        self._out = Outlet("pn532")
        self._field = Field(position, confirm)
        self._exchange = Exchange(self._out.counters)
        self._poll_ms = poll_ms
        self._was_open = False
        self._setup_done = 0
        self._next_ms = 0
        self._unanswered = 0
        self._sample: Sample | None = None
        self._looked_ms: int | None = None
        self._tests: list[int] = []
        self._version = 0

    @property
    def counters(self) -> LinkCounters:
        """What the link has counted."""
        return self._out.counters

    def connected(self, connection: str, now_ms: int) -> Sequence[Report]:
        """A fresh connection: the module is woken and configured anew; what lies in its field is not told again."""
        self._out.opened(connection, before=self._was_open)
        self._was_open = True
        self._exchange.restart()
        self._version = 0
        self._start_over(now_ms)
        return self._out.take()

    def disconnected(self, reason: str, now_ms: int) -> Sequence[Report]:
        """The port is gone; self tests that wait are refused as ``link_down``."""
        self._out.closed(reason)
        self._exchange.restart()
        self._finish_tests("refused", "link_down", "the port of the reader is not open")
        return self._out.take()

    def receive(self, data: bytes, now_ms: int) -> Sequence[Report]:
        """Bytes came, split anywhere; any bytes are survived."""
        for answer in self._exchange.receive(data, now_ms):
            self._answered(answer, now_ms)
        if not self.counters.frames_in and self.counters.bytes_in >= DEAF_AFTER_BYTES:
            reason = "bytes come but no frame of a PN532: wrong line settings (115200 8N1), or the module is set to I2C"
            self._out.fault("line_settings", reason)
        return self._out.take()

    def tick(self, now_ms: int) -> Sequence[Report]:
        """Time passed: questions are repeated, given up, or due."""
        if not self._out.is_open:
            return self._out.take()
        if self._exchange.tick(now_ms):
            self._not_answered(now_ms)
        if not self._exchange.busy and now_ms >= self._next_ms:
            self._ask(now_ms)
        return self._out.take()

    def outgoing(self) -> bytes:
        """Take the bytes to be written now."""
        return self._exchange.outgoing()

    def committed(self, identity: str) -> None:
        """Nothing: this reader is never acknowledged."""

    def command(self, command: DeviceCommand, request: int) -> None:
        """SelfTest asks the module for its firmware version; anything else is refused as ``not_supported``."""
        if not isinstance(command, SelfTest):
            reason = f"a PN532 cannot {type(command).__name__}"
            self._out.note(CommandResult(request, "refused", "not_supported", reason))
        elif not self._out.is_open:
            self._out.note(CommandResult(request, "refused", "link_down", "the port of the reader is not open"))
        else:
            self._tests.append(request)

    def _ask(self, now_ms: int) -> None:
        self._use_sample(now_ms)
        self._next_ms = now_ms + self._poll_ms
        if self._setup_done < len(_SETUP):
            self._exchange.ask(*_SETUP[self._setup_done], now_ms, wake=self._setup_done == 0)
        elif self._tests:
            self._exchange.ask(*_SETUP[0], now_ms)
        else:
            self._out.count("polls")
            self._exchange.ask(*_POLL, now_ms)

    def _answered(self, answer: Answer, now_ms: int) -> None:
        if answer.asked is None:
            self._out.count("stray")
            if self._sample is not None:
                # two replies to one question: nobody can say which is the stale one
                self._sample = None
                self._out.count("doubtful")
            return
        self._unanswered = 0
        if answer.asked is Code.LIST_PASSIVE_TARGET:
            uids = None if answer.failed else uids_of(answer.data)
            self._sample = Sample(failed=True) if uids is None else Sample(uids)
        elif self._setup_done < len(_SETUP):
            self._set_up(answer, now_ms)
        elif answer.asked is Code.GET_FIRMWARE_VERSION:
            failed = answer.failed or len(answer.data) != 4
            outcome = ("refused", "failed", "the module answers with an error") if failed else ("done", "", "")
            self._finish_tests(*outcome)

    def _set_up(self, answer: Answer, now_ms: int) -> None:
        if answer.failed or (answer.asked is Code.GET_FIRMWARE_VERSION and len(answer.data) != 4):
            self._start_over(now_ms + RETRY_INIT_MS)
            return
        if answer.asked is Code.GET_FIRMWARE_VERSION:
            self._version = answer.data[1] * 256 + answer.data[2]
        self._setup_done += 1
        self._next_ms = now_ms
        if self._setup_done == len(_SETUP):
            major, minor = divmod(self._version, 256)
            self._out.become(LinkState.UP, f"a PN532 with firmware {major}.{minor} is on the line")

    def _not_answered(self, now_ms: int) -> None:
        self.counters.timeouts += 1
        self._unanswered += 1
        self._sample = None
        if self._unanswered >= LOST_AFTER or self._setup_done < len(_SETUP):
            reason = "the PN532 does not answer: check cable, power and that its switches say HSU"
            self._out.become(LinkState.DOWN, reason)
            self._out.fault("no_answer", reason)
            self._finish_tests("unknown", "no_answer", "the module does not answer")
            self._start_over(now_ms + RETRY_INIT_MS)

    def _start_over(self, at_ms: int) -> None:
        self._setup_done, self._unanswered = 0, 0
        self._sample = self._looked_ms = None
        self._field.forget()
        self._next_ms = at_ms

    def _use_sample(self, now_ms: int) -> None:
        """A sample counts only when no second reply came until the next question."""
        if self._sample is None:
            return
        blind_ms = 0 if self._looked_ms is None else now_ms - self._looked_ms
        if blind_ms >= max(BLIND_MS, 10 * self._poll_ms):
            self._out.count("blind")
            self._out.event(DeviceGap(0, f"no look into the field for {blind_ms} ms: a card may have passed unseen"))
        self._looked_ms = now_ms
        for message in self._field.look(self._sample):
            self._out.event(message)
        self._sample = None

    def _finish_tests(self, outcome: str, code: str, reason: str) -> None:
        for request in self._tests:
            self._out.note(CommandResult(request, outcome, code, reason))
        self._tests.clear()


@dataclass(slots=True)
class Pn532Factory:
    """Makes drivers of PN532 modules; see `drivers.api.DriverFactory`."""

    name: str = "pn532"
    line: LineSettings = LineSettings(baudrate=115_200)  # noqa: RUF009 - frozen

    def __call__(self, options: Mapping[str, object]) -> Pn532Driver:
        """Options: ``position``; ``poll_ms`` (20 to 2000, default 100) between two looks; ``confirm`` (1 to 5, default
        2) equal looks before one counts. Raises ValueError naming a wrong one."""
        reader = OptionReader("pn532", options, _KNOWN)
        poll_ms, confirm = reader.number("poll_ms", 100, 20, 2000), reader.number("confirm", 2, 1, 5)
        return Pn532Driver(reader.position(), poll_ms, confirm)


DRIVER = Pn532Factory()
