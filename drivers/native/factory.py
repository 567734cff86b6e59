"""Making a native driver from a table's configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from drivers.api import LineSettings
from drivers.native.admission import Admission
from drivers.native.codec import DeviceCodec
from drivers.native.hello import serial_is_valid
from drivers.native.link import NativeLink

LINE = LineSettings(115_200)
_ALLOWED = ("serial", "resume", "allow_simulated")


@dataclass(slots=True)
class NativeFactory:
    """A `drivers.api.DriverFactory` for one class of native devices.

    Options, all of them optional: ``serial`` (text) the serial number that belongs on this wire; ``resume`` (an
    identity or a list of them) the last durable event of each known device; ``allow_simulated`` (bool, default False).
    """

    name: str
    codec: DeviceCodec
    line: LineSettings = LINE

    def __call__(self, options: Mapping[str, object]) -> NativeLink:
        """Make a driver. Raises ValueError naming a wrong option, its value and the allowed ones."""
        for key in options:
            if key not in _ALLOWED:
                raise ValueError(f"{self.name}: option {key!r} is unknown; allowed are {', '.join(_ALLOWED)}")
        simulated = options.get("allow_simulated", False)
        if not isinstance(simulated, bool):
            raise ValueError(f"{self.name}: allow_simulated is {simulated!r}; allowed are true and false")
        link = NativeLink(self.codec, Admission(self.codec.device_class, self._serial(options), simulated))
        for identity in self._resume(options):
            try:
                link.resume_from(identity)
            except ValueError as problem:
                raise ValueError(f"{self.name}: resume: {problem}") from None
        return link

    def _serial(self, options: Mapping[str, object]) -> str | None:
        serial = options.get("serial")
        if serial is None or (isinstance(serial, str) and serial_is_valid(serial)):
            return serial
        wanted = "1 to 32 letters, digits, dots, underscores and hyphens are allowed"
        raise ValueError(f"{self.name}: serial is {serial!r}; {wanted}")

    def _resume(self, options: Mapping[str, object]) -> list[str]:
        match options.get("resume"):
            case None:
                return []
            case str(one):
                return [one]
            case list() | tuple() as several if all(isinstance(item, str) for item in several):
                return [str(item) for item in several]
            case other:
                raise ValueError(f"{self.name}: resume is {other!r}; an event identity or a list of them is allowed")
