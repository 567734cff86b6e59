"""Codes and bodies of the native shoe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.messages import (
    CardDrawn,
    CardUnreadable,
    ClearError,
    ConfirmGame,
    CutCardDrawn,
    DeviceCommand,
    DeviceMessage,
    DrawTarget,
    KeyLockChanged,
    KeyPressed,
    Lock,
    NewShoe,
    OutOfGame,
    SensorChanged,
    SetLamp,
    ShoeError,
    ShoeResult,
    ShoeStandBy,
    ShoeStarted,
    ShowText,
    Unlock,
)
from drivers.native.fields import NakReason, PayloadError
from drivers.native.hello import ResetReason
from drivers.shoes.native import ERRORS, NOT_READ, STUCK_TOGETHER, ShoeCodec

CODEC = ShoeCodec()
printable = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=16)
events = st.one_of(
    st.builds(
        lambda rank, suit, index, outside, deck: CardDrawn(rank, suit, DrawTarget.NONE, index, outside, deck_code=deck),
        st.integers(1, 13),
        st.sampled_from("SHDC"),
        st.one_of(st.none(), st.integers(1, 65535)),
        st.one_of(st.none(), st.sampled_from(OutOfGame)),
        printable,
    ),
    st.builds(CardUnreadable, st.sampled_from([NOT_READ, STUCK_TOGETHER])),
    st.just(CutCardDrawn()),
    st.just(ShoeStandBy()),
    st.builds(
        lambda code, active, mode: ShoeError(code, ERRORS[code], active, mode),
        st.sampled_from(sorted(ERRORS)),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(KeyLockChanged, st.booleans()),
    st.builds(SensorChanged, st.sampled_from(["lid", "tamper", "throat"]), st.booleans()),
    st.builds(lambda reason: ShoeStarted(reason.name.lower()), st.sampled_from(ResetReason)),
)
commands = st.one_of(
    st.sampled_from([Lock(), Unlock(), ClearError(), ConfirmGame(), NewShoe()]),
    st.builds(SetLamp, st.integers(0, 1), st.sampled_from(["off", "on", "blink"])),
)


@given(events)
def test_events_survive_their_bytes(message: DeviceMessage) -> None:
    assert CODEC.decode_event(*CODEC.encode_event(message)) == message


@given(commands)
def test_commands_survive_their_bytes(command: DeviceCommand) -> None:
    assert CODEC.decode_command(*CODEC.encode_command(command)) == command


@pytest.mark.parametrize(
    ("code", "body", "nak"),
    [
        (0x2F, "", NakReason.UNKNOWN_CODE),
        (0x38, "", NakReason.UNKNOWN_CODE),
        (0x30, "0E 01 00 0000 00", NakReason.MALFORMED),
        (0x30, "00 01 00 0000 00", NakReason.MALFORMED),
        (0x30, "01 05 00 0000 00", NakReason.MALFORMED),
        (0x30, "01 01 04 0000 00", NakReason.UNKNOWN_CODE),
        (0x30, "01 01 00 0000 11" + "41" * 17, NakReason.MALFORMED),
        (0x31, "00", NakReason.UNKNOWN_CODE),
        (0x32, "00", NakReason.MALFORMED),
        (0x33, "02 01", NakReason.UNKNOWN_CODE),
        (0x33, "01 04", NakReason.MALFORMED),
        (0x34, "02", NakReason.MALFORMED),
        (0x35, "04 01", NakReason.UNKNOWN_CODE),
        (0x36, "00", NakReason.UNKNOWN_CODE),
    ],
)
def test_bodies_that_are_no_event_are_named(code: int, body: str, nak: NakReason) -> None:
    with pytest.raises(PayloadError) as caught:
        CODEC.decode_event(code, bytes.fromhex(body))
    assert caught.value.nak is nak


@pytest.mark.parametrize(
    "message",
    [
        CardDrawn(14, "S"),
        CardDrawn(1, "X"),
        CardDrawn(1, "S", DrawTarget.PLAYER),
        CardDrawn(1, "S", draw_index=65536),
        CardDrawn(1, "S", read_again=True),
        CardDrawn(1, "S", deck_code="17 characters ..."),
        CardUnreadable("another reason"),
        ShoeError(1, "overdraw", True, True),
        ShoeStarted("earthquake"),
        SensorChanged("roof", True),
        ShoeResult(1),
        KeyPressed("hit"),
    ],
)
def test_what_a_shoe_cannot_say_is_refused(message: DeviceMessage) -> None:
    with pytest.raises(ValueError, match="shoe"):
        CODEC.encode_event(message)


@pytest.mark.parametrize("command", [ShowText(0, "x"), SetLamp(2, "on"), SetLamp(0, "dim")])
def test_what_a_shoe_cannot_do_is_refused(command: DeviceCommand) -> None:
    with pytest.raises(ValueError, match="shoe"):
        CODEC.encode_command(command)
