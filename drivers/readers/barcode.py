"""Barcode and optical swipe readers that say a card as a line of ASCII text; `DRIVER` is the entry.

There is no acknowledgement and no heartbeat. With a check character a damaged line is noticed; with line numbers
(group ``seq`` of the pattern) a lost, repeated or late one is, too. Options and bytes: docs/devices.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from drivers.api import Capabilities, LineSettings, LinkCounters, Report
from drivers.messages import (
    CardPresent,
    CommandResult,
    DeviceCommand,
    DeviceGap,
    LinkState,
    ReadFailed,
)
from drivers.readers.check_character import CHECKS, without_check
from drivers.readers.lines import LineReader
from drivers.readers.options import SWIPE, OptionReader
from drivers.readers.outlet import Outlet
from drivers.readers.sequence import LineNumbers, Verdict

DEFAULT_PATTERN = r"(?P<rank>10|[A1-9TJQK])(?P<suit>[SHDC])(?:-(?P<deck>[A-Z0-9]{1,16}))?"
"""``QH``, ``10S-HOUSE7``."""
DEFAULT_RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K"
DEFAULT_SUITS = "S H D C"
DEAF_AFTER_BYTES = 96
"""So many bytes without one good line: not a smudged card, the line settings are wrong."""
_SHOWN = 40
_KNOWN = ("position", "pattern", "check", "ranks", "suits", "no_read", "repeat_ms")


@dataclass(frozen=True, slots=True)
class BarcodeOptions:
    """``pattern`` must match a whole line (its check character left out) and has the groups ``rank`` and ``suit``, and
    perhaps ``deck`` and ``seq`` (digits). ``ranks`` and ``suits`` map its words; ``no_read`` is the line of a
    reader that saw something and could not read it; the same line within ``repeat_ms`` is the same read."""

    position: str
    pattern: re.Pattern[str]
    check: str
    ranks: Mapping[str, int]
    suits: Mapping[str, str]
    no_read: str
    repeat_ms: int

    @classmethod
    def read(cls, options: Mapping[str, object]) -> BarcodeOptions:
        """Raises ValueError, one line, naming a wrong option, its value and what is allowed."""
        reader = OptionReader("barcode", options, _KNOWN)
        ranks = reader.text("ranks", DEFAULT_RANKS).split()
        suits = reader.text("suits", DEFAULT_SUITS).split()
        if len(set(ranks)) != 13:
            raise reader.fault("ranks", "13 different words, ace to king, with blanks between them")
        if len(set(suits)) != 4:
            raise reader.fault("suits", "4 different words for S H D C, with blanks between them")
        ranked = {word: number for number, word in enumerate(ranks, 1)}
        if "ranks" not in options:
            ranked |= {"1": 1, "T": 10}
        return cls(
            reader.position(),
            _pattern(reader),
            reader.word("check", "none", tuple(CHECKS)),
            ranked,
            dict(zip(suits, "SHDC", strict=True)),
            reader.text("no_read", "NOREAD"),
            reader.number("repeat_ms", 0, 0, 10_000),
        )


def _pattern(reader: OptionReader) -> re.Pattern[str]:
    try:
        pattern = re.compile(reader.text("pattern", DEFAULT_PATTERN), re.ASCII)
    except re.error as problem:
        raise reader.fault("pattern", f"regular expressions; this one is none: {problem}") from None
    if not {"rank", "suit"} <= set(pattern.groupindex):
        raise reader.fault("pattern", "regular expressions with the groups (?P<rank>...) and (?P<suit>...)")
    return pattern


class BarcodeDriver:
    """Driver of one reader; see `drivers.api.Driver`. Counters in ``counters.extra``: ``garbled`` lines, ``no_reads``,
    ``late`` lines."""

    def __init__(self, options: BarcodeOptions) -> None:
        self.capabilities = Capabilities(position=options.position != SWIPE)
        self._options = options
        self._out = Outlet("barcode")
        self._lines = LineReader()
        self._numbers = LineNumbers()
        self._was_open = False
        self._last = ""
        self._last_ms = 0
        self._deaf_bytes = 0

    @property
    def counters(self) -> LinkCounters:
        """What the link has counted."""
        return self._out.counters

    def connected(self, connection: str, now_ms: int) -> Sequence[Report]:
        """A fresh connection: what was unfinished is forgotten, line numbers count on."""
        self._out.opened(connection, before=self._was_open)
        self._was_open = True
        self._lines.clear()
        self._last, self._deaf_bytes = "", 0
        self._out.become(LinkState.UP, "port open; this reader says nothing until a card comes")
        return self._out.take()

    def disconnected(self, reason: str, now_ms: int) -> Sequence[Report]:
        """The port is gone."""
        self._out.closed(reason)
        return self._out.take()

    def receive(self, data: bytes, now_ms: int) -> Sequence[Report]:
        """Bytes came, split anywhere; any bytes are survived."""
        self.counters.bytes_in += len(data)
        for line in self._lines.feed(data):
            self._take_line(line, now_ms)
        return self._out.take()

    def tick(self, now_ms: int) -> Sequence[Report]:
        """Time passed; nothing here depends on it."""
        return self._out.take()

    def outgoing(self) -> bytes:
        """Nothing is ever said to this reader."""
        return b""

    def committed(self, identity: str) -> None:
        """Nothing: this reader is never acknowledged."""

    def command(self, command: DeviceCommand, request: int) -> None:
        """Every command is refused as ``not_supported``."""
        name = type(command).__name__
        self._out.note(CommandResult(request, "refused", "not_supported", f"a barcode reader cannot {name}"))

    def _take_line(self, line: bytes, now_ms: int) -> None:
        text = line.decode("ascii", "replace")
        if self._options.check == "none":
            # with a check character a blank at the end may be one
            text = text.strip(" ")
        if not text:
            return
        if self._options.no_read and text == self._options.no_read:
            self._deaf_bytes = 0
            self._out.count("no_reads")
            self._out.event(ReadFailed(self._options.position, "the reader saw a card and could not read it"))
            return
        body = without_check(text, self._options.check)
        found = None if body is None else self._options.pattern.fullmatch(body)
        card = None if found is None else self._card(found)
        if found is None or card is None:
            self._garbled(text)
        else:
            self._deaf_bytes = 0
            self.counters.frames_in += 1
            self._take_card(card, found, text, now_ms)

    def _take_card(self, card: CardPresent, found: re.Match[str], text: str, now_ms: int) -> None:
        digits = found.groupdict().get("seq")
        if digits:
            judged = self._numbers.judge(digits, text)
            match judged.verdict:
                case Verdict.COPY:
                    self.counters.duplicates += 1
                    return
                case Verdict.LATE:
                    self._out.count("late")
                    reason = f"line {digits} came behind later ones, or the reader counts anew: check the last card"
                    self._out.event(DeviceGap(0, reason))
                    return
                case Verdict.RESTARTED:
                    self._out.event(DeviceGap(0, "the reader counts its lines anew: check the last cards"))
                case Verdict.NEW if judged.missing:
                    reason = f"{judged.missing} line(s) before line {digits} are lost: read those cards again"
                    self._out.event(DeviceGap(judged.missing, reason))
                case Verdict.NEW:
                    pass
        elif text == self._last and now_ms - self._last_ms < self._options.repeat_ms:
            self._last_ms = now_ms
            self.counters.duplicates += 1
            return
        self._last, self._last_ms = text, now_ms
        self._out.event(card)

    def _card(self, found: re.Match[str]) -> CardPresent | None:
        groups = found.groupdict()
        rank, suit = self._options.ranks.get(groups["rank"] or ""), self._options.suits.get(groups["suit"] or "")
        seq = groups.get("seq")
        if rank is None or suit is None or (seq and not seq.isdigit()):
            return None
        return CardPresent(self._options.position, rank, suit, groups.get("deck") or "")

    def _garbled(self, text: str) -> None:
        self.counters.malformed += 1
        self._out.count("garbled")
        shown = "".join(char if " " <= char <= "~" else "?" for char in text)[:_SHOWN]
        detail = f"a line that is no card, or a damaged one: {shown!r}; read the card again"
        self._out.note(ReadFailed(self._options.position, detail))
        self._deaf_bytes += len(text)
        if self._deaf_bytes >= DEAF_AFTER_BYTES:
            reason = (
                f"{self._deaf_bytes} characters came and not one line that is a card: wrong line settings (9600 8N1 is "
                "usual), or pattern and check do not fit this reader"
            )
            self._out.fault("line_settings", reason)


@dataclass(slots=True)
class BarcodeFactory:
    """Makes drivers of barcode readers; see `drivers.api.DriverFactory`."""

    name: str = "barcode"
    line: LineSettings = LineSettings(baudrate=9600)  # noqa: RUF009 - frozen

    def __call__(self, options: Mapping[str, object]) -> BarcodeDriver:
        """Options as in `BarcodeOptions`. Raises ValueError naming a wrong one."""
        return BarcodeDriver(BarcodeOptions.read(options))


DRIVER = BarcodeFactory()
