"""The checks of every wire written down a second time, from docs/devices.md and docs/native-link.md: they share no line
with the drivers, so that a mistake there is not made here."""

from __future__ import annotations

from collections.abc import Iterator

NativeFrame = tuple[int, int, int, bytes]
"""kind, flags, sequence, payload"""

CODE_39 = {c: n for n, c in enumerate("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%")}


def exclusive_or(data: bytes) -> int:
    """All bytes, each a column of switches."""
    switches = 0
    for value in data:
        switches = (switches | value) - (switches & value)
    return switches


def angel_eye(seq: int, letter: int, payload: bytes) -> bytes:
    """A copy of a telegram on the wire; ``payload`` without bit 7."""
    body = bytes((seq, letter, *(128 + value for value in payload), 3))
    return b"\x05" + body + b"%02X" % exclusive_or(body)


def _crc_table() -> tuple[int, ...]:
    table = []
    for value in range(256):
        crc = value
        for _ in range(8):
            crc = (crc >> 1) ^ (0xEDB88320 if crc % 2 else 0)
        table.append(crc)
    return tuple(table)


_TABLE = _crc_table()


def crc32(data: bytes) -> int:
    """IEEE 802.3, reflected."""
    crc = 0xFFFFFFFF
    for value in data:
        crc = (crc >> 8) ^ _TABLE[(crc ^ value) % 256]
    return crc ^ 0xFFFFFFFF


def uncobbled(wire: bytes) -> bytes | None:
    """COBS undone; None for what is none."""
    out = bytearray()
    at = 0
    while at < len(wire):
        code = wire[at]
        block = wire[at + 1 : at + code]
        if code == 0 or len(block) != code - 1 or 0 in block:
            return None
        out += block
        at += code
        if code < 255 and at < len(wire):
            out.append(0)
    return bytes(out)


def cobbled(raw: bytes) -> bytes:
    """COBS done, for less than 254 bytes."""
    out = bytearray()
    for block in raw.split(b"\x00"):
        out.append(len(block) + 1)
        out += block
    return bytes(out)


def native(kind: int, flags: int, sequence: int, payload: bytes) -> bytes:
    """A frame of the native link on the wire."""
    body = bytes((1, kind, flags)) + sequence.to_bytes(2, "big") + bytes((len(payload),)) + payload
    return cobbled(body + crc32(body).to_bytes(4, "big")) + b"\x00"


def native_frames(stream: bytes) -> Iterator[NativeFrame]:
    """Every good frame of a stream."""
    for piece in stream.split(b"\x00")[:-1]:
        raw = uncobbled(piece) if 0 < len(piece) < 255 else None
        if raw is None or len(raw) < 10 or crc32(raw[:-4]) != int.from_bytes(raw[-4:], "big"):
            continue
        version, kind, flags, length = raw[0], raw[1], raw[2], raw[5]
        if version == 1 and length == len(raw) - 10 and 1 <= kind <= 11 and flags <= 3:
            yield kind, flags, int.from_bytes(raw[3:5], "big"), raw[6:-4]


def pn532(body: bytes) -> bytes:
    """A frame of the PN532 without the zero before it: TFI, code and data are the ``body``."""
    return b"\x00\xff" + bytes((len(body), -len(body) % 256)) + body + bytes((-sum(body) % 256, 0))


def rdm6300(uid: str) -> tuple[bytes, bytes]:
    """A tag on the wire, as the RDM6300 says it and as the ID-12."""
    check = exclusive_or(bytes.fromhex(uid))
    text = uid.encode() + b"%02X" % check
    return b"\x02" + text + b"\x03", b"\x02" + text + b"\r\n\x03"


def code_39(text: str) -> bool:
    """Whether the last character is the check character of those before it."""
    values = [CODE_39.get(char, -1) for char in text]
    return len(values) > 1 and min(values) >= 0 and sum(values[:-1]) % 43 == values[-1]
