"""Bytes of the native shoe and of the discard rack as literals, the same as in docs/native-link.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.messages import (
    CardDrawn,
    CardUnreadable,
    ClearError,
    ConfirmGame,
    CutCardDrawn,
    DeviceCommand,
    DeviceMessage,
    KeyLockChanged,
    Lock,
    NewShoe,
    OutOfGame,
    RackCounted,
    ReadFailed,
    SensorChanged,
    SetLamp,
    ShoeError,
    ShoeStandBy,
    ShoeStarted,
    TagSeen,
    Unlock,
)
from drivers.native.codec import DeviceCodec
from drivers.rack import UNREAD_TAG, RackCodec
from drivers.shoes.native import NOT_READ, STUCK_TOGETHER, ShoeCodec

DOC = Path(__file__).resolve().parents[2] / "docs" / "native-link.md"
SHOE, RACK = ShoeCodec(), RackCodec()
LOCKED = CardDrawn(12, "H", draw_index=208, out_of_game=OutOfGame.LOCKED, deck_code="HOUSE-7")
EVENTS: list[tuple[DeviceCodec, DeviceMessage, int, str]] = [
    (SHOE, CardDrawn(8, "S", draw_index=1), 0x30, "08 01 00 00 01 00"),
    (SHOE, LOCKED, 0x30, "0C 02 01 00 D0 07 48 4F 55 53 45 2D 37"),
    (SHOE, CardUnreadable(NOT_READ), 0x31, "01"),
    (SHOE, CardUnreadable(STUCK_TOGETHER), 0x31, "02"),
    (SHOE, CutCardDrawn(), 0x32, ""),
    (SHOE, ShoeError(6, "deck_code", active=True, in_error_mode=True), 0x33, "06 03"),
    (SHOE, ShoeError(8, "double_feed", active=False, in_error_mode=False), 0x33, "08 00"),
    (SHOE, KeyLockChanged(locked=True), 0x34, "01"),
    (SHOE, SensorChanged("lid", True), 0x35, "01 01"),
    (SHOE, SensorChanged("throat", False), 0x35, "03 00"),
    (SHOE, ShoeStarted("brown_out"), 0x36, "04"),
    (SHOE, ShoeStandBy(), 0x37, ""),
    (RACK, RackCounted(57), 0x40, "00 39"),
    (RACK, TagSeen("discard", "04A1B2C3D4E5F6"), 0x41, "07 04 A1 B2 C3 D4 E5 F6"),
    (RACK, ReadFailed("discard", UNREAD_TAG), 0x42, ""),
]
COMMANDS: list[tuple[DeviceCommand, int, str]] = [
    (Lock(), 0x30, ""),
    (Unlock(), 0x31, ""),
    (ClearError(), 0x32, ""),
    (ConfirmGame(), 0x33, ""),
    (SetLamp(1, "on"), 0x34, "01 01"),
    (NewShoe(), 0x35, ""),
]


@pytest.mark.parametrize(("codec", "message", "code", "body"), EVENTS)
def test_events_are_these_bytes(codec: DeviceCodec, message: DeviceMessage, code: int, body: str) -> None:
    assert codec.encode_event(message) == (code, bytes.fromhex(body))
    assert codec.decode_event(code, bytes.fromhex(body)) == message


@pytest.mark.parametrize(("command", "code", "body"), COMMANDS)
def test_commands_are_these_bytes(command: DeviceCommand, code: int, body: str) -> None:
    assert SHOE.encode_command(command) == (code, bytes.fromhex(body))
    assert SHOE.decode_command(code, bytes.fromhex(body)) == command


def test_the_document_has_the_same_bytes() -> None:
    text = DOC.read_text(encoding="utf-8")
    for _, _, code, body in EVENTS:
        assert not body or f"| {code:02X} | `{body}` |" in text
    for _, code, body in COMMANDS:
        assert not body or f"| {code:02X} | `{body}` |" in text
