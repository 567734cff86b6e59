"""Who is on the link and is it there: HELLO, admission, heartbeat, link states, line settings."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import pytest
from cobs import cobs  # type: ignore[import-untyped]

from drivers.api import Report
from drivers.bets import DRIVER as BETS
from drivers.console import DRIVER
from drivers.messages import DeviceIdentified, DeviceMessage, KeyPressed, LineFault, LinkChanged, LinkState
from drivers.native.frames import Flag, Frame, Kind
from drivers.native.link import NativeLink
from drivers.native.payloads import Address, DeviceState
from firmware_sim.bench import Bench, LineRates
from firmware_sim.console import SimConsole
from firmware_sim.native import Profile


def driver(**options: object) -> NativeLink:
    return DRIVER({"allow_simulated": True, **options})


def messages(reports: Sequence[Report], kind: type[DeviceMessage]) -> list[DeviceMessage]:
    return [report.message for report in reports if isinstance(report.message, kind)]


def states(bench: Bench) -> list[LinkState]:
    return [report.message.state for report in bench.reports if isinstance(report.message, LinkChanged)]


def faults(bench: Bench) -> list[str]:
    return [report.message.code for report in bench.reports if isinstance(report.message, LineFault)]


def test_hello_says_everything() -> None:
    console = SimConsole("C-7", memory_id=3)
    console.set_sensor(DeviceState.LID_OPEN, True)
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(100)
    (hello,) = messages(bench.reports, DeviceIdentified)
    assert hello == DeviceIdentified(
        model="TW-CONSOLE",
        serial="C-7",
        hardware="sim",
        firmware="1.0.0",
        image_hash=Profile("m", "s").image_hash.hex(),
        boot=3 * 65536 + 1,
        reset_reason="power_on",
        last_event=0,
        simulated=True,
        lid_open=True,
        tamper=False,
        card_in_throat=False,
    )
    assert bench.driver.capabilities.identity
    assert bench.driver.capabilities.replay
    assert not bench.driver.capabilities.lock


def test_hello_is_asked_until_it_is_answered_even_over_a_slow_line() -> None:
    bench = Bench(driver(), SimConsole(), LineRates(delay_ms=900), seed=4)
    bench.connect()
    assert bench.run_until(lambda: states(bench) == [LinkState.UP], 20_000)


def test_hello_on_demand_and_after_a_sensor_changed() -> None:
    console = SimConsole()
    link = driver()
    bench = Bench(link, console)
    bench.connect()
    bench.run(100)
    link.ask_identity()
    bench.run(100)
    assert len(messages(bench.reports, DeviceIdentified)) == 2
    console.set_sensor(DeviceState.TAMPER, True)
    bench.run(1500)
    last = messages(bench.reports, DeviceIdentified)[-1]
    assert isinstance(last, DeviceIdentified)
    assert last.tamper
    assert states(bench) == [LinkState.UP]


def test_a_port_behind_which_nobody_ever_speaks_is_told_once_a_connection() -> None:
    link = driver()
    for connection in ("a", "b"):
        began_ms = 10_000 if connection == "a" else 40_000
        link.connected(connection, began_ms)
        assert not messages(link.tick(began_ms + 4_999), LinkChanged)
        (down,) = messages(link.tick(began_ms + 5_000), LinkChanged)
        assert down == LinkChanged(LinkState.DOWN, "nothing heard from the device for 5 s: check cable and power")
        assert not messages(link.tick(began_ms + 20_000), LinkChanged)
        link.disconnected("gone", began_ms + 21_000)


def test_a_silent_device_is_suspect_then_down_then_up_again_after_hello() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(3000)
    console.power_loss()
    silent_since_ms = bench.now_ms
    assert bench.run_until(lambda: states(bench)[-1] is LinkState.SUSPECT, 3000)
    assert 1500 <= bench.now_ms - silent_since_ms <= 2500
    assert bench.run_until(lambda: states(bench)[-1] is LinkState.DOWN, 3000)
    assert 4000 <= bench.now_ms - silent_since_ms <= 5000
    bench.run(20_000)
    console.power_on()
    assert bench.run_until(lambda: states(bench)[-1] is LinkState.UP, 1000)
    assert states(bench) == [LinkState.UP, LinkState.SUSPECT, LinkState.DOWN, LinkState.UP]
    assert len(messages(bench.reports, DeviceIdentified)) == 2


def test_a_quiet_table_stays_up_for_an_hour() -> None:
    bench = Bench(driver(), SimConsole(), step_ms=50)
    bench.connect()
    bench.run(3_600_000)
    assert states(bench) == [LinkState.UP]
    assert bench.driver.counters.extra["device_clock_ms"] > 3_590_000
    assert bench.driver.counters.extra["device_state"] == DeviceState.SIMULATED | DeviceState.ATTACHED


def test_an_unplugged_cable_is_told_with_its_reason() -> None:
    bench = Bench(driver(), SimConsole())
    bench.connect()
    bench.run(100)
    bench.disconnect("the port /dev/ttyUSB0 is gone")
    assert bench.reports[-1].message == LinkChanged(LinkState.DOWN, "the port /dev/ttyUSB0 is gone")
    bench.connect()
    bench.run(100)
    assert states(bench)[-1] is LinkState.UP
    assert bench.driver.counters.reconnects == 1


def test_a_reboot_is_noticed_within_a_heartbeat_even_when_its_hello_is_lost() -> None:
    console = SimConsole()
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(500)
    console.reboot()
    console.outgoing()
    bench.run(1500)
    hellos = messages(bench.reports, DeviceIdentified)
    assert [hello.reset_reason for hello in hellos if isinstance(hello, DeviceIdentified)] == ["power_on", "software"]


def test_a_device_counts_what_it_did_not_understand() -> None:
    console = SimConsole()
    bench = Bench(driver(), console, LineRates(flip_permille=300), seed=2)
    bench.connect()
    bench.run(30_000)
    bench.to_device.rates = bench.to_host.rates = LineRates()
    bench.run(3000)
    assert console.counters.bad_checksum > 0
    assert bench.driver.counters.extra["device_bad_checksums"] == console.counters.bad_checksum
    assert bench.driver.counters.bad_checksum > 0


def exchange(bench: Bench, console: SimConsole) -> None:
    bench.disconnect()
    bench.firmware = console
    bench.connect()


def test_another_device_is_quarantined_until_it_is_paired() -> None:
    link, stranger = driver(), SimConsole("C-2")
    bench = Bench(link, SimConsole("C-1"))
    bench.connect()
    bench.run(1000)
    stranger.press_key("hit", value=1)
    exchange(bench, stranger)
    bench.run(30_000)
    assert faults(bench) == ["stranger"]
    (fault,) = messages(bench.reports, LineFault)
    assert isinstance(fault, LineFault)
    assert "device C-2 (TW-CONSOLE) is on the wire where C-1 belongs" in fault.reason
    assert messages(bench.reports, KeyPressed) == []
    assert stranger.acked == 0
    assert states(bench) == [LinkState.UP, LinkState.DOWN]
    link.pair("C-2")
    bench.run(1500)
    assert messages(bench.durable, KeyPressed) == [KeyPressed("hit", value=1)]
    assert stranger.acked == 1
    assert states(bench)[-1] is LinkState.UP


def test_a_device_exchanged_without_a_gap_is_noticed_and_gets_nothing_of_the_other_ones() -> None:
    first, second = SimConsole("C-1", memory_id=1), SimConsole("C-2", memory_id=1)
    bench = Bench(driver(), first, commit_ms=None)
    bench.connect()
    first.press_key("hit", value=1)
    second.press_key("stand", value=2)
    bench.run(500)
    bench.firmware = second
    bench.run(100)
    bench.commit_all()
    bench.run(5000)
    assert faults(bench) == ["stranger"]
    assert messages(bench.reports, KeyPressed) == [KeyPressed("hit", value=1)]
    assert second.acked == 0


def test_pairing_another_device_drops_the_one_that_is_there() -> None:
    link = driver(serial="C-1")
    bench = Bench(link, SimConsole("C-1"))
    bench.connect()
    bench.run(500)
    link.pair("C-9")
    bench.run(500)
    assert states(bench) == [LinkState.UP, LinkState.DOWN]
    assert faults(bench) == ["stranger"]


def test_a_restarted_controller_remembers_whose_events_it_has() -> None:
    bench = Bench(driver(resume="native:C-1:65537:4"), SimConsole("C-2"))
    bench.connect()
    bench.run(2000)
    assert faults(bench) == ["stranger"]


def test_a_configured_serial_number_counts_more_than_a_remembered_one() -> None:
    bench = Bench(driver(serial="C-2", resume="native:C-1:65537:4"), SimConsole("C-2"))
    bench.connect()
    bench.run(2000)
    assert states(bench) == [LinkState.UP]


def test_a_simulator_is_refused_where_it_is_not_allowed() -> None:
    console = SimConsole()
    console.press_key("hit")
    bench = Bench(DRIVER({}), console)
    bench.connect()
    bench.run(5000)
    assert faults(bench) == ["simulator_refused"]
    assert states(bench) == []
    assert console.acked == 0


def test_a_real_device_needs_no_permission() -> None:
    bench = Bench(DRIVER({}), SimConsole(profile=Profile("REAL", "R-1", simulated=False)))
    bench.connect()
    bench.run(500)
    assert states(bench) == [LinkState.UP]


@pytest.mark.parametrize(("low", "high", "admitted"), [(1, 1, True), (1, 3, True), (2, 3, False), (0, 0, False)])
def test_protocols_that_do_not_meet_are_refused(low: int, high: int, admitted: bool) -> None:
    console = SimConsole(profile=Profile("P", "P-1", protocol_min=low, protocol_max=high))
    console.press_key("hit")
    bench = Bench(driver(), console)
    bench.connect()
    bench.run(5000)
    assert faults(bench) == ([] if admitted else ["protocol"])
    assert console.acked == (1 if admitted else 0)


def test_frames_of_another_version_are_refused() -> None:
    link = driver()
    link.connected("c", 0)
    body = bytes.fromhex("02 0B 00 0000 00")
    wire = bytes(cobs.encode(body + zlib.crc32(body).to_bytes(4, "big"))) + b"\x00"
    reports = link.receive(wire * 3, 10)
    assert [report.message.code for report in reports if isinstance(report.message, LineFault)] == ["protocol"]


def test_a_device_of_another_class_is_refused() -> None:
    bench = Bench(BETS({"allow_simulated": True}), SimConsole())
    bench.connect()
    bench.run(2000)
    assert faults(bench) == ["wrong_device"]


def test_wrong_line_settings_are_named_once() -> None:
    link, reports = driver(), list[Report]()
    reports += link.connected("c", 0)
    for now_ms in range(0, 20_000, 50):
        reports += link.receive(b"\x80\xf8\x00\x78", now_ms)
        reports += link.tick(now_ms)
    assert [report.message.code for report in reports if isinstance(report.message, LineFault)] == ["line_settings"]


def test_no_frame_whatever_raises_or_is_believed() -> None:
    console, link = SimConsole(), driver()
    bench = Bench(link, console)
    bench.connect()
    bench.run(200)
    before = len(bench.reports)
    for kind in Kind:
        for size in (0, 3, 8, 20, 60):
            for first in (b"", Address.of(console.profile.serial, console.boot).to_bytes()):
                wire = Frame(kind, 0, first + bytes(size), Flag.NONE).to_bytes()
                link.receive(wire, bench.now_ms)
                console.receive(wire, bench.now_ms)
    bench.run(3000)
    assert messages(bench.reports[before:], KeyPressed) == []
    assert states(bench)[-1] is LinkState.UP
    console.press_key("hit", value=5)
    bench.run(1000)
    assert messages(bench.durable, KeyPressed) == [KeyPressed("hit", value=5)]
