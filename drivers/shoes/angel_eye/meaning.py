"""What a telegram of the Angel Eye shoe means, in device messages; and the bytes of cards, both ways.

b1: bits 6-4 target (`D`, `R`) or reason (`d`), bits 3-0 draw index 0..10.
b2: bits 6-4 suit 1 diamond, 2 club, 3 spade, 4 heart (0 none), bits 3-0 rank 1 ace .. 13 king (0 none).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import assert_never

from drivers.messages import (
    CardDrawn,
    CardUnreadable,
    CutCardDrawn,
    DeviceMessage,
    DrawTarget,
    KeyLockChanged,
    OutOfGame,
    SettingChanged,
    ShoeError,
    ShoeResult,
    ShoeStandBy,
    ShoeStarted,
)
from drivers.shoes.angel_eye.telegram import Kind, Telegram

SUITS: Mapping[int, str] = {1: "D", 2: "C", 3: "S", 4: "H"}
TARGETS: Mapping[int, DrawTarget] = {
    0: DrawTarget.PLAYER,
    1: DrawTarget.BANKER,
    2: DrawTarget.BURN,
    4: DrawTarget.FIRST_CARD,
    5: DrawTarget.BURN_COUNT,
}
OUT_OF_GAME: Mapping[int, OutOfGame] = {0: OutOfGame.LOCKED, 1: OutOfGame.IN_ERROR, 2: OutOfGame.SETTING_MODE}
MAX_DRAW_INDEX = 10
_RANKS = range(1, 14)
_SUIT_BITS = {suit: bits for bits, suit in SUITS.items()}
_TARGET_BITS = {target: bits for bits, target in TARGETS.items()}
_OUT_OF_GAME_BITS = {reason: bits for bits, reason in OUT_OF_GAME.items()}
_IN_ERROR_MODE = 0x40


class ErrorCode(IntEnum):
    """Bits 5-0 of the byte of `E` and `e`."""

    UNREADABLE = 1
    OVERDRAW = 2
    BUTTON_MISUSE = 3
    REVERSE_EXIT = 4
    REVERSE_MIDWAY = 5
    DECK_CODE = 6
    DRAW_TIMEOUT = 7


_ERROR_CODES = frozenset(ErrorCode)


def error_name(code: int) -> str:
    """The word of an error code, ``code_N`` for one that is not documented."""
    return ErrorCode(code).name.lower() if code in _ERROR_CODES else f"code_{code}"


def card_payload(why: DrawTarget | OutOfGame, draw_index: int, suit: str, rank: int) -> bytes:
    """b1 b2 as 7-bit values. ``why`` is the target of `D` and `R` or the reason of `d`; NONE is sent as player."""
    high = _OUT_OF_GAME_BITS[why] if isinstance(why, OutOfGame) else _TARGET_BITS.get(why, 0)
    return bytes((high << 4 | draw_index, _SUIT_BITS[suit] << 4 | rank))


def error_payload(code: int, *, in_error_mode: bool) -> bytes:
    """The byte of `E` and `e` as a 7-bit value."""
    return bytes(((_IN_ERROR_MODE if in_error_mode else 0) | code,))


class SenselessTelegramError(ValueError):
    """The checksum is right and the content is not possible; the text is one line for a person."""


def messages_of(telegram: Telegram) -> tuple[DeviceMessage, ...]:
    """Device messages of one telegram, never empty. Raises `SenselessTelegramError` for a card that does not exist."""
    payload = telegram.payload
    match telegram.kind:
        case Kind.START:
            return (ShoeStarted(),)
        case Kind.STAND_BY:
            return (ShoeStandBy(),)
        case Kind.DRAWN:
            return (_drawn(payload, read_again=False),)
        case Kind.READ_AGAIN:
            return (_drawn(payload, read_again=True),)
        case Kind.DRAWN_OUTSIDE:
            return (_drawn_outside(payload),)
        case Kind.RESULT:
            return (ShoeResult(payload[0]),)
        case Kind.CUT_CARD:
            return (CutCardDrawn(),)
        case Kind.ERROR:
            return _error_began(payload[0])
        case Kind.ERROR_CLEARED:
            return (_error(payload[0], active=False),)
        case Kind.KEY_LOCK:
            return (KeyLockChanged(locked=bool(payload[0] & 1)),)
        case Kind.SETTING:
            return (_setting(payload),)
        case _:
            assert_never(telegram.kind)


def _face(payload: bytes) -> tuple[int, str]:
    suit_bits, rank = payload[1] >> 4, payload[1] & 0x0F
    if suit_bits not in SUITS or rank not in _RANKS:
        raise SenselessTelegramError(f"a card of suit {suit_bits} and rank {rank} does not exist")
    return rank, SUITS[suit_bits]


def _index(payload: bytes) -> int | None:
    index = payload[0] & 0x0F
    return index if index <= MAX_DRAW_INDEX else None


def _drawn(payload: bytes, *, read_again: bool) -> CardDrawn:
    rank, suit = _face(payload)
    target = TARGETS.get(payload[0] >> 4, DrawTarget.NONE)
    return CardDrawn(rank, suit, target, _index(payload), read_again=read_again)


def _drawn_outside(payload: bytes) -> CardDrawn | CardUnreadable:
    reason = OUT_OF_GAME.get(payload[0] >> 4)
    if reason is None:
        raise SenselessTelegramError(
            f"a card drawn outside the game for reason {payload[0] >> 4}, which is none of 0, 1, 2"
        )
    if payload[1] == 0:
        return CardUnreadable(f"drawn outside the game ({reason.value}) without a face")
    rank, suit = _face(payload)
    return CardDrawn(rank, suit, draw_index=_index(payload), out_of_game=reason)


def _error(value: int, *, active: bool) -> ShoeError:
    code = value & 0x3F
    return ShoeError(code, error_name(code), active=active, in_error_mode=bool(value & _IN_ERROR_MODE))


def _error_began(value: int) -> tuple[DeviceMessage, ...]:
    error = _error(value, active=True)
    if error.code == ErrorCode.UNREADABLE:
        return (error, CardUnreadable("the shoe could not read the card it let out"))
    return (error,)


def _setting(payload: bytes) -> SettingChanged:
    text = payload.decode("ascii")
    if not text.isprintable():
        raise SenselessTelegramError(f"a setting with unprintable characters: {payload.hex(' ')}")
    return SettingChanged(text[:2], text[2:])
