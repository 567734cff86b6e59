"""Commands, replies, silence, line settings and options of the Angel Eye driver."""

from __future__ import annotations

import pytest

from drivers.messages import (
    ClearError,
    CommandResult,
    DeviceCommand,
    DeviceMessage,
    LineFault,
    LinkChanged,
    LinkState,
    Lock,
    SetLamp,
    ShoeStarted,
    Unlock,
)
from drivers.shoes.angel_eye import DRIVER
from drivers.shoes.angel_eye.channel import MAX_QUEUED, SETTLE_MS
from drivers.shoes.angel_eye.driver import UNFINISHED_MS, AngelEyeDriver
from drivers.shoes.angel_eye.host_command import REFUSALS, REPLY_TIMEOUT_MS, Refusal
from drivers.shoes.angel_eye.watch import WRONG_LINE_BYTES

LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
UNLOCK = bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38")
CARD = bytes.fromhex("05 31 44 81 B8 03 34 46")
START = bytes.fromhex("05 31 53 03 36 31")
LIMIT_MS = 30_000


@pytest.fixture
def driver() -> AngelEyeDriver:
    """A driver with an open connection, at time 0."""
    made = DRIVER({})
    made.connected("c1", 0)
    return made


def send(driver: AngelEyeDriver, command: DeviceCommand, request: int, now_ms: int) -> bytes:
    """Give a command and take what goes on the wire."""
    driver.command(command, request)
    assert driver.tick(now_ms) == []
    return driver.outgoing()


def heard(driver: AngelEyeDriver, data: bytes, now_ms: int) -> list[DeviceMessage]:
    """What the driver says to these bytes."""
    return [report.message for report in driver.receive(data, now_ms)]


def ticked(driver: AngelEyeDriver, now_ms: int) -> list[DeviceMessage]:
    """What the driver says as time passes."""
    return [report.message for report in driver.tick(now_ms)]


def test_a_command_is_done(driver: AngelEyeDriver) -> None:
    assert send(driver, Lock(), 7, 0) == LOCK
    assert heard(driver, b"\x06", 40) == [CommandResult(7, "done", "", "lock (LK02) done")]
    assert driver.outgoing() == b""


@pytest.mark.parametrize("code", list(Refusal))
def test_every_refusal_is_named_in_words(driver: AngelEyeDriver, code: Refusal) -> None:
    send(driver, Lock(), 1, 0)
    result = heard(driver, b"\x15" + code.encode(), 40)[0]
    assert isinstance(result, CommandResult)
    assert (result.request, result.outcome, result.code) == (1, "refused", REFUSALS[code].word)
    assert result.reason == f"lock (LK02) refused with {code}: {REFUSALS[code].text}"


def test_a_refusal_that_is_not_documented_keeps_its_number(driver: AngelEyeDriver) -> None:
    send(driver, Unlock(), 1, 0)
    result = heard(driver, b"\x1537", 40)[0]
    assert isinstance(result, CommandResult)
    assert (result.outcome, result.code) == ("refused", "code_37")


def test_one_command_in_flight_the_next_waits_for_the_reply(driver: AngelEyeDriver) -> None:
    assert send(driver, Lock(), 1, 0) == LOCK
    assert send(driver, Unlock(), 2, 10) == b""
    assert heard(driver, b"\x06", 40)
    assert ticked(driver, 50) == []
    assert driver.outgoing() == UNLOCK


def test_no_reply_is_unknown_and_a_late_reply_is_not_taken_for_the_next_commands(driver: AngelEyeDriver) -> None:
    send(driver, Lock(), 1, 0)
    assert ticked(driver, REPLY_TIMEOUT_MS - 1) == []
    result = ticked(driver, REPLY_TIMEOUT_MS)[0]
    assert isinstance(result, CommandResult)
    assert (result.request, result.outcome) == (1, "unknown")
    assert driver.counters.timeouts == 1
    assert send(driver, Unlock(), 2, REPLY_TIMEOUT_MS + 10) == b""
    assert heard(driver, b"\x06", REPLY_TIMEOUT_MS + 20) == []
    assert driver.counters.extra["stray_replies"] == 1
    assert ticked(driver, REPLY_TIMEOUT_MS + SETTLE_MS) == []
    assert driver.outgoing() == UNLOCK


def test_a_reply_in_two_pieces_between_copies(driver: AngelEyeDriver) -> None:
    send(driver, ClearError(), 1, 0)
    assert len(heard(driver, CARD + b"\x15", 10)) == 1
    assert len(heard(driver, b"2", 20)) == 0
    result = heard(driver, b"1" + CARD, 30)[0]
    assert isinstance(result, CommandResult)
    assert result.code == "busy"


def test_commands_of_other_devices_and_a_full_queue_are_refused(driver: AngelEyeDriver) -> None:
    driver.command(SetLamp(1, "on"), 1)
    for request in range(2, MAX_QUEUED + 3):
        driver.command(Lock(), request)
    results = ticked(driver, 0)
    assert [(result.request, result.code) for result in results if isinstance(result, CommandResult)] == [
        (1, "unsupported"),
        (MAX_QUEUED + 2, "queue_full"),
    ]


def test_a_lost_port_leaves_no_command_without_an_answer(driver: AngelEyeDriver) -> None:
    send(driver, Lock(), 1, 0)
    driver.command(Unlock(), 2)
    reports = driver.disconnected("unplugged", 100)
    assert reports[0].message == LinkChanged(LinkState.DOWN, "unplugged")
    outcomes = [(m.request, m.outcome) for m in (r.message for r in reports) if isinstance(m, CommandResult)]
    assert outcomes == [(1, "unknown"), (2, "refused")]
    driver.command(Lock(), 3)
    result = ticked(driver, 200)[0]
    assert isinstance(result, CommandResult)
    assert (result.request, result.outcome, result.code) == (3, "refused", "link_down")


def test_silence_is_probed_with_the_last_lock_state_and_ends_as_down(driver: AngelEyeDriver) -> None:
    send(driver, Unlock(), 1, 0)
    heard(driver, b"\x06", 50)
    assert ticked(driver, 50 + LIMIT_MS - 1) == []
    assert driver.outgoing() == b""
    probe_ms = 50 + LIMIT_MS
    assert ticked(driver, probe_ms) == []
    assert driver.outgoing() == UNLOCK
    down = ticked(driver, probe_ms + REPLY_TIMEOUT_MS)
    assert [m.state for m in down if isinstance(m, LinkChanged)] == [LinkState.DOWN]
    assert len(down) == 1, "a probe has no CommandResult"
    assert heard(driver, CARD, probe_ms + 10_000)[0] == LinkChanged(LinkState.UP, "bytes come from the shoe again")


def test_a_probe_that_is_answered_keeps_the_link_up_quietly(driver: AngelEyeDriver) -> None:
    send(driver, Lock(), 1, 0)
    heard(driver, b"\x06", 50)
    ticked(driver, 50 + LIMIT_MS)
    assert driver.outgoing() == LOCK
    assert heard(driver, b"\x06", 100 + LIMIT_MS) == []
    assert ticked(driver, 100 + LIMIT_MS + REPLY_TIMEOUT_MS) == []


def test_a_shoe_that_is_down_is_probed_again_and_comes_back(driver: AngelEyeDriver) -> None:
    send(driver, Lock(), 1, 0)
    heard(driver, b"\x06", 0)
    probes, now_ms = 0, 0
    while probes < 3:
        now_ms += 100
        driver.tick(now_ms)
        probes += driver.outgoing() == LOCK
    assert now_ms >= 3 * LIMIT_MS
    assert heard(driver, b"\x06", now_ms + 50) == [LinkChanged(LinkState.UP, "bytes come from the shoe again")]


def test_silence_without_a_lock_state_is_suspect_and_sends_nothing(driver: AngelEyeDriver) -> None:
    """A probe must change nothing, and a lock or unlock that nobody asked for would."""
    changed = ticked(driver, LIMIT_MS)
    assert [m.state for m in changed if isinstance(m, LinkChanged)] == [LinkState.SUSPECT]
    assert driver.outgoing() == b""
    assert ticked(driver, LIMIT_MS * 3) == []


def test_a_refused_lock_leaves_the_state_that_was(driver: AngelEyeDriver) -> None:
    send(driver, Unlock(), 1, 0)
    heard(driver, b"\x06", 10)
    send(driver, Lock(), 2, 20)
    heard(driver, b"\x1521", 30)
    driver.tick(LIMIT_MS + 30)
    assert driver.outgoing() == UNLOCK


def test_a_boot_forgets_the_lock_state(driver: AngelEyeDriver) -> None:
    send(driver, Lock(), 1, 0)
    heard(driver, b"\x06", 10)
    assert heard(driver, START, 20) == [ShoeStarted()]
    driver.tick(LIMIT_MS + 20)
    assert driver.outgoing() == b""


def test_bytes_without_a_telegram_are_wrong_line_settings_said_once(driver: AngelEyeDriver) -> None:
    garbage = b"\x78\x1e\x86\xf8" * (WRONG_LINE_BYTES // 4)
    assert heard(driver, garbage[:-1], 0) == []
    fault = heard(driver, garbage, 1)
    assert [m.code for m in fault if isinstance(m, LineFault)] == ["wrong_line_settings"]
    assert "4800 baud 8N1" in str(fault)
    assert heard(driver, garbage * 5, 2) == []


def test_noise_after_a_telegram_is_not_wrong_line_settings(driver: AngelEyeDriver) -> None:
    heard(driver, CARD, 0)
    assert heard(driver, b"\x78" * WRONG_LINE_BYTES * 3, 1) == []
    assert driver.counters.bytes_ignored == WRONG_LINE_BYTES * 3


def test_an_unfinished_telegram_is_given_up_after_a_while(driver: AngelEyeDriver) -> None:
    heard(driver, CARD[:5], 0)
    assert heard(driver, CARD[5:], UNFINISHED_MS) == []
    assert driver.counters.extra["unfinished"] == 1
    heard(driver, CARD[:5], 10_000)
    assert len(heard(driver, CARD[5:], 10_000 + UNFINISHED_MS - 1)) == 1


def test_counters(driver: AngelEyeDriver) -> None:
    heard(driver, b"\xff" + CARD * 3 + CARD[:-1] + b"0", 0)
    send(driver, Lock(), 1, 10)
    counters = driver.counters
    assert (counters.bytes_in, counters.frames_in, counters.duplicates) == (33, 3, 2)
    assert (counters.bytes_ignored, counters.bad_checksum) == (1, 1)
    assert (counters.bytes_out, counters.frames_out) == (10, 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"silence_limit_s": "soon"}, ("silence_limit_s", "'soon'", "from 1 to 3600")),
        ({"silence_limit_s": True}, ("silence_limit_s", "True")),
        ({"silence_limit_s": 0}, ("silence_limit_s", "0")),
        ({"silence_limit_s": float("nan")}, ("silence_limit_s", "nan")),
        ({"command_bcc_span": "all"}, ("command_bcc_span", "'all'", "'with_stx' or 'from_command'")),
        ({"command_bcc_span": 1}, ("command_bcc_span", "1")),
        ({"copies_within_ms": -1}, ("copies_within_ms", "-1", "from 0 to 3000")),
        ({"copies_within_ms": 1.5}, ("copies_within_ms", "1.5")),
        ({"baud": 1}, ("'baud'", "command_bcc_span, copies_within_ms, silence_limit_s")),
    ],
)
def test_a_wrong_option_is_named_with_the_allowed_ones(options: dict[str, object], words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError) as error:
        DRIVER(options)
    assert all(word in str(error.value) for word in words)
    assert "\n" not in str(error.value)


def test_options_are_taken() -> None:
    driver = DRIVER({"silence_limit_s": 2, "command_bcc_span": "from_command"})
    driver.connected("c", 0)
    assert send(driver, Lock(), 1, 0)[-2:] == b"19"
    heard(driver, b"\x06", 0)
    driver.tick(2000)
    assert driver.outgoing()[-2:] == b"19"
