"""``tablewatch sim``: a simulated device on a pty or a TCP port, for whoever tests software of their own against it."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.text import Text

from controller.cli.drive import Deadline, describe
from controller.cli.faults import counted, fault_record
from controller.cli.guard import CannotError
from controller.cli.screen import Screen, output
from drivers.port_holders import is_recycled

if TYPE_CHECKING:
    from firmware_sim.faults import Faults
    from firmware_sim.mishaps import Mishap, Mishaps
    from firmware_sim.trials.rig import Trial
    from firmware_sim.wire import FirmwareRunner, Wire


class Kind(StrEnum):
    """What can be simulated."""

    SHOE = "shoe"
    READER = "reader"
    CONSOLE = "console"
    BETS = "bets"
    RACK = "rack"


USUAL: Final = {Kind.SHOE: "angel-eye", Kind.READER: "barcode"}
"""The dialect of a kind that has several; the others speak the native link only."""
STEP_S: Final = 0.05
SETTLE_S: Final = 5.0
"""How long the host may take to fetch what is left."""


def sim(
    kind: Annotated[Kind, typer.Argument(help="What to simulate.", show_default=False)],
    pty: Annotated[Path | None, typer.Option("--pty", help="Path of the pty.", show_default=False)] = None,
    tcp: Annotated[
        int | None, typer.Option("--tcp", min=0, max=65535, help="Port on loopback; 0: a free one.", show_default=False)
    ] = None,
    rfc2217: Annotated[bool, typer.Option("--rfc2217", help="Speak RFC 2217 on the TCP port.")] = False,
    dialect: Annotated[str, typer.Option("--dialect", help="The wire's language.", show_default=False)] = "",
    faults: Annotated[str, typer.Option("--faults", help="A profile or a TOML file.")] = "clean",
    seed: Annotated[int, typer.Option("--seed", help="Of what happens and what goes wrong.")] = 1,
    acts: Annotated[
        int | None, typer.Option("--acts", min=0, help="How many things happen; default: until Ctrl-C.")
    ] = None,
    pace: Annotated[float, typer.Option("--pace", min=0.1, max=100, help="1 is a dealer's own pace.")] = 1.0,
) -> None:
    """Simulate a device in use: cards are drawn, keys pressed, tags laid. What really happens is printed."""
    # Here and not above, so that a live table never loads the simulator.
    from firmware_sim.trials.registry import TRIALS

    name = dialect or USUAL.get(kind, "native")
    if (kind.value, name) not in TRIALS:
        known = ", ".join(known for kind_, known in TRIALS if kind_ == kind)
        raise typer.BadParameter(f"{name!r} is no language of a {kind}; allowed: {known}", param_hint="--dialect")
    record = fault_record(faults, seed)
    trial = TRIALS[kind.value, name]()
    # However it is asked to end, its port vanishes with it: the system soon gives the pty's name to another program.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    wire = _wire(pty, tcp, rfc2217)
    try:
        _Stage(trial, wire, record, output(), pace).play(f"{kind}/{name}", acts)
    finally:
        wire.close()


def _wire(pty: Path | None, tcp: int | None, rfc2217: bool) -> Wire:
    from firmware_sim.wire import PtyWire, Rfc2217Wire, TcpWire

    if (pty is None) == (tcp is None):
        raise typer.BadParameter("give either --pty PATH or --tcp PORT", param_hint="--pty")
    if rfc2217 and tcp is None:
        raise typer.BadParameter("is spoken over TCP: give --tcp PORT", param_hint="--rfc2217")
    try:
        if pty is not None:
            if pty.exists() and not pty.is_symlink():
                raise CannotError(f"{pty}: there is a file already; name a new path")
            if pty.exists() and not is_recycled(str(pty)):
                raise CannotError(f"{pty}: leads to {pty.resolve()} already; end what has that, or name a new path")
            return PtyWire(pty)
        return (Rfc2217Wire if rfc2217 else TcpWire)(port=tcp or 0)
    except OSError as error:
        where = str(pty) if pty is not None else f"TCP port {tcp}"
        why = os.strerror(error.errno) if error.errno else str(error)
        raise CannotError(f"{where}: {why}; choose another one") from None


class _Stage:
    """A device on its wire, and what is done with it."""

    def __init__(self, trial: Trial, wire: Wire, faults: Faults, screen: Screen, pace: float) -> None:
        from firmware_sim.clock import RealClock
        from firmware_sim.mishaps import Mishaps
        from firmware_sim.wire import FirmwareRunner

        self._trial = trial
        self._wire = wire
        self._screen = screen
        self._pace = pace
        self._told = 0
        self._mishaps: Mishaps = Mishaps(faults)
        self._random = random.Random(f"acts {faults.seed}")
        self._runner: FirmwareRunner = FirmwareRunner(trial.firmware, wire, RealClock(), faults)

    def play(self, name: str, acts: int | None) -> None:
        """Act until ``acts`` are done or Ctrl-C; then say what went wrong on the wire."""
        options = "".join(f" -o {key}='{value}'" for key, value in self._trial.options.items())
        self._say(
            f"{name} at {self._wire.url}; listen with: tablewatch console {self._wire.url} -d {name}{options}", "cyan"
        )
        done = 0
        try:
            self._say("waiting for a host")
            self._until(lambda: self._wire.attached, None)
            while acts is None or done < acts:
                if mishap := self._mishaps.before_act():
                    self._suffer(mishap)
                self._do(self._trial.act(self._mishaps, self._random, self))
                done += 1
            self._until(self._trial.settled, SETTLE_S)
        except KeyboardInterrupt:
            self._say("stopped")
        finally:
            self._runner.stop()
        counts = self._runner.injector.counts + self._mishaps.counts
        facts = f"{len(self._trial.truth)} facts, {self._trial.unseen} unseen"
        self._say(f"{done} acts, {facts}; faults: {counted(counts)}")

    def tell(self, command: object) -> int:
        """The host gives the commands here."""
        return 0

    def outcome(self, request: int) -> str:
        """Nothing is known about commands of the host."""
        return ""

    def _suffer(self, mishap: Mishap) -> None:
        from firmware_sim.mishaps import Mishap

        self._say(f"mishap: {mishap}", "yellow")
        match mishap:
            case Mishap.SWAP if (stranger := self._trial.stranger()) is not None:
                own = self._runner.exchange(stranger)
                self._sleep(self._mishaps.duration_ms(2000, 10_000))
                self._runner.exchange(own)
            case Mishap.UNPLUG | Mishap.SWAP:
                self._wire.unplug()
                self._runner.injector.cut()
                self._sleep(self._mishaps.duration_ms(300, 10_000))
                self._wire.replug()
            case Mishap.REBOOT | Mishap.REBOOT_BLANK:
                self._do(self._trial.restart(blank=mishap is Mishap.REBOOT_BLANK))
            case Mishap.CLOCK_JUMP:
                pass

    def _do(self, steps: Iterator[int]) -> None:
        for duration_ms in steps:
            self._tell_new()
            self._sleep(duration_ms)
        self._tell_new()

    def _tell_new(self) -> None:
        for fact in self._trial.truth[self._told :]:
            self._say(f"true: {_worded(fact)}", "bold")
        self._told = len(self._trial.truth)

    def _sleep(self, duration_ms: int) -> None:
        time.sleep(duration_ms / 1000 / self._pace)

    def _until(self, condition: Callable[[], bool], timeout_s: float | None) -> None:
        deadline = Deadline(timeout_s)
        while not condition() and not deadline.over:
            time.sleep(STEP_S)

    def _say(self, text: str, style: str = "") -> None:
        self._screen.print(Text(text, style))


def _worded(fact: object) -> str:
    """A fact as a person writes it."""
    if isinstance(fact, tuple):
        return " ".join(str(part) for part in fact)
    return describe(fact) if is_dataclass(fact) and not isinstance(fact, type) else str(fact)
