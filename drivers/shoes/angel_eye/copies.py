"""Tells the copies of one telegram from new telegrams, and a gap from its absence.

A shoe sends every telegram three times, 50 ms apart, and its SEQ comes round again after nine. The rules:

- *Copy*: the same SEQ and the same bytes as one of the last three telegrams, at most `COPY_WINDOW_MS` after its
  latest copy. The copies leave the shoe within 100 ms; the rest of the window is for a device server or a radio
  link that holds bytes back. Nine telegrams take the shoe at least 1.35 s and a dealer far longer, and all the
  eight between would have to be lost: within the window a copy is the only sensible reading.
- *Late*: the same SEQ and the same bytes as one of the last three telegrams, after that window. Either the line held a
  copy back for so long, or some eight telegrams are lost and the next one has the same face: nobody can say, so it is
  no card and a person must look.
- *New*: anything else; how far SEQ jumped tells how many are missing, modulo nine. The same SEQ with another face
  after `CONFLICT_WINDOW_MS` is a new one with eight missing.
- *Conflict*: the same SEQ with other bytes within `CONFLICT_WINDOW_MS` of the first copy. Eight whole telegrams
  cannot be lost in so short a time, so one of the two is a corruption that XOR did not notice. The first was already
  reported, the second is not: a person must look.
- *Conflict* too: a telegram that two flipped bits make of a remembered one (SEQ and BCC counted), while of that one
  fewer than three copies came, at most `span_ms` after the first. Two flipped bits in one column pass XOR: what looks
  like the next telegram may be a damaged copy of this one. On a line that loses nothing all three copies are there
  before the next telegram, and nothing is ever in doubt.

A telegram more than three telegrams back is forgotten, so that at no speed of a simulation SEQ's next round is taken
for copies.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from drivers.shoes.angel_eye.telegram import Kind, Telegram, seq_jump

COPY_WINDOW_MS = 3000
CONFLICT_WINDOW_MS = 500
COPIES = 3
"""How often the shoe sends each telegram."""
SPAN_MS = 130
"""Its copies come within 100 ms, the next telegram after 150 ms at the earliest: the usual limit of the second kind of
conflict."""
UNNOTICED_BITS = 2
"""Flipped bits that XOR can miss: two in one column, or one and its bit in the BCC."""
REMEMBERED = 3
"""Telegrams remembered, should the shoe begin a telegram before the copies of the last one are out."""


@dataclass(frozen=True, slots=True)
class New:
    """A telegram not seen before. ``missing`` telegrams before it are lost (modulo 9); None: cannot be said."""

    missing: int | None
    last_seq: str


@dataclass(frozen=True, slots=True)
class Copy:
    """Another copy of a telegram already reported."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two copies of what may be one telegram disagree, and both have a right checksum."""

    first: Telegram


@dataclass(frozen=True, slots=True)
class Late:
    """A copy held back by the line for longer than copies can be told, or a new telegram with many missing."""


Judgement = New | Copy | Conflict | Late


@dataclass(slots=True)
class _Seen:
    telegram: Telegram
    first_ms: int
    latest_ms: int
    copies: int = 1

    def may_be(self, other: Telegram, age_limit_ms: int, now_ms: int) -> bool:
        """Whether ``other`` may be a damaged copy of this one, or this one of it."""
        if self.telegram == other or self.copies >= COPIES or now_ms - self.first_ms >= age_limit_ms:
            return False
        ours, theirs = self.telegram.to_bytes(), other.to_bytes()
        differing = sum((a ^ b).bit_count() for a, b in zip(ours, theirs, strict=False))
        return len(ours) == len(theirs) and differing <= UNNOTICED_BITS


class CopyFilter:
    """Judges telegrams in the order of the wire."""

    __slots__ = ("_last_seq", "_seen", "_span_ms", "_start")

    def __init__(self, span_ms: int = SPAN_MS) -> None:
        """``span_ms``: how long after the first copy of a telegram another may come."""
        self._span_ms = span_ms
        self._seen: deque[_Seen] = deque(maxlen=REMEMBERED)
        self._start: _Seen | None = None
        self._last_seq = ""

    @property
    def last_seq(self) -> str:
        """SEQ of the newest telegram; empty when none is known."""
        return self._last_seq

    def forget(self) -> None:
        """A new connection: no telegram is a copy of one from before. SEQ is kept, to see a gap."""
        self._seen.clear()
        self._start = None

    def skip_to(self, seq: str) -> None:
        """The telegram of this SEQ is accounted for in another way."""
        self._last_seq = seq

    def judge(self, telegram: Telegram, now_ms: int) -> Judgement:
        """What this telegram is. A new `S` forgets all that was before it."""
        for seen in (*self._seen, *((self._start,) if self._start else ())):
            if seen.may_be(telegram, self._span_ms, now_ms) and not self._knows(telegram):
                return Conflict(seen.telegram)
        if telegram.kind is Kind.START:
            return self._judge_start(telegram, now_ms)
        for seen in reversed(self._seen):
            if seen.telegram.seq != telegram.seq:
                continue
            if seen.telegram == telegram:
                is_in_time = now_ms - seen.latest_ms <= COPY_WINDOW_MS
                seen.latest_ms = now_ms
                seen.copies += 1
                return Copy() if is_in_time else Late()
            if now_ms - seen.first_ms <= CONFLICT_WINDOW_MS:
                return Conflict(seen.telegram)
            break
        last, self._last_seq = self._last_seq, telegram.seq
        self._seen.append(_Seen(telegram, now_ms, now_ms))
        return New(seq_jump(last, telegram.seq) if last else 0, last)

    def _knows(self, telegram: Telegram) -> bool:
        """Whether it is a copy of one that was reported."""
        return any(seen.telegram == telegram for seen in self._seen) or (
            self._start is not None and self._start.telegram == telegram
        )

    def _judge_start(self, telegram: Telegram, now_ms: int) -> Judgement:
        start = self._start
        if start and start.telegram == telegram and now_ms - start.latest_ms <= COPY_WINDOW_MS:
            start.latest_ms = now_ms
            start.copies += 1
            return Copy()
        self.forget()
        self._last_seq = ""
        self._start = _Seen(telegram, now_ms, now_ms)
        return New(0, "")
