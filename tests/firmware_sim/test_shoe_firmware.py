"""The simulated Angel Eye shoe by itself, in virtual time."""

from __future__ import annotations

from itertools import pairwise

import pytest

from drivers.messages import DrawTarget
from drivers.shoes.angel_eye.meaning import ErrorCode
from drivers.shoes.angel_eye.telegram import COPY_SPACING_MS, FrameRejected, Kind, Telegram
from firmware_sim.clock import VirtualClock
from firmware_sim.faults import TelegramCopy
from firmware_sim.shoe import CUT_CARD, AngelEyeShoe, ShoeCard
from firmware_sim.wire import Firmware

LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
UNLOCK = bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38")
CLEAR = bytes.fromhex("02 4F 50 45 43 30 30 03 31 38")
CONFIRM = bytes.fromhex("02 4F 50 47 50 30 30 03 30 39")
EIGHT, ACE, KING = ShoeCard(8, "S"), ShoeCard(1, "D"), ShoeCard(13, "H")


class Bench:
    """Runs a firmware in virtual time and keeps what it sends."""

    def __init__(self, firmware: Firmware) -> None:
        self.firmware = firmware
        self.clock = VirtualClock()
        self.sent: list[tuple[int, bytes]] = []

    def run(self, duration_ms: int) -> list[bytes]:
        """Let time pass in steps of 5 ms; answers what was sent meanwhile."""
        before = len(self.sent)
        for _ in range(duration_ms // 5):
            self.firmware.tick(self.clock.now_ms())
            while unit := self.firmware.outgoing():
                self.sent.append((self.clock.now_ms(), unit))
            self.clock.sleep(5)
        return [unit for _at_ms, unit in self.sent[before:]]

    def tell(self, data: bytes) -> bytes:
        """Send a command and take the reply, copies of telegrams left out."""
        self.firmware.receive(data, self.clock.now_ms())
        return b"".join(unit for unit in self.run(10) if not isinstance(unit, TelegramCopy))

    def telegrams(self, duration_ms: int = 2000) -> list[Telegram]:
        """Telegrams of the time to come, each counted once."""
        heard: list[Telegram] = []
        for unit in self.run(duration_ms):
            telegram = Telegram.from_bytes(unit)
            assert not isinstance(telegram, FrameRejected)
            if telegram not in heard[-1:]:
                heard.append(telegram)
        return heard


def kinds(telegrams: list[Telegram]) -> str:
    """The letters."""
    return "".join(telegram.kind.value for telegram in telegrams)


@pytest.fixture
def shoe() -> AngelEyeShoe:
    """A shoe with three cards and the cut card behind them."""
    return AngelEyeShoe([EIGHT, ACE, KING, CUT_CARD])


@pytest.fixture
def bench(shoe: AngelEyeShoe) -> Bench:
    """That shoe in virtual time."""
    return Bench(shoe)


def test_a_card_goes_out_three_times_50_ms_apart(shoe: AngelEyeShoe, bench: Bench) -> None:
    bench.run(1000)
    assert shoe.draw(DrawTarget.PLAYER, 1) == EIGHT
    bench.run(500)
    assert [unit for _at_ms, unit in bench.sent] == [bytes.fromhex("05 31 44 81 B8 03 34 46")] * 3
    times = [at_ms for at_ms, _unit in bench.sent]
    pauses_ms = [later - earlier for earlier, later in pairwise(times)]
    assert all(abs(pause_ms - COPY_SPACING_MS) <= 5 for pause_ms in pauses_ms), "to a tick"
    assert shoe.quiet


def test_telegrams_queue_up_and_sequence_wraps(bench: Bench) -> None:
    many = AngelEyeShoe([EIGHT] * 20)
    bench = Bench(many)
    while many.draw() is not None:
        assert not many.quiet
    heard = bench.telegrams(20 * 3 * COPY_SPACING_MS + 100)
    assert "".join(telegram.seq for telegram in heard) == "12345678912345678912"
    assert many.remaining == 0


def test_the_cut_card_and_an_empty_shoe(shoe: AngelEyeShoe, bench: Bench) -> None:
    drawn = [shoe.draw() for _ in range(5)]
    assert drawn == [EIGHT, ACE, KING, CUT_CARD, None]
    assert kinds(bench.telegrams()) == "DDDC"
    assert list(shoe.dealt) == [EIGHT, ACE, KING, CUT_CARD]
    shoe.load([ACE])
    assert shoe.draw() == ACE
    assert list(shoe.dealt) == [ACE], "what was dealt before is forgotten"


def test_a_host_lock_leaves_one_card_in_the_throat_and_says_no_l(shoe: AngelEyeShoe, bench: Bench) -> None:
    assert bench.tell(LOCK) == b"\x06"
    assert bench.tell(LOCK) == b"\x06"
    assert [shoe.draw(), shoe.draw()] == [EIGHT, None]
    heard = bench.telegrams()
    assert kinds(heard) == "d"
    assert heard[0].payload[0] >> 4 == 0
    assert bench.tell(UNLOCK) == b"\x06"
    assert shoe.draw() == ACE
    assert kinds(bench.telegrams()) == "D"


def test_the_key_locks_and_says_so(shoe: AngelEyeShoe, bench: Bench) -> None:
    shoe.turn_key(locked=True)
    assert [shoe.draw(), shoe.draw()] == [EIGHT, None]
    shoe.turn_key(locked=False)
    assert shoe.draw() == ACE
    assert kinds(bench.telegrams()) == "LdLD"


def test_an_unreadable_card_puts_the_shoe_in_error_until_cleared(shoe: AngelEyeShoe, bench: Bench) -> None:
    assert shoe.draw_unreadable() == EIGHT
    assert shoe.in_error_mode
    assert shoe.draw() == ACE
    assert bench.tell(CLEAR) == b"\x06"
    assert shoe.draw() == KING
    heard = bench.telegrams()
    assert kinds(heard) == "EdeD"
    assert [heard[0].payload, heard[1].payload[0] >> 4, heard[2].payload] == [b"\x41", 1, b"\x01"]


def test_an_unreadable_card_without_error_mode(shoe: AngelEyeShoe, bench: Bench) -> None:
    shoe.draw_unreadable(in_error_mode=False)
    shoe.draw()
    assert kinds(bench.telegrams()) == "ED"


def test_an_overdrawn_card_is_read_again_after_clearing(shoe: AngelEyeShoe, bench: Bench) -> None:
    assert shoe.overdraw() == EIGHT
    shoe.clear_error()
    heard = bench.telegrams()
    assert kinds(heard) == "EdeR"
    assert heard[3].payload == b"\x00\x38"


def test_other_things_it_says(shoe: AngelEyeShoe, bench: Bench) -> None:
    shoe.stand_by()
    shoe.announce_result(0x11)
    shoe.change_setting("BC", "0012")
    shoe.fail(ErrorCode.REVERSE_MIDWAY)
    shoe.clear_error()
    shoe.set_setting_mode(on=True)
    shoe.draw()
    assert kinds(bench.telegrams()) == "PGMEed"


def test_a_confirmed_game_is_stand_by(bench: Bench) -> None:
    assert bench.tell(CONFIRM) == b"\x06"
    assert kinds(bench.telegrams()) == "P"


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("02 4F 50 4C 4B 30 32 03 31 43", b"\x1502"),
        ("02 4F 50 4C 4B 30 32 04 31 42", b"\x1503"),
        ("02 4F 51 4C 4B 30 32 03 31 41", b"\x1513"),
        ("02 4F 50 4C 4C 30 32 03 31 43", b"\x1514"),
        ("02 4F 50 4C 4B 30 39 03 31 30", b"\x1511"),
        ("02 4F 50 4C 4B 30 4B 03 36 32", b"\x1511"),
    ],
)
def test_a_wrong_command_is_refused_with_the_reason(bench: Bench, command: str, reply: bytes) -> None:
    assert bench.tell(bytes.fromhex(command)) == reply


def test_a_command_in_pieces_and_one_without_an_end(shoe: AngelEyeShoe, bench: Bench) -> None:
    assert bench.tell(b"noise" + LOCK[:4]) == b""
    assert bench.tell(LOCK[4:]) == b"\x06"
    assert bench.tell(LOCK[:6]) == b""
    assert b"".join(bench.run(1000)) == b"\x1503"


def test_forced_refusals_a_deaf_shoe_and_one_without_power(shoe: AngelEyeShoe, bench: Bench) -> None:
    shoe.refuse_next("22", times=2)
    assert [bench.tell(LOCK), bench.tell(LOCK), bench.tell(LOCK)] == [b"\x1522", b"\x1522", b"\x06"]
    shoe.set_deaf(on=True)
    assert bench.tell(UNLOCK) == b""
    shoe.set_deaf(on=False)
    shoe.power_off()
    assert bench.tell(UNLOCK) == b""
    assert shoe.draw() is None
    shoe.power_on()
    assert not shoe.locked
    assert kinds(bench.telegrams()) == "S"


def test_a_reboot_loses_copies_and_repeats_the_sequence(shoe: AngelEyeShoe, bench: Bench) -> None:
    shoe.draw()
    assert len(bench.run(60)) == 2
    shoe.reboot()
    shoe.draw()
    heard = bench.telegrams()
    assert [(telegram.seq, telegram.kind) for telegram in heard] == [("1", Kind.START), ("1", Kind.DRAWN)]
