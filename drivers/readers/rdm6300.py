"""RDM6300 and ID-12 style readers of 125 kHz tags: the driver; `DRIVER` is the entry.

They only talk: the same tag again and again while it lies in the field, nothing when there is none. So one read alone
is not believed, and a tag is gone after a silence. Bytes: docs/devices.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from drivers.api import Capabilities, LineSettings, LinkCounters, Report
from drivers.messages import CardGone, Collision, CommandResult, DeviceCommand, LinkState, ReadFailed, TagSeen
from drivers.readers.options import SWIPE, OptionReader
from drivers.readers.outlet import Outlet
from drivers.readers.rdm6300_frames import Rejected, TagReader

DEAF_AFTER_BYTES = 64
DAMAGED_READS = 3
"""So many damaged reads in a row, none good between them: two tags lie there, or a bad one."""
CANDIDATES_MAX = 4
_KNOWN = ("position", "confirm", "gone_ms")


@dataclass(slots=True)
class _Candidate:
    """A tag that is not believed yet: how often it was read, and how often which others were read since."""

    uid: str
    latest_ms: int
    reads: int = 0
    between: Counter[str] = field(default_factory=Counter)


class Rdm6300Driver:
    """Driver of one reader; see `drivers.api.Driver`. Counters in ``counters.extra``: ``lone_reads`` that were not
    believed, ``damaged_reads``."""

    def __init__(self, position: str, confirm: int, gone_ms: int) -> None:
        self.capabilities = Capabilities(position=position != SWIPE, card_identity=True)
        self._out = Outlet("rdm6300")
        self._reader = TagReader()
        self._position = position
        self._confirm = confirm
        self._gone_ms = gone_ms
        self._was_open = False
        self._lying: dict[str, int] = {}
        """tags believed to lie there, with the time of the latest read"""
        self._seen: set[str] = set()
        """those of them that were told by TagSeen"""
        self._candidates: dict[str, _Candidate] = {}
        self._damaged = 0
        self._damaged_ms = 0

    @property
    def counters(self) -> LinkCounters:
        """What the link has counted."""
        return self._out.counters

    def connected(self, connection: str, now_ms: int) -> Sequence[Report]:
        """A fresh connection: a tag that still lies there is not told again, unless it is silent for `gone_ms` now."""
        self._out.opened(connection, before=self._was_open)
        self._was_open = True
        self._reader.clear()
        self._candidates.clear()
        self._lying = dict.fromkeys(self._lying, now_ms)
        self._out.become(LinkState.UP, "port open; this reader says nothing until a tag comes")
        return self._out.take()

    def disconnected(self, reason: str, now_ms: int) -> Sequence[Report]:
        """The port is gone."""
        self._out.closed(reason)
        return self._out.take()

    def receive(self, data: bytes, now_ms: int) -> Sequence[Report]:
        """Bytes came, split anywhere; any bytes are survived."""
        self._expire(now_ms)
        self.counters.bytes_in += len(data)
        for item in self._reader.feed(data):
            if isinstance(item, Rejected):
                self._damaged_read(item, now_ms)
            else:
                self.counters.frames_in += 1
                self._read(item, now_ms)
        self.counters.bytes_ignored += self._reader.take_ignored()
        if not self.counters.frames_in and self.counters.bytes_in >= DEAF_AFTER_BYTES:
            reason = "bytes come but no tag of an RDM6300 or ID-12: wrong line settings (9600 8N1 is usual)"
            self._out.fault("line_settings", reason)
        return self._out.take()

    def tick(self, now_ms: int) -> Sequence[Report]:
        """Time passed: a tag that is silent is gone."""
        if self._out.is_open:
            self._expire(now_ms)
        return self._out.take()

    def outgoing(self) -> bytes:
        """Nothing is ever said to this reader."""
        return b""

    def committed(self, identity: str) -> None:
        """Nothing: this reader is never acknowledged."""

    def command(self, command: DeviceCommand, request: int) -> None:
        """Every command is refused as ``not_supported``."""
        name = type(command).__name__
        self._out.note(CommandResult(request, "refused", "not_supported", f"an RDM6300 reader cannot {name}"))

    def _read(self, uid: str, now_ms: int) -> None:
        self._damaged = 0
        for other in self._candidates.values():
            if other.uid != uid:
                other.between[uid] += 1
        if uid in self._lying:
            self._lying[uid] = now_ms
            self._tell_single()
            return
        if uid not in self._candidates and len(self._candidates) >= CANDIDATES_MAX:
            self._give_up(min(self._candidates.values(), key=lambda known: known.latest_ms))
        candidate = self._candidates.setdefault(uid, _Candidate(uid, now_ms))
        candidate.reads += 1
        candidate.latest_ms = now_ms
        self._judge(candidate, now_ms)

    def _judge(self, candidate: _Candidate, now_ms: int) -> None:
        """Read often enough: it took the place of what lay there, or lies there with others that are read in turn."""
        others = [uid for uid, reads in candidate.between.items() if reads >= self._confirm]
        if others and candidate.reads >= self._confirm:
            self._replace((candidate.uid, *others), now_ms)
            self._out.event(Collision(self._position, tuple(sorted(self._lying))))
        elif candidate.reads >= self._confirm + candidate.between.total():
            self._replace((candidate.uid,), now_ms)
            self._tell_single()

    def _replace(self, uids: Sequence[str], now_ms: int) -> None:
        """These lie there now; what lay there else is gone."""
        for uid in sorted(set(self._lying) - set(uids)):
            self._gone(uid)
        for uid in uids:
            self._candidates.pop(uid, None)
            self._lying[uid] = now_ms

    def _expire(self, now_ms: int) -> None:
        for candidate in list(self._candidates.values()):
            if now_ms - candidate.latest_ms >= self._gone_ms:
                self._give_up(candidate)
        if self._damaged and now_ms - self._damaged_ms >= self._gone_ms:
            self._damaged = 0
        silent = [uid for uid, latest_ms in self._lying.items() if now_ms - latest_ms >= self._gone_ms]
        for uid in silent:
            self._gone(uid)

    def _gone(self, uid: str) -> None:
        del self._lying[uid]
        self._seen.discard(uid)
        self._out.event(CardGone(self._position, uid))

    def _tell_single(self) -> None:
        if len(self._lying) == 1 and not self._seen >= set(self._lying):
            (uid,) = self._lying
            self._seen.add(uid)
            self._out.event(TagSeen(self._position, uid))

    def _give_up(self, tag: _Candidate) -> None:
        del self._candidates[tag.uid]
        self._out.count("lone_reads")
        detail = f"tag {tag.uid} was read {tag.reads} time(s), too few to believe it; read the card again"
        self._out.event(ReadFailed(self._position, detail))

    def _damaged_read(self, item: Rejected, now_ms: int) -> None:
        if item is Rejected.CHECKSUM:
            self.counters.bad_checksum += 1
        else:
            self.counters.malformed += 1
        self._damaged += 1
        self._damaged_ms = now_ms
        if self._damaged == DAMAGED_READS:
            self._out.count("damaged_reads")
            detail = f"{DAMAGED_READS} damaged reads in a row; are two cards stacked?"
            self._out.note(ReadFailed(self._position, detail))


@dataclass(slots=True)
class Rdm6300Factory:
    """Makes drivers of RDM6300 and ID-12 readers; see `drivers.api.DriverFactory`."""

    name: str = "rdm6300"
    line: LineSettings = LineSettings(baudrate=9600)  # noqa: RUF009 - frozen

    def __call__(self, options: Mapping[str, object]) -> Rdm6300Driver:
        """Options: ``position``; ``confirm`` (1 to 5, default 2) reads before a tag is believed; ``gone_ms`` (200 to
        10000, default 600) of silence after which it is gone. Raises ValueError naming a wrong one."""
        reader = OptionReader("rdm6300", options, _KNOWN)
        confirm, gone_ms = reader.number("confirm", 2, 1, 5), reader.number("gone_ms", 600, 200, 10_000)
        return Rdm6300Driver(reader.position(), confirm, gone_ms)


DRIVER = Rdm6300Factory()
