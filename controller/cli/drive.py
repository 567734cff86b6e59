"""What the commands about single devices share: which driver, its options, and its reports as lines of text."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated, Any, Final

import typer

from controller.app.config import ConfigError
from controller.app.plugins import DRIVER_GROUPS, load_driver, names
from controller.core.words import clean
from drivers.api import Driver, LineSettings, Report
from drivers.ports import PortError, check_url

DriverOption = Annotated[
    str, typer.Option("--driver", "-d", help="KIND/DRIVER, such as shoe/angel-eye.", show_default=False)
]
OptionsOption = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="An option of the driver, key=value.", show_default=False)
]
BaudOption = Annotated[int | None, typer.Option("--baud", min=300, max=4_000_000, help="Line speed.")]
_WORDS: Final[Mapping[str, object]] = {"true": True, "false": False}


def known_drivers() -> tuple[str, ...]:
    """Every installed driver as ``KIND/DRIVER``."""
    return tuple(f"{kind}/{name}" for kind, group in DRIVER_GROUPS.items() for name in names(group))


def port_url(text: str) -> str:
    """``text`` if it can name a port. Raises BadParameter: a port that is not there yet is waited for, this never."""
    try:
        check_url(text)
    except PortError as error:
        raise typer.BadParameter(clean(str(error), 300), param_hint="PORT") from None
    return text


def make_driver(wanted: str, options: Sequence[str] | None, baudrate: int | None = None) -> tuple[Driver, LineSettings]:
    """The driver ``KIND/DRIVER`` and its line. A native device may say that it is a simulator. Raises BadParameter
    naming what is allowed."""
    kind, slash, name = wanted.partition("/")
    if not slash or kind not in DRIVER_GROUPS:
        raise typer.BadParameter(
            f"{wanted!r} is no driver; installed: {', '.join(known_drivers())}", param_hint="--driver"
        )
    given = parse_options(options or ())
    if name == "native":
        given.setdefault("allow_simulated", True)
    try:
        factory = load_driver(kind, name, "--driver")
        driver: Driver = factory(given)
    except ConfigError as error:
        raise typer.BadParameter(error.problems[0].removeprefix("--driver: "), param_hint="--driver") from None
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--option") from None
    line: LineSettings = factory.line
    if baudrate is not None:
        line = LineSettings(baudrate, line.bytesize, line.parity, line.stopbits)
    return driver, line


def parse_options(options: Sequence[str]) -> dict[str, object]:
    """``key=value`` as a mapping; numbers, ``true`` and ``false`` become what they look like. Raises BadParameter."""
    found: dict[str, object] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise typer.BadParameter(f"{option!r} is not key=value", param_hint="--option")
        found[key] = _value(value)
    return found


def _value(text: str) -> object:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return _WORDS.get(text, text)


def describe(message: Any) -> str:
    """A device message in one line: its name and the fields that differ from their defaults."""
    shown = []
    for field in fields(message):
        value: Any = getattr(message, field.name)
        if value != field.default:
            shown.append(f"{field.name}={_shown(value)}")
    return clean(f"{type(message).__name__} {' '.join(shown)}".strip(), 400)


def _shown(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    return repr(value) if isinstance(value, str) and (not value or " " in value) else str(value)


def report_line(report: Report, at: datetime | None = None) -> str:
    """A report in one line: time (UTC), message, identity."""
    when = (at or datetime.now(UTC)).strftime("%H:%M:%S.%f")[:-3]
    identity = f"  [{clean(report.identity)}]" if report.identity else ""
    return f"{when}  {describe(report.message)}{identity}"


class Deadline:
    """When to stop: after so many seconds, or never."""

    def __init__(self, seconds: float | None) -> None:
        self._until_s = None if seconds is None else time.monotonic() + seconds

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return self._until_s is not None and time.monotonic() >= self._until_s
