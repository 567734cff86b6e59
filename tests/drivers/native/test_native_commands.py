"""Commands over the native link: carried out once, told truly, asked about when in doubt."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.console import DRIVER
from drivers.messages import CommandResult, DeviceCommand, Lock, SetLamp, ShowText
from drivers.native.link import NativeLink
from drivers.native.payloads import Refusal
from firmware_sim.bench import Bench, LineRates
from firmware_sim.console import SimConsole
from firmware_sim.nvram import MemoryNvram


class CountingConsole(SimConsole):
    """Counts what it carries out; ``power_fails`` loses the power in the middle of the next command."""

    def __init__(self, nvram: MemoryNvram | None = None) -> None:
        self.done = Counter[DeviceCommand]()
        self.power_fails = False
        super().__init__(nvram=nvram)

    def apply(self, command: DeviceCommand) -> Refusal:
        self.done[command] += 1
        if self.power_fails:
            self.power_loss()
        return super().apply(command)


def driver() -> NativeLink:
    return DRIVER({"allow_simulated": True})


def results(bench: Bench) -> list[CommandResult]:
    return [report.message for report in bench.reports if isinstance(report.message, CommandResult)]


def outcomes(bench: Bench) -> list[tuple[int, str, str]]:
    return [(result.request, result.outcome, result.code) for result in results(bench)]


@given(
    seed=st.integers(0, 2**32),
    lose=st.integers(0, 400),
    duplicate=st.integers(0, 300),
    split=st.integers(0, 500),
)
@settings(max_examples=40)
def test_commands_are_carried_out_at_most_once_and_done_means_done(
    seed: int, lose: int, duplicate: int, split: int
) -> None:
    console = CountingConsole()
    bad = LineRates(lose_permille=lose, duplicate_permille=duplicate, split_permille=split, delay_ms=100)
    bench = Bench(driver(), console, bad, seed)
    bench.connect()
    bench.run(3000)
    for request in range(1, 9):
        bench.driver.command(ShowText(0, f"line {request}"), request)
        bench.run(200)
    assert bench.run_until(lambda: len(results(bench)) == 8, 300_000)
    assert sorted(result.request for result in results(bench)) == list(range(1, 9))
    for result in results(bench):
        times = console.done[ShowText(0, f"line {result.request}")]
        assert times <= 1
        if result.outcome != "unknown":
            assert times == (1 if result.outcome == "done" else 0), result


def test_lamps_and_texts_reach_the_console_in_order() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.driver.command(SetLamp(3, "blink"), 1)
    bench.driver.command(ShowText(1, "Box 2: 17 ♠"), 2)
    bench.driver.command(ShowText(1, "x" * 60), 3)
    bench.run(500)
    assert outcomes(bench) == [(1, "done", ""), (2, "done", ""), (3, "done", "")]
    assert console.lamps[3] == "blink"
    assert console.texts == ("", "x" * 40, "", "")


def test_what_a_console_cannot_do_is_refused_at_once() -> None:
    bench = Bench(driver(), SimConsole())
    bench.connect()
    bench.driver.command(Lock(), 1)
    bench.driver.command(SetLamp(16, "on"), 2)
    bench.driver.command(SetLamp(0, "purple"), 3)
    bench.driver.command(ShowText(4, ""), 4)
    bench.run(10)
    assert outcomes(bench) == [(number, "refused", "not_supported") for number in (1, 2, 3, 4)]
    assert [result.reason for result in results(bench)] == [
        "a console cannot Lock",
        "lamp 16 does not exist; 0 to 15 are allowed",
        "lamp mode 'purple' is unknown; allowed are off, on, blink",
        "text line 4 does not exist; 0 to 3 are allowed",
    ]


def test_a_command_without_a_device_is_given_up_and_never_takes_effect_later() -> None:
    console = CountingConsole()
    bench = Bench(driver(), console)
    bench.driver.command(SetLamp(1, "on"), 1)
    bench.run(3100)
    assert outcomes(bench) == [(1, "refused", "not_sent")]
    bench.connect()
    bench.run(5000)
    assert not console.done


def test_an_answer_lost_for_long_is_asked_for() -> None:
    console = CountingConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(100)
    bench.driver.command(SetLamp(1, "on"), 1)
    bench.to_host.rates = LineRates(lose_permille=1000)
    bench.run(6000)
    assert results(bench) == []
    bench.to_host.rates = LineRates()
    bench.run(3000)
    assert outcomes(bench) == [(1, "done", "")]
    assert console.done == {SetLamp(1, "on"): 1}


def test_a_command_that_never_arrived_is_told_so() -> None:
    console = CountingConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(100)
    bench.driver.command(SetLamp(1, "on"), 1)
    bench.to_device.rates = LineRates(lose_permille=1000)
    bench.run(2200)
    bench.disconnect()
    bench.to_device.rates = LineRates()
    bench.connect()
    bench.run(1000)
    assert outcomes(bench) == [(1, "refused", "not_received")]
    assert not console.done


def test_the_answer_survives_a_reboot_of_the_device() -> None:
    console = CountingConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(100)
    bench.to_host.rates = LineRates(lose_permille=1000)
    bench.driver.command(SetLamp(1, "on"), 1)
    bench.run(100)
    console.reboot()
    bench.to_host.rates = LineRates()
    bench.run(3000)
    assert outcomes(bench) == [(1, "done", "")]
    assert console.done == {SetLamp(1, "on"): 1}


def test_power_lost_in_the_middle_of_a_command_leaves_its_outcome_unknown() -> None:
    console = CountingConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(100)
    console.power_fails = True
    bench.driver.command(SetLamp(1, "on"), 1)
    bench.run(500)
    console.power_fails = False
    console.power_on()
    bench.run(3000)
    assert outcomes(bench) == [(1, "unknown", "power_lost")]
    assert console.done == {SetLamp(1, "on"): 1}


def test_a_memory_lost_after_the_command_leaves_its_outcome_unknown() -> None:
    nvram = MemoryNvram()
    console = CountingConsole(nvram)
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(100)
    bench.to_host.rates = LineRates(lose_permille=1000)
    bench.driver.command(SetLamp(1, "on"), 1)
    bench.run(100)
    console.power_loss()
    nvram.wipe()
    console.power_on()
    bench.to_host.rates = LineRates()
    bench.run(3000)
    assert outcomes(bench) == [(1, "unknown", "memory_lost")]


def test_a_device_that_never_answers_leaves_the_outcome_unknown_after_fifteen_seconds() -> None:
    bench = Bench(driver(), SimConsole())
    bench.connect()
    bench.run(100)
    bench.to_host.rates = LineRates(lose_permille=1000)
    bench.driver.command(SetLamp(1, "on"), 1)
    bench.run(14_000)
    assert results(bench) == []
    bench.run(2000)
    assert outcomes(bench) == [(1, "unknown", "no_answer")]


def test_a_request_number_used_again_for_something_else_is_refused() -> None:
    console = CountingConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.driver.command(SetLamp(1, "on"), 1)
    bench.run(500)
    bench.driver.command(SetLamp(2, "on"), 1)
    bench.run(500)
    assert outcomes(bench) == [(1, "done", ""), (1, "refused", "request_reused")]
    assert console.done == {SetLamp(1, "on"): 1}


def test_a_restarted_controller_may_count_requests_from_one_again() -> None:
    console = CountingConsole()
    for lamp in (1, 2):
        bench = Bench(driver(), console, name=f"run-{lamp}")
        bench.connect()
        bench.driver.command(SetLamp(lamp, "on"), 1)
        bench.run(500)
        assert outcomes(bench) == [(1, "done", "")]
    assert console.lamps[1:3] == ("on", "on")


def test_the_queue_is_bounded() -> None:
    bench = Bench(driver(), SimConsole())
    for request in range(70):
        bench.driver.command(SetLamp(1, "on"), request)
    bench.run(10)
    assert outcomes(bench) == [(request, "refused", "queue_full") for request in range(64, 70)]
