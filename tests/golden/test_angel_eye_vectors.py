"""Bytes of the Angel Eye wire as constants, so that an error which codec and simulator share is still seen.

The first five telegrams and the lock command are from the device notes; the others are computed by the rules there
(docs/devices.md) with nothing of this project.
"""

from __future__ import annotations

import pytest

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
    Lock,
    OutOfGame,
    SettingChanged,
    ShoeError,
    ShoeResult,
    ShoeStandBy,
    ShoeStarted,
    Unlock,
)
from drivers.shoes.angel_eye import DRIVER
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.telegram import FrameRejected, Telegram

UNREADABLE = CardUnreadable("the shoe could not read the card it let out")

TELEGRAMS: list[tuple[str, tuple[DeviceMessage, ...]]] = [
    ("05 31 44 81 B8 03 34 46", (CardDrawn(8, "S", DrawTarget.PLAYER, 1),)),
    ("05 32 47 91 03 45 37", (ShoeResult(0x11),)),
    ("05 33 43 03 37 33", (CutCardDrawn(),)),
    ("05 34 45 C1 03 42 33", (ShoeError(1, "unreadable", active=True, in_error_mode=True), UNREADABLE)),
    ("05 31 53 03 36 31", (ShoeStarted(),)),
    ("05 32 50 03 36 31", (ShoeStandBy(),)),
    ("05 39 44 9A CD 03 32 39", (CardDrawn(13, "H", DrawTarget.BANKER, 10),)),
    ("05 35 44 A0 91 03 34 33", (CardDrawn(1, "D", DrawTarget.BURN, 0),)),
    ("05 36 44 C0 AA 03 31 42", (CardDrawn(10, "C", DrawTarget.FIRST_CARD, 0),)),
    ("05 37 44 D3 BB 03 31 38", (CardDrawn(11, "S", DrawTarget.BURN_COUNT, 3),)),
    ("05 31 44 E0 B8 03 32 45", (CardDrawn(8, "S", DrawTarget.NONE, 0),)),
    ("05 31 44 8B B8 03 34 35", (CardDrawn(8, "S", DrawTarget.PLAYER, None),)),
    ("05 38 64 80 CC 03 31 33", (CardDrawn(12, "H", draw_index=0, out_of_game=OutOfGame.LOCKED),)),
    ("05 31 64 91 92 03 35 35", (CardDrawn(2, "D", draw_index=1, out_of_game=OutOfGame.IN_ERROR),)),
    ("05 32 64 A2 A3 03 35 34", (CardDrawn(3, "C", draw_index=2, out_of_game=OutOfGame.SETTING_MODE),)),
    ("05 31 64 80 80 03 35 36", (CardUnreadable("drawn outside the game (locked) without a face"),)),
    ("05 33 52 80 B9 03 35 42", (CardDrawn(9, "S", DrawTarget.PLAYER, 0, read_again=True),)),
    ("05 34 45 C2 03 42 30", (ShoeError(2, "overdraw", active=True, in_error_mode=True),)),
    ("05 34 45 87 03 46 35", (ShoeError(7, "draw_timeout", active=True, in_error_mode=False),)),
    ("05 31 45 89 03 46 45", (ShoeError(9, "code_9", active=True, in_error_mode=False),)),
    ("05 35 65 81 03 44 32", (ShoeError(1, "unreadable", active=False, in_error_mode=False),)),
    ("05 36 4C 81 03 46 38", (KeyLockChanged(locked=True),)),
    ("05 37 4C 80 03 46 38", (KeyLockChanged(locked=False),)),
    ("05 38 4D C2 C3 B0 B0 B1 B2 03 37 34", (SettingChanged("BC", "0012"),)),
]

SENSELESS = {
    "suit 0": "05 31 44 80 88 03 37 45",
    "rank 0": "05 31 44 80 B0 03 34 36",
    "rank 14": "05 31 44 80 BE 03 34 38",
    "rank 15": "05 31 44 80 BF 03 34 39",
    "suit 5": "05 31 44 80 D1 03 32 37",
    "payload without bit 7": "05 31 44 81 38 03 43 46",
    "unknown letter": "05 31 58 03 36 41",
    "one byte too many": "05 31 44 81 B8 80 03 43 46",
    "d for reason 3": "05 31 64 B0 B8 03 35 45",
}

COMMANDS: list[tuple[DeviceCommand, str, str]] = [
    (Lock(), "02 4F 50 4C 4B 30 32 03 31 42", "02 4F 50 4C 4B 30 32 03 31 39"),
    (Unlock(), "02 4F 50 4C 4B 30 31 03 31 38", "02 4F 50 4C 4B 30 31 03 31 41"),
    (ClearError(), "02 4F 50 45 43 30 30 03 31 38", "02 4F 50 45 43 30 30 03 31 41"),
    (ConfirmGame(), "02 4F 50 47 50 30 30 03 30 39", "02 4F 50 47 50 30 30 03 30 42"),
]


def connected_driver(**options: object) -> AngelEyeDriver:
    driver = DRIVER(options)
    driver.connected("c", 0)
    return driver


@pytest.mark.parametrize(("wire", "expected"), TELEGRAMS, ids=[wire for wire, _messages in TELEGRAMS])
def test_telegram_means(wire: str, expected: tuple[DeviceMessage, ...]) -> None:
    reports = connected_driver().receive(bytes.fromhex(wire), 0)
    assert tuple(report.message for report in reports) == expected


@pytest.mark.parametrize("wire", [wire for wire, _messages in TELEGRAMS])
def test_telegram_is_written_as_read(wire: str) -> None:
    telegram = Telegram.from_bytes(bytes.fromhex(wire))
    assert not isinstance(telegram, FrameRejected)
    assert telegram.to_bytes() == bytes.fromhex(wire)


@pytest.mark.parametrize("wire", SENSELESS.values(), ids=SENSELESS)
def test_senseless_telegram_is_counted_and_never_a_card(wire: str) -> None:
    driver = connected_driver()
    assert driver.receive(bytes.fromhex(wire), 0) == []
    assert driver.counters.malformed == 1


@pytest.mark.parametrize(("command", "with_stx", "from_command"), COMMANDS)
def test_command_bytes_of_both_spans(command: DeviceCommand, with_stx: str, from_command: str) -> None:
    for span, expected in ((None, with_stx), ("with_stx", with_stx), ("from_command", from_command)):
        driver = connected_driver(**({"command_bcc_span": span} if span else {}))
        driver.command(command, 1)
        driver.tick(0)
        assert driver.outgoing() == bytes.fromhex(expected)
