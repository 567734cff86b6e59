"""The dealer's console on the native link: keys, named cards, the counted spread, staff cards; lamps and text lines.

Codes and bodies are written down in docs/native-link.md.
"""

from __future__ import annotations

import struct
from enum import IntEnum

from drivers.api import Capabilities
from drivers.messages import (
    CardNamed,
    DeckSpread,
    DeviceCommand,
    DeviceMessage,
    KeyPressed,
    SetLamp,
    ShowText,
    StaffCardPresented,
)
from drivers.native.factory import NativeFactory
from drivers.native.fields import FieldReader, malformed, text_field, unknown
from drivers.native.hello import DeviceClass

KEY_CODES = {
    "hit": 1,
    "stand": 2,
    "double": 3,
    "split": 4,
    "surrender": 5,
    "insurance": 6,
    "even_money": 7,
    "decline": 8,
    "second_hand": 9,
    "absent": 10,
    "no_more_bets": 16,
    "next_round": 17,
    "dealer_stand": 18,
    "collect": 19,
    "exposed": 20,
    "skipped": 21,
    "no_stake": 22,
    "rebet": 23,
    "change": 24,
    "open_table": 32,
    "close_table": 33,
    "shuffled": 34,
    "player_cut": 35,
    "second_cut": 36,
    "shoe_loaded": 37,
    "shoe_change": 38,
    "new_packs": 39,
    "first_dealer": 40,
    "void_request": 48,
    "void_round": 49,
    "resume": 50,
    "choose": 51,
    "approve": 52,
    "out_of_service": 53,
    "back_in_service": 54,
    "hand_over": 55,
    "take": 64,
    "pass": 65,
    "spades": 66,
    "hearts": 67,
    "diamonds": 68,
    "clubs": 69,
    "no_trump": 70,
    "all_trump": 71,
    "announce_run": 72,
    "announce_four": 73,
    "show": 74,
    "give_up": 75,
    "score": 76,
}
"""Word and code of every key: 1.. decisions, 16.. the round, 32.. the table, 48.. corrections, 64.. bids, combinations
and scores of games with tricks; gaps are for more."""
_KEY_WORDS = {code: word for word, code in KEY_CODES.items()}
_SUITS = "SHDC"
_PURPOSES = {"confirm": 1, "assign": 2, "found": 3, "shown": 4}
_LAMP_MODES = {"off": 0, "on": 1, "blink": 2}
LAMPS = 16
TEXT_LINES = 4
TEXT_WIDTH = 40
STAFF_CARD_MAX = 32
SPREAD_COUNTS = 52

_KEY_BODY = struct.Struct(">BBBBI")
_CARD_BODY = struct.Struct(">BBBBB")
_LAMP_BODY = struct.Struct(">BB")


class ConsoleEvent(IntEnum):
    """Event codes of a console."""

    KEY_PRESSED = 0x10
    CARD_NAMED = 0x11
    DECK_SPREAD = 0x12
    STAFF_CARD_PRESENTED = 0x13


class ConsoleCommand(IntEnum):
    """Command codes of a console."""

    SET_LAMP = 0x10
    SHOW_TEXT = 0x11


class ConsoleCodec:
    """The console's codes; see `drivers.native.codec.DeviceCodec`."""

    device_class = DeviceClass.CONSOLE
    capabilities = Capabilities(identity=True, replay=True, heartbeat=True)

    def encode_event(self, message: DeviceMessage) -> tuple[int, bytes]:
        """Code and body of an event. Raises ValueError for a message that a console cannot say."""
        try:
            match message:
                case KeyPressed(key, box, hand, person, value):
                    return ConsoleEvent.KEY_PRESSED, _KEY_BODY.pack(
                        _code(KEY_CODES, "key", key), box, hand, person, value
                    )
                case CardNamed(rank, suit, purpose, box, hand):
                    code = _code(_PURPOSES, "purpose", purpose)
                    body = _CARD_BODY.pack(rank, _suit_code(suit), code, box, hand)
                    _card_named(body)
                    return ConsoleEvent.CARD_NAMED, body
                case DeckSpread(counts):
                    if len(counts) != SPREAD_COUNTS or not all(0 <= count <= 255 for count in counts):
                        raise ValueError(f"a spread needs {SPREAD_COUNTS} counts of 0 to 255, not {counts}")
                    return ConsoleEvent.DECK_SPREAD, bytes(counts)
                case StaffCardPresented(card_id):
                    return ConsoleEvent.STAFF_CARD_PRESENTED, text_field(card_id, STAFF_CARD_MAX)
                case _:
                    raise ValueError(f"a console does not say {type(message).__name__}")
        except struct.error as problem:
            raise ValueError(f"{message} does not fit a console event: {problem}") from None

    def decode_event(self, code: int, body: bytes) -> DeviceMessage:
        """The message of an event. Raises PayloadError."""
        match code:
            case ConsoleEvent.KEY_PRESSED:
                return _key_pressed(body)
            case ConsoleEvent.CARD_NAMED:
                return _card_named(body)
            case ConsoleEvent.DECK_SPREAD:
                if len(body) != SPREAD_COUNTS:
                    raise malformed(f"a spread of {len(body)} counts, {SPREAD_COUNTS} are needed")
                return DeckSpread(tuple(body))
            case ConsoleEvent.STAFF_CARD_PRESENTED:
                fields = FieldReader(body)
                card_id = fields.text(STAFF_CARD_MAX)
                fields.end()
                return StaffCardPresented(card_id)
            case _:
                raise unknown("console event", code)

    def encode_command(self, command: DeviceCommand) -> tuple[int, bytes]:
        """Code and body of a command. Raises ValueError for one that a console cannot carry out."""
        match command:
            case SetLamp(lamp, mode):
                if not 0 <= lamp < LAMPS:
                    raise ValueError(f"lamp {lamp} does not exist; 0 to {LAMPS - 1} are allowed")
                return ConsoleCommand.SET_LAMP, _LAMP_BODY.pack(lamp, _code(_LAMP_MODES, "lamp mode", mode))
            case ShowText(line, text):
                if not 0 <= line < TEXT_LINES:
                    raise ValueError(f"text line {line} does not exist; 0 to {TEXT_LINES - 1} are allowed")
                return ConsoleCommand.SHOW_TEXT, bytes([line]) + text_field(_printable(text), TEXT_WIDTH)
            case _:
                raise ValueError(f"a console cannot {type(command).__name__}")

    def decode_command(self, code: int, body: bytes) -> DeviceCommand:
        """The command of these bytes. Raises PayloadError."""
        fields = FieldReader(body)
        match code:
            case ConsoleCommand.SET_LAMP:
                lamp, mode = fields.numbers(_LAMP_BODY)
                fields.end()
                if lamp >= LAMPS:
                    raise malformed(f"lamp {lamp} does not exist")
                return SetLamp(lamp, _word(_LAMP_MODES, "lamp mode", mode))
            case ConsoleCommand.SHOW_TEXT:
                line = fields.raw(1)[0]
                text = fields.text(TEXT_WIDTH)
                fields.end()
                if line >= TEXT_LINES:
                    raise malformed(f"text line {line} does not exist")
                return ShowText(line, text)
            case _:
                raise unknown("console command", code)


def _key_pressed(body: bytes) -> KeyPressed:
    fields = FieldReader(body)
    code, box, hand, person, value = fields.numbers(_KEY_BODY)
    fields.end()
    word = _KEY_WORDS.get(code)
    if word is None:
        raise unknown("key", code)
    return KeyPressed(word, box, hand, person, value)


def _card_named(body: bytes) -> CardNamed:
    fields = FieldReader(body)
    rank, suit, purpose, box, hand = fields.numbers(_CARD_BODY)
    fields.end()
    if not (1 <= rank <= 13 and 1 <= suit <= 4):
        raise malformed(f"rank {rank} and suit {suit} are no card")
    return CardNamed(rank, _SUITS[suit - 1], _word(_PURPOSES, "purpose", purpose), box, hand)


def _suit_code(suit: str) -> int:
    if suit not in tuple(_SUITS):
        raise ValueError(f"suit {suit!r} is unknown; S, H, D and C are allowed")
    return _SUITS.index(suit) + 1


def _code(table: dict[str, int], what: str, word: str) -> int:
    if word not in table:
        raise ValueError(f"{what} {word!r} is unknown; allowed are {', '.join(table)}")
    return table[word]


def _word(table: dict[str, int], what: str, code: int) -> str:
    for word, known in table.items():
        if known == code:
            return word
    raise unknown(what, code)


def _printable(text: str) -> str:
    return "".join(char if " " <= char <= "~" else "?" for char in text)[:TEXT_WIDTH]


DRIVER = NativeFactory("console", ConsoleCodec())
"""The driver of the dealer's console; options as in `drivers.native.factory.NativeFactory`."""
