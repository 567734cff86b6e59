"""Bytes of the readers' wires as literals, the same as in docs/devices.md; computed by hand from the rules there.

Those of the PN532's GetFirmwareVersion are the ones of its public manual.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.messages import CardPresent, DeviceMessage
from drivers.readers.barcode import DRIVER as BARCODE
from drivers.readers.pn532 import DRIVER as PN532
from drivers.readers.pn532_frames import ERROR_FRAME, Code, FrameReader, Item, Message, Signal
from drivers.readers.pn532_targets import uids_of
from drivers.readers.rdm6300 import DRIVER as RDM6300
from drivers.readers.rdm6300_frames import TagReader, tag_frame
from firmware_sim.reader_barcode import SimBarcodeReader
from firmware_sim.reader_pn532 import FIRMWARE_VERSION, SimPn532

DOC = (Path(__file__).resolve().parents[2] / "docs" / "devices.md").read_text(encoding="utf-8")
ONE_TAG = bytes.fromhex("01 01 00 04 08 04 04 A1 B2 C3")

PN532_FRAMES: list[tuple[str, Item]] = [
    ("00 00 FF 00 FF 00", Signal.ACK),
    ("00 00 FF FF 00 00", Signal.NACK),
    ("00 00 FF 01 FF 7F 81 00", Signal.ERROR),
    ("00 00 FF 02 FE D4 02 2A 00", Message(0xD4, Code.GET_FIRMWARE_VERSION)),
    ("00 00 FF 06 FA D5 03 32 01 06 07 E8 00", Message(0xD5, 3, FIRMWARE_VERSION)),
    ("00 00 FF 05 FB D4 14 01 00 00 17 00", Message(0xD4, Code.SAM_CONFIGURATION, bytes((1, 0, 0)))),
    ("00 00 FF 06 FA D4 32 05 FF 01 01 F4 00", Message(0xD4, Code.RF_CONFIGURATION, bytes((5, 0xFF, 1, 1)))),
    ("00 00 FF 04 FC D4 4A 02 00 E0 00", Message(0xD4, Code.LIST_PASSIVE_TARGET, bytes((2, 0)))),
    ("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 04 A1 B2 C3 B4 00", Message(0xD5, 0x4B, ONE_TAG)),
    ("00 00 FF 03 FD D5 4B 00 E0 00", Message(0xD5, 0x4B, b"\0")),
]
TAGS = {"02 30 41 30 30 41 31 42 32 43 33 44 41 03": False, "02 30 41 30 30 41 31 42 32 43 33 44 41 0D 0A 03": True}
CARDS: list[tuple[str, str, DeviceMessage]] = [
    ("51 48 0D", "none", CardPresent("swipe", 12, "H")),
    ("31 30 53 2D 48 37 0D 0A", "none", CardPresent("swipe", 10, "S", "H7")),
    ("51 48 2D 44 31 37 0A", "mod43", CardPresent("swipe", 12, "H", "D1")),
]


@pytest.mark.parametrize(("wire", "item"), PN532_FRAMES)
def test_frames_of_the_pn532(wire: str, item: Item) -> None:
    assert FrameReader().feed(bytes.fromhex(wire)) == [item]
    assert not isinstance(item, Message) or item.to_bytes() == bytes.fromhex(wire)
    assert f"`{wire}`" in DOC


def test_the_targets_of_the_vector() -> None:
    assert uids_of(ONE_TAG) == frozenset({"04A1B2C3"})
    assert ERROR_FRAME.hex(" ").upper() == "00 00 FF 01 FF 7F 81 00"


def test_what_the_driver_of_the_pn532_says_first() -> None:
    driver, module, said = PN532({}), SimPn532(), b""
    driver.connected("c", 0)
    for now_ms in range(0, 400, 10):
        driver.tick(now_ms)
        out = driver.outgoing()
        said += out
        module.receive(out, now_ms)
        module.tick(now_ms)
        while unit := module.outgoing():
            driver.receive(unit, now_ms)
    wake = "55 55 00 00 00" + " 00" * 16
    version, sam, rf, poll = (PN532_FRAMES[at][0] for at in (3, 5, 6, 7))
    assert said.startswith(bytes.fromhex(" ".join((wake, version, sam, rf, poll))))


@pytest.mark.parametrize(("wire", "crlf"), TAGS.items())
def test_frames_of_rdm6300_and_id12(wire: str, crlf: bool) -> None:
    assert TagReader().feed(bytes.fromhex(wire)) == ["0A00A1B2C3"]
    assert tag_frame("0A00A1B2C3", crlf=crlf) == bytes.fromhex(wire)
    assert f"`{wire}`" in DOC


def test_two_reads_of_a_tag_are_an_event() -> None:
    driver = RDM6300({})
    driver.connected("c", 0)
    wire = bytes.fromhex(next(iter(TAGS)))
    assert [report.identity for report in driver.receive(wire * 2, 5)] == ["rdm6300:c:1"]


@pytest.mark.parametrize(("wire", "check", "message"), CARDS)
def test_lines_of_barcode_readers(wire: str, check: str, message: DeviceMessage) -> None:
    driver = BARCODE({"check": check})
    driver.connected("c", 0)
    assert [report.message for report in driver.receive(bytes.fromhex(wire), 0)] == [message]
    assert f"`{wire}`" in DOC


def test_the_simulated_reader_writes_the_same_line() -> None:
    reader = SimBarcodeReader(end="\n", check="mod43")
    reader.swipe(12, "H", "D1")
    assert reader.outgoing() == bytes.fromhex("51 48 2D 44 31 37 0A")
