"""Codes and bodies of the bet sensor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.bets import AMOUNT_MAX, BetsCodec
from drivers.messages import (
    CardLaid,
    ChipsCollected,
    DeviceMessage,
    KeyPressed,
    PayoutMade,
    SetLamp,
    WagerPlaced,
    WagerTakenBack,
)
from drivers.native.fields import NakReason, PayloadError

CODEC = BetsCodec()
place = st.integers(1, 255)
bets = st.one_of(
    st.sampled_from(["main", "double", "split", "insurance", "bonus"]),
    st.from_regex(r"(main|double|split):[2-9]", fullmatch=True),
    st.from_regex(r"side:[a-z0-9_-]{1,24}", fullmatch=True),
)
amounts = st.integers(1, AMOUNT_MAX)
events = st.one_of(
    st.builds(CardLaid, st.integers(0, 255), place),
    *(
        st.builds(kind, place, place, bets, amounts)
        for kind in (WagerPlaced, WagerTakenBack, ChipsCollected, PayoutMade)
    ),
)


@given(events)
def test_events_survive_their_bytes(message: DeviceMessage) -> None:
    assert CODEC.decode_event(*CODEC.encode_event(message)) == message


@pytest.mark.parametrize(
    ("code", "body", "nak"),
    [
        (0x1F, "01 01 0000000000000001 01 00", NakReason.UNKNOWN_CODE),
        (0x25, "01 01 0000000000000001 01 00", NakReason.UNKNOWN_CODE),
        (0x20, "01 01 0000000000000001 00 00", NakReason.UNKNOWN_CODE),
        (0x20, "01 01 0000000000000001 07 00", NakReason.UNKNOWN_CODE),
        (0x20, "00 01 0000000000000001 01 00", NakReason.MALFORMED),
        (0x20, "01 00 0000000000000001 01 00", NakReason.MALFORMED),
        (0x20, "01 01 0000000000000000 01 00", NakReason.MALFORMED),
        (0x20, "01 01 0020000000000000 01 00", NakReason.MALFORMED),
        (0x20, "01 01 0000000000000001 01 01 61", NakReason.MALFORMED),
        (0x20, "01 01 0000000000000001 01 01 31", NakReason.MALFORMED),
        (0x20, "01 01 0000000000000001 04 01 32", NakReason.MALFORMED),
        (0x20, "01 01 0000000000000001 05 00", NakReason.MALFORMED),
        (0x20, "01 01 0000000000000001 05 01 41", NakReason.MALFORMED),
        (0x20, "01 01 0000000000000001 05 02 61", NakReason.MALFORMED),
        (0x20, "01 01 0000000000000001 01", NakReason.MALFORMED),
        (0x20, "01 01 0000000000000001 01 00 00", NakReason.MALFORMED),
        (0x24, "01 00", NakReason.MALFORMED),
        (0x24, "01", NakReason.MALFORMED),
    ],
)
def test_bytes_that_mean_nothing_are_never_guessed(code: int, body: str, nak: NakReason) -> None:
    with pytest.raises(PayloadError) as raised:
        CODEC.decode_event(code, bytes.fromhex(body))
    assert raised.value.nak is nak


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (
            WagerPlaced(1, 1, "tip", 5),
            "bet 'tip' is unknown; allowed are main, double, split, insurance, bonus and side:<name>",
        ),
        (WagerPlaced(1, 1, "main:1", 5), "number of a later hand"),
        (WagerPlaced(1, 1, "insurance:2", 5), "number of a later hand"),
        (WagerPlaced(1, 1, "side:", 5), "'' is no name of a side bet"),
        (WagerPlaced(1, 1, "side:Big", 5), "'Big' is no name of a side bet"),
        (WagerPlaced(1, 1, "side:" + "a" * 25, 5), "at most 24 characters"),
        (PayoutMade(0, 1, "main", 5), "all of them count from 1"),
        (PayoutMade(1, 1, "main", 0), "all of them count from 1"),
        (PayoutMade(1, 1, "main", -5), "does not fit"),
        (PayoutMade(1, 300, "main", 5), "does not fit"),
        (CardLaid(1, 0), "hand 0: hands count from 1"),
        (CardLaid(-1, 1), "do not fit"),
        (KeyPressed("hit"), "a bet sensor does not say KeyPressed"),
    ],
)
def test_what_a_sensor_cannot_say_is_refused_with_a_reason(message: DeviceMessage, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        CODEC.encode_event(message)


def test_a_sensor_takes_no_commands() -> None:
    with pytest.raises(ValueError, match="a bet sensor cannot SetLamp"):
        CODEC.encode_command(SetLamp(0, "on"))
    with pytest.raises(PayloadError, match="bet sensor command code 16 is unknown"):
        CODEC.decode_command(0x10, b"\x00\x01")
