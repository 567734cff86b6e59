"""Targets: whole drivers, from bytes and time to reports. Nothing may raise, and no more may be kept or said than was
fed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from bench.fuzz import referees
from bench.fuzz.streams import STREAMS
from bench.fuzz.target import Target, WrongError, pieces
from drivers.api import Driver
from drivers.bets import DRIVER as BETS
from drivers.console import DRIVER as CONSOLE
from drivers.messages import Lock
from drivers.native.frames import Kind
from drivers.native.payloads import Address
from drivers.rack import DRIVER as RACK
from drivers.readers.barcode import DRIVER as BARCODE
from drivers.readers.pn532 import DRIVER as PN532
from drivers.readers.rdm6300 import DRIVER as RDM6300
from drivers.shoes.angel_eye import DRIVER as ANGEL_EYE
from drivers.shoes.native import DRIVER as SHOE

CONNECTION: Final = "fuzz"
SERIAL: Final = b"CN-1"
SAID_A_BYTE: Final = 64
"""More bytes to the device for each byte from it would be a flood."""
SAID_AT_LEAST: Final = 4096
KINDS_COUNTED: Final = 64
LONGEST_STEP_MS: Final = 400


def judge(make: Callable[[], Driver], data: bytes) -> int:
    """Feed the bytes, with pauses that follow from them, and take everything that the driver says as durable."""
    driver = make()
    driver.command(Lock(), 1)
    reports = list(driver.connected(CONNECTION, 0))
    now_ms = said = 0
    for piece in pieces(data):
        now_ms += piece[0] * LONGEST_STEP_MS // 255
        reports += (*driver.receive(piece, now_ms), *driver.tick(now_ms))
        said += len(driver.outgoing())
        for report in reports:
            if report.reliable:
                driver.committed(report.identity)
    reports += driver.disconnected("the end", now_ms)
    if said > SAID_AT_LEAST + SAID_A_BYTE * len(data):
        raise WrongError(f"{said} bytes said to a device that said {len(data)}")
    if len(driver.counters.extra) > KINDS_COUNTED:
        raise WrongError(f"{len(driver.counters.extra)} kinds of things counted")
    identities = [report.identity for report in reports if report.identity]
    if len(set(identities)) != len(identities):
        raise WrongError("one identity given twice")
    return len(identities)


def _hello(device_class: int) -> bytes:
    nonce = zlib.crc32(f"{CONNECTION}:1".encode())
    fixed = f"{nonce:08X} 01 01 {device_class:02X} 0001 000B 00010001 01 00000001 00000000 00000003" + "00" * 32
    texts = b"\x02TW" + bytes((len(SERIAL),)) + SERIAL + b"\x02A1\x051.0.0"
    return referees.native(Kind.HELLO, 0, 1, bytes.fromhex(fixed) + texts)


def _event(number: int, body: str) -> bytes:
    address = Address.of(SERIAL.decode(), 0x00010001).to_bytes()
    head = bytes.fromhex(f"00010001 {number:08X} 0000000000001000")
    return referees.native(Kind.EVENT, 0, number, address + head + bytes.fromhex(body))


def _native(name: str, factory: _Make, device_class: int, *bodies: str) -> Target:
    hello = _hello(device_class)
    events = [_event(number, body) for number, body in enumerate(bodies, 1)]
    seeds = (hello, hello + b"".join(events), *events)
    return Target(f"{name}-driver", partial(judge, lambda: factory({"allow_simulated": True})), seeds)


_Make = Callable[[Mapping[str, object]], Any]
_DIALECTS: Final[Mapping[str, _Make]] = {
    "angel-eye": ANGEL_EYE,
    "barcode": BARCODE,
    "pn532": PN532,
    "rdm6300": RDM6300,
}
WHOLE: Final = (
    *(
        Target(f"{stream.name}-driver", partial(judge, partial(_DIALECTS[stream.name], {})), stream.seeds, stream.dress)
        for stream in STREAMS
        if stream.name in _DIALECTS
    ),
    _native("shoe", SHOE, 1, "30 08 01 00 00 01 00", "31 01", "33 06 03"),
    _native("console", CONSOLE, 3, "10 01 03 01 02 00 00 00 00", "11 0C 03 02 02 01", "13 07 46 4C 4F 4F 52 2D 37"),
    _native("bets", BETS, 4, "20 03 01 00 00 00 00 00 03 D0 90 01 00", "24 00 01", "20 00"),
    _native("rack", RACK, 5, "40 00 39", "41 07 04 A1 B2 C3 D4 E5 F6", "42"),
)
