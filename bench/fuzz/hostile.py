"""Hostile inputs by chance and seed: good ones cut, glued, damaged, repeated, and noise."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from bench.fuzz.target import Target

LONGEST: Final = 4096
CONTROLS: Final = bytes.fromhex("00 02 03 05 06 0a 0d 15 ff")
"""Bytes that begin or end something on one of the wires."""

_Change = Callable[[random.Random, bytearray], None]


def inputs(target: Target, count: int, seed: int) -> Iterator[bytes]:
    """So many inputs; the same target and seed give the same ones."""
    rng = random.Random(f"{target.name} {seed}")
    for _ in range(count):
        yield one(target, rng)


def one(target: Target, rng: random.Random) -> bytes:
    """An input: two thirds are damaged good ones, the rest has a right checksum around damaged content, or is noise."""
    kind = rng.random()
    if kind < 0.08:
        return rng.randbytes(rng.randrange(LONGEST if kind < 0.004 else 200))
    if kind < 0.34:
        made = b"".join(target.dress(_damaged(rng, rng.choice(target.seeds))[:200]) for _ in range(rng.randint(1, 3)))
        return made[:LONGEST]
    return _damaged(rng, b"".join(rng.choices(target.seeds, k=rng.randint(1, 4))))[:LONGEST]


def _damaged(rng: random.Random, good: bytes) -> bytes:
    data = bytearray(good)
    for _ in range(rng.randint(0, 5)):
        if data:
            rng.choice(_CHANGES)(rng, data)
    return bytes(data)


def _flip(rng: random.Random, data: bytearray) -> None:
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _set(rng: random.Random, data: bytearray) -> None:
    data[rng.randrange(len(data))] = rng.choice((rng.randrange(256), rng.choice(CONTROLS)))


def _insert(rng: random.Random, data: bytearray) -> None:
    at = rng.randint(0, len(data))
    data[at:at] = rng.choice((rng.randbytes(rng.randint(1, 8)), bytes((rng.choice(CONTROLS),))))


def _cut(rng: random.Random, data: bytearray) -> None:
    begin = rng.randrange(len(data))
    del data[begin : begin + rng.randint(1, 8)]


def _repeat(rng: random.Random, data: bytearray) -> None:
    begin = rng.randrange(len(data))
    piece = data[begin : begin + rng.randint(1, 40)]
    data[begin:begin] = piece * rng.randint(1, 3)


def _end(rng: random.Random, data: bytearray) -> None:
    del data[rng.randrange(len(data)) :]


_CHANGES: Final[tuple[_Change, ...]] = (_flip, _flip, _set, _insert, _cut, _repeat, _end)
