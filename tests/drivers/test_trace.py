"""Traces: written, bounded, and played back into a driver."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.messages import CardDrawn
from drivers.shoes.angel_eye import DRIVER
from drivers.trace import TraceChunk, TraceFile, read_trace

CARD = bytes.fromhex("05 31 44 81 B8 03 34 46")


def test_a_trace_is_read_as_written(tmp_path: Path) -> None:
    path = tmp_path / "shoe.trace"
    trace = TraceFile(path)
    trace.write("=", b"")
    trace.write("<", CARD)
    trace.write(">", b"\x02")
    trace.close()
    chunks = list(read_trace(path))
    assert [(chunk.direction, chunk.data) for chunk in chunks] == [("=", b""), ("<", CARD), (">", b"\x02")]
    assert chunks[0].at_ms <= chunks[2].at_ms
    assert path.read_text().splitlines()[1].endswith("Z < 05 31 44 81 b8 03 34 46")


def test_a_trace_from_the_field_plays_back_into_the_driver(tmp_path: Path) -> None:
    path = tmp_path / "field.trace"
    path.write_text(
        "2031-02-03T04:05:06.000Z =\n"
        "2031-02-03T04:05:06.789Z < 05 31 44 81\n"
        "2031-02-03T04:05:06.791Z < b8 03 34 46 05\n"
        "2031-02-03T04:05:06.840Z < 31 44 81 b8 03 34 46\n"
    )
    driver = DRIVER({})
    driver.connected("trace", 0)
    reports = [report for chunk in read_trace(path) for report in driver.receive(chunk.data, chunk.at_ms)]
    assert [type(report.message) for report in reports] == [CardDrawn]
    assert driver.counters.duplicates == 1
    assert next(read_trace(path)) == TraceChunk(1927857906000, "=", b"")


def test_a_trace_is_bounded(tmp_path: Path) -> None:
    trace = TraceFile(tmp_path / "t", max_bytes=200, kept=2)
    for number in range(50):
        trace.write("<", bytes((number,)))
    trace.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t", "t.1", "t.2"]
    assert all(path.stat().st_size < 300 for path in tmp_path.iterdir())
    newest = [chunk.data[0] for name in ("t.2", "t.1", "t") for chunk in read_trace(tmp_path / name)]
    assert newest == list(range(newest[0], 50))


def test_a_trace_without_old_files(tmp_path: Path) -> None:
    trace = TraceFile(tmp_path / "t", max_bytes=100, kept=0)
    for _ in range(20):
        trace.write("<", b"\x05")
    trace.close()
    assert [path.name for path in tmp_path.iterdir()] == ["t"]
    assert (tmp_path / "t").stat().st_size < 150


@pytest.mark.parametrize(
    "line", ["hello", "2031-02-03T04:05:06Z < 5", "2031-02-03T04:05:06Z ? 05", "2031-02-03T04:05:06Z"]
)
def test_a_line_that_is_none_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad"
    path.write_text("2031-02-03T04:05:06Z < 05\n" + line + "\n")
    with pytest.raises(ValueError, match="line 2"):
        list(read_trace(path))
