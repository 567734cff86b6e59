"""Copies, gaps, conflicts: which telegram is the same one again, and which one is missing."""

from __future__ import annotations

import pytest

from drivers.api import Report
from drivers.messages import CardDrawn, DeviceGap, DeviceMessage, ShoeStarted
from drivers.shoes.angel_eye import DRIVER
from drivers.shoes.angel_eye.copies import CONFLICT_WINDOW_MS, COPY_WINDOW_MS
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.telegram import Kind, Telegram

START = Telegram("1", Kind.START).to_bytes()


def card(seq: int, rank: int = 8) -> bytes:
    """One copy of "spade of this rank drawn"."""
    return Telegram(str(seq), Kind.DRAWN, bytes((0, 0x30 | rank))).to_bytes()


@pytest.fixture
def driver() -> AngelEyeDriver:
    """A driver with an open connection, at time 0."""
    made = DRIVER({})
    made.connected("c1", 0)
    return made


def hear(driver: AngelEyeDriver, data: bytes, now_ms: int) -> list[DeviceMessage]:
    """What the driver says to these bytes."""
    return [report.message for report in driver.receive(data, now_ms)]


def ranks(messages: list[DeviceMessage]) -> list[int]:
    """Ranks of the cards among the messages."""
    return [message.rank for message in messages if isinstance(message, CardDrawn)]


def gaps(messages: list[DeviceMessage]) -> list[int]:
    """How many are missing, for each gap among the messages."""
    return [message.missing for message in messages if isinstance(message, DeviceGap)]


def test_three_copies_are_one_event(driver: AngelEyeDriver) -> None:
    heard = [hear(driver, card(1), at_ms) for at_ms in (0, 50, 100)]
    assert [len(messages) for messages in heard] == [1, 0, 0]
    assert driver.counters.duplicates == 2


def test_sequence_wraps_without_a_gap_even_with_equal_cards(driver: AngelEyeDriver) -> None:
    """Thirty times the same face: SEQ alone tells them apart, at a dealer's pace and at that of a fast simulation."""
    for pace_ms in (1, 150, 1000):
        driver.connected(f"pace {pace_ms}", 0)
        driver.receive(START, 0)
        heard: list[DeviceMessage] = []
        for number in range(30):
            heard += hear(driver, card(number % 9 + 1) * 3, number * pace_ms)
        assert ranks(heard) == [8] * 30
        assert gaps(heard) == []


def test_a_late_copy_within_the_window_is_still_a_copy(driver: AngelEyeDriver) -> None:
    hear(driver, card(1), 0)
    assert hear(driver, card(1), COPY_WINDOW_MS) == []
    assert hear(driver, card(1), COPY_WINDOW_MS * 2) == []


def test_the_same_seq_with_another_face_after_the_windows_is_a_new_one_with_eight_missing(
    driver: AngelEyeDriver,
) -> None:
    hear(driver, card(1), 0)
    heard = hear(driver, card(1, rank=9), COPY_WINDOW_MS + 1)
    assert gaps(heard) == [8]
    assert ranks(heard) == [9]


@pytest.mark.parametrize("copies", [1, 3])
def test_a_copy_that_the_line_held_back_is_no_second_card_but_said(driver: AngelEyeDriver, copies: int) -> None:
    """Nobody can tell it from a later telegram with the same face, so it is neither a card nor silence."""
    hear(driver, card(1) * copies, 0)
    hear(driver, card(2, rank=9), 1000)
    late = hear(driver, card(1), COPY_WINDOW_MS + 1) + hear(driver, card(2, rank=9), 2 * COPY_WINDOW_MS)
    assert (ranks(late), gaps(late)) == ([], [0, 0])
    assert driver.counters.extra["late"] == 2
    assert ranks(hear(driver, card(3), 2 * COPY_WINDOW_MS + 1)) == [8]


def test_the_windows_are_as_documented(driver: AngelEyeDriver) -> None:
    assert (COPY_WINDOW_MS, CONFLICT_WINDOW_MS) == (3000, 500)


def test_copies_of_two_telegrams_interleaved(driver: AngelEyeDriver) -> None:
    heard = hear(driver, card(1) + card(2, 9) + card(1) + card(2, 9) + card(1) + card(2, 9), 0)
    assert ranks(heard) == [8, 9]
    assert gaps(heard) == []


@pytest.mark.parametrize(
    ("first", "second", "missing"), [(1, 3, 1), (9, 2, 1), (4, 4, 8), (5, 4, 7), (8, 9, 0), (9, 1, 0)]
)
def test_a_jump_of_the_sequence_is_a_gap(driver: AngelEyeDriver, first: int, second: int, missing: int) -> None:
    hear(driver, card(first, 2), 0)
    heard = hear(driver, card(second, 3), CONFLICT_WINDOW_MS + 1)
    assert gaps(heard) == ([missing] if missing else [])
    assert ranks(heard) == [3]


def test_a_gap_says_that_it_may_be_larger_and_what_to_do(driver: AngelEyeDriver) -> None:
    hear(driver, card(1), 0)
    gap = hear(driver, card(4), 1000)[0]
    assert isinstance(gap, DeviceGap)
    assert gap.reason == (
        "SEQ went from 1 to 4: 2 telegrams (or 9, 18 ... more) are lost, or the shoe was restarted; align the table"
    )


def test_two_telegrams_of_one_sequence_at_once_are_a_conflict_and_no_second_card(driver: AngelEyeDriver) -> None:
    """Two flipped bits in one column leave XOR as it was: of two copies that disagree one is wrong, who knows which."""
    assert ranks(hear(driver, card(1, 8), 0)) == [8]
    heard = hear(driver, card(1, 9), 50)
    assert gaps(heard) == [0]
    assert ranks(heard) == []
    assert hear(driver, card(1, 8), 100) == []
    assert driver.counters.extra["conflicts"] == 1


def test_another_telegram_of_the_same_sequence_later_is_a_new_one_after_a_gap(driver: AngelEyeDriver) -> None:
    hear(driver, card(1, 8), 0)
    heard = hear(driver, card(1, 9), CONFLICT_WINDOW_MS + 1)
    assert gaps(heard) == [8]
    assert ranks(heard) == [9]


def test_a_boot_resets_duplicate_detection(driver: AngelEyeDriver) -> None:
    """After `S` the shoe may come with the SEQ and the face that it sent last."""
    hear(driver, card(5), 0)
    heard = hear(driver, START * 3 + card(5) * 3, 200)
    assert heard[0] == ShoeStarted()
    assert ranks(heard) == [8]
    assert gaps(heard) == []
    assert len(heard) == 2


def test_the_first_card_after_a_boot_may_have_the_sequence_of_the_boot(driver: AngelEyeDriver) -> None:
    heard = hear(driver, START * 2 + card(1) + card(1), 0)
    assert heard[0] == ShoeStarted()
    assert ranks(heard) == [8]


def test_a_second_boot_after_the_window_is_reported(driver: AngelEyeDriver) -> None:
    assert hear(driver, START, 0) == [ShoeStarted()]
    assert hear(driver, START, 100) == []
    assert hear(driver, START, 100 + COPY_WINDOW_MS + 1) == [ShoeStarted()]


def test_a_reconnection_resets_duplicate_detection_but_not_the_gap(driver: AngelEyeDriver) -> None:
    hear(driver, card(5), 0)
    driver.disconnected("unplugged", 100)
    driver.connected("c2", 400)
    heard = hear(driver, card(5), 500)
    assert ranks(heard) == [8]
    assert gaps(heard) == [8]
    assert gaps(hear(driver, card(6), 600)) == []


def test_identities_are_unique_over_connections(driver: AngelEyeDriver) -> None:
    reports: list[Report] = list(driver.receive(card(1) * 3 + card(2) * 3, 0))
    driver.connected("c2", 100)
    reports += driver.receive(card(3), 200)
    assert [report.identity for report in reports] == ["angel-eye:c1:1", "angel-eye:c1:2", "angel-eye:c2:1"]
    assert not any(report.reliable for report in reports)


def test_a_sequence_outside_the_cycle_is_taken_without_a_word_about_gaps(driver: AngelEyeDriver) -> None:
    zero = Telegram("0", Kind.DRAWN, b"\x00\x38").to_bytes()
    heard = hear(driver, card(9) * 3 + zero * 3 + card(1) * 3, 0)
    assert ranks(heard) == [8, 8, 8]
    assert gaps(heard) == []
    assert driver.counters.extra["seq_outside_cycle"] == 2


SENSELESS = Telegram("2", Kind.DRAWN, b"\x00\x3e").to_bytes()
"""Spade of rank 14."""


def test_a_senseless_telegram_sent_several_times_becomes_a_gap(driver: AngelEyeDriver) -> None:
    hear(driver, card(1) * 3 + SENSELESS * 3, 0)
    assert driver.tick(CONFLICT_WINDOW_MS - 1) == []
    gap = driver.tick(CONFLICT_WINDOW_MS)[0].message
    assert isinstance(gap, DeviceGap)
    assert gap.missing == 1
    assert "rank 14 does not exist" in gap.reason
    heard = hear(driver, card(3), 1000)
    assert gaps(heard) == []


def test_a_senseless_copy_among_good_ones_is_only_counted(driver: AngelEyeDriver) -> None:
    heard = hear(driver, card(1) * 3 + SENSELESS + card(2, 9) * 2, 0)
    assert ranks(heard) == [8, 9]
    assert driver.tick(CONFLICT_WINDOW_MS + 1) == []
    assert driver.counters.malformed == 1


def test_one_senseless_copy_alone_says_nothing_yet(driver: AngelEyeDriver) -> None:
    """It may be a corruption that XOR did not notice; the next telegram's SEQ will tell."""
    hear(driver, card(1) * 3 + SENSELESS, 0)
    assert driver.tick(CONFLICT_WINDOW_MS + 1) == []
    assert gaps(hear(driver, card(3), 2000)) == [1]


def test_a_telegram_lost_as_senseless_is_named_in_the_gap_that_shows_it(driver: AngelEyeDriver) -> None:
    hear(driver, card(1) * 3 + SENSELESS, 0)
    gap = hear(driver, card(3), 200)[0]
    assert isinstance(gap, DeviceGap)
    assert "rank 14 does not exist" in gap.reason
