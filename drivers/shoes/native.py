"""A dealing shoe on the native link: cards with an identity of their own, kept and replayed, and a lock.

Codes and bodies are written down in docs/native-link.md.
"""

from __future__ import annotations

import struct
from enum import IntEnum

from drivers.api import Capabilities
from drivers.messages import (
    CardDrawn,
    CardUnreadable,
    CutCardDrawn,
    DeviceCommand,
    DeviceMessage,
    DrawTarget,
    KeyLockChanged,
    OutOfGame,
    SensorChanged,
    ShoeError,
    ShoeStandBy,
    ShoeStarted,
)
from drivers.native.factory import NativeFactory
from drivers.native.fields import FieldReader, malformed, text_field, unknown
from drivers.native.hello import DeviceClass, ResetReason
from drivers.shoes.native_commands import decode_command, encode_command

DECK_CODE_MAX = 16
INDEX_MAX = 65535
_SUITS = "SHDC"
_OUTSIDE = {0: None, 1: OutOfGame.LOCKED, 2: OutOfGame.IN_ERROR, 3: OutOfGame.SETTING_MODE}
_OUTSIDE_CODES = {reason: code for code, reason in _OUTSIDE.items()}
NOT_READ = "the shoe could not read the card it let out"
STUCK_TOGETHER = "a second card came out with the one before it"
_UNREADABLE = {1: NOT_READ, 2: STUCK_TOGETHER}
ERRORS = {
    1: "unreadable",
    4: "reverse_exit",
    5: "reverse_midway",
    6: "deck_code",
    7: "draw_timeout",
    8: "double_feed",
}
"""Codes of errors and their words; the first ones as in other shoes."""
SENSORS = {1: "lid", 2: "tamper", 3: "throat"}

_CARD = struct.Struct(">BBBH")
_PAIR = struct.Struct(">BB")
_ONE = struct.Struct(">B")
_ACTIVE, _IN_ERROR_MODE = 1, 2


class ShoeEvent(IntEnum):
    """Event codes of a shoe."""

    CARD_DRAWN = 0x30
    CARD_UNREADABLE = 0x31
    CUT_CARD = 0x32
    ERROR = 0x33
    KEY = 0x34
    SENSOR = 0x35
    STARTED = 0x36
    STAND_BY = 0x37


class ShoeCodec:
    """The shoe's codes; see `drivers.native.codec.DeviceCodec`."""

    device_class = DeviceClass.SHOE
    capabilities = Capabilities(identity=True, replay=True, lock=True, heartbeat=True)

    def encode_event(self, message: DeviceMessage) -> tuple[int, bytes]:
        """Code and body of an event. Raises ValueError for a message that this shoe cannot say."""
        try:
            code, body = _encoded(message)
            readable = self.decode_event(code, body)
        except (KeyError, struct.error, ValueError) as problem:
            raise ValueError(f"{message} is no event of a shoe: {problem}") from None
        if readable != message:
            raise ValueError(f"{message} says more than an event of a shoe can; it would be read as {readable}")
        return code, body

    def decode_event(self, code: int, body: bytes) -> DeviceMessage:
        """The message of an event. Raises PayloadError."""
        fields = FieldReader(body)
        message = _decoded(code, fields)
        fields.end()
        return message

    def encode_command(self, command: DeviceCommand) -> tuple[int, bytes]:
        """Code and body of a command. Raises ValueError for one that a shoe cannot carry out."""
        return encode_command(command)

    def decode_command(self, code: int, body: bytes) -> DeviceCommand:
        """The command of these bytes. Raises PayloadError."""
        return decode_command(code, body)


def _encoded(message: DeviceMessage) -> tuple[int, bytes]:
    match message:
        case CardDrawn():
            suit = _SUITS.index(message.suit) + 1 if message.suit in tuple(_SUITS) else 0
            outside = _OUTSIDE_CODES[message.out_of_game]
            fixed = _CARD.pack(message.rank, suit, outside, message.draw_index or 0)
            return ShoeEvent.CARD_DRAWN, fixed + text_field(message.deck_code, DECK_CODE_MAX)
        case CardUnreadable(detail):
            return ShoeEvent.CARD_UNREADABLE, _ONE.pack(_code(_UNREADABLE, detail))
        case CutCardDrawn():
            return ShoeEvent.CUT_CARD, b""
        case ShoeError(code, _, active, in_error_mode):
            return ShoeEvent.ERROR, _PAIR.pack(code, active * _ACTIVE | in_error_mode * _IN_ERROR_MODE)
        case KeyLockChanged(locked):
            return ShoeEvent.KEY, _ONE.pack(locked)
        case SensorChanged(sensor, active):
            return ShoeEvent.SENSOR, _PAIR.pack(_code(SENSORS, sensor), active)
        case ShoeStarted(reason):
            return ShoeEvent.STARTED, _ONE.pack(ResetReason[reason.upper()])
        case ShoeStandBy():
            return ShoeEvent.STAND_BY, b""
        case _:
            raise ValueError(f"a shoe does not say {type(message).__name__}")


def _decoded(code: int, fields: FieldReader) -> DeviceMessage:
    match code:
        case ShoeEvent.CARD_DRAWN:
            return _card(fields)
        case ShoeEvent.CARD_UNREADABLE:
            return CardUnreadable(_word(_UNREADABLE, "unreadable card", fields.numbers(_ONE)[0]))
        case ShoeEvent.CUT_CARD:
            return CutCardDrawn()
        case ShoeEvent.ERROR:
            number, flags = fields.numbers(_PAIR)
            if flags & ~(_ACTIVE | _IN_ERROR_MODE):
                raise malformed(f"an error with flags {flags:02x}; 00 to 03 are known")
            word = _word(ERRORS, "shoe error", number)
            return ShoeError(number, word, bool(flags & _ACTIVE), bool(flags & _IN_ERROR_MODE))
        case ShoeEvent.KEY:
            return KeyLockChanged(_flag(fields.numbers(_ONE)[0]))
        case ShoeEvent.SENSOR:
            sensor, active = fields.numbers(_PAIR)
            return SensorChanged(_word(SENSORS, "sensor", sensor), _flag(active))
        case ShoeEvent.STARTED:
            reasons = {reason.value: reason.name.lower() for reason in ResetReason}
            return ShoeStarted(_word(reasons, "reset reason", fields.numbers(_ONE)[0]))
        case ShoeEvent.STAND_BY:
            return ShoeStandBy()
        case _:
            raise unknown("shoe event", code)


def _card(fields: FieldReader) -> CardDrawn:
    rank, suit, outside, index = fields.numbers(_CARD)
    deck_code = fields.text(DECK_CODE_MAX)
    if not (1 <= rank <= 13 and 1 <= suit <= len(_SUITS)):
        raise malformed(f"rank {rank} and suit {suit} are no card")
    if outside not in _OUTSIDE:
        raise unknown("reason of a card outside the game", outside)
    reason = _OUTSIDE[outside]
    return CardDrawn(rank, _SUITS[suit - 1], DrawTarget.NONE, index or None, reason, deck_code=deck_code)


def _code(table: dict[int, str], word: str) -> int:
    for code, known in table.items():
        if known == word:
            return code
    raise ValueError(f"{word!r} is unknown; allowed are {', '.join(table.values())}")


def _word(table: dict[int, str], what: str, code: int) -> str:
    if code not in table:
        raise unknown(what, code)
    return table[code]


def _flag(value: int) -> bool:
    if value > 1:
        raise malformed(f"{value} is neither 0 nor 1")
    return bool(value)


DRIVER = NativeFactory("shoe", ShoeCodec())
"""The driver of a native shoe; options as in `drivers.native.factory.NativeFactory`."""
