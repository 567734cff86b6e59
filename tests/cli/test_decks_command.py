"""decks: a deck enrolled through a simulated reader, then listed, exported, a card replaced, the deck retired."""

from __future__ import annotations

import csv
import json
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from controller.app.deckregister import DeckRegister
from controller.cli.guard import ExitCode
from controller.cli.main import run
from controller.clock import now_us
from controller.core.cards import DECK, Card
from firmware_sim.clock import RealClock
from firmware_sim.reader_pn532 import SimPn532
from firmware_sim.wire import FirmwareRunner, PtyWire

FAST = ["-d", "reader/pn532", "-o", "poll_ms=20", "-o", "confirm=1"]


def uid(number: int) -> str:
    return f"04{number:06X}"


@pytest.fixture
def register(tmp_path: Path) -> Path:
    """A register with the complete deck RED-1."""
    path = tmp_path / "decks.sqlite"
    with DeckRegister(path, now_us, create=True) as decks:
        decks.begin("RED-1")
        for number in range(52):
            decks.enrol("RED-1", uid(number))
    return path


class Reader(SimPn532):
    """Counts how often the host has looked into its field."""

    looks = 0

    def _look(self, code: int, body: bytes) -> None:
        super()._look(code, body)
        self.looks += 1


class Hand:
    """Lays one card after the other on the reader, each until it is enrolled and was looked at."""

    def __init__(self, reader: Reader, tags: list[str], path: Path) -> None:
        self.reader = reader
        self._tags = tags
        self._path = path
        self._stopping = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def stop(self) -> None:
        self._stopping.set()
        self.thread.join()

    def _run(self) -> None:
        for tag in self._tags:
            self.reader.lay(tag)
            before = self.reader.looks
            while self.reader.looks < before + 3 or not self._enrolled(tag):
                if self._stopping.wait(0.05):
                    return
            self.reader.lift(tag)
            if self._stopping.wait(0.1):
                return

    def _enrolled(self, tag: str) -> bool:
        if not self._path.exists():
            return False
        with DeckRegister(self._path, now_us, create=True) as decks:
            return any(entry.uid == tag for entry in decks.entries())


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    """A reader on a pty ``reader``."""
    firmware = Reader()
    runner = FirmwareRunner(firmware, PtyWire(tmp_path / "reader"), RealClock())
    yield firmware
    assert runner.stop()


def test_a_deck_is_enrolled_card_by_card_and_a_known_tag_is_refused(
    reader: Reader, register: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with DeckRegister(register, now_us) as decks:
        decks.begin("BLUE-1")
        for number in range(46):
            decks.enrol("BLUE-1", uid(1000 + number))
    hand = Hand(reader, [uid(7), *(uid(1046 + number) for number in range(6))], register)
    hand.thread.start()
    try:
        arguments = ["decks", "enrol", "BLUE-1", "-p", str(tmp_path / "reader"), "-r", str(register), *FAST]
        assert run(arguments) == ExitCode.OK
    finally:
        hand.stop()
    said = capsys.readouterr()
    assert "8♣ first" in said.out
    assert "47/52  8♣  04000416, next 9♣" in said.out
    assert "deck BLUE-1 is complete: 52 cards" in said.out
    assert f"tag {uid(7)} is the 8♠ of deck RED-1: take another card" in said.err
    with DeckRegister(register, now_us) as decks:
        assert decks.face_of(uid(1051)) is Card("KC")
    assert run(arguments) == ExitCode.CANNOT
    assert "deck BLUE-1 is complete already" in capsys.readouterr().err


def test_list_shows_every_deck(register: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with DeckRegister(register, now_us) as decks:
        decks.begin("BLUE-1")
    assert run(["decks", "list", "-r", str(register)]) == ExitCode.OK
    rows = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert any(row.startswith("RED-1 52/52 0 20") and row.endswith("in play") for row in rows)
    assert any(row.startswith("BLUE-1 0/52 0 20") and row.endswith("being enrolled") for row in rows)


def test_replace_retire_and_export(register: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ["-r", str(register)]
    assert run(["decks", "replace", "RED-1", "kd", "0400aa00", *at]) == ExitCode.OK
    assert "K♦ is tag 0400AA00 now, tag 04000026 is no card any more" in capsys.readouterr().out
    assert run(["decks", "retire", "RED-1", *at]) == ExitCode.OK
    capsys.readouterr()
    assert run(["decks", "export", *at]) == ExitCode.OK
    rows = list(csv.DictReader(StringIO(capsys.readouterr().out)))
    assert len(rows) == 53
    assert [row["card"] for row in rows if not row["replaced"]] == [card.text for card in DECK]
    assert [row["uid"] for row in rows if row["replaced"]] == ["04000026"]
    assert run(["decks", "export", "RED-1", "--json", *at]) == ExitCode.OK
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == rows


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["list", "-r", "none.sqlite"], ExitCode.CANNOT, "there is none; `tablewatch decks enrol` makes one"),
        (["replace", "RED-1", "XX", "04AABBCC"], ExitCode.USAGE, "'XX' is not a card"),
        (["replace", "RED-9", "KD", "04AABBCC"], ExitCode.CANNOT, "deck RED-9 is unknown; known are: RED-1"),
        (["replace", "RED-1", "KD", "zz"], ExitCode.CANNOT, "'ZZ' is no tag"),
        (["export", "RED-9"], ExitCode.CANNOT, "deck RED-9 is unknown"),
        (["enrol", "B", "-p", "x", "-d", "shoe/native"], ExitCode.USAGE, "shoe/native reads no tags; name a reader"),
        (["enrol", "B", "-p", "x", "-d", "reader/barcode"], ExitCode.USAGE, "reader/barcode reads no tags"),
        (["enrol", "B", "-p", "loop://", "-d", "reader/pn532"], ExitCode.USAGE, "Invalid value for PORT"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str], code: ExitCode, reason: str, register: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at = [] if "-r" in arguments else ["-r", str(register)]
    assert run(["decks", *arguments, *at]) == code
    assert reason in " ".join(capsys.readouterr().err.split())
    with DeckRegister(register, now_us) as decks:
        assert [deck.code for deck in decks.decks()] == ["RED-1"], "nothing is begun that cannot be enrolled"
