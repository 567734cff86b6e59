"""Who may talk on this wire: a HELLO is judged before anything else that the device says is believed."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.messages import LineFault
from drivers.native.frames import PROTOCOL
from drivers.native.hello import DeviceClass, Hello
from drivers.native.payloads import DeviceState


@dataclass(slots=True)
class Admission:
    """What a table expects on this wire. ``configured`` is the serial number that belongs here, None = the
    first device heard is taken and then remembered."""

    device_class: DeviceClass
    configured: str | None = None
    allow_simulated: bool = False
    learned: str | None = None

    @property
    def serial(self) -> str | None:
        """The only serial number that is let in; None while any is."""
        return self.configured or self.learned

    def learn(self, serial: str) -> None:
        """The device with this serial number was here; it counts unless one is configured."""
        self.learned = serial

    def pair(self, serial: str) -> None:
        """A person says that the device with this serial number belongs here."""
        self.configured = serial

    def judge(self, hello: Hello) -> LineFault | None:
        """Why this device is refused; None when it is admitted."""
        who = f"device {hello.serial} ({hello.model})"
        if hello.device_class is not self.device_class:
            found, wanted = hello.device_class.name.lower(), self.device_class.name.lower()
            return LineFault(
                "wrong_device", f"{who} is a {found}, this port is for a {wanted}: plug it where it belongs"
            )
        if hello.state & DeviceState.SIMULATED and not self.allow_simulated:
            return LineFault(
                "simulator_refused",
                f"{who} is a simulator and this table is not configured for simulation: unplug it or allow simulation",
            )
        if self.serial is not None and hello.serial != self.serial:
            return LineFault(
                "stranger",
                f"{who} is on the wire where {self.serial} belongs: plug the right one in or have a supervisor pair it",
                serial=hello.serial,
            )
        return None


def protocol_fault(low: int, high: int) -> LineFault | None:
    """Why a device that speaks protocols ``low`` .. ``high`` is refused; None when PROTOCOL is among them."""
    if low <= PROTOCOL <= high:
        return None
    reason = f"the device speaks protocol {low} to {high}, this controller {PROTOCOL}: update the older of the two"
    return LineFault("protocol", reason)
