"""Cutting the byte stream: splits, prefixes, glue, noise, single flipped bits."""

from __future__ import annotations

from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.messages import CardDrawn, DeviceMessage
from drivers.shoes.angel_eye import DRIVER
from drivers.shoes.angel_eye.host_command import Reply
from drivers.shoes.angel_eye.stream import StreamDecoder
from drivers.shoes.angel_eye.telegram import MAX_TELEGRAM, FrameRejected, Kind, RejectReason, Telegram

CARD = bytes.fromhex("05 31 44 81 B8 03 34 46")
RESULT = bytes.fromhex("05 32 47 91 03 45 37")
CUT = bytes.fromhex("05 33 43 03 37 33")
ERROR = bytes.fromhex("05 34 45 C1 03 42 33")
SESSION = (
    bytes.fromhex("05 31 53 03 36 31") * 3  # boot
    + b"\xff\x00\x7f"  # noise
    + CARD * 2
    + CARD[:5]  # an unfinished copy
    + RESULT
    + bytes.fromhex("05 32 47 90 03 45 37")  # a copy with a flipped bit
    + RESULT
    + b"\x06"  # a stray acknowledgement
    + CUT * 3
    + ERROR
    + bytes.fromhex("05 35 65 81 03 44 32") * 3
    + bytes.fromhex("05 36 44 80 BE 03 34 46")  # a card of rank 14
    + bytes.fromhex("05 37 4C 80 03 46 38") * 3
)
"""A recorded session: everything a line does, once."""


def messages(data: bytes, *cuts: int) -> list[DeviceMessage]:
    """What a fresh driver says to the data, cut at these places."""
    driver = DRIVER({})
    driver.connected("c", 0)
    edges = [0, *sorted(cuts), len(data)]
    pieces = [data[start:end] for start, end in pairwise(edges)]
    return [report.message for report in chain.from_iterable(driver.receive(piece, 1) for piece in pieces)]


def test_every_split_gives_the_same_events() -> None:
    whole = messages(SESSION)
    assert len(whole) == 9
    for first in range(len(SESSION)):
        assert messages(SESSION, first) == whole
    assert messages(SESSION, *range(1, len(SESSION))) == whole


@given(st.lists(st.integers(0, len(SESSION)), max_size=12))
def test_any_number_of_splits_gives_the_same_events(cuts: list[int]) -> None:
    assert messages(SESSION, *cuts) == messages(SESSION)


def test_every_prefix_gives_the_beginning_of_the_events() -> None:
    whole = messages(SESSION)
    for end in range(len(SESSION)):
        part = messages(SESSION[:end])
        assert part == whole[: len(part)]


@pytest.mark.parametrize("telegram", [CARD, RESULT, CUT, ERROR, bytes.fromhex("05 39 44 9A CD 03 32 39")])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_every_single_bit_error_of_one_copy_is_survived(telegram: bytes, place: int) -> None:
    expected = messages(telegram * 3)
    for bit in range(len(telegram) * 8):
        damaged = bytearray(telegram)
        damaged[bit // 8] ^= 1 << bit % 8
        copies = [telegram] * 3
        copies[place] = bytes(damaged)
        assert messages(b"".join(copies)) == expected
        assert messages(bytes(damaged)) in ([], expected)


def test_every_single_bit_error_while_a_command_waits_gives_no_false_reply() -> None:
    """A payload byte 86 can become 06, an ENQ 15: neither may pass as the shoe's answer."""
    for telegram in (bytes.fromhex("05 31 44 86 B8 03 34 38"), CARD, CUT, bytes.fromhex("05 31 44 85 B8 03 34 42")):
        for bit in range(len(telegram) * 8):
            damaged = bytearray(telegram)
            damaged[bit // 8] ^= 1 << bit % 8
            items = StreamDecoder().feed(bytes(damaged) + telegram)
            assert not any(isinstance(item, Reply) for item in items)
            assert items[-1] == Telegram.from_bytes(telegram)


@given(st.binary(max_size=400))
def test_any_bytes_are_survived_in_bounded_memory_and_a_good_telegram_after_them_is_read(noise: bytes) -> None:
    decoder = StreamDecoder()
    decoder.feed(noise)
    assert len(decoder.give_up()) <= 1
    assert decoder.feed(CARD)[-1] == Telegram("1", Kind.DRAWN, b"\x01\x38")


@given(st.binary(max_size=MAX_TELEGRAM * 3))
def test_a_telegram_right_after_garbage_is_read(noise: bytes) -> None:
    assert StreamDecoder().feed(noise + CARD)[-1] == Telegram("1", Kind.DRAWN, b"\x01\x38")


def test_an_unfinished_telegram_followed_by_a_good_one() -> None:
    for end in range(1, len(CARD)):
        items = StreamDecoder().feed(CARD[:end] + RESULT)
        assert [type(item) for item in items] == [FrameRejected, Telegram]
        rejected = items[0]
        assert isinstance(rejected, FrameRejected)
        assert (rejected.reason, rejected.offset) == (RejectReason.UNFINISHED, 0)


def test_a_rejection_names_sequence_payload_and_offset() -> None:
    items = StreamDecoder().feed(CUT + bytes.fromhex("05 31 44 81 B9 03 34 46"))
    rejected = items[1]
    assert isinstance(rejected, FrameRejected)
    assert rejected.reason is RejectReason.BAD_CHECKSUM
    assert (rejected.seq, rejected.payload, rejected.offset) == ("1", bytes.fromhex("31 44 81 B9"), len(CUT))
    assert "34 46" in rejected.detail


def test_lower_case_check_digits_are_not_the_protocol() -> None:
    items = StreamDecoder().feed(bytes.fromhex("05 31 44 81 B8 03 34 66"))
    assert isinstance(items[0], FrameRejected)


def test_replies_between_telegrams() -> None:
    items = StreamDecoder().feed(CARD + b"\x06" + CARD + b"\x1521" + b"\x15FF" + CUT + b"\x15\x05")
    assert [item for item in items if isinstance(item, Reply)] == [Reply(), Reply("21"), Reply("FF")]


def test_a_refusal_without_digits_is_noise() -> None:
    decoder = StreamDecoder()
    assert decoder.feed(b"\x15XY") == []
    assert decoder.take_ignored() == 3


def test_endless_bytes_without_an_end_are_given_up() -> None:
    items = StreamDecoder().feed(b"\x05" + b"A" * 100)
    assert isinstance(items[0], FrameRejected)
    assert items[0].reason is RejectReason.TOO_LONG


def test_a_flipped_bit_that_makes_another_card_is_caught_in_every_card() -> None:
    """No single flipped bit of any card telegram is another telegram."""
    for suit in range(1, 5):
        for rank in range(1, 14):
            good = Telegram("1", Kind.DRAWN, bytes((0, suit << 4 | rank))).to_bytes()
            for bit in range(len(good) * 8):
                damaged = bytearray(good)
                damaged[bit // 8] ^= 1 << bit % 8
                assert not any(isinstance(message, CardDrawn) for message in messages(bytes(damaged)))
