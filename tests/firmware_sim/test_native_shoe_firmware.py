"""The simulated native shoe over the link, in virtual time: what hands do to it is what the driver reports."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from drivers.messages import (
    CardDrawn,
    CardUnreadable,
    ClearError,
    CommandResult,
    ConfirmGame,
    CutCardDrawn,
    DeviceCommand,
    DeviceIdentified,
    DeviceMessage,
    KeyLockChanged,
    Lock,
    NewShoe,
    OutOfGame,
    SensorChanged,
    SetLamp,
    ShoeError,
    ShoeStandBy,
    ShoeStarted,
    ShowText,
    Unlock,
)
from drivers.shoes.native import DRIVER, NOT_READ, STUCK_TOGETHER
from firmware_sim.bench import Bench, LineRates
from firmware_sim.native_shoe import NativeShoe
from firmware_sim.shoe import CUT_CARD, Loaded, ShoeCard

ACE, KING, SEVEN = ShoeCard(1, "S"), ShoeCard(13, "H"), ShoeCard(7, "D")
BAD_LINE = LineRates(
    lose_permille=150, duplicate_permille=100, flip_permille=50, noise_permille=50, split_permille=300, delay_ms=80
)


class Rig:
    """A shoe and its driver on a bad line."""

    def __init__(self, cards: Iterable[Loaded] = (ACE, KING, SEVEN, ACE), deck_code: str = "") -> None:
        self.shoe = NativeShoe(cards, memory_id=1, deck_code=deck_code)
        self.bench = Bench(DRIVER({"allow_simulated": True}), self.shoe, BAD_LINE, seed=3)
        self.bench.connect()
        self.told = 0

    def events(self) -> list[DeviceMessage]:
        """Everything reported as having happened, once all is acknowledged."""
        assert self.bench.run_until(lambda: self.shoe.quiet and self.shoe.last_event > 0, 120_000)
        return [report.message for report in self.bench.reports if report.identity]

    def since_start(self) -> list[DeviceMessage]:
        """The same without the boot."""
        start, *rest = self.events()
        assert start == ShoeStarted("power_on")
        return rest

    def tell(self, command: DeviceCommand) -> CommandResult:
        """Give a command and wait for what became of it."""
        self.told += 1
        self.bench.driver.command(command, self.told)
        found: list[CommandResult] = []

        def answered() -> bool:
            said = (report.message for report in self.bench.reports)
            found.extend(m for m in said if isinstance(m, CommandResult) and m.request == self.told)
            return bool(found)

        assert self.bench.run_until(answered, 120_000)
        return found[0]


def test_cards_and_the_cut_card_come_in_order_each_once() -> None:
    rig = Rig([ACE, CUT_CARD, ACE, KING])
    assert [rig.shoe.draw() for _ in range(5)] == [ACE, CUT_CARD, ACE, KING, None]
    drawn = [CardDrawn(1, "S", draw_index=1), CutCardDrawn(), CardDrawn(1, "S", draw_index=2)]
    assert rig.since_start() == [*drawn, CardDrawn(13, "H", draw_index=3)]
    assert rig.shoe.dealt == (ACE, CUT_CARD, ACE, KING)
    assert rig.shoe.remaining == 0


def test_after_a_lock_exactly_one_card_more_comes() -> None:
    rig = Rig()
    assert rig.tell(Lock()).outcome == "done"
    assert rig.tell(Lock()).outcome == "done"
    assert rig.shoe.locked
    assert [rig.shoe.draw(), rig.shoe.draw()] == [ACE, None]
    assert rig.since_start() == [CardDrawn(1, "S", draw_index=1, out_of_game=OutOfGame.LOCKED)]
    rig.tell(Unlock())
    assert rig.shoe.draw() == KING
    assert rig.since_start()[1:] == [CardDrawn(13, "H", draw_index=2)]


def test_the_key_locks_too_and_one_card_is_in_the_throat_whoever_locked() -> None:
    rig = Rig()
    rig.shoe.turn_key(locked=True)
    rig.tell(Lock())
    assert [rig.shoe.draw(), rig.shoe.draw()] == [ACE, None]
    rig.shoe.turn_key(locked=False)
    assert rig.shoe.draw() is None
    rig.tell(Unlock())
    assert rig.shoe.draw() == KING
    told = [message for message in rig.since_start() if isinstance(message, KeyLockChanged)]
    assert told == [KeyLockChanged(True), KeyLockChanged(False)]


def test_an_unreadable_card_makes_an_error_until_it_is_cleared() -> None:
    rig = Rig()
    assert rig.shoe.draw_unreadable() == ACE
    modes = [rig.shoe.in_error_mode]
    rig.shoe.draw()
    assert rig.tell(ClearError()).outcome == "done"
    assert [*modes, rig.shoe.in_error_mode] == [True, False]
    rig.shoe.draw()
    assert rig.since_start() == [
        ShoeError(1, "unreadable", active=True, in_error_mode=True),
        CardUnreadable(NOT_READ),
        CardDrawn(13, "H", draw_index=2, out_of_game=OutOfGame.IN_ERROR),
        ShoeError(1, "unreadable", active=False, in_error_mode=False),
        CardDrawn(7, "D", draw_index=3),
    ]


def test_a_double_feed_is_two_cards_one_of_them_unread() -> None:
    rig = Rig()
    assert rig.shoe.draw_double() == (ACE, KING)
    assert rig.since_start() == [
        CardDrawn(1, "S", draw_index=1),
        ShoeError(8, "double_feed", active=True, in_error_mode=True),
        CardUnreadable(STUCK_TOGETHER),
    ]


def test_a_double_feed_of_the_last_card_is_one_card() -> None:
    rig = Rig([ACE])
    assert rig.shoe.draw_double() == (ACE,)
    assert rig.shoe.draw_double() == ()
    assert rig.since_start() == [CardDrawn(1, "S", draw_index=1)]


@pytest.mark.parametrize("word", ["reverse_exit", "reverse_midway", "draw_timeout"])
def test_a_card_moved_back_or_drawn_too_slowly_is_named(word: str) -> None:
    rig = Rig()
    rig.shoe.fail(word, in_error_mode=False)
    (error,) = rig.since_start()
    assert isinstance(error, ShoeError)
    assert (error.name, error.active, error.in_error_mode) == (word, True, False)


def test_a_foreign_deck_code_is_told_with_the_card() -> None:
    rig = Rig([ShoeCard(1, "S", "HOUSE-7"), ShoeCard(13, "H", "OTHER")], deck_code="HOUSE-7")
    rig.shoe.draw()
    rig.shoe.draw()
    assert rig.since_start() == [
        CardDrawn(1, "S", draw_index=1, deck_code="HOUSE-7"),
        CardDrawn(13, "H", draw_index=2, deck_code="OTHER"),
        ShoeError(6, "deck_code", active=True, in_error_mode=True),
    ]


def test_a_misread_card_is_told_as_the_shoe_saw_it() -> None:
    rig = Rig()
    assert rig.shoe.draw_misread(SEVEN) == ACE
    assert rig.since_start() == [CardDrawn(7, "D", draw_index=1)]
    assert rig.shoe.dealt == (ACE,)


def test_lid_tamper_and_throat_are_events_and_stand_in_hello() -> None:
    rig = Rig()
    rig.shoe.open_lid(opened=True)
    rig.shoe.touch_tamper(tripped=True)
    rig.shoe.half_draw(inside=True)
    assert rig.since_start() == [
        SensorChanged("lid", True),
        SensorChanged("tamper", True),
        SensorChanged("throat", True),
    ]
    rig.bench.run(5000)
    last = [report.message for report in rig.bench.reports if isinstance(report.message, DeviceIdentified)][-1]
    assert (last.lid_open, last.tamper, last.card_in_throat) == (True, True, True)


def test_a_card_in_the_throat_at_power_up_is_told() -> None:
    rig = Rig()
    rig.shoe.half_draw(inside=True)
    rig.shoe.power_loss()
    assert rig.shoe.draw() is None
    rig.shoe.power_on()
    assert rig.since_start()[-2:] == [ShoeStarted("power_on"), SensorChanged("throat", True)]
    identified = [report.message for report in rig.bench.reports if isinstance(report.message, DeviceIdentified)]
    assert identified[-1].card_in_throat


def test_power_loss_forgets_lock_and_error_but_no_event() -> None:
    rig = Rig()
    rig.tell(Lock())
    rig.tell(SetLamp(0, "blink"))
    assert rig.shoe.lamps == ("blink", "off")
    rig.shoe.draw_unreadable()
    rig.shoe.reboot()
    assert (rig.shoe.locked, rig.shoe.in_error_mode, rig.shoe.lamps) == (False, False, ("off", "off"))
    kinds = [type(message) for message in rig.since_start()]
    assert kinds == [ShoeError, CardUnreadable, ShoeStarted]


def test_stand_by_and_a_new_shoe_counts_anew() -> None:
    rig = Rig()
    rig.shoe.draw()
    assert rig.tell(ConfirmGame()).outcome == "done"
    assert rig.tell(NewShoe()).outcome == "done"
    rig.shoe.load([KING])
    rig.shoe.draw()
    assert rig.since_start() == [CardDrawn(1, "S", draw_index=1), ShoeStandBy(), CardDrawn(13, "H", draw_index=1)]


def test_setting_mode_counts_cards_out_of_the_game() -> None:
    rig = Rig()
    rig.shoe.set_setting_mode(on=True)
    rig.shoe.draw()
    assert rig.since_start() == [CardDrawn(1, "S", draw_index=1, out_of_game=OutOfGame.SETTING_MODE)]


def test_a_command_for_another_device_is_refused() -> None:
    assert Rig().tell(ShowText(0, "x")).code == "not_supported"
