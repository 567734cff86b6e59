"""The reference firmware: its memory, its window and delays, the simulated console and bet sensor."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.console import ConsoleCodec
from drivers.messages import ShowText
from drivers.native.frames import Flag, Frame, FrameReader, Kind
from drivers.native.hello import Hello, HelloRequest
from drivers.native.payloads import Ack, Address, CommandRequest, EventRecord, Nak, Outcome, Refusal, Replay, ReplayInfo
from firmware_sim.bets import SimBetSensor
from firmware_sim.console import SimConsole
from firmware_sim.nvram import EVENT_SLOTS, RESULT_SLOTS, SLOTS, DeviceMemory, FileNvram, MemoryNvram

Message = HelloRequest | Ack | Replay | CommandRequest


def say(console: SimConsole, now_ms: int, *payloads: Message) -> None:
    for payload in payloads:
        console.receive(Frame(payload.kind, 0, payload.to_payload()).to_bytes(), now_ms)


def hear(console: SimConsole, *kinds: Kind) -> list[Frame]:
    reader, frames = FrameReader(), list[Frame]()
    while wire := console.outgoing():
        (item,) = reader.feed(wire)
        assert isinstance(item, Frame)
        frames += [item] if not kinds or item.kind in kinds else []
    return frames


def address(console: SimConsole) -> Address:
    return Address.of(console.profile.serial, console.boot)


def attach(console: SimConsole, now_ms: int, first: int = 1) -> None:
    say(console, now_ms, Replay(address(console), first))


def events(console: SimConsole) -> list[tuple[int, Flag]]:
    return [(EventRecord.from_payload(f.payload).number, f.flags) for f in hear(console, Kind.EVENT)]


def test_it_introduces_itself_at_boot_and_answers_with_the_nonce() -> None:
    console = SimConsole("C-1")
    say(console, 5, HelloRequest(77, 1, 1, 1))
    boot, answer = (Hello.from_payload(frame.payload) for frame in hear(console, Kind.HELLO))
    assert (boot.nonce, answer.nonce) == (0, 77)
    assert answer.serial == "C-1"
    assert answer.state & 1


def test_no_event_is_sent_to_a_host_that_has_not_named_the_device() -> None:
    console = SimConsole()
    console.press_key("hit")
    say(console, 5, HelloRequest(77, 1, 1, 1), Replay(Address(1, 2), 1))
    console.tick(10)
    assert events(console) == []
    attach(console, 20)
    assert events(console) == [(1, Flag.REPLAYED)]


def test_at_most_eight_events_are_on_their_way() -> None:
    console = SimConsole()
    attach(console, 0)
    for _ in range(20):
        console.press_key("hit")
    assert [number for number, _ in events(console)] == [1, 2, 3, 4, 5, 6, 7, 8]
    say(console, 10, Ack(address(console), 3))
    assert [number for number, _ in events(console)] == [9, 10, 11]


def test_retransmissions_are_flagged_and_their_delay_grows_to_four_seconds() -> None:
    console = SimConsole()
    attach(console, 0)
    console.press_key("hit")
    assert events(console) == [(1, Flag.NONE)]
    at_ms = []
    for now_ms in range(0, 40_000, 10):
        if now_ms % 1000 == 0:
            console.receive(Frame(Kind.HELLO_REQ, 0, HelloRequest(1, 1, 1, 1).to_payload()).to_bytes(), now_ms)
            say(console, now_ms, CommandRequest(address(console), 1, now_ms, 0x11, b"\x00\x00"))
        console.tick(now_ms)
        for number, flags in events(console):
            assert (number, flags) == (1, Flag.RETRANSMITTED)
            at_ms.append(now_ms)
    delays = [later - sooner for sooner, later in zip([0, *at_ms], at_ms, strict=False)]
    assert delays[:7] == [250, 500, 1000, 2000, 4000, 4000, 4000]


def test_a_host_that_fell_silent_gets_no_events_until_it_is_back() -> None:
    console = SimConsole()
    attach(console, 0)
    console.tick(5000)
    hear(console)
    console.press_key("hit")
    console.tick(5100)
    assert events(console) == []
    say(console, 6000, Ack(address(console), 0))
    assert events(console) == [(1, Flag.NONE)]


def test_replay_says_first_what_is_gone() -> None:
    console = SimConsole()
    for _ in range(EVENT_SLOTS + 10):
        console.press_key("hit")
    attach(console, 0, first=3)
    (info,) = hear(console, Kind.REPLAY_INFO)
    assert ReplayInfo.from_payload(info.payload) == ReplayInfo(address(console), 3, 11, EVENT_SLOTS + 10)
    attach(console, 0, first=9999)
    (info,) = hear(console, Kind.REPLAY_INFO)
    assert ReplayInfo.from_payload(info.payload).first == EVENT_SLOTS + 11


def test_an_acknowledgement_of_what_never_was_is_ignored() -> None:
    console = SimConsole()
    attach(console, 0)
    console.press_key("hit")
    say(console, 5, Ack(address(console), 2))
    assert console.acked == 0


def test_frames_for_another_device_or_boot_are_refused() -> None:
    console = SimConsole()
    console.press_key("hit")
    say(
        console,
        5,
        Ack(Address.of("OTHER", console.boot), 1),
        Ack(Address(address(console).device, console.boot - 1), 1),
    )
    naks = [Nak.from_payload(frame.payload) for frame in hear(console, Kind.NAK)]
    assert [nak.reason.name for nak in naks] == ["WRONG_ADDRESS", "WRONG_ADDRESS"]
    assert console.acked == 0


def test_without_power_nothing_is_heard_said_or_recorded() -> None:
    console = SimConsole()
    console.power_loss()
    say(console, 5, HelloRequest(77, 1, 1, 1))
    console.tick(10)
    assert console.press_key("hit") is None
    assert hear(console) == []
    console.power_on()
    assert console.press_key("hit") == 1


def test_lamps_and_texts_are_dark_after_power_loss() -> None:
    console = SimConsole()
    assert console.apply(ShowText(0, "x")) is Refusal.NONE
    console.reboot()
    assert console.texts == ("", "", "", "")


@pytest.mark.parametrize("in_file", [False, True])
def test_memory_outlives_the_device(in_file: bool, tmp_path: Path) -> None:
    path = tmp_path / "nvram"
    nvram = FileNvram(path) if in_file else MemoryNvram()
    memory = DeviceMemory(nvram, memory_id=9)
    memory.count_boot()
    for number in range(1, 1001):
        assert memory.append(number, 0x10, number.to_bytes(2, "big")).number == number
    memory.acknowledge(700)
    memory.begin_request(1, 2, 3)
    memory.finish_request(1, 2, 3, Refusal.BUSY)
    memory.begin_request(1, 4, 5)
    if isinstance(nvram, FileNvram):
        nvram.close()
        nvram = FileNvram(path)
    again = DeviceMemory(nvram)
    assert (again.boot, again.acked, again.oldest, again.last) == (9 * 65536 + 1, 700, 489, 1000)
    assert again.event(489).body == (489).to_bytes(2, "big")
    finished, begun = again.request(1, 2), again.request(1, 4)
    assert finished is not None
    assert begun is not None
    assert (finished.outcome, finished.refusal) == (Outcome.REFUSED, Refusal.BUSY)
    assert begun.outcome is Outcome.UNSURE
    if isinstance(nvram, FileNvram):
        nvram.close()


def test_a_blank_memory_is_formatted_with_a_boot_id_of_its_own() -> None:
    assert len({DeviceMemory(MemoryNvram()).boot for _ in range(20)}) > 10


def test_the_newest_sixty_four_requests_are_remembered() -> None:
    nvram = MemoryNvram()
    memory = DeviceMemory(nvram)
    for request in range(200):
        memory.begin_request(1, request, 0)
        memory.finish_request(1, request, 0, Refusal.NONE)
    for some in (memory, DeviceMemory(nvram)):
        kept = [request for request in range(200) if some.request(1, request) is not None]
        assert kept == list(range(200 - RESULT_SLOTS, 200))


@pytest.mark.parametrize("slot", [0, 1, 2 + 5, SLOTS - 1])
def test_a_torn_write_costs_only_its_slot(slot: int, tmp_path: Path) -> None:
    path = tmp_path / "nvram"
    with FileNvram(path) as nvram:
        memory = DeviceMemory(nvram, memory_id=1)
        for _ in range(3):
            memory.count_boot()
        for _ in range(10):
            memory.append(0, 1, b"")
        before = [nvram.read(number) for number in range(SLOTS)]
        nvram.write(slot, b"torn off in the middle")
        raw = bytearray(path.read_bytes())
        raw[8 + slot * 272 + 8] ^= 0xFF
        path.write_bytes(raw)
    with FileNvram(path) as nvram:
        assert nvram.read(slot) == b""
        assert [nvram.read(number) for number in range(SLOTS) if number != slot] == (before[:slot] + before[slot + 1 :])
        again = DeviceMemory(nvram, memory_id=2)
        assert again.boot in (65536 + 2, 65536 + 3)
        assert (again.oldest, again.last) == ((6, 10) if slot == 7 else (1, 10))


def test_a_file_that_is_no_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter"
    path.write_text("Dear Sir or Madam")
    with pytest.raises(ValueError, match="letter is no memory of a simulated device; name a new file or remove it"):
        FileNvram(path)
    with pytest.raises(IsADirectoryError):
        FileNvram(tmp_path)


def test_the_bet_sensor_knows_the_chips() -> None:
    sensor = SimBetSensor()
    assert sensor.place(1, 1, "main", 500) == 1
    assert sensor.place(1, 1, "main", 500) == 2
    assert sensor.place(2, 1, "side:pairs", 100) == 3
    assert sensor.take_back(1, 1, "main", 200) == 4
    assert sensor.lay_card(1) == 5
    assert sensor.wagers == {(1, 1, "main"): 800, (2, 1, "side:pairs"): 100}
    assert sensor.pay(1, 1, "main", 1200) == 6
    assert sensor.collect(2, 1, "side:pairs", 100) == 7
    assert sensor.wagers == {(1, 1, "main"): 800}
    assert sensor.paid == {(1, 1, "main"): 1200}
    with pytest.raises(ValueError, match="900 cannot be taken from box 1, seat 1, main: 800 lie there"):
        sensor.collect(1, 1, "main", 900)
    with pytest.raises(ValueError, match="100 cannot be taken from box 2, seat 1, side:pairs: 0 lie there"):
        sensor.take_back(2, 1, "side:pairs", 100)
    assert sensor.last_event == 7
    sensor.clear_layout()
    assert (sensor.wagers, sensor.paid, sensor.last_event) == ({}, {}, 7)


def test_a_wager_that_cannot_be_said_moves_no_chips() -> None:
    sensor = SimBetSensor()
    with pytest.raises(ValueError, match="bet 'tip' is unknown"):
        sensor.place(1, 1, "tip", 5)
    assert sensor.wagers == {}


def test_every_key_can_be_pressed() -> None:
    console = SimConsole()
    assert console.press_key("player_cut", value=52) == 1
    assert console.name_card(13, "D", "assign", box=3, hand=2) == 2
    assert console.report_spread([6] * 52) == 3
    assert console.present_staff_card("FLOOR-7") == 4
    attach(console, 0)
    codec = ConsoleCodec()
    for frame in hear(console, Kind.EVENT):
        record = EventRecord.from_payload(frame.payload)
        assert codec.encode_event(codec.decode_event(record.code, record.body)) == (record.code, record.body)
