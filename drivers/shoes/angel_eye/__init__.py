"""Angel Eye II-EX dealing shoe: the driver, and the codec that the simulated firmware shares; `DRIVER` is the entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.api import LineSettings
from drivers.shoes.angel_eye.driver import AngelEyeDriver
from drivers.shoes.angel_eye.options import AngelEyeOptions


@dataclass(slots=True)
class AngelEyeFactory:
    """Makes drivers of Angel Eye shoes; see `drivers.api.DriverFactory`."""

    name: str = "angel-eye"
    line: LineSettings = LineSettings(baudrate=4800)  # noqa: RUF009 - frozen

    def __call__(self, options: Mapping[str, object]) -> AngelEyeDriver:
        """Options: ``silence_limit_s``, ``command_bcc_span``. Raises ValueError naming a wrong one."""
        return AngelEyeDriver(AngelEyeOptions.read(options))


DRIVER = AngelEyeFactory()
