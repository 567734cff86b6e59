"""What a card of the Angel Eye shoe costs the driver, beside the time that its three copies take on the wire."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from rich.table import Table

from bench import waiting
from bench.fuzz import referees
from drivers.api import Report
from drivers.messages import CardDrawn
from drivers.session import DeviceSession
from drivers.shoes.angel_eye import DRIVER
from firmware_sim.ptys import PtyPort

COPIES: Final = 3
SPACING_S: Final = 0.05
"""From the beginning of one copy to that of the next."""
BITS_A_BYTE: Final = 10
"""8N1: a start bit, eight bits, a stop bit."""
CARD_S: Final = 60.0


class CodecError(RuntimeError):
    """A codec did not find what was sent, so that its figures would mean nothing. The text is one line."""


def any_card(rng: random.Random) -> int:
    """b2 of a telegram without bit 7: suit and rank."""
    return 16 * rng.randint(1, 4) + rng.randint(1, 13)


def cards(count: int, rng: random.Random) -> Iterator[bytes]:
    """Telegrams of so many cards, SEQ counting as a shoe's does."""
    for number in range(count):
        yield referees.angel_eye(0x31 + number % 9, ord("D"), bytes((0, any_card(rng))))


def driver_alone_ms(count: int, seed: int) -> float:
    """Processor time of the driver for a card whose three copies come byte by byte, in ms. Raises CodecError."""
    driver = DRIVER({})
    driver.connected("bench", 0)
    now_ms, heard = 0, 0
    began_s = time.process_time()
    for telegram in cards(count, random.Random(seed)):
        for _ in range(COPIES):
            now_ms += round(SPACING_S * 1000)
            for value in telegram:
                heard += _drawn(driver.receive(bytes((value,)), now_ms))
                heard += _drawn(driver.tick(now_ms))
    spent_s = time.process_time() - began_s
    _all_came(heard, count)
    return 1000 * spent_s / count


def in_session_ms(count: int, seed: int, baudrate: int) -> float:
    """Processor time of the port's thread for a card (poll, reads, driver, ticks between the copies), over a pty on
    which the bytes come in their own time, in ms. Takes 0.15 s a card. Raises CodecError."""
    heard = threading.Semaphore(0)

    def sink(_name: str, report: Report) -> None:
        if isinstance(report.message, CardDrawn):
            heard.release()

    with TemporaryDirectory(prefix="tablewatch-bench-") as folder:
        port = PtyPort(Path(folder) / "shoe")
        session = DeviceSession("bench", str(port.path), DRIVER({}), sink, line=DRIVER.line)
        session.start()
        try:
            waiting.until(lambda: port.attached, "the port is opened")
            clock = time.pthread_getcpuclockid(_thread_of(session))
            began_s = time.clock_gettime(clock)
            for telegram in cards(count, random.Random(seed)):
                _say(port, telegram, BITS_A_BYTE / baudrate)
                if not heard.acquire(timeout=CARD_S):
                    raise CodecError(f"no card came in {CARD_S:.0f} s")
            return 1000 * (time.clock_gettime(clock) - began_s) / count
        finally:
            session.stop()
            port.close()


def _thread_of(session: DeviceSession) -> int:
    return next(t.ident for t in threading.enumerate() if t.name == f"device-{session.name}" and t.ident is not None)


def _say(port: PtyPort, telegram: bytes, byte_s: float) -> None:
    """Three copies, each byte when a line of that speed has carried it."""
    begin_s = time.monotonic()
    for copy in range(COPIES):
        for at, value in enumerate(telegram, 1):
            time.sleep(max(0.0, begin_s + copy * SPACING_S + at * byte_s - time.monotonic()))
            port.write(bytes((value,)))
    time.sleep(max(0.0, begin_s + COPIES * SPACING_S - time.monotonic()))


def _drawn(reports: Sequence[Report]) -> int:
    return sum(isinstance(report.message, CardDrawn) for report in reports)


def _all_came(heard: int, count: int) -> None:
    if heard != count:
        raise CodecError(f"angel-eye: {heard} of {count} cards came")


def cost_of_a_card(seed: int, *, alone: int = 20_000, over_pty: int = 60) -> Table:
    """The Angel Eye driver against the wire's time for a card: ``alone`` and ``over_pty`` are cards. Raises
    CodecError."""
    baudrate = DRIVER.line.baudrate
    budget_ms = 1000 * COPIES * len(next(cards(1, random.Random(seed)))) * BITS_A_BYTE / baudrate
    table = Table(title=f"Processor time a card, Angel Eye at {baudrate} baud, three copies")
    for name in ("", "ms a card", "of the wire's time"):
        table.add_column(name, justify="right" if name else "left")
    table.add_row("on the wire", f"{budget_ms:.1f}", "")
    measured = (
        ("driver alone, byte by byte", driver_alone_ms(alone, seed)),
        ("port's thread over a pty", in_session_ms(over_pty, seed, baudrate)),
    )
    for name, cost_ms in measured:
        table.add_row(name, f"{cost_ms:.2f}", f"{100 * cost_ms / budget_ms:.1f} %")
    return table
