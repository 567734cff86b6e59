"""Hostile bytes for every decoder, in short: `make soak` gives each of them a million. A planted fault is found."""

from __future__ import annotations

import zlib
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.fuzz import __main__ as command
from bench.fuzz import hostile, referees
from bench.fuzz.run import run, tried
from bench.fuzz.targets import TARGETS
from controller.app import deckregister
from drivers import trace
from drivers.native.fields import FieldReader
from drivers.readers import barcode, pn532_frames, rdm6300_frames
from drivers.shoes.angel_eye import telegram
from drivers.shoes.angel_eye.stream import StreamDecoder

FEW = {"register": 150, "trace": 600}
SLOW = frozenset({"register", "trace"})


@pytest.mark.parametrize("name", TARGETS)
def test_hostile_inputs_break_no_promise(name: str) -> None:
    found = run(TARGETS[name], FEW.get(name, 1500), seed=1)
    assert found.wrong == "", found.by.hex(" ")


@pytest.mark.parametrize("name", [name for name in TARGETS if name not in SLOW])
def test_any_bytes_break_no_promise(name: str) -> None:
    target = TARGETS[name]

    @given(st.binary(max_size=300), st.lists(st.sampled_from(target.seeds), max_size=3))
    def judged(noise: bytes, good: list[bytes]) -> None:
        assert tried(target, noise.join([b"", *good, target.dress(noise)]))[0] == ""

    judged()


@pytest.mark.parametrize("name", TARGETS)
def test_good_inputs_are_accepted(name: str) -> None:
    """A decoder that takes nothing would keep every promise."""
    if name != "pn532-driver":  # it takes answers to its own questions only
        assert any(TARGETS[name].judge(seed * 3) for seed in TARGETS[name].seeds)


def test_the_same_seed_gives_the_same_inputs() -> None:
    first, again, other = ([*hostile.inputs(TARGETS["native"], 20, seed)] for seed in (1, 1, 2))
    assert first == again != other


class Anything:
    """Equal to whatever it is compared with."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = None  # type: ignore[assignment]


class NoSum(int):
    """A sum to which nothing can be added."""

    def __add__(self, other: int) -> int:
        return 0


PLANTED: dict[str, tuple[Any, str, Any]] = {
    "angel-eye": (telegram, "block_check", lambda body: Anything()),
    "native": (zlib, "crc32", lambda body: Anything()),
    "pn532": (pn532_frames, "sum", NoSum),
    "rdm6300": (rdm6300_frames, "reduce", lambda how, raw: 0),
    "barcode": (barcode, "without_check", lambda text, check: text[:-1]),
    "payloads": (FieldReader, "end", lambda self: None),
    "console-driver": (FieldReader, "raw", lambda self, size: bytes(size)[: self._at] or b"\x00" * (size - 1)),
    "trace": (trace, "DIRECTIONS", "<>=+-!0123456789abcdefABCDEF"),
    "register": (deckregister, "errors_named", lambda path: nullcontext()),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, what, planted = PLANTED[name]
    monkeypatch.setattr(where, what, planted, raising=False)
    assert run(TARGETS[name], 40_000, seed=1).wrong


def test_a_buffer_without_a_bound_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StreamDecoder, "_drain", lambda self, items: None)
    assert "at most 32 are promised" in run(TARGETS["angel-eye"], 1000, seed=1).wrong


def test_the_referees_know_the_vectors_of_the_documentation() -> None:
    assert referees.angel_eye(0x31, 0x44, b"\x01\x38") == bytes.fromhex("05 31 44 81 B8 03 34 46")
    assert referees.crc32(b"123456789") == 0xCBF43926
    assert referees.pn532(bytes.fromhex("D4 02")) == bytes.fromhex("00 FF 02 FE D4 02 2A 00")
    assert referees.rdm6300("0A00A1B2C3")[0] == bytes.fromhex("02 30 41 30 30 41 31 42 32 43 33 44 41 03")
    assert referees.code_39("QH-D17")
    assert not referees.code_39("QH-D18")
    assert referees.uncobbled(referees.cobbled(b"\x00a\x00\x00b")) == b"\x00a\x00\x00b"
    assert referees.uncobbled(b"\x03a") is None


def test_the_command_says_what_was_wrong(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["fuzz", "--inputs", "4000", "--target", "rdm6300"]
    monkeypatch.setattr("sys.argv", arguments)
    assert command.main() == 0
    assert "nothing corrupt" in capsys.readouterr().out
    monkeypatch.setattr(rdm6300_frames, "reduce", lambda how, raw: 0)
    assert command.main() == 1
    said = capsys.readouterr().out
    assert "rdm6300: WrongError: accepted tag" in said
    assert "wrong: rdm6300" in said


def test_without_atheris_the_command_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["fuzz", "--guided"])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert command.main() == 0
    assert "atheris is not installed" in capsys.readouterr().out
