"""Targets: what is inside a frame whose checksum is right. What is accepted says the same bytes again, and no more than
a table knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from bench.fuzz.target import Target, WrongError
from drivers.bets import BetsCodec
from drivers.console import ConsoleCodec
from drivers.messages import CardDrawn, CardNamed, DeviceMessage, PayoutMade, TagSeen, WagerPlaced
from drivers.native.codec import DeviceCodec
from drivers.native.fields import PayloadError
from drivers.native.hello import Hello, HelloRequest
from drivers.native.payloads import (
    Ack,
    CommandAnswer,
    CommandRequest,
    EventRecord,
    Heartbeat,
    Nak,
    Query,
    Replay,
    ReplayInfo,
)
from drivers.rack import RackCodec
from drivers.readers.pn532_targets import uids_of
from drivers.shoes.angel_eye.meaning import SenselessTelegramError, messages_of
from drivers.shoes.angel_eye.telegram import PAYLOAD_BYTES, Kind, Telegram
from drivers.shoes.native import ShoeCodec


class _Record(Protocol):
    def to_payload(self) -> bytes: ...


CODECS: Final[tuple[DeviceCodec, ...]] = (ShoeCodec(), ConsoleCodec(), BetsCodec(), RackCodec())
RECORDS: Final[tuple[Callable[[bytes], _Record], ...]] = (
    HelloRequest.from_payload,
    EventRecord.from_payload,
    Ack.from_payload,
    Nak.from_payload,
    Replay.from_payload,
    ReplayInfo.from_payload,
    CommandRequest.from_payload,
    CommandAnswer.from_payload,
    Query.from_payload,
    Heartbeat.from_payload,
)
MOST_MINOR: Final = 2**53 - 1
_EVENTS, _COMMANDS, _RECORDS, _HELLO, _TELEGRAM, _TAGS = range(6)


def judge(data: bytes) -> int:
    """The first byte says what the rest is: event or command, record of the link, telegram, list of tags."""
    if len(data) < 2:
        return 0
    what, which, rest = data[0] % 6, data[1], data[2:]
    try:
        return _read(what, which, rest)
    except (PayloadError, SenselessTelegramError):
        return 0


def _read(what: int, which: int, rest: bytes) -> int:
    codec = CODECS[which % len(CODECS)]
    code, body = (rest[0], rest[1:]) if rest else (0, b"")
    if what == _EVENTS:
        message = codec.decode_event(code, body)
        _same(codec.encode_event(message), (code, body))
        return _sensible(message)
    if what == _COMMANDS:
        command = codec.decode_command(code, body)
        _same(codec.decode_command(*codec.encode_command(command)), command)
        return 1
    if what == _RECORDS:
        _same(RECORDS[which % len(RECORDS)](rest).to_payload(), rest)
        return 1
    if what == _HELLO:
        hello = Hello.from_payload(rest)
        _same(Hello.from_payload(hello.to_payload()), hello)
        return 1
    if what == _TAGS:
        return _tags(rest)
    return _telegram(list(Kind)[which % len(Kind)], rest)


def _telegram(kind: Kind, rest: bytes) -> int:
    payload = bytes(value & 0x7F for value in rest[: PAYLOAD_BYTES[kind]].ljust(PAYLOAD_BYTES[kind], b"\x00"))
    for message in messages_of(Telegram("1", kind, payload)):
        if isinstance(message, CardDrawn):
            suit = {1: "D", 2: "C", 3: "S", 4: "H"}.get(payload[1] // 16)
            _same((message.rank, message.suit), (payload[1] % 16, suit))
            _sensible(message)
    return 1


def _tags(rest: bytes) -> int:
    uids = uids_of(rest)
    for uid in uids or ():
        if bytes.fromhex(uid) not in rest:
            raise WrongError(f"accepted tag {uid}, which never came")
    return 0 if uids is None else 1


def _sensible(message: DeviceMessage) -> int:
    match message:
        case CardDrawn(rank, suit) | CardNamed(rank, suit):
            fits = 1 <= rank <= 13 and suit in {"S", "H", "D", "C"}
        case WagerPlaced(amount_minor=amount) | PayoutMade(amount_minor=amount):
            fits = 1 <= amount <= MOST_MINOR
        case TagSeen(uid=uid):
            fits = 8 <= len(uid) <= 20
        case _:
            fits = True
    if not fits:
        raise WrongError(f"accepted {message}")
    return 1


def _same(again: object, came: object) -> None:
    if again != came:
        raise WrongError(f"accepted {came!r}, which says {again!r}")


def _seeds() -> tuple[bytes, ...]:
    events = (
        ("30", "08 01 00 00 01 00"),
        ("30", "0C 02 01 00 D0 07 48 4F 55 53 45 2D 37"),
        ("33", "06 03"),
        ("35", "01 01"),
    )
    console = (("10", "01 03 01 02 00 00 00 00"), ("11", "0C 03 02 02 01"), ("13", "07 46 4C 4F 4F 52 2D 37"))
    bets = (("20", "03 01 00 00 00 00 00 03 D0 90 01 00"), ("21", "03 01 00 00 00 00 00 00 13 88 05 05 70 61 69 72 73"))
    rack = (("40", "00 39"), ("41", "07 04 A1 B2 C3 D4 E5 F6"))
    found = [
        bytes((_EVENTS, number)) + bytes.fromhex(code + body)
        for number, bodies in enumerate((events, console, bets, rack))
        for code, body in bodies
    ]
    found += [bytes((_COMMANDS, 1)) + bytes.fromhex(body) for body in ("10 03 02", "11 01 03 42 6F 78")]
    found += [bytes((_COMMANDS, 0)) + bytes.fromhex(body) for body in ("30", "34 01 01")]
    found += [bytes((_RECORDS, number)) + bytes(range(size)) for number, size in enumerate((10, 30, 12, 14, 12, 20))]
    found += [bytes((_RECORDS, number)) + bytes(range(size)) for number, size in ((6, 25), (7, 18), (8, 16), (9, 38))]
    hello = "0A0B0C0D 01 01 03 0003 000B 00010001 01 00000001 00000002 00000007" + "00" * 32
    found.append(bytes((_HELLO, 0)) + bytes.fromhex(hello) + b"\x02TW\x04CN-1\x02A1\x051.0.0")
    found.append(bytes((_TAGS, 0)) + bytes.fromhex("02 01 00 04 08 04 04 A1 B2 C3 02 00 04 08 04 04 A1 B2 C4"))
    found += [bytes((_TELEGRAM, number, 1, 0x38, 65, 66, 67, 68)) for number in range(len(Kind))]
    return tuple(found)


PAYLOADS: Final = (Target("payloads", judge, _seeds()),)
