"""Targets: what cuts a wire's bytes into frames. What is accepted must have come with a right checksum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bench.fuzz import referees
from bench.fuzz.target import Target, WrongError, bounded, in_order, pieces
from drivers.messages import CardPresent
from drivers.native.frames import WIRE_MAX, Frame
from drivers.native.frames import FrameReader as NativeReader
from drivers.readers import barcode
from drivers.readers.lines import LINE_MAX, LineReader
from drivers.readers.pn532_frames import FrameReader as Pn532Reader
from drivers.readers.pn532_frames import Message
from drivers.readers.rdm6300_frames import Rejected, TagReader
from drivers.shoes.angel_eye.stream import StreamDecoder
from drivers.shoes.angel_eye.telegram import MAX_TELEGRAM, Telegram

PN532_LONGEST: Final = 255 + 64 + 8
"""One frame of the longest length, what is behind it in the same piece, and its head."""
RDM6300_LONGEST: Final = 16
RANKS: Final = {"A": 1, "1": 1, "T": 10, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 11)}
"""The words of a barcode reader's default pattern."""


def angel_eye(data: bytes) -> int:
    """Telegrams of the Angel Eye shoe."""
    decoder = StreamDecoder()
    accepted: list[bytes] = []
    for piece in pieces(data):
        for item in decoder.feed(piece):
            if isinstance(item, Telegram):
                accepted.append(referees.angel_eye(ord(item.seq), ord(item.kind), item.payload))
        bounded(decoder, MAX_TELEGRAM)
    return in_order(data, accepted)


def native(data: bytes) -> int:
    """Frames of the native link: exactly those that a second decoder finds."""
    reader = NativeReader()
    accepted = []
    for piece in pieces(data):
        for item in reader.feed(piece):
            if isinstance(item, Frame):
                accepted.append((int(item.kind), int(item.flags), item.sequence, item.payload))
        bounded(reader, WIRE_MAX)
    return _same(accepted, list(referees.native_frames(data)))


def pn532(data: bytes) -> int:
    """Frames of the PN532."""
    reader = Pn532Reader()
    accepted: list[bytes] = []
    for piece in pieces(data):
        for item in reader.feed(piece):
            if isinstance(item, Message):
                accepted.append(referees.pn532(bytes((item.tfi, item.code)) + item.data))
        bounded(reader, PN532_LONGEST)
    return in_order(data, accepted)


def rdm6300(data: bytes) -> int:
    """Tags of the RDM6300 and the ID-12."""
    reader = TagReader()
    accepted = 0
    for piece in pieces(data):
        for item in reader.feed(piece):
            if not isinstance(item, Rejected):
                accepted += 1
                if not any(frame in data for frame in referees.rdm6300(item)):
                    raise WrongError(f"accepted tag {item}, which never came")
        bounded(reader, RDM6300_LONGEST)
    return accepted


def lines(data: bytes) -> int:
    """Lines with a check character of a barcode reader, and the cards on them."""
    driver = barcode.DRIVER({"check": "mod43"})
    cutter = LineReader()
    driver.connected("fuzz", 0)
    accepted: list[tuple[int, str, str]] = []
    for piece in pieces(data):
        for report in driver.receive(piece, 0):
            if isinstance(card := report.message, CardPresent):
                accepted.append((card.rank, card.suit, card.deck_code))
        cutter.feed(piece)
        bounded(cutter, LINE_MAX)
    return _same(accepted, list(_cards(data)))


def _cards(data: bytes) -> list[tuple[int, str, str]]:
    """Cards of the default pattern with a right check character, read by hand."""
    found = []
    for line in data.replace(b"\r", b"\n").split(b"\n")[:-1]:
        text = line.decode("latin-1")
        if len(line) >= LINE_MAX or not referees.code_39(text):
            continue
        face, dash, deck = text[:-1].partition("-")
        rank, suit = RANKS.get(face[:-1]), face[-1:]
        named = 1 <= len(deck) <= 16 and all(char.isascii() and char.isalnum() for char in deck)
        if rank and suit in {"S", "H", "D", "C"} and named == bool(dash):
            found.append((rank, suit, deck))
    return found


def _same(accepted: Sequence[object], good: Sequence[object]) -> int:
    if accepted != good:
        wrong = next((item for item in accepted if item not in good), "too few or too many")
        raise WrongError(f"accepted {len(accepted)}, a second decoder {len(good)}; {wrong}")
    return len(accepted)


def _dressed_line(body: bytes) -> bytes:
    text = "".join(char for char in body.decode("latin-1") if char in referees.CODE_39)
    check = next(c for c, n in referees.CODE_39.items() if n == sum(referees.CODE_39[char] for char in text) % 43)
    return f"{text}{check}\r".encode()


def _dressed_telegram(body: bytes) -> bytes:
    inner = bytes(value | 0x80 if at > 1 else value for at, value in enumerate(body[1:-3])) + b"\x03"
    return b"\x05" + inner + b"%02X" % referees.exclusive_or(inner)


def _dressed_tag(body: bytes) -> bytes:
    return referees.rdm6300(body[:5].ljust(5, b"\x00").hex().upper())[len(body) % 2]


STREAMS: Final = (
    Target(
        "angel-eye",
        angel_eye,
        (
            bytes.fromhex("05 31 44 81 B8 03 34 46"),
            bytes.fromhex("05 32 47 91 03 45 37"),
            bytes.fromhex("05 33 43 03 37 33"),
            bytes.fromhex("05 34 45 C1 03 42 33"),
            bytes.fromhex("05 31 53 03 36 31"),
            b"\x06",
            b"\x15\x32\x31",
            referees.angel_eye(0x35, 0x4D, b"ABCDEF"),
        ),
        _dressed_telegram,
    ),
    Target(
        "native",
        native,
        (
            *(referees.native(kind, kind % 4, 1000 * kind, bytes(range(kind - 1))) for kind in range(1, 12)),
            referees.native(3, 0, 7, b"\x00" * 20),
            b"\x00",
        ),
        lambda body: referees.native(
            body[0] % 13 if body else 0, body[1] % 5 if len(body) > 1 else 0, len(body), body[2:]
        ),
    ),
    Target(
        "pn532",
        pn532,
        (
            bytes.fromhex("00 00 FF 00 FF 00"),
            bytes.fromhex("00 00 FF FF 00 00"),
            bytes.fromhex("00 00 FF 01 FF 7F 81 00"),
            bytes.fromhex("00 00 FF 06 FA D5 03 32 01 06 07 E8 00"),
            bytes.fromhex("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 04 A1 B2 C3 B4 00"),
            bytes.fromhex("00 00 FF 03 FD D5 4B 00 E0 00"),
        ),
        lambda body: b"\x00" + referees.pn532(b"\xd5" + body[:200]),
    ),
    Target(
        "rdm6300",
        rdm6300,
        (
            bytes.fromhex("02 30 41 30 30 41 31 42 32 43 33 44 41 03"),
            bytes.fromhex("02 30 41 30 30 41 31 42 32 43 33 44 41 0D 0A 03"),
        ),
        _dressed_tag,
    ),
    Target(
        "barcode",
        lines,
        (*(_dressed_line(text) for text in (b"QH-D1", b"10S-HOUSE7", b"AS", b"TC-9", b"1D")), b"NOREAD\n"),
        _dressed_line,
    ),
)
