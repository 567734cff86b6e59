"""Playing a trace back: its times, its connections, pauses, and clocks that went back."""

from __future__ import annotations

from drivers.messages import CardDrawn, LinkChanged, LinkState
from drivers.replay import LONGEST_PAUSE_MS, replay
from drivers.shoes.angel_eye import DRIVER
from drivers.trace import TraceChunk

CARD = bytes.fromhex("05 31 44 81 B8 03 34 46")
NEXT = bytes.fromhex("05 32 44 81 B8 03 34 43")


def test_reports_come_at_the_times_of_the_trace_and_with_its_connections() -> None:
    chunks = [
        TraceChunk(1_000_000, "=", b"first"),
        TraceChunk(1_000_130, "<", CARD),
        TraceChunk(1_000_180, "<", CARD),
        TraceChunk(1_002_000, "=", b"second"),
        TraceChunk(1_002_500, "<", NEXT),
    ]
    heard = list(replay(DRIVER({}), chunks))
    cards = [(at_ms, report.identity) for at_ms, report in heard if isinstance(report.message, CardDrawn)]
    assert cards == [(130, "angel-eye:first:1"), (2500, "angel-eye:second:1")]
    states = [report.message.state for _at_ms, report in heard if isinstance(report.message, LinkChanged)]
    assert states == [LinkState.UP, LinkState.DOWN, LinkState.UP]


def test_a_trace_may_begin_in_the_middle_and_its_clock_may_go_back() -> None:
    chunks = [TraceChunk(5000, "<", CARD), TraceChunk(4000, "<", CARD), TraceChunk(4100, "<", NEXT)]
    heard = [(at_ms, report.identity) for at_ms, report in replay(DRIVER({}), chunks) if report.identity]
    assert heard == [(0, "angel-eye:trace-1:1"), (100, "angel-eye:trace-1:2")]


def test_a_long_pause_is_shortened() -> None:
    day_ms = 24 * 3_600_000
    chunks = [TraceChunk(0, "=", b"c"), TraceChunk(day_ms, "<", CARD)]
    assert [at_ms for at_ms, report in replay(DRIVER({}), chunks) if report.identity] == [LONGEST_PAUSE_MS]


def test_nothing_of_the_drivers_own_speech_is_needed() -> None:
    chunks = [TraceChunk(0, "=", b"c"), TraceChunk(10, ">", b"\x02"), TraceChunk(20, "<", b"\x06" + CARD)]
    kinds = [type(report.message) for _at_ms, report in replay(DRIVER({}), chunks) if report.identity]
    assert kinds == [CardDrawn]
