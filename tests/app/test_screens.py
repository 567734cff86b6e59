"""What a console is told over a slow or bad wire: the newest display and nothing outdated, one word on the record for
all that was lost, and everything again until it has arrived."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.app.picture import DARK, Display
from controller.app.screens import Screen
from drivers.messages import CommandResult, DeviceCommand, ShowText

BETTING = Display(("betting", "a bet", "shoe 1 drawn 3 table 0", ""), ("on", "off", "off", "off"))


def with_line(text: str) -> Display:
    return replace(BETTING, lines=(text, *BETTING.lines[1:]))


class Wire:
    """Takes commands and gives them numbers; the test says what becomes of each."""

    def __init__(self) -> None:
        self.told: list[DeviceCommand] = []
        self.answered = 0
        self.screen = Screen(self._take)
        self.screen.came_online()

    def _take(self, command: DeviceCommand) -> int:
        self.told.append(command)
        return len(self.told)

    def answer(self, outcome: str = "done", code: str = "") -> list[bool]:
        """The same result for every command that has none yet: whether the screen kept it for itself."""
        until, kept = len(self.told), []
        while self.answered < until:
            self.answered += 1
            kept.append(self.screen.takes(CommandResult(self.answered, outcome, code)))
        return kept


@pytest.fixture
def wire() -> Wire:
    return Wire()


def test_while_a_set_is_on_its_way_only_the_newest_display_waits(wire: Wire) -> None:
    wire.screen.show(BETTING)
    for number in range(500):
        wire.screen.show(with_line(f"dealing {number}"))
    assert len(wire.told) == 8
    assert all(wire.answer())
    assert wire.told[8:] == [ShowText(0, "dealing 499")]
    assert wire.answer() == [True]
    wire.screen.show(with_line("dealing 499"))
    assert len(wire.told) == 9


def test_the_last_word_does_not_wait_behind_others(wire: Wire) -> None:
    wire.screen.show(BETTING)
    wire.screen.show(with_line("CONTROLLER FAILED"), at_once=True)
    assert wire.told[8:] == [ShowText(0, "CONTROLLER FAILED")]


def test_what_the_wire_lost_is_said_once_and_told_again_until_it_has_arrived(wire: Wire) -> None:
    wire.screen.show(BETTING)
    assert wire.answer("refused", "not_sent") == [False] + [True] * 7
    for _ in range(100):
        assert len(wire.told) == wire.answered + 8
        assert wire.answer("unknown", "no_answer") == [True] * 8
    assert wire.answer() == [True] * 8
    assert len(wire.told) == wire.answered
    wire.screen.show(DARK)
    assert wire.answer("refused", "not_sent")[0] is False, "it had been whole: this is news"


def test_what_the_console_refused_is_told_again_with_the_next_change_only(wire: Wire) -> None:
    wire.screen.show(BETTING)
    assert wire.answer("refused", "bad_text") == [False] + [True] * 7
    assert len(wire.told) == 8
    wire.screen.show(with_line("dealing 1"))
    assert len(wire.told) == 16


def test_a_console_that_is_away_is_told_nothing_and_all_when_it_is_back(wire: Wire) -> None:
    wire.screen.show(BETTING)
    wire.screen.went_offline()
    wire.screen.show(with_line("dealing 1"))
    assert len(wire.told) == 8
    assert wire.answer("unknown", "no_answer") == [True] * 8, "that it went away was said"
    wire.screen.came_online()
    assert len(wire.told) == 8
    wire.screen.show(with_line("dealing 1"))
    assert len(wire.told) == 16


def test_results_of_other_commands_are_not_its_business(wire: Wire) -> None:
    assert not wire.screen.takes(CommandResult(99, "done"))
