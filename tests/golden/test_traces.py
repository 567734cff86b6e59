"""Recorded traces of each kind of device give the same reports on every run.

Recorded with ``tablewatch sim`` and ``tablewatch trace record`` on ptys with harsh faults; what must come out stands
beside each trace, one report a line, as ``tablewatch trace play --events`` shows it without times.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.plugins import DRIVER_GROUPS, load_driver, names
from controller.cli.drive import describe
from drivers.api import Driver
from drivers.replay import replay
from drivers.trace import read_trace

TRACES = Path(__file__).parent / "traces"
CASES = [(kind, name) for kind, group in DRIVER_GROUPS.items() for name in names(group)]
NUMBERED = r"(?P<seq>\d{3})(?P<rank>10|[A2-9JQK])(?P<suit>[SHDC])-(?P<deck>[A-Z0-9]{4})"
OPTIONS: dict[tuple[str, str], dict[str, object]] = {
    ("reader", "barcode"): {"check": "mod43", "pattern": NUMBERED},
    ("reader", "pn532"): {"position": "box-1"},
    ("reader", "rdm6300"): {"position": "box-1"},
}


def played(kind: str, name: str) -> list[str]:
    """What happened at the device, as the driver tells it from the trace."""
    usual: dict[str, object] = {"allow_simulated": True} if name == "native" else {}
    driver: Driver = load_driver(kind, name, "test")(OPTIONS.get((kind, name), usual))
    reports = replay(driver, read_trace(TRACES / f"{kind}-{name}.trace"))
    return [f"{describe(report.message)} [{report.identity}]" for _at_ms, report in reports if report.identity]


def test_every_kind_of_device_has_a_trace() -> None:
    assert {path.stem for path in TRACES.glob("*.trace")} == {f"{kind}-{name}" for kind, name in CASES}


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_a_trace_gives_the_same_reports_on_every_run(kind: str, name: str) -> None:
    expected = (TRACES / f"{kind}-{name}.reports").read_text("utf-8").splitlines()
    assert played(kind, name) == expected
    assert played(kind, name) == expected
    assert len(expected) >= 3
