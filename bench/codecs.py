"""``python -m bench.codecs``: frames a second of processor time that each codec decodes, and what a card costs."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from rich.console import Console
from rich.table import Table

from bench.card_cost import BITS_A_BYTE, CodecError, any_card, cost_of_a_card
from bench.fuzz import referees
from bench.stamp import commit, machine
from drivers.native.frames import FrameReader as NativeReader
from drivers.readers.lines import LineReader
from drivers.readers.pn532_frames import FrameReader as Pn532Reader
from drivers.readers.rdm6300_frames import TagReader
from drivers.shoes.angel_eye.stream import StreamDecoder

AT_LEAST_S: Final = 1.0
"""Processor time of one measurement."""
FRAMES: Final = 5000
"""Different ones, in the bytes that are decoded again and again."""
PIECE: Final = 64
"""Bytes a read gives; a serial adapter's packets have as many."""


class _Decoder(Protocol):
    def feed(self, data: bytes) -> Sequence[object]: ...


@dataclass(frozen=True, slots=True)
class Codec:
    """What cuts a wire of this ``baudrate`` into frames; ``frame`` makes a good one by chance, with the second
    encoders of `bench.fuzz`."""

    name: str
    baudrate: int
    make: Callable[[], _Decoder]
    frame: Callable[[random.Random], bytes]


def _telegram(rng: random.Random) -> bytes:
    return referees.angel_eye(rng.randint(0x31, 0x39), ord("D"), bytes((rng.randint(0, 10), any_card(rng))))


def _native(rng: random.Random) -> bytes:
    return referees.native(3, 0, rng.randrange(65536), rng.randbytes(40))


def _pn532(rng: random.Random) -> bytes:
    return b"\x00" + referees.pn532(bytes.fromhex("D5 4B 01 01 00 04 08 04") + rng.randbytes(4))


def _tag(rng: random.Random) -> bytes:
    return referees.rdm6300(rng.randbytes(5).hex().upper())[0]


def _line(rng: random.Random) -> bytes:
    return f"{rng.choice('A23456789TJQK')}{rng.choice('SHDC')}-D{rng.randint(1, 99)}\r".encode()


CODECS: Final = (
    Codec("angel-eye", 4800, StreamDecoder, _telegram),
    Codec("native", 115_200, NativeReader, _native),
    Codec("barcode", 9600, LineReader, _line),
    Codec("pn532", 115_200, Pn532Reader, _pn532),
    Codec("rdm6300", 9600, TagReader, _tag),
)


@dataclass(frozen=True, slots=True)
class Rate:
    """Frames of so many bytes that a codec decodes in a second of processor time, and that its line carries in one."""

    name: str
    frame_bytes: float
    decoded: float
    carried: float


def rate(codec: Codec, seed: int) -> Rate:
    """Decode until `AT_LEAST_S` have been spent. Raises CodecError when a frame was not found."""
    rng = random.Random(f"{codec.name} {seed}")
    wire = b"".join(codec.frame(rng) for _ in range(FRAMES))
    pieces = [wire[at : at + PIECE] for at in range(0, len(wire), PIECE)]
    began_s, found, sent = time.process_time(), 0, 0
    while time.process_time() - began_s < AT_LEAST_S:
        decoder = codec.make()
        found += sum(len(decoder.feed(piece)) for piece in pieces)
        sent += FRAMES
    spent_s = time.process_time() - began_s
    if found != sent:
        raise CodecError(f"{codec.name}: {found} of {sent} frames were found")
    size = len(wire) / FRAMES
    return Rate(codec.name, size, sent / spent_s, codec.baudrate / BITS_A_BYTE / size)


def rates(seed: int) -> Table:
    """A row for each codec. Raises CodecError."""
    table = Table(title="Frames a second of processor time")
    for name in ("codec", "bytes a frame", "decoded", "its line carries", "times the line"):
        table.add_column(name, justify="left" if name == "codec" else "right")
    for codec in CODECS:
        found = rate(codec, seed)
        share = f"{found.decoded / found.carried:,.0f}"
        line = f"{found.carried:,.0f} at {codec.baudrate}"
        table.add_row(found.name, f"{found.frame_bytes:.1f}", f"{found.decoded:,.0f}", line, share)
    return table


def main() -> int:
    """Measure and print; 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.codecs", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the frames (default: %(default)s)")
    given = parser.parse_args()
    console = Console()
    console.print(rates(given.seed), cost_of_a_card(given.seed))
    console.print(f"seed {given.seed}, commit {commit()}\n{machine()}", markup=False)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
