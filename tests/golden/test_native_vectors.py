"""Bytes of the native link as literals: a mistake that driver and firmware share through their codec is caught here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drivers.bets import BetsCodec
from drivers.console import KEY_CODES, ConsoleCodec
from drivers.messages import (
    CardLaid,
    CardNamed,
    ChipsCollected,
    DeckSpread,
    DeviceCommand,
    DeviceMessage,
    KeyPressed,
    PayoutMade,
    SetLamp,
    ShowText,
    StaffCardPresented,
    WagerPlaced,
    WagerTakenBack,
)
from drivers.native.codec import DeviceCodec
from drivers.native.fields import NakReason
from drivers.native.frames import Flag, Frame, Kind
from drivers.native.hello import DeviceClass, Hello, HelloRequest, ResetReason
from drivers.native.payloads import (
    Ack,
    Address,
    CommandAnswer,
    CommandRequest,
    DeviceState,
    EventRecord,
    Heartbeat,
    Nak,
    Outcome,
    Payload,
    Query,
    Refusal,
    Replay,
    ReplayInfo,
)

DOC = Path(__file__).resolve().parents[2] / "docs" / "native-link.md"
CONSOLE, BETS = ConsoleCodec(), BetsCodec()
HERE = Address(0xA315D2D0, 0x00010001)

HELLO = Hello(
    nonce=0x0A0B0C0D,
    protocol_min=1,
    protocol_max=1,
    device_class=DeviceClass.CONSOLE,
    state=DeviceState.SIMULATED | DeviceState.LID_OPEN,
    capabilities=CONSOLE.capabilities,
    boot=0x00010001,
    reset_reason=ResetReason.POWER_ON,
    oldest=1,
    acked=2,
    last=7,
    image_hash=bytes(range(32)),
    model="TW-CONSOLE",
    serial="CN-1",
    hardware="A1",
    firmware="1.0.0",
)
FRAMES: list[tuple[int, Flag, Payload | Hello | HelloRequest, str]] = [
    (
        0,
        Flag.NONE,
        HelloRequest(0x0A0B0C0D, 0x11223344, 1, 1),
        "03 01 01 01 01 10 0A 0A 0B 0C 0D 11 22 33 44 01 01 32 12 FD ED 00",
    ),
    (
        1,
        Flag.NONE,
        HELLO,
        "03 01 02 01 0A 01 55 0A 0B 0C 0D 01 01 03 02 03 02 0B 02 01 03 01 01 01 01 02 01 01 01 02 02 01 "
        "01 02 07 3D 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 16 17 18 19 1A 1B 1C "
        "1D 1E 1F 0A 54 57 2D 43 4F 4E 53 4F 4C 45 04 43 4E 2D 31 02 41 31 05 31 2E 30 2E 30 07 3C 2E C4 00",
    ),
    (
        258,
        Flag.NONE,
        EventRecord(HERE, 0x00010001, 7, 123456, 0x10, bytes.fromhex("01 03 01 02 00 00 00 00")),
        "03 01 03 08 01 02 21 A3 15 D2 D0 02 01 02 01 02 01 02 01 01 01 02 07 01 01 01 01 09 01 E2 40 10 "
        "01 03 01 02 01 01 01 05 5B B0 49 6C 00",
    ),
    (2, Flag.NONE, Ack(HERE, 7), "03 01 04 01 07 02 0C A3 15 D2 D0 02 01 02 01 01 01 06 07 1A CC 84 BE 00"),
    (
        3,
        Flag.NONE,
        Nak(HERE, Kind.EVENT, 7, NakReason.UNKNOWN_CODE),
        "03 01 05 01 07 03 0E A3 15 D2 D0 02 01 03 01 03 01 01 07 07 01 BB DB AE 1E 00",
    ),
    (4, Flag.NONE, Replay(HERE, 5), "03 01 06 01 07 04 0C A3 15 D2 D0 02 01 02 01 01 01 06 05 D8 3C 3E E3 00"),
    (
        5,
        Flag.NONE,
        ReplayInfo(HERE, 5, 6, 7),
        "03 01 07 01 07 05 14 A3 15 D2 D0 02 01 02 01 01 01 02 05 01 01 02 06 01 01 06 07 97 8D 5F FD 00",
    ),
    (
        6,
        Flag.RETRANSMITTED,
        CommandRequest(HERE, 0x11223344, 9, 0x10, b"\x03\x02"),
        "04 01 08 01 07 06 13 A3 15 D2 D0 02 01 06 01 11 22 33 44 01 01 09 09 10 03 02 E5 ED B7 0C 00",
    ),
    (
        7,
        Flag.NONE,
        CommandAnswer(HERE, 0x11223344, 9, Outcome.REFUSED, Refusal.BUSY),
        "03 01 09 01 07 07 12 A3 15 D2 D0 02 01 06 01 11 22 33 44 01 01 08 09 01 05 B3 07 C2 C6 00",
    ),
    (
        8,
        Flag.NONE,
        Query(HERE, 0x11223344, 9),
        "03 01 0A 01 07 08 10 A3 15 D2 D0 02 01 06 01 11 22 33 44 01 01 06 09 EF A9 FA FC 00",
    ),
    (
        9,
        Flag.NONE,
        Heartbeat(HERE, DeviceState.SIMULATED | DeviceState.ATTACHED, 123456, 7, 1, 2, 3, 4),
        "03 01 0B 01 07 09 26 A3 15 D2 D0 02 01 02 01 02 11 01 01 01 01 04 01 E2 40 01 01 02 07 01 01 02 "
        "01 01 01 02 02 01 01 02 03 01 01 06 04 D8 4B 46 75 00",
    ),
]
EVENTS: list[tuple[DeviceCodec, DeviceMessage, int, str]] = [
    (CONSOLE, KeyPressed("hit", box=3, hand=1, person=2), 0x10, "01 03 01 02 00 00 00 00"),
    (CONSOLE, KeyPressed("player_cut", value=104), 0x10, "23 00 00 00 00 00 00 68"),
    (CONSOLE, CardNamed(12, "D", "assign", box=2, hand=1), 0x11, "0C 03 02 02 01"),
    (CONSOLE, CardNamed(11, "S", "shown", box=1, hand=1), 0x11, "0B 01 04 01 01"),
    (CONSOLE, KeyPressed("hearts", box=2, value=1), 0x10, "43 02 00 00 00 00 00 01"),
    (CONSOLE, KeyPressed("first_dealer", value=2), 0x10, "28 00 00 00 00 00 00 02"),
    (CONSOLE, DeckSpread((6,) * 52), 0x12, " ".join(["06"] * 52)),
    (CONSOLE, StaffCardPresented("FLOOR-7"), 0x13, "07 46 4C 4F 4F 52 2D 37"),
    (BETS, WagerPlaced(3, 1, "main", 250000), 0x20, "03 01 00 00 00 00 00 03 D0 90 01 00"),
    (BETS, PayoutMade(3, 1, "main:2", 1000), 0x23, "03 01 00 00 00 00 00 00 03 E8 01 01 32"),
    (BETS, WagerTakenBack(3, 1, "side:pairs", 5000), 0x21, "03 01 00 00 00 00 00 00 13 88 05 05 70 61 69 72 73"),
    (BETS, ChipsCollected(3, 1, "insurance", 125000), 0x22, "03 01 00 00 00 00 00 01 E8 48 04 00"),
    (BETS, PayoutMade(3, 2, "double", 500000), 0x23, "03 02 00 00 00 00 00 07 A1 20 02 00"),
    (BETS, WagerPlaced(1, 1, "split", 100), 0x20, "01 01 00 00 00 00 00 00 00 64 03 00"),
    (BETS, CardLaid(0, 1), 0x24, "00 01"),
]
COMMANDS: list[tuple[DeviceCommand, int, str]] = [
    (SetLamp(3, "blink"), 0x10, "03 02"),
    (ShowText(1, "Box 2: 17"), 0x11, "01 09 42 6F 78 20 32 3A 20 31 37"),
]
KINDS = [payload.kind.name for _, _, payload, _ in FRAMES]


def test_every_kind_has_a_vector() -> None:
    assert [kind.name for kind in Kind] == KINDS


@pytest.mark.parametrize(("sequence", "flags", "payload", "wire"), FRAMES, ids=KINDS)
def test_frames_are_these_bytes(sequence: int, flags: Flag, payload: Payload | Hello | HelloRequest, wire: str) -> None:
    frame = Frame(payload.kind, sequence, payload.to_payload(), flags)
    assert frame.to_bytes().hex(" ").upper() == wire
    assert Frame.from_bytes(bytes.fromhex(wire)[:-1]) == frame
    assert type(payload).from_payload(frame.payload) == payload


@pytest.mark.parametrize(("sequence", "flags", "payload", "wire"), FRAMES, ids=KINDS)
def test_the_bytes_follow_the_document(
    sequence: int, flags: Flag, payload: Payload | Hello | HelloRequest, wire: str
) -> None:
    raw = plain_cobs(bytes.fromhex(wire))
    assert raw[:6] == bytes([1, payload.kind, flags]) + sequence.to_bytes(2, "big") + bytes([len(raw) - 10])
    assert plain_crc32(raw[:-4]) == int.from_bytes(raw[-4:], "big")
    if payload.kind not in (Kind.HELLO, Kind.HELLO_REQ):
        assert raw[6:14] == plain_crc32(b"CN-1").to_bytes(4, "big") + bytes.fromhex("00 01 00 01")


@pytest.mark.parametrize(("codec", "message", "code", "body"), EVENTS)
def test_events_are_these_bytes(codec: DeviceCodec, message: DeviceMessage, code: int, body: str) -> None:
    assert codec.encode_event(message) == (code, bytes.fromhex(body))
    assert codec.decode_event(code, bytes.fromhex(body)) == message


@pytest.mark.parametrize(("command", "code", "body"), COMMANDS)
def test_commands_are_these_bytes(command: DeviceCommand, code: int, body: str) -> None:
    assert CONSOLE.encode_command(command) == (code, bytes.fromhex(body))
    assert CONSOLE.decode_command(code, bytes.fromhex(body)) == command


def test_the_document_has_the_same_bytes() -> None:
    text = " ".join(DOC.read_text(encoding="utf-8").split())
    for _, _, _, wire in FRAMES:
        assert wire in text
    for _, _, code, body in EVENTS:
        assert f"| {code:02X} | `{body}` |" in text or len(body) > 100
    for _, code, body in COMMANDS:
        assert f"| {code:02X} | `{body}` |" in text


def test_the_document_has_the_same_keys() -> None:
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \|", DOC.read_text(encoding="utf-8"), re.MULTILINE)
    assert {word: int(code) for code, word in rows} == KEY_CODES


def plain_cobs(wire: bytes) -> bytes:
    """COBS by the book, for frames whose every block is shorter than 254."""
    assert wire[-1] == 0
    at, out = 0, bytearray()
    while wire[at]:
        block = wire[at + 1 : at + wire[at]]
        assert 0 not in block
        out += block + b"\x00"
        at += wire[at]
    assert at == len(wire) - 1
    return bytes(out[:-1])


def plain_crc32(data: bytes) -> int:
    """CRC-32 of IEEE 802.3, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF
