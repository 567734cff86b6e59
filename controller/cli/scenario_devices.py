"""A bench of real drivers: simulated devices on cables of memory and virtual time, the engine on a real journal.

Nothing here waits: time passes only as the devices and their drivers need it, so a round takes milliseconds. The
shoe is never told to lock: a scenario decides itself what comes out of it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, assert_never

from controller.app.audit import Audit
from controller.app.engine import Engine, TableSetup
from controller.app.patience import Idle
from controller.app.scenario.acts import (
    Cable,
    Commanded,
    Drawn,
    Manner,
    Primitive,
    Restarted,
    Said,
    Seen,
    ShoeTrouble,
    Waited,
)
from controller.app.scenario.bench import ERROR_CODES, START_US, Recorded, command_of, shoe_of, wirings_of
from controller.app.scenario.load import Scenario
from controller.app.sources import sources_of
from controller.cli.scenario_cables import Firmware, MemoryCable
from controller.core.cards import Card
from controller.core.state import TableState
from controller.journal.chain import StoredEvent
from controller.journal.signing import Signer, load_or_make_key
from controller.journal.store import Journal
from controller.journal.verify import verify
from drivers.api import Report
from drivers.shoes.angel_eye.meaning import ErrorCode
from firmware_sim.bets import SimBetSensor
from firmware_sim.console import SimConsole
from firmware_sim.reader_barcode import SimBarcodeReader
from firmware_sim.shoe import CUT_CARD, AngelEyeShoe, Loaded, ShoeCard

TICK_MS: Final = 10
IDLE_TICK_MS: Final = 100
"""The longest a driver may be left alone."""
LONGEST_ACT_MS: Final = 120_000
"""Virtual time within which everything an act causes has happened, on the worst of lines."""
SPARE_CARD: Final = ShoeCard(2, "C")
"""The card that a shoe fails to read: nobody ever sees its face."""
CALM_TICKS: Final = 60
"""Ticks without a report after which a bad line holds nothing back any more."""

MEMORY: Final = "/dev/shm"
"""Where Linux keeps files in memory."""


@dataclass(slots=True)
class _Outlet:
    """What the engine says after a commit: devices are acknowledged, and the record is kept for a look."""

    acknowledge: Callable[[str, str], None]
    events: list[StoredEvent] = field(default_factory=list)

    def acknowledged(self, device: str, identity: str) -> None:
        """See `controller.app.engine.Outlet`."""
        self.acknowledge(device, identity)

    def committed(self, events: tuple[StoredEvent, ...], state: TableState) -> None:
        """See `controller.app.engine.Outlet`."""
        self.events.extend(events)


class DeviceBench:
    """See `controller.app.scenario.bench.Bench`."""

    def __init__(self, scenario: Scenario, folder: Path, signer: Signer, bad_lines: int | None = None) -> None:
        """Plug everything in. ``folder`` takes the journal; ``bad_lines`` is the seed of line faults, None for good
        lines."""
        self._scenario = scenario
        self.journal_path = folder / "scenario.journal"
        self._signer = signer
        self._bad = bad_lines is not None
        self._now_ms = 0
        self._connections = 0
        self._console = SimConsole(memory_id=1)
        self._bets = SimBetSensor(memory_id=2)
        self._outlet = _Outlet(self._acknowledge)
        self._wirings = wirings_of(scenario)
        self._shoes = {name: AngelEyeShoe() for name in self._named("shoe")}
        self._readers = {name: SimBarcodeReader() for name in self._named("reader")}
        devices: dict[str, Firmware] = {**self._shoes, "console": self._console, "bets": self._bets, **self._readers}
        self._cables = {
            name: MemoryCable.make(self._wirings[name], firmware, None if bad_lines is None else bad_lines + number)
            for number, (name, firmware) in enumerate(devices.items())
        }
        self._open()
        self._run()

    @property
    def state(self) -> TableState:
        """The table as it stands."""
        return self._engine.state

    @property
    def line_faults(self) -> int:
        """How many units of the devices' telegrams the lines have lost, damaged, held back or torn."""
        return sum(cable.line.counts.total() for cable in self._cables.values())

    def perform(self, act: Primitive) -> list[Recorded]:
        """Carry out one act, until all that it causes has happened."""
        self._outlet.events.clear()
        match act:
            case Drawn() | ShoeTrouble():
                self._at_the_shoe(act)
            case Seen(device, card):
                self._at_the_reader(self._readers[device], card)
            case Said(device, message):
                (self._console if device == "console" else self._bets).record(message)
            case Commanded():
                self._engine.apply([command_of(act, self._scenario)], self._at_us)
            case Cable():
                self._touch(self._cables[act.device], act)
            case Waited(duration_ms):
                self._idle.waits(self.state, duration_ms / 1000)
                self._wait(duration_ms)
                self._engine.apply(self._idle.silent(self.state), self._at_us)
                self._engine.apply(self._idle.over(self.state), self._at_us)
            case Restarted():
                self._journal.close()
                self._open()
            case _:
                assert_never(act)
        self._run()
        return [Recorded(e.type, e.data()) for e in self._outlet.events]

    def faults(self) -> tuple[str, ...]:
        """What an audit finds wrong with the journal: chain, signatures, and whether its fold is the table's state."""
        self._engine.checkpoint(self._at_us)
        report = verify(self.journal_path, self._signer.public_key, fold_check=Audit(self.journal_path))
        return tuple(finding.line() for finding in report.findings)

    def close(self) -> None:
        """Close the journal and take its folder away."""
        self._journal.close()
        shutil.rmtree(self.journal_path.parent)

    @property
    def _at_us(self) -> int:
        return START_US + self._now_ms * 1000

    def _open(self) -> None:
        """Start the controller on the journal, with drivers that know nothing but what was heard durably."""
        scenario = self._scenario
        self._idle = Idle(scenario.game)
        self._journal = Journal.open(self.journal_path, "scenario", "table", signer=self._signer)
        sources = sources_of(scenario.file.sources, self._wirings.values())
        setup = TableSetup(
            scenario.game,
            scenario.rules,
            self._wirings,
            scenario.staff,
            "scenario",
            simulated=True,
            sources=sources,
        )
        self._engine = Engine(setup, self._journal, self._signer, self._outlet)
        self._engine.start(self._at_us)
        for cable in self._cables.values():
            cable.renew(self._engine.heard.get(cable.name, ""))
            if cable.plugged:
                self._connect(cable)

    def _acknowledge(self, device: str, identity: str) -> None:
        self._cables[device].driver.committed(identity)

    def _connect(self, cable: MemoryCable) -> None:
        self._connections += 1
        self._report(cable, cable.connect(f"c{self._connections}", self._now_ms))

    def _report(self, cable: MemoryCable, reports: Sequence[Report]) -> None:
        for report in reports:
            self._engine.report(cable.name, report, self._at_us)

    def _named(self, kind: str) -> list[str]:
        return [name for name, wiring in self._wirings.items() if wiring.kind == kind]

    # Acts

    def _at_the_shoe(self, act: Drawn | ShoeTrouble) -> None:
        name = shoe_of(act, self.state)
        shoe = self._shoes[name]
        if isinstance(act, ShoeTrouble):
            if act.cleared:
                shoe.clear_error()
            else:
                shoe.fail(ErrorCode(ERROR_CODES[act.word]), in_error_mode=False)
            return
        shoe.load((_loaded(act),))
        match act.manner:
            case Manner.USUAL | Manner.CUT_CARD:
                shoe.draw()
            case Manner.UNREADABLE:
                shoe.draw_unreadable(in_error_mode=False)
            case Manner.LOCKED:
                shoe.turn_key(locked=True)
                shoe.draw()
                shoe.turn_key(locked=False)
            case Manner.OVERDRAWN:
                shoe.overdraw()
                shoe.clear_error()
            case Manner.LOST:
                with self._cables[name].losing():
                    shoe.draw()
                    self._run()
            case _:
                assert_never(act.manner)

    def _at_the_reader(self, reader: SimBarcodeReader, card: Card | None) -> None:
        if card is None:
            reader.swipe_unreadable()
        else:
            reader.swipe(int(card.rank), card.suit.value)

    def _touch(self, cable: MemoryCable, act: Cable) -> None:
        match act.what:
            case "unplug" if cable.plugged:
                self._report(cable, cable.pull(self._now_ms))
            case "plug" if not cable.plugged:
                self._connect(cable)
            case "reboot":
                cable.reboot()
            case "unplug" | "plug":
                pass
            case _:
                assert_never(act.what)

    def _wait(self, duration_ms: int) -> None:
        until_ms = self._now_ms + duration_ms
        while self._now_ms < until_ms:
            self._now_ms = min(until_ms, self._now_ms + IDLE_TICK_MS)
            self._exchange()

    # Time

    def _run(self) -> None:
        """Let time pass until nothing is under way."""
        calm, limit_ms = 0, self._now_ms + LONGEST_ACT_MS
        while calm < (CALM_TICKS if self._bad else 1):
            calm = 0 if self._exchange() or not all(c.settled for c in self._cables.values()) else calm + 1
            self._now_ms += TICK_MS
            if self._now_ms > limit_ms:
                raise AssertionError(f"an act is not over after {LONGEST_ACT_MS} ms")

    def _exchange(self) -> bool:
        """Both ends of every cable, once; whether something was reported."""
        reported = False
        for cable in self._cables.values():
            reports = cable.listen(self._now_ms)
            self._report(cable, reports)
            cable.answer(self._now_ms)
            reported = reported or bool(reports)
        return reported


def _loaded(act: Drawn) -> Loaded:
    if act.manner is Manner.CUT_CARD:
        return CUT_CARD
    return ShoeCard(int(act.card.rank), act.card.suit.value) if act.card else SPARE_CARD


def _memory() -> str | None:
    """A folder in memory where there is one: a journal that nobody keeps need not wait for a disk at every commit."""
    return MEMORY if os.path.isdir(MEMORY) and os.access(MEMORY, os.W_OK) else None


class Workshop:
    """Makes benches in temporary folders, which it takes away at its end. A context manager."""

    def __init__(self, bad_lines: int | None = None) -> None:
        """``bad_lines``: see `DeviceBench`."""
        self._bad_lines = bad_lines
        self._benches: list[DeviceBench] = []
        self._folder = tempfile.TemporaryDirectory(prefix="tablewatch-scenario-", dir=_memory())
        try:
            self._signer = load_or_make_key(Path(self._folder.name) / "scenario.key")
        except BaseException:
            self._folder.cleanup()
            raise

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def bench(self, scenario: Scenario) -> DeviceBench:
        """A bench with a journal of its own. Raises JournalError when none can be made."""
        folder = Path(self._folder.name) / str(len(self._benches))
        folder.mkdir()
        self._benches.append(DeviceBench(scenario, folder, self._signer, self._bad_lines))
        return self._benches[-1]

    @property
    def line_faults(self) -> int:
        """What the lines of all benches have suffered."""
        return sum(bench.line_faults for bench in self._benches)
