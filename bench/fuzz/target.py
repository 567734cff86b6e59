"""What is fuzzed: one decoder, inputs to begin with, and the judgement of an input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any


class WrongError(AssertionError):
    """A decoder broke a promise: it raised, kept too much, or accepted what is corrupt. The text says which."""


@dataclass(frozen=True, slots=True)
class Target:
    """One decoder. ``judge`` takes an input, answers how many frames, events or lines were accepted, and raises
    WrongError. ``seeds`` are good inputs that hostile ones are made of; ``dress`` gives a body a frame whose checksum
    is right, so that what is behind the checksum is reached, too."""

    name: str
    judge: Callable[[bytes], int]
    seeds: tuple[bytes, ...]
    dress: Callable[[bytes], bytes] = bytes


def pieces(data: bytes) -> Iterator[bytes]:
    """The input as a line might split it: at places that follow from the input itself, so that it can be repeated."""
    at = 0
    while at < len(data):
        size = 1 + data[at] % 64
        yield data[at : at + size]
        at += size


def bounded(decoder: object, limit: int) -> None:
    """The bytes that a decoder keeps. Raises WrongError when they are more than ``limit``."""
    kept = sum(len(value) for value in _fields(decoder) if isinstance(value, bytes | bytearray))
    if kept > limit:
        raise WrongError(f"{type(decoder).__name__} keeps {kept} bytes, at most {limit} are promised")


def in_order(data: bytes, frames: Sequence[bytes]) -> int:
    """All of these frames stand in ``data``, one behind the other; answers how many. Raises WrongError naming the first
    one that does not."""
    at = 0
    for frame in frames:
        found = data.find(frame, at)
        if found < 0:
            raise WrongError(f"accepted {frame.hex(' ')}, which never came")
        at = found + len(frame)
    return len(frames)


def _fields(decoder: object) -> Iterator[Any]:
    for cls in type(decoder).__mro__:
        for name in getattr(cls, "__slots__", ()):
            yield getattr(decoder, name, None)
    yield from vars(decoder).values() if hasattr(decoder, "__dict__") else ()
