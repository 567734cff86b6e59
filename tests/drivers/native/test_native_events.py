"""Events over the native link: each exactly once, in order, acknowledged only when durable, whatever happens."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.api import Report
from drivers.console import DRIVER
from drivers.messages import DeviceGap, KeyPressed, LinkChanged
from drivers.native.link import NativeLink
from drivers.native.payloads import Address
from drivers.native.stream import EventIdentity, EventStream
from firmware_sim.bench import Bench, LineRates
from firmware_sim.console import SimConsole
from firmware_sim.nvram import MemoryNvram

BAD_LINE = LineRates(
    lose_permille=150, duplicate_permille=100, flip_permille=50, noise_permille=50, split_permille=300, delay_ms=80
)
rates = st.builds(
    LineRates,
    lose_permille=st.integers(0, 250),
    duplicate_permille=st.integers(0, 250),
    flip_permille=st.integers(0, 150),
    noise_permille=st.integers(0, 150),
    split_permille=st.integers(0, 500),
    delay_ms=st.integers(0, 300),
)


def driver(resume: list[str] | None = None) -> NativeLink:
    return DRIVER({"allow_simulated": True, "resume": resume or []})


def values(reports: list[Report]) -> list[int]:
    return [report.message.value for report in reports if isinstance(report.message, KeyPressed)]


def gaps(reports: list[Report]) -> list[DeviceGap]:
    return [report.message for report in reports if isinstance(report.message, DeviceGap)]


def press(bench: Bench, console: SimConsole, first: int, count: int, rng: random.Random) -> None:
    for value in range(first, first + count):
        assert console.press_key("hit", box=1, value=value) is not None
        bench.run(rng.choice([0, 0, 20, 100, 400]))


def settle(bench: Bench, console: SimConsole) -> bool:
    return bench.run_until(lambda: console.acked == console.last_event, 600_000)


@given(rates=rates, seed=st.integers(0, 2**32), commit_ms=st.integers(0, 500))
@settings(max_examples=60)
def test_every_event_comes_out_once_and_in_order_over_any_line(rates: LineRates, seed: int, commit_ms: int) -> None:
    console, rng = SimConsole(), random.Random(seed)
    bench = Bench(driver(), console, rates, seed, commit_ms)
    bench.connect()
    press(bench, console, 0, 40, rng)
    assert settle(bench, console)
    assert values(bench.durable) == list(range(40))
    assert gaps(bench.reports) == []
    assert len({report.identity for report in bench.durable}) == 40


@given(seed=st.integers(0, 2**32))
@settings(max_examples=30)
def test_cables_pulled_devices_rebooted_and_controllers_killed_lose_and_repeat_nothing(seed: int) -> None:
    rng, console = random.Random(seed), SimConsole()
    bench = Bench(driver(), console, BAD_LINE, seed, commit_ms=50)
    bench.connect()
    for turn in range(10):
        press(bench, console, turn * 6, 6, rng)
        match rng.randrange(4):
            case 0:
                bench.disconnect()
                bench.run(rng.choice([0, 1000, 8000]))
                bench.connect()
            case 1:
                console.power_loss()
                bench.run(rng.choice([0, 1000, 8000]))
                console.power_on()
            case 2:
                console.reboot()
            case _:
                bench.replace_host(driver([bench.durable[-1].identity] if bench.durable else []))
                bench.connect()
    assert settle(bench, console)
    assert values(bench.durable) == list(range(60))
    assert gaps(bench.reports) == []


def test_the_same_run_repeats_events_when_duplicates_are_not_recognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EventStream, "is_duplicate", lambda self, number: False)
    console, rng = SimConsole(), random.Random(1)
    bench = Bench(driver(), console, BAD_LINE, seed=1, commit_ms=50)
    bench.connect()
    press(bench, console, 0, 40, rng)
    bench.run(60_000)
    assert len(values(bench.durable)) > 40


def test_nothing_is_acknowledged_before_it_is_durable() -> None:
    console = SimConsole()
    bench = Bench(driver(), console, commit_ms=None)
    bench.connect()
    console.press_key("hit", value=1)
    bench.run(20_000)
    assert values(bench.reports) == [1]
    assert console.acked == 0
    assert console.counters.retransmissions > 3
    assert bench.driver.counters.duplicates == console.counters.retransmissions
    bench.commit_all()
    bench.run(100)
    assert console.acked == 1


def test_commits_out_of_order_acknowledge_only_what_has_no_hole() -> None:
    console = SimConsole()
    bench = Bench(driver(), console, commit_ms=None)
    bench.connect()
    for value in range(3):
        console.press_key("hit", value=value)
    bench.run(500)
    first, second, third = [report.identity for report in bench.reports if report.reliable]
    bench.driver.committed(third)
    bench.driver.committed(second)
    bench.run(500)
    assert console.acked == 0
    bench.driver.committed(first)
    bench.run(500)
    assert console.acked == 3


def test_a_lost_acknowledgement_is_given_again() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(100)
    bench.to_device.rates = LineRates(lose_permille=1000)
    console.press_key("hit", value=7)
    bench.run(400)
    assert values(bench.durable) == [7]
    assert console.acked == 0
    bench.to_device.rates = LineRates()
    assert settle(bench, console)
    assert values(bench.durable) == [7]
    assert bench.driver.counters.duplicates >= 1


def test_a_device_goes_on_recording_without_a_host_and_delivers_later() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    for value in range(100):
        console.press_key("stand", value=value)
        bench.run(100)
    assert console.acked == 0
    bench.connect()
    assert settle(bench, console)
    assert values(bench.durable) == list(range(100))


def test_events_that_the_device_no_longer_has_are_a_counted_gap() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    bench.connect()
    console.press_key("hit", value=0)
    assert settle(bench, console)
    bench.disconnect()
    for value in range(1, 601):
        console.press_key("hit", value=value)
    bench.connect()
    assert settle(bench, console)
    (gap,) = gaps(bench.durable)
    assert gap.missing == 600 - 512
    assert "88 event(s) of device CONSOLE-SIM-1 from number 2 on are lost" in gap.reason
    assert values(bench.durable) == [0, *range(89, 601)]


def test_a_gap_is_told_again_with_the_same_identity_until_it_is_durable_and_then_never() -> None:
    console = SimConsole(memory_id=5)
    for value in range(600):
        console.press_key("hit", value=value)
    resume = [str(EventIdentity("CONSOLE-SIM-1", console.boot, 10))]
    seen = []
    for _ in range(2):
        bench = Bench(driver(resume), console, commit_ms=None)
        bench.connect()
        bench.run(1000)
        seen.append(next(report.identity for report in bench.reports if isinstance(report.message, DeviceGap)))
    assert seen[0] == seen[1] == f"native:CONSOLE-SIM-1:{console.boot}:88"
    bench = Bench(driver([seen[0]]), console)
    bench.connect()
    assert settle(bench, console)
    assert gaps(bench.reports) == []
    assert values(bench.durable) == list(range(88, 600))


def test_a_gap_that_arises_while_connected_is_found_by_replay() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(100)
    bench.to_host.rates = LineRates(lose_permille=1000)
    for value in range(700):
        console.press_key("hit", value=value)
    bench.run(100)
    bench.to_host.rates = LineRates()
    assert settle(bench, console)
    assert sum(gap.missing for gap in gaps(bench.durable)) == 700 - 512
    assert values(bench.durable) == list(range(188, 700))


def test_a_restored_controller_gets_again_what_it_had_acknowledged_before() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    bench.connect()
    for value in range(50):
        console.press_key("hit", value=value)
    assert settle(bench, console)
    old_backup = bench.durable[19].identity
    bench.replace_host(driver([old_backup]))
    bench.connect()
    bench.run(5000)
    assert values(bench.durable) == [*range(50), *range(20, 50)]
    assert settle(bench, console)


def test_that_replay_is_asked_for_again_when_it_is_lost() -> None:
    console = SimConsole()
    for value in range(5):
        console.press_key("hit", value=value)
    first = Bench(driver(), console)
    first.connect()
    assert settle(first, console)
    bench = Bench(driver([first.durable[1].identity]), console)
    bench.connect()
    bench.run(10)
    bench.to_device.rates = LineRates(lose_permille=1000)
    bench.run(100)
    assert any(isinstance(report.message, LinkChanged) for report in bench.reports)
    bench.to_device.rates = LineRates()
    bench.run(800)
    assert values(bench.durable) == []
    bench.run(4000)
    assert values(bench.durable) == [2, 3, 4]


def test_a_fresh_journal_takes_only_what_nobody_has_acknowledged() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    bench.connect()
    console.press_key("hit", value=1)
    assert settle(bench, console)
    console.press_key("hit", value=2)
    bench.replace_host(driver())
    bench.connect()
    bench.run(1000)
    assert values(bench.durable) == [1, 2]


def test_numbers_go_on_over_boots_and_identities_keep_the_boot_of_the_recording() -> None:
    console = SimConsole(memory_id=0)
    console.press_key("hit", value=1)
    console.reboot()
    console.press_key("hit", value=2)
    bench = Bench(driver(), console)
    bench.connect()
    assert settle(bench, console)
    assert [report.identity for report in bench.durable] == ["native:CONSOLE-SIM-1:1:1", "native:CONSOLE-SIM-1:2:2"]


def test_a_lost_memory_is_a_gap_of_unknown_size_and_reuses_no_identity() -> None:
    nvram = MemoryNvram()
    console = SimConsole(nvram=nvram)
    bench = Bench(driver(), console)
    bench.connect()
    for value in range(5):
        console.press_key("hit", value=value)
    assert settle(bench, console)
    console.power_loss()
    nvram.wipe()
    console.power_on()
    for value in range(5, 8):
        console.press_key("hit", value=value)
    assert settle(bench, console)
    assert values(bench.durable) == list(range(8))
    (gap,) = gaps(bench.durable)
    assert gap.missing == 0
    assert "memory of device CONSOLE-SIM-1 was lost" in gap.reason
    assert len({report.identity for report in bench.durable}) == len(bench.durable)


def test_an_event_that_cannot_be_understood_is_named_and_does_not_stop_the_rest() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    bench.connect()
    console.press_key("hit", value=1)
    console.record_raw(0x10, bytes([200, 1, 0, 0, 0, 0, 0, 0]))
    console.record_raw(0x77, b"")
    console.press_key("hit", value=2)
    assert settle(bench, console)
    assert values(bench.durable) == [1, 2]
    assert [gap.reason for gap in gaps(bench.durable)] == [
        "event 2 of device CONSOLE-SIM-1 cannot be understood: key code 200 is unknown",
        "event 3 of device CONSOLE-SIM-1 cannot be understood: console event code 119 is unknown",
    ]
    assert console.counters.extra["naks"] == 2


def test_identities_are_read_strictly() -> None:
    assert EventIdentity.parse("native:A-1:65537:12") == EventIdentity("A-1", 65537, 12)
    for wrong in (
        "",
        "native:A:1",
        "other:A:1:2",
        "native::1:2",
        "native:A:-1:2",
        "native:A:1:4294967296",
        "native:A:1:²",
    ):
        with pytest.raises(ValueError, match="no identity of a native event"):
            EventIdentity.parse(wrong)


def lost_by_a_kill(resume: bool) -> int:
    console = SimConsole()
    bench = Bench(driver(), console, commit_ms=400)
    bench.connect()
    press_each_150_ms(bench, console, 12)
    bench.replace_host(driver([bench.durable[-1].identity] if resume else []))
    bench.connect()
    bench.run(3000)
    assert values(bench.durable) == sorted(set(values(bench.durable)))
    return 12 - len(values(bench.durable))


def press_each_150_ms(bench: Bench, console: SimConsole, count: int) -> None:
    for value in range(count):
        console.press_key("hit", value=value)
        bench.run(150)


@pytest.mark.parametrize("resume", [False, True])
def test_a_killed_controller_loses_nothing_that_it_had_not_stored(resume: bool) -> None:
    assert lost_by_a_kill(resume) == 0


def test_acknowledging_before_the_commit_loses_events_unless_they_are_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    received = EventStream.received

    def hasty(self: EventStream, number: int) -> None:
        received(self, number)
        self.commit(number)

    def beat(self: NativeLink, address: Address, now_ms: int) -> None:
        self._acknowledge()
        honest(self, address, now_ms)

    honest = NativeLink._beat
    monkeypatch.setattr(EventStream, "received", hasty)
    monkeypatch.setattr(NativeLink, "_beat", beat)
    assert lost_by_a_kill(resume=False) > 0
    assert lost_by_a_kill(resume=True) == 0
