"""Codes and bodies of the dealer's console."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.console import KEY_CODES, ConsoleCodec
from drivers.messages import (
    CardNamed,
    DeckSpread,
    DeviceCommand,
    DeviceMessage,
    KeyPressed,
    SetLamp,
    ShowText,
    StaffCardPresented,
    WagerPlaced,
)
from drivers.native.fields import NakReason, PayloadError

CODEC = ConsoleCodec()
u8 = st.integers(0, 255)
printable = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=32)
purposes = st.sampled_from(["confirm", "assign", "found", "shown"])
events = st.one_of(
    st.builds(KeyPressed, st.sampled_from(sorted(KEY_CODES)), u8, u8, u8, st.integers(0, 2**32 - 1)),
    st.builds(CardNamed, st.integers(1, 13), st.sampled_from("SHDC"), purposes, u8, u8),
    st.builds(DeckSpread, st.tuples(*[u8] * 52)),
    st.builds(StaffCardPresented, printable),
)
commands = st.one_of(
    st.builds(SetLamp, st.integers(0, 15), st.sampled_from(["off", "on", "blink"])),
    st.builds(ShowText, st.integers(0, 3), printable),
)


@given(events)
def test_events_survive_their_bytes(message: DeviceMessage) -> None:
    assert CODEC.decode_event(*CODEC.encode_event(message)) == message


@given(commands)
def test_commands_survive_their_bytes(command: DeviceCommand) -> None:
    assert CODEC.decode_command(*CODEC.encode_command(command)) == command


def test_every_key_of_the_table_procedure_has_a_code_of_its_own() -> None:
    needed = (
        "hit stand double split surrender insurance even_money decline no_more_bets open_table close_table shuffled "
        "player_cut second_cut shoe_loaded dealer_stand collect next_round void_request void_round resume choose "
        "approve out_of_service back_in_service second_hand absent exposed skipped no_stake rebet change shoe_change "
        "new_packs first_dealer take pass spades hearts diamonds clubs no_trump all_trump announce_run announce_four "
        "show give_up score hand_over"
    )
    assert set(KEY_CODES) == set(needed.split())
    assert len(set(KEY_CODES.values())) == len(KEY_CODES)
    assert all(1 <= code <= 255 for code in KEY_CODES.values())


@pytest.mark.parametrize("code", sorted(set(range(256)) - set(KEY_CODES.values())))
def test_a_key_that_is_not_in_the_table_is_never_guessed(code: int) -> None:
    with pytest.raises(PayloadError, match=f"key code {code} is unknown") as raised:
        CODEC.decode_event(0x10, bytes([code, 1, 1, 1, 0, 0, 0, 0]))
    assert raised.value.nak is NakReason.UNKNOWN_CODE


@pytest.mark.parametrize(
    "body", ["00 01 01 00 00", "0E 01 01 00 00", "01 00 01 00 00", "01 05 01 00 00", "01 01 01 00", "01 01 01 00 00 00"]
)
def test_what_is_no_card_is_malformed(body: str) -> None:
    with pytest.raises(PayloadError) as raised:
        CODEC.decode_event(0x11, bytes.fromhex(body))
    assert raised.value.nak is NakReason.MALFORMED


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (KeyPressed("jump"), "key 'jump' is unknown; allowed are hit, stand"),
        (KeyPressed("hit", box=256), "does not fit a console event"),
        (KeyPressed("collect", value=-1), "does not fit a console event"),
        (CardNamed(14, "S", "confirm"), "rank 14 and suit 1 are no card"),
        (CardNamed(1, "X", "confirm"), "suit 'X' is unknown; S, H, D and C are allowed"),
        (CardNamed(1, "", "confirm"), "suit '' is unknown"),
        (CardNamed(1, "S", "guess"), "purpose 'guess' is unknown; allowed are confirm, assign, found, shown"),
        (DeckSpread((6,) * 51), "a spread needs 52 counts of 0 to 255"),
        (DeckSpread((256,) * 52), "a spread needs 52 counts of 0 to 255"),
        (StaffCardPresented("x" * 33), "at most 32 characters"),
        (StaffCardPresented("a\nb"), "not printable ASCII"),
        (WagerPlaced(1, 1, "main", 5), "a console does not say WagerPlaced"),
    ],
)
def test_what_a_console_cannot_say_is_refused_with_a_reason(message: DeviceMessage, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        CODEC.encode_event(message)


def test_text_is_made_printable_and_cut() -> None:
    _, body = CODEC.encode_command(ShowText(2, "Вход\x1b[2J" + "y" * 50))
    command = CODEC.decode_command(0x11, body)
    assert command == ShowText(2, ("?" * 5 + "[2J" + "y" * 50)[:40])
