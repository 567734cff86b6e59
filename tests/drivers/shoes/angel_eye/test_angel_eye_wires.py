"""The whole way: simulated firmware, a bad line, a real pty or TCP connection, the session's thread, the driver."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bench import waiting
from drivers.api import Report
from drivers.messages import (
    CardDrawn,
    CardUnreadable,
    ClearError,
    CommandResult,
    ConfirmGame,
    CutCardDrawn,
    DeviceCommand,
    DeviceGap,
    LineFault,
    LinkChanged,
    LinkState,
    Lock,
    OutOfGame,
    ShoeError,
    ShoeStandBy,
    ShoeStarted,
    Unlock,
)
from drivers.session import Backoff, DeviceSession
from drivers.shoes.angel_eye import DRIVER
from drivers.shoes.angel_eye.host_command import REFUSALS, BccSpan
from firmware_sim.clock import RealClock
from firmware_sim.faults import Faults
from firmware_sim.shoe import CUT_CARD, AngelEyeShoe, Loaded, ShoeCard
from firmware_sim.wire import FirmwareRunner, PtyWire, Rfc2217Wire, TcpWire, Wire

SPEED = 20.0


def pack(count: int, seed: int = 1) -> list[Loaded]:
    """Cards in a random order with the cut card in the middle."""
    source = random.Random(seed)
    cards: list[Loaded] = [ShoeCard(source.randint(1, 13), source.choice("SHDC")) for _ in range(count)]
    return [*cards[: count // 2], CUT_CARD, *cards[count // 2 :]]


@dataclass(slots=True)
class Rig:
    """A shoe, its wire, and a session that listens to it."""

    shoe: AngelEyeShoe
    wire: Wire
    runner: FirmwareRunner
    session: DeviceSession
    reports: list[Report] = field(default_factory=list)

    @property
    def messages(self) -> list[object]:
        """All messages so far."""
        return [report.message for report in self.reports]

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition; fails after a generous while."""
        waiting.until(condition, lambda: self.messages[-10:])

    def until_link(self, state: LinkState, times: int = 1) -> None:
        """Wait until the link was in this state so many times."""
        self.until(lambda: [m.state for m in self.messages if isinstance(m, LinkChanged)].count(state) >= times)

    def cards(self) -> list[Loaded]:
        """What the driver saw leave the shoe."""
        return [
            ShoeCard(message.rank, message.suit) if isinstance(message, CardDrawn) else CUT_CARD
            for message in self.messages
            if isinstance(message, CardDrawn | CutCardDrawn)
        ]

    def result(self, command: DeviceCommand) -> CommandResult:
        """Give a command and wait for what became of it."""
        request = self.session.command(command)
        found: list[CommandResult] = []

        def answered() -> bool:
            found.extend(m for m in self.messages if isinstance(m, CommandResult) and m.request == request)
            return bool(found)

        self.until(answered)
        return found[0]


Make = Callable[..., Rig]
WIRES = ("pty", "socket", "rfc2217")


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes rigs that are listening; afterwards all end in time and leave no thread."""
    before = set(threading.enumerate())
    rigs: list[Rig] = []

    def build(
        wire: str = "pty", cards: list[Loaded] | None = None, faults: Faults | None = None, **options: object
    ) -> Rig:
        span = BccSpan(str(options.get("command_bcc_span", "with_stx")))
        shoe = AngelEyeShoe(pack(10) if cards is None else cards, command_bcc_span=span)
        wires: dict[str, Callable[[], Wire]] = {
            "pty": lambda: PtyWire(tmp_path / "shoe"),
            "socket": TcpWire,
            "rfc2217": Rfc2217Wire,
        }
        end: Wire = wires[wire]()
        runner = FirmwareRunner(shoe, end, RealClock(SPEED), faults)
        reports: list[Report] = []
        session = DeviceSession(
            "shoe",
            end.url,
            DRIVER({"copies_within_ms": 0, **options}),
            lambda _name, report: reports.append(report),
            line=DRIVER.line,
            backoff=Backoff(initial_s=0.05, maximum_s=0.2),
        )
        rigs.append(Rig(shoe, end, runner, session, reports))
        session.start()
        rigs[-1].until_link(LinkState.UP)
        return rigs[-1]

    yield build
    for rig in rigs:
        assert rig.session.stop()
        assert rig.runner.stop()
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("wire", WIRES)
def test_a_hundred_cards_over_a_bad_line_come_in_order(make: Make, wire: str) -> None:
    faults = Faults(
        seed=5, drop_copy=0.35, corrupt_copy=0.25, truncate_copy=0.1, split=0.3, glue=0.2, noise=0.2, intact_copies=1
    )
    rig = make(wire, cards=pack(100), faults=faults)
    while rig.shoe.draw() is not None:
        time.sleep(0.001)
    rig.until(lambda: len(rig.cards()) >= 101)
    rig.until(lambda: rig.shoe.quiet)
    assert rig.cards() == list(rig.shoe.dealt)
    assert not [m for m in rig.messages if isinstance(m, DeviceGap)]
    assert len({report.identity for report in rig.reports if report.identity}) == 101
    counts = rig.runner.injector.counts
    assert min(counts[kind] for kind in ("drop_copy", "corrupt_copy", "truncate_copy", "split", "glue", "noise")) > 5
    assert rig.session.driver.counters.bad_checksum > 0


@pytest.mark.parametrize("wire", WIRES)
def test_commands_and_refusals(make: Make, wire: str) -> None:
    rig = make(wire)
    assert rig.result(Lock()).outcome == "done"
    rig.until(lambda: rig.shoe.locked)
    assert rig.result(Unlock()).outcome == "done"
    rig.until(lambda: not rig.shoe.locked)
    rig.shoe.refuse_next("21")
    refused = rig.result(Lock())
    assert (refused.outcome, refused.code) == ("refused", "busy")
    rig.until(lambda: not rig.shoe.locked)
    assert rig.result(ClearError()).outcome == "done"
    assert rig.result(ConfirmGame()).outcome == "done"
    rig.until(lambda: ShoeStandBy() in rig.messages)


def test_every_refusal_code_comes_through(make: Make) -> None:
    rig = make()
    for code, wording in REFUSALS.items():
        rig.shoe.refuse_next(code)
        assert rig.result(Unlock()).code == wording.word


def test_the_other_checksum_span(make: Make) -> None:
    rig = make(command_bcc_span="from_command")
    assert rig.result(Lock()).outcome == "done"


def test_a_wrong_checksum_span_is_refused_and_says_which_setting(make: Make, tmp_path: Path) -> None:
    rig = make("socket")
    rig.session.stop()
    other = DeviceSession(
        "shoe",
        rig.wire.url,
        DRIVER({"command_bcc_span": "from_command"}),
        lambda _name, report: rig.reports.append(report),
        line=DRIVER.line,
    )
    rig.session = other
    other.start()
    rig.until_link(LinkState.UP, 2)
    refused = rig.result(Lock())
    assert (refused.outcome, refused.code) == ("refused", "bad_checksum")
    assert "command_bcc_span" in refused.reason


def test_after_a_lock_exactly_one_card_more_comes(make: Make) -> None:
    rig = make()
    rig.result(Lock())
    throat = rig.shoe.draw()
    assert isinstance(throat, ShoeCard)
    assert rig.shoe.draw() is None
    rig.until(lambda: len(rig.cards()) == 1)
    card = next(m for m in rig.messages if isinstance(m, CardDrawn))
    assert (card.rank, card.suit, card.out_of_game) == (throat.rank, throat.suit, OutOfGame.LOCKED)


def test_an_unreadable_card_then_clear_error(make: Make) -> None:
    rig = make()
    rig.shoe.draw_unreadable()
    rig.until(lambda: any(isinstance(m, CardUnreadable) for m in rig.messages))
    assert ShoeError(1, "unreadable", active=True, in_error_mode=True) in rig.messages
    assert rig.result(ClearError()).outcome == "done"
    rig.until(lambda: ShoeError(1, "unreadable", active=False, in_error_mode=False) in rig.messages)
    assert rig.cards() == []


@pytest.mark.parametrize("wire", WIRES)
def test_unplugging_and_plugging_in_again(make: Make, wire: str) -> None:
    rig = make(wire)
    first = rig.shoe.draw()
    rig.until(lambda: rig.cards() == [first])
    rig.until(lambda: rig.shoe.quiet)
    rig.wire.unplug()
    rig.until_link(LinkState.DOWN)
    rig.until(lambda: any(isinstance(m, LineFault) for m in rig.messages))
    lost = rig.shoe.draw()
    rig.until(lambda: rig.shoe.quiet)
    rig.wire.replug()
    rig.until_link(LinkState.UP, 2)
    second = rig.shoe.draw()
    rig.until(lambda: rig.cards() == [first, second])
    gap = next(m for m in rig.messages if isinstance(m, DeviceGap))
    assert lost is not None
    assert gap.missing == 1


def test_a_reboot_with_the_same_sequence(make: Make) -> None:
    same = ShoeCard(8, "S")
    rig = make(cards=[same, same])
    rig.shoe.draw()
    rig.until(lambda: rig.shoe.quiet)
    rig.shoe.reboot()
    rig.shoe.draw()
    rig.until(lambda: rig.cards() == [same, same])
    assert ShoeStarted() in rig.messages
    assert not [m for m in rig.messages if isinstance(m, DeviceGap)]


def test_a_silent_shoe_is_down_and_up_again_when_it_speaks(make: Make) -> None:
    """TCP stays open all the time: only the silence limit can tell."""
    rig = make("socket", silence_limit_s=1.0)
    rig.result(Unlock())
    rig.shoe.power_off()
    rig.until_link(LinkState.DOWN)
    assert "no reply to a probe" in str(rig.messages[-1])
    rig.shoe.power_on()
    rig.until_link(LinkState.UP, 2)
    rig.until(lambda: ShoeStarted() in rig.messages)


def test_a_command_to_a_deaf_shoe_is_unknown(make: Make) -> None:
    rig = make()
    rig.shoe.set_deaf(on=True)
    assert rig.result(Lock()).outcome == "unknown"
    drawn = rig.shoe.draw()
    rig.until(lambda: rig.cards() == [drawn])


def test_a_second_opener_of_the_shoes_port_is_told(make: Make) -> None:
    rig = make()
    said: list[object] = []
    second = DeviceSession(
        "b", rig.wire.url, DRIVER({}), lambda _n, report: said.append(report.message), line=DRIVER.line
    )
    second.start()
    rig.until(lambda: any(isinstance(m, LineFault) and "in use by" in m.reason for m in said))
    assert second.stop()
    drawn = rig.shoe.draw()
    rig.until(lambda: rig.cards() == [drawn])
