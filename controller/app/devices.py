"""The table's devices: their sessions, and what the table tells them after a commit."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from controller.adapters.camera import camera_wiring
from controller.adapters.link import Wiring
from controller.app.camera.session import CameraSession
from controller.app.camera.settings import eye_settings
from controller.app.config import ConfigError, DeviceSection, TableConfig
from controller.app.payloads import Counters
from controller.app.picture import Display
from controller.app.plugins import load_driver
from controller.app.screens import Screen
from controller.app.sources import reported
from controller.core.sources.fusion import NOTHING, Fusion
from controller.core.wires import Known
from drivers.api import Driver, LineSettings, Report
from drivers.messages import ClearError, CommandResult, ConfirmGame, DeviceCommand, Lock, Unlock
from drivers.ports import refuse_taken
from drivers.readers.options import SWIPE, spot_of
from drivers.session import DeviceSession

Sink = Callable[[str, Report], None]
MOST_DEATHS: Final = 8
"""Bugs that a device may meet before its session is not begun again: the record must not fill with one that comes each
time."""


class Devices:
    """Sessions of all devices by name. Methods may be called from the writer's thread; none waits."""

    def __init__(self, config: TableConfig, sink: Sink) -> None:
        """Makes every driver; opens nothing. Raises ConfigError for a driver, an option or the camera."""
        self._sessions: dict[str, DeviceSession] = {}
        self.wirings: dict[str, Wiring] = {}
        self._kinds: dict[str, str] = {}
        self._screens: dict[str, Screen] = {}
        self._locked: dict[str, bool] = {}
        self._online: set[str] = set()
        self._sections: dict[str, tuple[str, DeviceSection]] = {}
        self._simulation = config.table.simulation
        self._sink = sink
        self._deaths: Counter[str] = Counter()
        self._dead: set[str] = set()
        self._belongs: dict[str, Known] = {}
        self.camera: CameraSession | None = None
        if config.camera is not None:
            name, settings = config.camera.name, eye_settings(config.camera)
            self.wirings[name] = camera_wiring(name, settings.positions.values())
            self.camera = CameraSession(name, settings, sink)
        for index, section in enumerate(config.device):
            self._sections[section.name] = (f"device.{index}", section)
            session = self._sessions[section.name] = self._made(section.name)
            self.wirings[section.name] = wiring_of(section, session.driver)
            self._kinds[section.name] = section.kind
            if section.kind == "console":
                self._screens[section.name] = Screen(partial(self._tell, section.name))

    def refuse_rivals(self) -> None:
        """Before anything is written: no other process, a second controller say, keeps a port of this table for itself.
        Raises PortError naming it."""
        for _key, section in self._sections.values():
            refuse_taken(section.port)

    def resume(self, heard: Mapping[str, str], fusion: Fusion = NOTHING) -> None:
        """Before `start`: the last durable event of each device; one that keeps its events goes on behind it. A camera
        is told what it has reported of the cards that lie, as ``fusion`` has it."""
        if self.camera is not None:
            self.camera.resume(reported(fusion, self.camera.name, self.camera.positions))
        for name, identity in heard.items():
            if name in self._sessions:
                self._resume(name, identity)

    def expect(self, known: Iterable[Known]) -> None:
        """Before `start`, after `resume`: the serial numbers that belong to devices, by the record."""
        for each in known:
            if each.device in self._sessions:
                self._belongs[each.device] = each
                self._expect(each)

    def pair(self, device: str, serial: str) -> None:
        """A supervisor let the device with this serial number in; only a driver that refused one is ever told so."""
        self.expect((Known(device, serial, paired=True),))

    def start(self) -> None:
        """Start every session."""
        for session in self._all():
            session.start()

    def stop(self) -> None:
        """Stop every session."""
        for session in self._all():
            session.stop()

    def died(self) -> tuple[tuple[str, str], ...]:
        """Devices whose session was ended by a bug since this was asked last, each with the bug in one line."""
        ended = {session.name: session.ended_by for session in self._all() if not session.alive}
        found = tuple((name, bug) for name, bug in ended.items() if bug and name not in self._dead)
        for name, _bug in found:
            self._dead.add(name)
            self._deaths[name] += 1
        return found

    def revive(self, heard: Mapping[str, str]) -> None:
        """Begin the sessions that died anew, behind the last durable event of each device; one that died `MOST_DEATHS`
        times stays away."""
        for name in [n for n in self._dead if self._deaths[n] < MOST_DEATHS]:
            self._dead.discard(name)
            if self.camera is not None and name == self.camera.name:
                self.camera = self.camera.anew()
                self.camera.start()
                continue
            self._sessions[name] = self._made(name)
            if name in heard:
                self._resume(name, heard[name])
            if name in self._belongs:
                self._expect(self._belongs[name])
            self._sessions[name].start()

    def acknowledged(self, device: str, identity: str) -> None:
        """The event of this identity is durable."""
        self._sessions[device].committed(identity)

    def came_online(self, device: str) -> None:
        """A device came back: what it shows and whether it is locked must be told again."""
        self._online.add(device)
        self._locked.pop(device, None)
        if device in self._screens:
            self._screens[device].came_online()

    def forget(self, device: str) -> None:
        """A command that the device was given did not arrive: its lock is told again with the next change."""
        self._locked.pop(device, None)

    def went_offline(self, device: str) -> None:
        """A device is away: nothing is told to it until it comes back."""
        self._online.discard(device)
        if device in self._screens:
            self._screens[device].went_offline()

    def show(self, display: Display, *, at_once: bool = False) -> None:
        """Bring every console up to date; only what changed is sent, and nothing that is outdated meanwhile, unless it
        must go out ``at_once``."""
        for screen in self._screens.values():
            screen.show(display, at_once=at_once)

    def lock(self, locked: bool, idle: Callable[[str], bool] = lambda name: False) -> None:
        """Lock or unlock every shoe that can be, those that are ``idle`` in any case; only changes are sent."""
        for name in self._of_kind("shoe"):
            wanted = locked or idle(name)
            if self.wirings[name].capabilities.lock and self._locked.get(name) is not wanted:
                self._locked[name] = wanted
                self._tell(name, Lock() if wanted else Unlock())

    def clear_errors(self) -> None:
        """A supervisor freed the table: shoes leave their error mode."""
        for name in self._of_kind("shoe"):
            self._tell(name, ClearError())

    def round_over(self) -> None:
        """Tell the shoes that the round is over."""
        for name in self._of_kind("shoe"):
            self._tell(name, ConfirmGame())

    def counters(self) -> dict[str, Counters]:
        """Link counters by device, for telemetry."""
        return {name: Counters.of(session.driver.counters) for name, session in self._sessions.items()}

    @property
    def card_sources(self) -> tuple[str, ...]:
        """The devices that cards come from, in the order of the configuration: shoes, or readers that each card
        passes."""
        return tuple(wiring.name for wiring in self.wirings.values() if wiring.sees_cards)

    def _made(self, name: str) -> DeviceSession:
        key, section = self._sections[name]
        driver, line = make_driver(section, key, self._simulation)
        return DeviceSession(name, section.port, driver, self._hear, line=line, trace=section.trace)

    def _resume(self, name: str, identity: str) -> None:
        resume_from = getattr(self._sessions[name].driver, "resume_from", None)
        if resume_from is not None:
            # An identity of another wire: the device of this name was exchanged, and is heard from its beginning.
            with contextlib.suppress(ValueError):
                resume_from(identity)

    def _expect(self, known: Known) -> None:
        say = getattr(self._sessions[known.device].driver, "pair" if known.paired else "expect", None)
        if say is not None:
            say(known.serial)

    def _all(self) -> list[DeviceSession | CameraSession]:
        camera = [self.camera] if self.camera is not None else []
        return [*self._sessions.values(), *camera]

    def _of_kind(self, kind: str) -> list[str]:
        return [name for name, its in self._kinds.items() if its == kind and name in self._online]

    def _tell(self, name: str, command: DeviceCommand) -> int:
        return self._sessions[name].command(command)

    def _hear(self, name: str, report: Report) -> None:
        """In the session's thread."""
        result, screen = report.message, self._screens.get(name)
        if screen is None or not isinstance(result, CommandResult) or not screen.takes(result):
            self._sink(name, report)


def wiring_of(section: DeviceSection, driver: Driver) -> Wiring:
    """The device as the adapters know it; ``driver`` was made of its section."""
    spot = spot_of(str(section.options.get("position", SWIPE))) if section.kind == "reader" else None
    return Wiring(section.name, section.kind, driver.capabilities, () if spot is None else (spot,))


def make_driver(section: DeviceSection, key: str, simulation: bool) -> tuple[Driver, LineSettings]:
    """The driver of a configured device and its line. Raises ConfigError naming key, value and what is allowed."""
    factory = load_driver(section.kind, section.driver, f"{key}.driver")
    options = dict(section.options)
    if simulation and section.driver == "native":
        options.setdefault("allow_simulated", True)
    try:
        driver: Driver = factory(options)
    except ValueError as error:
        raise ConfigError((f"{key}.options: {error}",)) from None
    line: LineSettings = factory.line
    if section.baudrate is not None:
        line = LineSettings(section.baudrate, line.bytesize, line.parity, line.stopbits)
    return driver, line
