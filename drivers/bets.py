"""The bet sensor (chip tray) on the native link: wagers, chips collected, payouts made, cards laid.

Codes and bodies are written down in docs/native-link.md.
"""

from __future__ import annotations

import re
import struct

from drivers.api import Capabilities
from drivers.messages import (
    CardLaid,
    ChipsCollected,
    DeviceCommand,
    DeviceMessage,
    PayoutMade,
    WagerPlaced,
    WagerTakenBack,
)
from drivers.native.factory import NativeFactory
from drivers.native.fields import FieldReader, PayloadError, malformed, text_field, unknown
from drivers.native.hello import DeviceClass

BET_CODES = {"main": 1, "double": 2, "split": 3, "insurance": 4, "bonus": 6}
"""Word and code of every kind of bet; 5 is a side bet, whose name follows."""
_BET_WORDS = {code: word for word, code in BET_CODES.items()}
_SIDE = 5
_SIDE_PREFIX = "side:"
SIDE_NAME_MAX = 24
_SIDE_NAME = re.compile(r"[a-z0-9_-]+")
_LATER_HAND = re.compile(r"[2-9]")
"""A main, double, split or bonus bet may name the hand it lies at, when that is not the first: ``main:2``."""
AMOUNT_MAX = 2**53 - 1
"""What every reader of JSON can hold exactly; far above all the chips of a house."""
_BODY = struct.Struct(">BBQB")
_CARD_LAID = 0x24
_LAID_BODY = struct.Struct(">BB")

ChipMessage = WagerPlaced | WagerTakenBack | ChipsCollected | PayoutMade
_CODES: dict[type[ChipMessage], int] = {WagerPlaced: 0x20, WagerTakenBack: 0x21, ChipsCollected: 0x22, PayoutMade: 0x23}
_TYPES: dict[int, type[ChipMessage]] = {code: kind for kind, code in _CODES.items()}


class BetsCodec:
    """The bet sensor's codes; see `drivers.native.codec.DeviceCodec`."""

    device_class = DeviceClass.BET_SENSOR
    capabilities = Capabilities(identity=True, replay=True, heartbeat=True, position=True)

    def encode_event(self, message: DeviceMessage) -> tuple[int, bytes]:
        """Code and body of an event. Raises ValueError for a message that a bet sensor cannot say."""
        match message:
            case CardLaid(box, hand):
                code, body = _CARD_LAID, _laid(box, hand)
            case WagerPlaced() | WagerTakenBack() | ChipsCollected() | PayoutMade():
                code, body = _CODES[type(message)], _body(message)
            case _:
                raise ValueError(f"a bet sensor does not say {type(message).__name__}")
        try:
            self.decode_event(code, body)
        except PayloadError as problem:
            raise ValueError(f"{message} is no event of a bet sensor: {problem}") from None
        return code, body

    def decode_event(self, code: int, body: bytes) -> DeviceMessage:
        """The message of an event. Raises PayloadError."""
        if code == _CARD_LAID:
            return _card_laid(body)
        kind = _TYPES.get(code)
        if kind is None:
            raise unknown("bet sensor event", code)
        fields = FieldReader(body)
        box, seat, amount_minor, bet = fields.numbers(_BODY)
        name = fields.text(SIDE_NAME_MAX)
        fields.end()
        if not (box and seat and 0 < amount_minor <= AMOUNT_MAX):
            raise malformed(f"box {box}, seat {seat}, amount {amount_minor}: all of them count from 1")
        if bet == _SIDE:
            if not _SIDE_NAME.fullmatch(name):
                raise malformed(f"{name!r} is no name of a side bet")
            return kind(box, seat, _SIDE_PREFIX + name, amount_minor)
        word = _BET_WORDS.get(bet)
        if word is None:
            raise unknown("bet", bet)
        if name and (word == "insurance" or not _LATER_HAND.fullmatch(name)):
            raise malformed(f"a {word} bet has no name but the number of a later hand, 2 to 9")
        return kind(box, seat, f"{word}:{name}" if name else word, amount_minor)

    def encode_command(self, command: DeviceCommand) -> tuple[int, bytes]:
        """A bet sensor has no commands: raises ValueError."""
        raise ValueError(f"a bet sensor cannot {type(command).__name__}")

    def decode_command(self, code: int, body: bytes) -> DeviceCommand:
        """A bet sensor has no commands: raises PayloadError."""
        raise unknown("bet sensor command", code)


def _laid(box: int, hand: int) -> bytes:
    try:
        return _LAID_BODY.pack(box, hand)
    except struct.error as problem:
        raise ValueError(f"box {box}, hand {hand} do not fit an event of a bet sensor: {problem}") from None


def _card_laid(body: bytes) -> CardLaid:
    fields = FieldReader(body)
    box, hand = fields.numbers(_LAID_BODY)
    fields.end()
    if not hand:
        raise malformed("hand 0: hands count from 1")
    return CardLaid(box, hand)


def _body(message: ChipMessage) -> bytes:
    word, _, name = message.bet.partition(":")
    code = _SIDE if message.bet.startswith(_SIDE_PREFIX) else BET_CODES.get(word)
    if code is None:
        known = ", ".join(BET_CODES)
        raise ValueError(f"bet {message.bet!r} is unknown; allowed are {known} and {_SIDE_PREFIX}<name>")
    try:
        fixed = _BODY.pack(message.box, message.seat, message.amount_minor, code)
    except struct.error as problem:
        raise ValueError(f"{message} does not fit an event of a bet sensor: {problem}") from None
    return fixed + text_field(name, SIDE_NAME_MAX)


DRIVER = NativeFactory("bets", BetsCodec())
"""The driver of the bet sensor; options as in `drivers.native.factory.NativeFactory`."""
