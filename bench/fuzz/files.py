"""Targets: files that people copy about, damaged: a recorded trace and the deck register."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from bench.fuzz.target import Target, WrongError
from controller.app.deckregister import DeckRegister
from controller.app.deckregister_file import RegisterError
from controller.core.cards import DECK
from drivers.trace import read_trace

MEMORY: Final = Path("/dev/shm")
DECK_CODE: Final = "HOUSE-7"
TRUTH: Final = {f"04{number:06X}": card for number, card in enumerate(DECK, 1)}
WHOLE_FILE: Final = 0xFF
"""An input that begins so is the whole file; any other one is places and bytes to write over a good one."""


@cache
def folder() -> Path:
    """Where files are written: in memory where the system has that, and removed at the end."""
    made = Path(tempfile.mkdtemp(prefix="tablewatch-fuzz-", dir=MEMORY if MEMORY.is_dir() else None))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def trace(data: bytes) -> int:
    """A trace: each accepted line says its bytes in hex, behind one of three directions."""
    path = folder() / "fuzz.trace"
    path.write_bytes(data)
    lines = path.read_text(encoding="ascii", errors="replace").split("\n")
    accepted = 0
    try:
        for chunk, line in zip(read_trace(path), lines, strict=False):
            accepted += 1
            _time, direction, digits = (*line.split(" ", 2), "", "")[:3]
            said = "".join(digits.split()).lower()
            if (chunk.direction, chunk.data.hex()) != (direction, said) or direction not in {"<", ">", "="}:
                raise WrongError(f"accepted {chunk} for {line!r}")
    except ValueError as error:
        if "line " not in str(error):
            raise WrongError(f"refused without naming the line: {error!r}") from error
    return accepted


@cache
def good_register() -> bytes:
    """The file of a register with one enrolled deck."""
    path = folder() / "good.sqlite"
    with DeckRegister(path, lambda: 1_000_000, create=True) as register:
        register.begin(DECK_CODE)
        for uid in TRUTH:
            register.enrol(DECK_CODE, uid)
    return path.read_bytes()


def register(data: bytes) -> int:
    """A deck register: it is refused, or each tag is the card that was enrolled, or none."""
    path = folder() / "fuzz.sqlite"
    path.write_bytes(data[1:] if data[:1] == bytes((WHOLE_FILE,)) else _patched(data))
    known = 0
    try:
        with DeckRegister(path, lambda: 1_000_000) as opened:
            opened.decks()
            for uid, card in TRUTH.items():
                face = opened.face_of(uid)
                known += face is not None
                if face not in {None, card}:
                    raise WrongError(f"tag {uid} is {face}, enrolled as {card}")
            opened.entries()
    except RegisterError:
        return 0
    return known


def _patched(data: bytes) -> bytes:
    """A good file with one byte changed for each four of the input: three for the place, one for what is put there."""
    found = bytearray(good_register())
    for at in range(0, len(data) - 3, 4):
        found[int.from_bytes(data[at : at + 3], "big") % len(found)] = data[at + 3]
    return bytes(found)


FILES: Final = (
    Target(
        "trace",
        trace,
        (
            b"2031-02-03T04:05:06.000Z = 61 31\n",
            b"2031-02-03T04:05:06.789Z < 05 31 44 81 b8 03 34 46\n",
            b"2031-02-03T04:05:07.001Z > 02 4f\n",
            b"2031-02-03T04:05:07.002Z <> 02 4f\n",
        ),
    ),
    Target("register", register, (b"\x00\x01\x80Q", b"\x00\x20\x10S\x00\x30\x07H", b"\xffSQLite format 3\x00", b"")),
)
